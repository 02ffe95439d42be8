//! Parts that are still arriving as deltas, until an assistant line confirms them or they are given up.
//!
//! ```text
//! nothing --start, delta--> open --assistant line that begins with it--> confirmed
//!                           open --next message, result, end …--------> abandoned
//! ```

use super::flow::Begun;
use super::part::Part;
use super::turns::put;
use super::view::Counts;
use crate::digest::Digest;
use crate::event::PartKind;
use crate::json::{Half, Json, Str};
use std::borrow::Cow;

/// Parts of one message that may be open at once; CLIs have one.
const OPEN: usize = 1024;

/// The most memory that is kept for the words of another draft.
const SPARE: usize = 1 << 16;

/// The longest beginning of spaces alone that is held back.
const LEAD: usize = 4096;

/// A message that arrives in pieces.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    /// The tokens told at its start.
    pub(super) usage: Option<Counts<'static>>,
    /// Its tokens were told.
    pub(super) usage_told: bool,
    /// The turn it began in.
    pub(super) turn: Option<u64>,
    /// Ranks given to its parts while its id was not known.
    pub(super) ranks: u64,
    /// An assistant line of this message has come.
    pub(super) heard: bool,
    pub(super) drafts: Vec<Draft>,
    /// Memory for the words of a draft.
    spare: String,
}

/// A part that arrives in pieces.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) index: u64,
    pub(super) kind: DraftKind,
    kept: Kept,
    half: Half,
    /// Its rank, once there is something in it.
    pub(super) part: Option<u64>,
    /// Spaces at its beginning. The CLI leaves out texts of spaces alone, so these are held back until
    /// something else comes.
    lead: String,
    pub(super) signature: String,
}

#[derive(Debug)]
pub(super) enum DraftKind {
    Text,
    Thinking,
    Call { id: Option<Box<str>>, name: Option<Box<str>> },
    Other { kind: Option<Box<str>>, raw: Box<str> },
}

/// What a piece belongs to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum PieceKind {
    Text,
    Thinking,
    Input,
    /// The proof of a thought.
    Signature,
}

impl PieceKind {
    /// The draft of a part whose start was not heard.
    pub(super) fn draft(self) -> DraftKind {
        match self {
            PieceKind::Text => DraftKind::Text,
            PieceKind::Thinking | PieceKind::Signature => DraftKind::Thinking,
            PieceKind::Input => DraftKind::Call { id: None, name: None },
        }
    }
}

/// What is kept of the pieces: all of it, or enough to know it again.
#[derive(Debug)]
enum Kept {
    Words(String),
    Digest(Digest),
}

impl Stream {
    /// Another message, in the same memory.
    pub(super) fn renewed(
        self,
        id: Option<&str>,
        model: Option<&str>,
        usage: Option<Counts<'static>>,
        turn: Option<u64>,
    ) -> Stream {
        let Stream { id: mut own_id, model: mut own_model, mut drafts, spare, .. } = self;
        put(&mut own_id, id);
        put(&mut own_model, model);
        drafts.clear();
        Stream { id: own_id, model: own_model, usage, turn, drafts, spare, ..Stream::default() }
    }

    /// The draft at this place of the message.
    pub(super) fn at(&mut self, index: u64) -> Option<&mut Draft> {
        self.drafts.iter_mut().rfind(|draft| draft.index == index)
    }

    /// Begins a draft. Returns one that must be given up for it: what stood in its place, or the oldest of
    /// too many.
    pub(super) fn begin(&mut self, draft: Draft) -> Option<Draft> {
        let taken = self.drafts.iter().rposition(|other| other.index == draft.index);
        let full = || (self.drafts.len() == OPEN).then_some(0);
        let gone = taken.or_else(full).map(|at| self.drafts.remove(at));
        self.drafts.push(draft);
        if let Some(Draft { kept: Kept::Words(words), .. }) = self.drafts.last_mut() {
            *words = std::mem::take(&mut self.spare);
        }
        gone
    }

    /// Takes out the draft that a part of an assistant line confirms: of those that it begins with, the
    /// longest. An empty one fits every text, but the CLI leaves out empty blocks.
    pub(super) fn confirm<'p>(&mut self, part: &'p Part<'_>) -> Option<Confirmed<'p>> {
        let fits = self.drafts.iter().enumerate().filter_map(|(at, draft)| Some((at, draft.rest_of(part)?)));
        let (at, rest) = fits.min_by_key(|(_, rest)| rest.len())?;
        let draft = self.drafts.remove(at);
        let streamed = draft.has_words();
        if let Kept::Words(mut words) = draft.kept {
            words.clear();
            words.shrink_to(SPARE);
            self.spare = words;
        }
        Some(Confirmed { part: draft.part, streamed, lead: draft.lead, rest })
    }

