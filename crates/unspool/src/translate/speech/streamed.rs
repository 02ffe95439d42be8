//! A message that arrives in deltas: its parts that are still arriving, until an assistant line confirms them or they are
//! given up.

use crate::translate::memory::slot::Slot;
use crate::translate::read::line::Counts;
use crate::translate::read::stream_event::Begun;
use crate::translate::speech::draft::{Confirmed, Draft};
use crate::translate::speech::part::Part;

/// Parts of one message that may be open at once; CLIs have one.
const OPEN: usize = 1024;

/// Drafts for which memory is kept.
const SPARES: usize = 4;

/// A message that arrives in deltas.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    id: Slot,
    model: Slot,
    /// The tokens told at its start.
    usage: Option<Counts>,
    /// Its tokens were told.
    usage_told: bool,
    /// The turn it began in.
    turn: Option<u64>,
    /// Ranks given to its parts while its id was not known.
    ranks: u64,
    /// An assistant line of this message has come.
    heard: bool,
    drafts: Vec<Draft>,
    /// So many of them are open; the others are memory for those to come.
    open: usize,
}

impl Stream {
    /// Becomes another message, in the same memory.
    pub(super) fn renew(
        &mut self,
        id: Option<&str>,
        model: Option<&str>,
        usage: Option<Counts>,
        turn: Option<u64>,
    ) {
        self.id.set(id);
        self.model.set(model);
        (self.usage, self.turn) = (usage, turn);
        (self.usage_told, self.heard, self.ranks) = (false, false, 0);
        self.open = 0;
    }

    /// The message's id, if it is known.
    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// A line says which message it is.
    pub(super) fn set_id(&mut self, id: &str) {
        self.id.set(Some(id));
    }

    pub(super) fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// The tokens told at its start.
    pub(super) fn usage(&self) -> Option<Counts> {
        self.usage
    }

    /// Its tokens are to be told. Returns whether it is the first time.
    pub(super) fn tell_usage(&mut self) -> bool {
        !std::mem::replace(&mut self.usage_told, true)
    }

    /// The turn it began in.
    pub(crate) fn turn(&self) -> Option<u64> {
        self.turn
    }

    /// Ranks given to its parts while its id was not known.
    pub(super) fn ranks(&self) -> u64 {
        self.ranks
    }

    /// A rank for a part, while the id is not known.
    pub(super) fn rank(&mut self) -> u64 {
        self.ranks += 1;
        self.ranks - 1
    }

    /// An assistant line of this message has come.
    pub(super) fn hear(&mut self) {
        self.heard = true;
    }

    /// Whether an assistant line of this message has come.
    pub(super) fn is_heard(&self) -> bool {
        self.heard
    }

    /// The draft at this place of the message.
    #[inline]
    pub(super) fn at(&mut self, index: u64) -> Option<&mut Draft> {
        self.drafts[..self.open].iter_mut().rfind(|draft| draft.index() == index)
    }

    /// The draft at this place of the message, to look at.
    pub(super) fn draft(&self, index: u64) -> Option<&Draft> {
        self.drafts[..self.open].iter().rfind(|draft| draft.index() == index)
    }

    /// The one that must be given up for a draft at this place: what stands there, or the oldest of too many.
    pub(super) fn in_the_way(&self, index: u64) -> Option<usize> {
        let taken = self.drafts[..self.open].iter().rposition(|other| other.index() == index);
        taken.or_else(|| (self.open == OPEN).then_some(0))
    }

    /// Begins a draft. `whole`: keep the words of texts and thoughts.
    pub(super) fn begin(&mut self, index: u64, begun: Begun<'_>, whole: bool) {
        if self.open == self.drafts.len() {
            self.drafts.push(Draft::default());
        }
        self.drafts[self.open].renew(index, begun, whole);
        self.open += 1;
    }

    /// Closes a draft. It stays what it is until its memory is used again.
    fn close(&mut self, at: usize) -> &mut Draft {
        self.drafts[at..self.open].rotate_left(1);
        self.open -= 1;
        &mut self.drafts[self.open]
    }

    /// Takes all drafts out, which must be [put back](Stream::put_back), and says how many are open.
    pub(super) fn take_all(&mut self) -> (Vec<Draft>, usize) {
        (std::mem::take(&mut self.drafts), std::mem::take(&mut self.open))
    }

    /// Puts the drafts back, and closes those that are gone.
    pub(super) fn put_back(&mut self, drafts: Vec<Draft>, open: usize, gone: impl Fn(usize, &Draft) -> bool) {
        (self.drafts, self.open) = (drafts, open);
        for at in (0..open).rev() {
            if gone(at, &self.drafts[at]) {
                self.close(at);
            }
        }
        self.drafts.truncate(self.open.max(SPARES));
    }

    /// Closes the draft that a part of an assistant line confirms: of those that it begins with, the
    /// longest. An empty one fits every text, but the CLI leaves out empty blocks:
    /// fixtures/odd/stream_with_empty_blocks.
    pub(super) fn confirm<'p>(&mut self, part: &'p Part<'_>) -> Option<Confirmed<'p>> {
        let open = self.drafts[..self.open].iter().enumerate();
        let fits = open.filter_map(|(at, draft)| Some((at, draft.rest_of(part)?)));
        let (at, rest) = fits.min_by_key(|(_, rest)| rest.len())?;
        let draft = self.close(at);
        Some(draft.confirmed(rest))
    }

    /// Closes the draft that a part of an assistant line stands in place of, though it begins otherwise: the
    /// first of its kind. Recordings have it only where `(no content)` stands for spaces.
    pub(super) fn contradict(&mut self, part: &Part<'_>) -> Option<&mut Draft> {
        let is_like = |draft: &Draft| draft.has_words() && draft.is_like(part);
        let at = self.drafts[..self.open].iter().position(is_like)?;
        Some(self.close(at))
    }
}

#[cfg(test)]
mod tests;
