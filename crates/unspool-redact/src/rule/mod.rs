//! What a secret looks like: a beginning that is looked for, and steps from there.
//!
//! A step takes as much as it can and never goes back, so that looking takes time in proportion to the text. Where a text ends that may
//! go on, a step says so: what came last may be the beginning of a secret.

mod pem;
mod table;
mod value;

pub(crate) use table::{NAMES, RULES};
pub(crate) use value::of_field;

/// One shape.
#[derive(Debug)]
pub(crate) struct Rule {
    /// What placeholders call it.
    pub(crate) name: &'static str,
    /// How it begins; one of them.
    pub(crate) begins: &'static [&'static str],
    /// The beginning may be written in capitals or not.
    pub(crate) any_case: bool,
    /// What must stand before it.
    pub(crate) before: Before,
    /// What comes behind the beginning.
    pub(crate) steps: &'static [Step],
    /// It looks like nothing else, so that it is masked even where no text should be.
    pub(crate) is_certain: bool,
}

/// What must stand before a secret.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Before {
    /// Anything.
    Anything,
    /// No letter, digit or `_`.
    Edge,
    /// Characters of this kind, so many of them. They are no part of what is masked.
    Some(Class, usize),
}

/// A kind of characters, all of one byte.
pub(crate) type Class = fn(u8) -> bool;

/// What comes next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// So many characters of this kind, at least and at most.
    Run(Class, usize, usize),
    /// One of these.
    One(&'static [&'static str]),
    /// A run with one of these before it, if there is any; so often at most.
    Also(&'static str, Class, usize),
    /// Here the secret begins. Without it, it begins where the rule does.
    Secret,
    /// Here it ends.
    Over,
    /// What this finds.
    Body(fn(&[u8], usize, bool) -> Reached),
}

/// How far a step has come.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Reached {
    /// To here.
    To(usize),
    /// It is none.
    Nowhere,
    /// The text ends, and more of it may decide.
    End,
}

/// What a rule says of a place.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Looked {
    Secret(std::ops::Range<usize>),
    Nothing,
    /// Not before more of the text is there.
    MayBe,
}

impl Rule {
    /// Looks at a place where a beginning stands, `behind` which it goes on; `last` if the text ends where it ends.
    pub(crate) fn look(&self, text: &[u8], start: usize, behind: usize, last: bool) -> Looked {
        if let Before::Some(class, count) = self.before {
            let before = text[..start].iter().rev().take(count).take_while(|byte| class(**byte)).count();
            if before < count {
                return Looked::Nothing;
            }
        }
        let (mut at, mut from, mut to) = (behind, start, None);
        for step in self.steps {
            match *step {
                Step::Secret => from = at,
                Step::Over => to = Some(at),
                Step::Run(class, least, most) => match run(text, at, class, least, most, last) {
                    Reached::To(end) => at = end,
                    Reached::Nowhere => return Looked::Nothing,
                    Reached::End => return Looked::MayBe,
                },
                Step::One(words) => match one(text, at, words, last) {
                    Reached::To(end) => at = end,
                    Reached::Nowhere => return Looked::Nothing,
                    Reached::End => return Looked::MayBe,
                },
                Step::Also(sign, class, most) => {
                    for _ in 0..most {
                        let Reached::To(end) = one(text, at, &[sign], true) else { break };
                        match run(text, end, class, 0, usize::MAX, last) {
                            Reached::To(end) => at = end,
                            _ => return Looked::MayBe,
                        }
                    }
                    if at == text.len() && !last {
                        return Looked::MayBe;
                    }
                }
                Step::Body(body) => match body(text, at, last) {
                    Reached::To(end) => at = end,
                    Reached::Nowhere => return Looked::Nothing,
                    Reached::End => return Looked::MayBe,
                },
            }
        }
        let range = from..to.unwrap_or(at);
        if range.is_empty() { Looked::Nothing } else { Looked::Secret(range) }
    }
}

fn run(text: &[u8], at: usize, class: Class, least: usize, most: usize, last: bool) -> Reached {
    let rest = &text[at..];
    let length = rest.iter().take(most).take_while(|byte| class(**byte)).count();
    if length == rest.len() && length < most && !last {
        Reached::End
    } else if length < least {
        Reached::Nowhere
    } else {
        Reached::To(at + length)
    }
}

fn one(text: &[u8], at: usize, words: &[&str], last: bool) -> Reached {
    let rest = &text[at..];
    if let Some(word) = words.iter().find(|word| rest.starts_with(word.as_bytes())) {
        return Reached::To(at + word.len());
    }
    let may_be = !last && words.iter().any(|word| word.as_bytes().starts_with(rest));
    if may_be { Reached::End } else { Reached::Nowhere }
}