    /// Takes out the draft that a part of an assistant line stands in place of, though it begins
    /// otherwise: the first of its kind.
    pub(super) fn contradict(&mut self, part: &Part<'_>) -> Option<Draft> {
        let at = self.drafts.iter().position(|draft| draft.has_words() && draft.is_like(part))?;
        Some(self.drafts.remove(at))
    }

    /// Takes out the drafts from this place of the message on.
    pub(super) fn take_from(&mut self, index: u64) -> Vec<Draft> {
        if self.drafts.is_empty() {
            return Vec::new();
        }
        let (gone, kept) =
            std::mem::take(&mut self.drafts).into_iter().partition(|draft| draft.index >= index);
        self.drafts = kept;
        gone
    }
}

/// What is left to tell of a part that was streamed.
pub(super) struct Confirmed<'p> {
    /// Its rank, if it has one.
    pub(super) part: Option<u64>,
    /// Pieces of it have come.
    pub(super) streamed: bool,
    /// Spaces that were held back.
    pub(super) lead: String,
    /// What stands behind the streamed words.
    pub(super) rest: &'p str,
}

impl Draft {
    /// `whole`: keep the words of texts and thoughts.
    pub(super) fn new(index: u64, kind: DraftKind, whole: bool) -> Self {
        let words = whole || matches!(kind, DraftKind::Call { .. });
        let kept = if words { Kept::Words(String::new()) } else { Kept::Digest(Digest::default()) };
        Draft {
            index,
            kind,
            kept,
            half: Half::default(),
            part: None,
            lead: String::new(),
            signature: String::new(),
        }
    }

    /// The draft of a part that begins.
    pub(super) fn of(index: u64, begun: Begun<'_>, whole: bool) -> Self {
        let own = |text: Option<Str<'_>>| text.map(|text| Box::from(&*text.decode()));
        let kind = match begun {
            Begun::Text(_) => DraftKind::Text,
            Begun::Thinking(_) => DraftKind::Thinking,
            Begun::Call { id, name } => DraftKind::Call { id: own(id), name: own(name) },
            Begun::Other(raw) => {
                let kind = own(raw.get("type").and_then(Json::as_str));
                DraftKind::Other { kind, raw: raw.text().into() }
            }
        };
        Draft::new(index, kind, whole)
    }

    /// Takes a piece; returns what can be told now, decoded into `scratch` if it needs decoding.
    pub(super) fn push<'p>(&mut self, piece: Str<'p>, scratch: &'p mut String) -> Cow<'p, str> {
        let words = match piece.simple().filter(|_| !self.half.waits()) {
            Some(words) => words,
            None => {
                piece.decode_into(scratch, &mut self.half);
                scratch
            }
        };
        self.keep(words);
        // Spaces at the beginning of a text are held back.
        if self.part.is_some() || !matches!(self.kind, DraftKind::Text | DraftKind::Thinking) {
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
    pub(super) fn flush(&mut self) -> String {
        let mut words = String::new();
        self.half.give_up(&mut words);
        self.keep(&words);
        self.lead.push_str(&words);
        std::mem::take(&mut self.lead)
    }

    fn keep(&mut self, words: &str) {
        match (&mut self.kept, &self.kind) {
            (_, DraftKind::Other { .. }) => {}
            (Kept::Words(kept), _) => kept.push_str(words),
            (Kept::Digest(digest), _) => digest.push(words),
        }
    }

    /// All that has come, where it was kept.
    pub(super) fn into_words(self) -> Option<String> {
        match self.kept {
            Kept::Words(words) => Some(words),
            Kept::Digest(_) => None,
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

    /// Whether there is something in it that will be told.
    pub(super) fn has_begun(&self) -> bool {
        match self.kind {
            DraftKind::Text | DraftKind::Thinking => self.has_words() && self.lead.is_empty(),
            DraftKind::Call { .. } | DraftKind::Other { .. } => true,
        }
    }

    /// Whether any words have come.
    pub(super) fn has_words(&self) -> bool {
        match &self.kept {
            Kept::Words(kept) => !kept.is_empty(),
            Kept::Digest(digest) => digest.length() > 0,
        }
    }

    fn is_like(&self, part: &Part<'_>) -> bool {
        let same = |ours: &Option<Box<str>>, theirs: Option<Str<'_>>| match (ours, theirs) {
            (Some(ours), Some(theirs)) => theirs == **ours,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        match (&self.kind, part) {
            (DraftKind::Text, Part::Text { .. }) | (DraftKind::Thinking, Part::Thinking { .. }) => true,
            // A call whose start was not heard may be any call.
            (DraftKind::Call { id, .. }, Part::Call(call)) => id.is_none() || same(id, call.id),
            (DraftKind::Other { kind, .. }, Part::Other { kind: other, .. }) => same(kind, *other),
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
