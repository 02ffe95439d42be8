//! What waits for an answer of whoever sits at the terminal.
//!
//! Matters and typed lines go in; out comes what to show, and what was said to which matter. Nothing here reads or
//! writes a terminal; [`terminal`] does. What a matter says stands behind a margin, and never where the menu stands: it
//! can neither steer the terminal nor pretend to be what can be typed.

mod call;
mod matter;
mod proposal;
mod slip;
mod terminal;
#[cfg(test)]
mod tests;

pub(crate) use call::AskedCall;
pub(crate) use matter::{Matter, Pick, Query, UserAnswer};
pub(crate) use terminal::{Clerk, open};

use matter::Taken;
use slip::{Extent, Room};
use std::collections::{BTreeMap, HashSet};

/// What is said where nobody can be asked any more.
const GONE: &str = "Nobody is at the terminal any more.";

/// All matters that wait, by their number.
#[derive(Default)]
struct Desk {
    waiting: BTreeMap<u64, Matter>,
    /// The one that lies on top; otherwise it is the first.
    chosen: Option<u64>,
    /// The one on top takes the next line in place of what it is about.
    is_open: bool,
    /// Those that were shown.
    seen: HashSet<u64>,
    /// Something was withdrawn since the last line, which may be meant for that.
    changed: bool,
}

/// What a line came to.
#[derive(Debug, PartialEq)]
enum Heard {
    /// An answer.
    Said(u64, UserAnswer),
    /// What is asked is to be shown again, behind these words; how much of it is the other part.
    Show(String, Extent),
    /// Some words, and nothing else is shown again.
    Hint(String),
    /// Nothing waits.
    Nothing,
}

impl Desk {
    fn add(&mut self, number: u64, matter: Matter) {
        self.waiting.insert(number, matter);
    }

    /// It no longer waits. Whether that changes what is shown.
    fn withdraw(&mut self, number: u64) -> bool {
        let was_there = self.waiting.contains_key(&number);
        self.remove(number);
        self.changed |= was_there;
        was_there
    }

    /// Whether nothing waits.
    fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Takes a line that was typed.
    fn line(&mut self, line: &str) -> Heard {
        let line = line.trim();
        let changed = std::mem::take(&mut self.changed);
        let Some(top) = self.top() else { return Heard::Nothing };
        if changed {
            let words = "that may have been for what is no longer asked; once more";
            return Heard::Show(words.to_owned(), Extent::Fitting);
        }
        if std::mem::take(&mut self.is_open) {
            return self.changes(top, line);
        }
        let (number, words) = self.choose(line).unwrap_or((top, line));
        let Some(matter) = self.waiting.get_mut(&number) else {
            return Heard::Hint(format!("nothing has the number {number}"));
        };
        // Nobody can agree to what they have not seen.
        if !self.seen.contains(&number) || number != top && words.is_empty() {
            self.chosen = Some(number);
            return Heard::Show(String::new(), Extent::Fitting);
        }
        match matter.take(words) {
            Taken::Said(said) => {
                self.remove(number);
                Heard::Said(number, said)
            }
            Taken::Change => {
                (self.chosen, self.is_open) = (Some(number), true);
                Heard::Show(String::new(), Extent::Fitting)
            }
            Taken::All => {
                self.chosen = Some(number);
                Heard::Show(String::new(), Extent::All)
            }
            Taken::Other => Heard::Show(String::new(), Extent::Fitting),
            Taken::Odd(hint) => Heard::Hint(hint),
        }
    }

    /// Takes a line that is another command or input.
    fn changes(&mut self, number: u64, line: &str) -> Heard {
        match self.waiting.get_mut(&number).map(|matter| matter.change(line)) {
            Some(Taken::Odd(hint)) => Heard::Show(hint, Extent::Head),
            _ => Heard::Show(String::new(), Extent::Fitting),
        }
    }

    /// Nobody types any more: everything that waits is refused.
    fn close(&mut self) -> Vec<(u64, UserAnswer)> {
        let waiting = std::mem::take(self).waiting;
        waiting.into_keys().map(|number| (number, UserAnswer::No(GONE.to_owned()))).collect()
    }

    /// The one that a line without a number is for.
    fn top(&self) -> Option<u64> {
        self.chosen.or_else(|| self.waiting.keys().next().copied())
    }

    fn remove(&mut self, number: u64) {
        self.waiting.remove(&number);
        self.seen.remove(&number);
        if self.chosen == Some(number) {
            (self.chosen, self.is_open) = (None, false);
        }
    }

    /// The number before the words. An answer to a question may be a number itself, so there has to be more behind it.
    fn choose<'l>(&self, line: &'l str) -> Option<(u64, &'l str)> {
        let is_question = matches!(self.waiting.get(&self.top()?)?, Matter::Questions { .. });
        let (number, rest) = match line.split_once(' ') {
            Some(pair) => pair,
            None if is_question => return None,
            None => (line, ""),
        };
        Some((number.parse().ok()?, rest.trim_start())).filter(|_| self.waiting.len() > 1)
    }
}
