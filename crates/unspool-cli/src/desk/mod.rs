//! What waits for an answer of whoever sits at the terminal.
//!
//! Matters and typed lines go in; out comes what to show, and what was said to which matter. Nothing here reads or
//! writes a terminal; [`terminal`] does.

mod matter;
mod terminal;
#[cfg(test)]
mod tests;

pub(crate) use matter::{Matter, Pick, Query, Said};
pub(crate) use terminal::{Clerk, open};

use matter::Taken;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is said where nobody can be asked any more.
const GONE: &str = "Nobody is at the terminal any more.";

/// All matters that wait, by their number.
#[derive(Default)]
struct Desk {
    waiting: BTreeMap<u64, Matter>,
    /// The one that takes the next line whole.
    open: Option<u64>,
    /// Something was withdrawn since the last line, which may be meant for that.
    changed: bool,
}

/// What a line came to.
#[derive(Debug, PartialEq)]
enum Heard {
    /// An answer.
    Said(u64, Said),
    /// A hint, and everything is to be shown again.
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
        self.open = self.open.filter(|open| *open != number);
        let was_there = self.waiting.remove(&number).is_some();
        self.changed |= was_there;
        was_there
    }

    /// Whether nothing waits.
    fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// All that waits, and what can be said.
    fn show(&self) -> String {
        let mut shown = String::new();
        for (number, matter) in &self.waiting {
            let _ = writeln!(shown, "? {number}  {}", matter.show());
        }
        if let Some(matter) = self.first().and_then(|number| self.waiting.get(&number)) {
            // At the end, where nothing that is asked about can pretend to be it.
            if let Some(always) = self.always() {
                let _ = writeln!(shown, "a is: {always}");
            }
            let choose =
                if self.waiting.len() > 1 { "; a number before it chooses, as in `2 y`" } else { "" };
            let _ = write!(shown, "{}{choose}\n> ", matter.hint());
        }
        shown
    }

    /// What `a` stands for, for each that it can be said to.
    fn always(&self) -> Option<String> {
        let several = self.waiting.len() > 1;
        let always = self.waiting.iter().filter_map(|(number, matter)| {
            let always = matter.always()?;
            Some(if several { format!("{number} {always}") } else { always })
        });
        Some(always.collect::<Vec<_>>().join("; ")).filter(|always| !always.is_empty())
    }

    /// Takes a line that was typed.
    fn line(&mut self, line: &str) -> Heard {
        let line = line.trim();
        let changed = std::mem::take(&mut self.changed);
        let Some(first) = self.first() else { return Heard::Nothing };
        if changed {
            return Heard::Hint("that may have been for what is no longer asked; once more".to_owned());
        }
        let whole = self.open.take().is_some();
        let (number, words) = if whole { (first, line) } else { self.choose(line).unwrap_or((first, line)) };
        let Some(matter) = self.waiting.get_mut(&number) else {
            return Heard::Hint(format!("nothing has the number {number}"));
        };
        match matter.take(words, whole) {
            Taken::Said(said) => {
                self.waiting.remove(&number);
                Heard::Said(number, said)
            }
            Taken::More(hint) => {
                self.open = Some(number);
                Heard::Hint(hint)
            }
            Taken::Odd(hint) => Heard::Hint(hint),
        }
    }

    /// Nobody types any more: everything that waits is refused.
    fn close(&mut self) -> Vec<(u64, Said)> {
        self.open = None;
        let waiting = std::mem::take(&mut self.waiting);
        waiting.into_keys().map(|number| (number, Said::No(GONE.to_owned()))).collect()
    }

    /// The one that a line without a number is for.
    fn first(&self) -> Option<u64> {
        self.open.or_else(|| self.waiting.keys().next().copied())
    }

    /// The number before the words. An answer to a question may be a number itself, so there has to be more behind it.
    fn choose<'l>(&self, line: &'l str) -> Option<(u64, &'l str)> {
        let (number, rest) = line.split_once(' ')?;
        Some((number.parse().ok()?, rest.trim_start())).filter(|_| self.waiting.len() > 1)
    }
}
