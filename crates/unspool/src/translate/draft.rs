//! Parts that are still arriving as deltas, until an assistant line confirms them or they are given up.
//!
//! ```text
//! nothing --start, delta--> open --assistant line that begins with it--> confirmed
//!                           open --next message, result, end …--------> abandoned
//! ```

use super::part::Part;
use crate::digest::Digest;
use crate::event::PartKind;
use crate::json::{Half, Str};
use crate::wire::{Block, Wire};

/// A message that arrives in pieces.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pub(super) id: Option<Box<str>>,
    pub(super) model: Option<Box<str>>,
    /// The tokens told at its start, as JSON.
    pub(super) usage: Option<Box<str>>,
    /// The turn it began in.
    pub(super) turn: Option<u64>,
    /// How many ranks were given while the message had no id.
    pub(super) ranks: u64,
    /// An assistant line of this message has come.
    pub(super) confirmed: bool,
    pub(super) drafts: Vec<Draft>,
}

/// A part that arrives in pieces.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) index: u64,
    pub(super) kind: DraftKind,
    pub(super) kept: Kept,
    half: Half,
    /// Its rank, once there is something in it.
    pub(super) part: Option<u64>,
    pub(super) signature: String,
}

#[derive(Debug)]
pub(super) enum DraftKind {
    Text,
    Thinking,
    Call { id: Option<Box<str>>, name: Option<Box<str>> },
    Other { kind: Option<Box<str>>, raw: Box<str> },
}

/// What is kept of the pieces: all of it, or enough to know it again.
#[derive(Debug)]
pub(super) enum Kept {
    Words(String),
    Digest(Digest),
}

impl Stream {
    /// The draft at this place of the message; else a new one.
    pub(super) fn at(&mut self, index: u64, begin: impl FnOnce() -> Draft) -> &mut Draft {
        let at = self.drafts.iter().rposition(|draft| draft.index == index).unwrap_or_else(|| {
            self.drafts.push(begin());
            self.drafts.len() - 1
        });
        &mut self.drafts[at]
    }

    /// Takes out the draft that a part of an assistant line confirms. For a text also what stands
    /// behind the streamed words.
    pub(super) fn confirm<'p>(&mut self, part: &'p Part<'_>) -> Option<(Draft, &'p str)> {
        let find = |empty| {
            let mut drafts = self.drafts.iter().enumerate().filter(|(_, draft)| draft.is_empty() == empty);
            drafts.find_map(|(at, draft)| Some((at, draft.rest_of(part)?)))
        };
        // An empty draft fits every text, but the CLI leaves out empty blocks: others come first.
        let (at, rest) = find(false).or_else(|| find(true))?;
        Some((self.drafts.remove(at), rest))
    }

    /// Takes out the draft that a part of an assistant line stands in place of, though it begins
    /// otherwise: the first of its kind.
    pub(super) fn contradict(&mut self, part: &Part<'_>) -> Option<Draft> {
        let at = self.drafts.iter().position(|draft| draft.has_words() && draft.is_like(part))?;
        Some(self.drafts.remove(at))
    }

    /// Takes out the drafts from this place of the message on.
    pub(super) fn take_from(&mut self, index: u64) -> Vec<Draft> {
        let (gone, kept) =
            std::mem::take(&mut self.drafts).into_iter().partition(|draft| draft.index >= index);
        self.drafts = kept;
        gone
    }
}

impl Draft {
    /// `whole`: keep the words of texts and thoughts.
    pub(super) fn new(index: u64, kind: DraftKind, whole: bool) -> Self {
        let words = whole || !matches!(kind, DraftKind::Text | DraftKind::Thinking);
        let kept = if words { Kept::Words(String::new()) } else { Kept::Digest(Digest::default()) };
        Draft { index, kind, kept, half: Half::default(), part: None, signature: String::new() }
    }

    /// The draft that a block begins.
    pub(super) fn of(index: u64, block: &Block<'_>, whole: bool) -> Self {
        let own = |text: Option<Str<'_>>| text.map(|text| Box::from(&*text.decode()));
        let kind = match block {
            Block::Text(_) => DraftKind::Text,
            Block::Thinking(_) => DraftKind::Thinking,
            Block::ToolUse(call) => DraftKind::Call { id: own(call.id), name: own(call.name) },
            other => {
                let raw = other.to_json();
                let kind = crate::json::Json::new(&raw).ok().and_then(|json| json.get("type")?.as_str());
                DraftKind::Other { kind: own(kind), raw: raw.clone().into() }
            }
        };
        Draft::new(index, kind, whole)
    }

    /// Takes a piece; returns its words, joined with what waited before.
    pub(super) fn push(&mut self, piece: Str<'_>) -> String {
        let mut words = String::new();
        piece.decode_into(&mut words, &mut self.half);
        self.keep(&words);
        words
    }

    /// Nothing more comes: half a character that still waits.
    pub(super) fn flush(&mut self) -> String {
        let mut words = String::new();
        self.half.give_up(&mut words);
        self.keep(&words);
        words
    }

    fn keep(&mut self, words: &str) {
        match &mut self.kept {
            Kept::Words(kept) => kept.push_str(words),
            Kept::Digest(digest) => digest.push(words),
        }
    }

    /// Which pieces it is told in.
    pub(super) fn part_kind(&self) -> Option<PartKind> {
        match self.kind {
            DraftKind::Text => Some(PartKind::Text),
            DraftKind::Thinking => Some(PartKind::Thinking),
            DraftKind::Call { .. } => Some(PartKind::ToolUse),
            DraftKind::Other { .. } => None,
        }
    }

    /// Whether it is a text or a thought with nothing in it.
    fn is_empty(&self) -> bool {
        matches!(self.kind, DraftKind::Text | DraftKind::Thinking) && !self.has_words()
    }

    /// Whether any words have come.
    pub(super) fn has_words(&self) -> bool {
        match &self.kept {
            Kept::Words(kept) => !kept.is_empty(),
            Kept::Digest(digest) => digest.length() > 0,
        }
    }

    /// Whether there are only spaces in it, as far as is known.
    pub(super) fn is_blank(&self) -> bool {
        matches!(&self.kept, Kept::Words(kept) if kept.trim().is_empty())
    }

    fn is_like(&self, part: &Part<'_>) -> bool {
        match (&self.kind, part) {
            (DraftKind::Text, Part::Text { .. }) | (DraftKind::Thinking, Part::Thinking { .. }) => true,
            (DraftKind::Call { id, .. }, Part::Call(call)) => match (id, call.id) {
                (Some(id), Some(other)) => other == **id,
                (Some(_), None) => false,
                // Its start was not heard: it may be any call.
                (None, _) => true,
            },
            (DraftKind::Other { kind, .. }, Part::Other { kind: other, .. }) => match (kind, other) {
                (Some(kind), Some(other)) => *other == **kind,
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            },
            _ => false,
        }
    }

    /// What a part adds to this draft, if it confirms it.
    fn rest_of<'p>(&self, part: &'p Part<'_>) -> Option<&'p str> {
        if !self.is_like(part) {
            return None;
        }
        let Some(words) = part.words() else { return Some("") };
        match &self.kept {
            Kept::Words(kept) => words.strip_prefix(kept.as_str()),
            Kept::Digest(digest) => digest.rest_of(words),
        }
    }
}
