//! A text that comes in pieces: which of its secrets are in which piece.
//!
//! What may be the beginning of a secret is open until more has come. The placeholder of a secret stands where the secret begins; of the
//! pieces that the rest of it stands in, that rest is taken away. So the pieces together are the whole text, masked.

use crate::find::{Finder, Surroundings};
use crate::vault::Vault;
use std::collections::VecDeque;
use std::ops::Range;

/// So much of what was decided stays, for rules that look back.
const BEFORE: usize = 64;
/// More is decided as it is: a secret is not as long.
const OPEN: usize = 32 << 10;

/// A text that comes in pieces.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// The end of what was decided, and what is open.
    text: String,
    /// How much of it was decided.
    decided: usize,
    /// A secret stood just before what is open.
    is_behind_secret: bool,
    /// Pieces that are open, with where they stand in the text; those without a line stand between lines.
    pieces: VecDeque<(Option<u64>, Range<usize>)>,
}

/// A change of a piece.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) line: u64,
    /// In the piece.
    pub(crate) range: Range<usize>,
    pub(crate) words: String,
}

/// What was decided.
#[derive(Debug, Default)]
pub(crate) struct Decided {
    pub(crate) changes: Vec<Change>,
    /// Lines whose piece is decided.
    pub(crate) lines: Vec<u64>,
}

impl Flow {
    /// The next piece, of this line, if it is of one.
    pub(crate) fn push(&mut self, line: Option<u64>, piece: &str) {
        let start = self.text.len();
        self.text.push_str(piece);
        self.pieces.push_back((line, start..self.text.len()));
    }

    /// Decides what can be decided; all of it if nothing follows.
    pub(crate) fn decide(&mut self, last: bool, finder: &Finder, vault: &mut Vault) -> Decided {
        let last = last || self.text.len() - self.decided > OPEN;
        let mut decided = Decided::default();
        let values = vault.values();
        let place = Surroundings { is_behind_secret: self.is_behind_secret, ..Surroundings::default() };
        let findings = finder.find(&self.text, self.decided, last, place, values.as_deref());
        for secret in &findings.secrets {
            let placeholder = vault.placeholder(secret.name, &secret.words);
            self.mask(&secret.range, placeholder, &mut decided.changes);
        }
        if findings.open > self.decided {
            self.is_behind_secret =
                findings.secrets.last().is_some_and(|secret| secret.range.end == findings.open);
            self.decided = findings.open;
        }
        while let Some((line, range)) = self.pieces.front() {
            if range.end > self.decided {
                break;
            }
            decided.lines.extend(*line);
            self.pieces.pop_front();
        }
        self.forget();
        decided
    }

    fn mask(&self, secret: &Range<usize>, placeholder: String, changes: &mut Vec<Change>) {
        let mut placeholder = Some(placeholder);
        for (line, range) in &self.pieces {
            let (start, end) = (secret.start.max(range.start), secret.end.min(range.end));
            let Some(line) = line.filter(|_| start < end) else { continue };
            let words = placeholder.take().unwrap_or_default();
            changes.push(Change { line, range: start - range.start..end - range.start, words });
        }
    }

    /// Lets go of what nobody looks at any more.
    fn forget(&mut self) {
        let first = self.pieces.front().map_or(self.text.len(), |(_, range)| range.start);
        let mut cut = self.decided.saturating_sub(BEFORE).min(first);
        while !self.text.is_char_boundary(cut) {
            cut -= 1;
        }
        self.text.drain(..cut);
        self.decided -= cut;
        for (_, range) in &mut self.pieces {
            *range = range.start - cut..range.end - cut;
        }
    }
}
