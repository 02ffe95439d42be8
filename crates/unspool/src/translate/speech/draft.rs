//! A part that is still arriving as deltas, until an assistant line confirms it or it is given up.
//!
//! ```text
//! nothing --start, delta--> open --assistant line that begins with it--> confirmed
//!                           open --next message, result, end …--------> abandoned
//! ```
//!
//! 2.1.325 says that it gives a message up (fixtures/partial/cut_partial-2.1.325); older versions leave its parts open
//! for ever, and another message takes their place (fixtures/partial/cut_partial-2.1.112).

use crate::digest::Digest;
use crate::event::PartKind;
use crate::json::{Half, Json, Str};
use crate::translate::memory::slot::Slot;
use crate::translate::read::stream_event::Begun;
use crate::translate::speech::part::Part;
use std::borrow::Cow;

/// The most memory that is kept for the words of another draft.
const SPARE: usize = 1 << 16;

/// The longest beginning of spaces alone that is held back.
const LEAD: usize = 4096;

/// A part that arrives in deltas.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    index: u64,
    sort: Sort,
    /// The id of a call.
    id: Slot,
    /// The tool of a call, or the type of a block.
    name: Slot,
    /// What is kept of the deltas: all of it, or enough to know it again. Of a block, the block.
    whole: bool,
    words: String,
    digest: Digest,
    /// The first half of a character that was split over two deltas: fixtures/partial/surrogate_partial-2.1.325.
    half: Half,
    /// Its rank, once there is something in it.
    part: Option<u64>,
    /// Spaces at its beginning, held back until something else comes: 2.1.112 and later leave out texts of
    /// spaces alone, 2.1.1 and older write `(no content)` in their place (fixtures/partial/white_partial-2.0.77).
    lead: String,
    signature: String,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Sort {
    #[default]
    Text,
    Thinking,
    Call,
    Other,
}

/// What a draft is of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DraftKind<'d> {
    Text,
    Thinking,
    Call { id: Option<&'d str>, name: Option<&'d str> },
    Other { kind: Option<&'d str>, raw: &'d str },
}

/// What is left to tell of a part that was streamed.
pub(crate) struct Confirmed<'p> {
    /// Its rank, if it has one.
    pub(crate) part: Option<u64>,
    /// Pieces of it have come.
    pub(crate) streamed: bool,
    /// Spaces that were held back.
    pub(crate) lead: String,
    /// What stands behind the streamed words.
    pub(crate) rest: &'p str,
}

impl Draft {
    pub(super) fn renew(&mut self, index: u64, begun: Begun<'_>, whole: bool) {
        for text in [&mut self.words, &mut self.lead, &mut self.signature] {
            text.clear();
            text.shrink_to(SPARE);
        }
        (self.index, self.part) = (index, None);
        (self.digest, self.half) = (Digest::default(), Half::default());
        let (sort, id, name) = match begun {
            Begun::Text(_) => (Sort::Text, None, None),
            Begun::Thinking(_) => (Sort::Thinking, None, None),
            Begun::Call { id, name } => (Sort::Call, id, name),
            Begun::Other(raw) => {
                self.words.push_str(raw.text());
                (Sort::Other, None, raw.get("type").and_then(Json::as_str))
            }
        };
        self.sort = sort;
        self.whole = whole || sort == Sort::Call;
        self.id.set(id.map(Str::decode).as_deref());
        self.name.set(name.map(Str::decode).as_deref());
    }

    /// Its place in the message.
    pub(super) fn index(&self) -> u64 {
        self.index
    }

    /// Its rank, once there is something in it.
    pub(super) fn rank(&self) -> Option<u64> {
        self.part
    }

    pub(super) fn set_rank(&mut self, rank: u64) {
        self.part = Some(rank);
    }

    /// The proof of a thought grows.
    pub(super) fn sign(&mut self, delta: Str<'_>) {
        delta.decode_to(&mut self.signature);
    }

    /// The proof of a thought, as far as it has come.
    pub(super) fn signature(&self) -> Option<&str> {
        Some(self.signature.as_str()).filter(|signature| !signature.is_empty())
    }

