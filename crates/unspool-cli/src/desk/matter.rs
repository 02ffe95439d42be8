//! One thing that somebody has to say something to.

use super::call::{AskedCall, text};
use serde_json::Value;
use unspool_report::view::Line;
use unspool_report::view::style::{BOLD, PLAIN};
use unspool_report::view::wrap::tidy_line;

/// What waits for an answer.
#[derive(Clone, Debug)]
pub(crate) enum Matter {
    /// May this call be made?
    Call(Box<AskedCall>),
    /// Questions of the model, and the answers to the first of them.
    Questions { queries: Vec<Query>, answers: Vec<String> },
    /// A plan of the model.
    Plan(String),
}

/// A question of the model.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub(crate) text: String,
    pub(crate) choices: Vec<Pick>,
    pub(crate) several: bool,
}

/// Something to choose.
#[derive(Clone, Debug)]
pub(crate) struct Pick {
    pub(crate) label: String,
    /// What it means.
    pub(crate) meaning: Option<String>,
}

/// What was said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum UserAnswer {
    Yes,
    /// Yes, and so from now on.
    Always,
    /// Yes, with another input.
    With(Value),
    /// No, and why.
    No(String),
    /// The answers to the questions, in order.
    Answers(Vec<String>),
}

/// What a line came to.
pub(super) enum Taken {
    Said(UserAnswer),
    /// The next line is to change it.
    Change,
    /// All of it is to be shown.
    All,
    /// It is another one now, to be shown again.
    Other,
    /// It says nothing; a hint.
    Odd(String),
}

const YES_NO: [(&str, &str); 2] = [("y", "yes"), ("n", "no (and why)")];

impl Matter {
    pub(crate) fn questions(queries: Vec<Query>) -> Self {
        Matter::Questions { queries, answers: Vec::new() }
    }

    /// What it is about, in one line, however long.
    pub(super) fn head(&self, columns: usize) -> Line {
        match self {
            Matter::Call(call) => call.head(columns),
            Matter::Questions { queries, answers } => {
                let words = queries.get(answers.len()).map(|query| tidy_line(&query.text));
                Line::of(&words.unwrap_or_default(), BOLD)
            }
            Matter::Plan(plan) if plan.trim().is_empty() => {
                Line::of("the model wants to begin, with a plan that it has not written down", BOLD)
            }
            Matter::Plan(_) => Line::of("the plan of the model", BOLD),
        }
    }

    /// The rest of it, row by row.
    pub(super) fn body(&self, columns: usize) -> Vec<Line> {
        match self {
            Matter::Call(call) => call.body(columns),
            Matter::Questions { queries, answers } => {
                queries.get(answers.len()).map(|query| query.rows(columns)).unwrap_or_default()
            }
            Matter::Plan(plan) => text(plan, "", columns),
        }
    }

    /// What can be said to it: what to type, and what that means.
    pub(super) fn choices(&self) -> Vec<(&'static str, String)> {
        let yes_no = || YES_NO.map(|(key, words)| (key, words.to_owned())).to_vec();
        match self {
            Matter::Call(call) => {
                let mut choices = yes_no();
                choices.push(("e", format!("edit the {}", call.subject())));
                choices
            }
            Matter::Plan(_) => yes_no(),
            Matter::Questions { queries, answers } => match queries.get(answers.len()) {
                Some(query) if query.several => {
                    vec![("", "numbers with commas, or your own words".to_owned())]
                }
                _ => vec![("", "a number, or your own words".to_owned())],
            },
        }
    }

    /// What `a` stands for.
    pub(super) fn always(&self) -> Option<String> {
        match self {
            Matter::Call(call) => call.allows(),
            Matter::Questions { .. } | Matter::Plan(_) => None,
        }
    }

    /// Takes a line that answers it.
    pub(super) fn take(&mut self, line: &str) -> Taken {
        match self {
            Matter::Questions { queries, answers } => take_answer(queries, answers, line),
            Matter::Call(call) => {
                let yes = call.changed().map_or(UserAnswer::Yes, UserAnswer::With);
                take_word(line, yes, true, call.allows().is_some())
            }
            Matter::Plan(_) => take_word(line, UserAnswer::Yes, false, false),
        }
    }

    /// Takes a line that is to take the place of what is asked about. It is shown again before it is done.
    pub(super) fn change(&mut self, line: &str) -> Taken {
        match self {
            Matter::Call(call) if !line.is_empty() => match call.change(line) {
                Ok(()) => Taken::Other,
                Err(why) => Taken::Odd(why.to_owned()),
            },
            _ => Taken::Odd("it is left as it is".to_owned()),
        }
    }
}

impl Query {
    fn rows(&self, columns: usize) -> Vec<Line> {
        let mut rows = Vec::new();
        for (number, choice) in (1..).zip(&self.choices) {
            let meaning = choice.meaning.iter().map(|meaning| format!(" ({})", tidy_line(meaning)));
            // A line each, or one could show itself as another.
            let words = format!("{number} {}{}", tidy_line(&choice.label), meaning.collect::<String>());
            rows.extend(unspool_report::view::wrap::fold(Line::of(&words, PLAIN), columns));
        }
        rows
    }

    /// Numbers of choices stand for them; all else for itself.
    fn answer(&self, line: &str) -> String {
        let label = |word: &str| {
            let number: usize = word.trim().parse().ok()?;
            self.choices.get(number.checked_sub(1)?).map(|choice| &*choice.label)
        };
        let words: Vec<&str> = if self.several { line.split(',').collect() } else { vec![line] };
        let labels: Option<Vec<&str>> = words.into_iter().map(label).collect();
        labels.map_or_else(|| line.to_owned(), |labels| labels.join(", "))
    }
}

fn take_word(line: &str, yes: UserAnswer, is_call: bool, has_always: bool) -> Taken {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match (word.to_lowercase().as_str(), rest.trim()) {
        ("y" | "yes", "") => Taken::Said(yes),
        ("n" | "no", "") => Taken::Said(UserAnswer::No("The user said no.".to_owned())),
        ("n" | "no", why) => Taken::Said(UserAnswer::No(why.to_owned())),
        ("a" | "always", "") if has_always => Taken::Said(UserAnswer::Always),
        ("e" | "edit", "") if is_call => Taken::Change,
        ("d", "") => Taken::All,
        ("", _) => Taken::Odd(String::new()),
        _ => Taken::Odd(format!("`{}` is no answer", tidy_line(line))),
    }
}

fn take_answer(queries: &[Query], answers: &mut Vec<String>, line: &str) -> Taken {
    if line.is_empty() {
        return Taken::Odd("an answer is needed".to_owned());
    }
    answers.extend(queries.get(answers.len()).map(|query| query.answer(line)));
    if answers.len() < queries.len() {
        return Taken::Other;
    }
    Taken::Said(UserAnswer::Answers(std::mem::take(answers)))
}
