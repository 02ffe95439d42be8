//! What one agent has already said, so that each part is told once.
//!
//! Telling something twice is a nuisance, losing it is a fault; in doubt we tell it twice.

use crate::translate::speech::part::{Mark, Part};
use crate::translate::speech::said::Said;
use std::collections::VecDeque;

/// Messages that are remembered.
const MESSAGES: usize = 64;

/// What one agent has said.
#[derive(Debug, Default)]
pub(crate) struct Track {
    said: VecDeque<Said>,
    /// The end of the id of each of them, which is quickly searched.
    ends: VecDeque<u64>,
    /// How many user lines it was told.
    users: u64,
}

impl Track {
    /// A user line was said to the agent.
    pub(crate) fn user_line(&mut self) {
        self.users += 1;
    }

    /// The message with this id.
    pub(crate) fn message(&mut self, id: &str) -> &mut Said {
        let at = self.find(id).unwrap_or_else(|| self.begin(Some(id), 0));
        &mut self.said[at]
    }

    /// Whether a message with this id was heard.
    pub(crate) fn knows(&self, id: &str) -> bool {
        self.find(id).is_some()
    }

    fn find(&self, id: &str) -> Option<usize> {
        let end = end(id);
        let is = |at: &usize| self.said.get(*at).is_some_and(|said| said.has_id(id));
        self.ends.iter().enumerate().rev().filter(|(_, it)| **it == end).map(|(at, _)| at).find(is)
    }

    /// The message without id that these parts repeat or continue; else a new one. Messages are not
    /// compared across a result: `results` is how many there were. Every recorded message has an id;
    /// fixtures/odd/snapshots_without_ids has none.
    pub(crate) fn unnamed(&mut self, parts: &[(Part<'_>, Mark)], results: u64) -> &mut Said {
        let users = self.users;
        let continues = |said: &Said| said.continues(parts, users, results);
        let at = self.said.iter().rposition(continues).unwrap_or_else(|| self.begin(None, results));
        self.said[at].heard(users);
        &mut self.said[at]
    }

    fn begin(&mut self, id: Option<&str>, results: u64) -> usize {
        let full = self.said.len() == MESSAGES;
        let oldest = if full { self.said.pop_front() } else { None };
        if full {
            self.ends.pop_front();
        }
        self.ends.push_back(id.map_or(0, end));
        self.said.push_back(oldest.unwrap_or_default().renewed(id, self.users, results));
        self.said.len() - 1
    }
}

/// The last bytes of an id: ids begin alike and end differently.
fn end(id: &str) -> u64 {
    let bytes = id.as_bytes();
    match bytes.last_chunk::<8>() {
        Some(end) => u64::from_le_bytes(*end),
        None => bytes.iter().fold(0, |end, &byte| end << 8 | u64::from(byte)),
    }
}

#[cfg(test)]
mod tests;