    /// A part of an assistant line confirms it, which adds this.
    pub(super) fn confirmed<'p>(&mut self, rest: &'p str) -> Confirmed<'p> {
        let lead = std::mem::take(&mut self.lead);
        Confirmed { part: self.part, streamed: self.has_words(), lead, rest }
    }

    pub(crate) fn kind(&self) -> DraftKind<'_> {
        let name = self.name.as_deref();
        match self.sort {
            Sort::Text => DraftKind::Text,
            Sort::Thinking => DraftKind::Thinking,
            Sort::Call => DraftKind::Call { id: self.id.as_deref(), name },
            Sort::Other => DraftKind::Other { kind: name, raw: &self.words },
        }
    }

    /// Takes a delta; returns what can be told now, decoded into `scratch` if it needs decoding.
    pub(crate) fn push<'p>(&mut self, delta: Str<'p>, scratch: &'p mut String) -> Cow<'p, str> {
        let words = match delta.simple().filter(|_| !self.half.waits()) {
            Some(words) => words,
            None => {
                delta.decode_into(scratch, &mut self.half);
                scratch
            }
        };
        self.keep(words);
        // Spaces at the beginning of a text are held back.
        if self.part.is_some() || !matches!(self.sort, Sort::Text | Sort::Thinking) {
            return Cow::Borrowed(words);
        }
        let blank = words.trim().is_empty() && self.lead.len() + words.len() < LEAD;
        if self.lead.is_empty() && !blank {
            return Cow::Borrowed(words);
        }
        self.lead.push_str(words);
        if blank { Cow::Borrowed("") } else { Cow::Owned(std::mem::take(&mut self.lead)) }
    }

    /// Nothing more comes: returns what was held back.
    pub(crate) fn flush(&mut self) -> String {
        let mut words = String::new();
        self.half.give_up(&mut words);
        self.keep(&words);
        self.lead.push_str(&words);
        std::mem::take(&mut self.lead)
    }

    fn keep(&mut self, words: &str) {
        match (self.sort, self.whole) {
            (Sort::Other, _) => {}
            (_, true) => self.words.push_str(words),
            (_, false) => self.digest.push(words),
        }
    }

    /// All that has come, where it was kept.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// Which deltas it is told in.
    pub(crate) fn part_kind(&self) -> Option<PartKind> {
        match self.sort {
            Sort::Text => Some(PartKind::Text),
            Sort::Thinking => Some(PartKind::Thinking),
            Sort::Call => Some(PartKind::ToolUse),
            Sort::Other => None,
        }
    }

    /// Whether there is something in it that will be told.
    pub(crate) fn has_begun(&self) -> bool {
        match self.sort {
            Sort::Text | Sort::Thinking => self.has_words() && self.lead.is_empty(),
            Sort::Call | Sort::Other => true,
        }
    }

    /// Whether any words have come.
    pub(crate) fn has_words(&self) -> bool {
        match (self.sort, self.whole) {
            (Sort::Other, _) => false,
            (_, true) => !self.words.is_empty(),
            (_, false) => self.digest.length() > 0,
        }
    }

    pub(super) fn is_like(&self, part: &Part<'_>) -> bool {
        let same = |ours: Option<&str>, theirs: Option<Str<'_>>| match (ours, theirs) {
            (Some(ours), Some(theirs)) => theirs == *ours,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        match (self.kind(), part) {
            (DraftKind::Text, Part::Text { .. }) | (DraftKind::Thinking, Part::Thinking { .. }) => true,
            // A call whose start was not heard may be any call.
            (DraftKind::Call { id, .. }, Part::Call(call)) => id.is_none() || same(id, call.id),
            (DraftKind::Other { kind, .. }, Part::Other { kind: other, .. }) => same(kind, *other),
            _ => false,
        }
    }

    /// What a part adds to this draft, if it confirms it.
    pub(super) fn rest_of<'p>(&self, part: &'p Part<'_>) -> Option<&'p str> {
        if !self.is_like(part) {
            return None;
        }
        let Some(words) = part.words() else { return Some("") };
        if self.whole { words.strip_prefix(self.words.as_str()) } else { self.digest.rest_of(words) }
    }
}
