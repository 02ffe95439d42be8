//! A line that is the one before it but for its words and its uuid.
//!
//! Nearly every piece of a part is such a line. It is of the same agent, message and part as the last one, so
//! nothing need be found out but what it adds.

use super::draft::PieceKind;
use super::flow::Says;
use super::known::{Known, Text};
use super::slot::Slot;
use crate::json::Str;
use std::ops::Range;

/// The last line, if it was a piece.
#[derive(Debug, Default)]
pub(super) struct Twin {
    line: Vec<u8>,
    words: Range<usize>,
    /// Behind the words.
    uuid: Range<usize>,
    agent: Slot,
    index: u64,
    /// None if the last line was no piece.
    kind: Option<PieceKind>,
}

impl Twin {
    /// The words and the uuid of a line, if it differs in them alone.
    #[inline]
    pub(super) fn read<'l>(&self, line: &'l [u8]) -> Option<(Str<'l>, Str<'l>)> {
        if self.kind.is_none() || !begins(line, &self.line[..self.words.start]) {
            return None;
        }
        let (words, end) = Str::at(line, self.words.start)?;
        let between = &self.line[self.words.end..self.uuid.start];
        if !begins(&line[end..], between) {
            return None;
        }
        let (uuid, end) = Str::at(line, end + between.len())?;
        let rest = &self.line[self.uuid.end..];
        (line.len() - end == rest.len() && begins(&line[end..], rest)).then_some((words, uuid))
    }

    /// The place of the part that grows, and what it grows by.
    pub(super) fn grows(&self) -> Option<(u64, PieceKind)> {
        Some((self.index, self.kind?))
    }

    /// Another line came, which looks like one before.
    pub(super) fn learn(&mut self, line: &[u8], known: &Known<'_>) {
        self.forget();
        let Says::Piece { index, kind, .. } = known.says() else { return };
        let place = |text| known.text(text).and_then(|text| place(line, text));
        let (Some(words), Some(uuid)) = (place(Text::Words), place(Text::Uuid)) else { return };
        if words.end >= uuid.start || known.text(Text::Time).is_some() {
            return;
        }
        self.line.clear();
        self.line.extend_from_slice(line);
        let agent = known.text(Text::Agent).filter(|agent| !agent.is_empty()).map(Str::decode);
        self.agent.set(agent.as_deref());
        (self.words, self.uuid, self.index, self.kind) = (words, uuid, index, Some(kind));
    }

    /// Another line came.
    pub(super) fn forget(&mut self) {
        self.kind = None;
    }

    /// The agent of the line; to be [given back](Twin::give_back).
    pub(super) fn agent(&mut self) -> Slot {
        std::mem::take(&mut self.agent)
    }

    pub(super) fn give_back(&mut self, agent: Slot) {
        self.agent = agent;
    }
}

/// Whether a text begins so: [`starts_with`](slice::starts_with) without a call. In each place where it is called
/// there is as much to compare as the last time, and the machine remembers how much for each place.
#[inline(always)]
fn begins(text: &[u8], with: &[u8]) -> bool {
    let Some(text) = text.get(..with.len()) else { return false };
    let mut blocks = with.as_chunks::<32>().0.iter().zip(text.as_chunks::<32>().0);
    match (with.last_chunk::<32>(), text.last_chunk::<32>()) {
        (Some(end), Some(same)) => blocks.all(|(block, same)| block == same) && end == same,
        _ => with == text,
    }
}

/// Where a string stands in its line.
fn place(line: &[u8], string: Str<'_>) -> Option<Range<usize>> {
    let text = string.raw()?;
    let start = text.as_ptr().addr().checked_sub(line.as_ptr().addr())?;
    (start + text.len() < line.len()).then(|| start..start + text.len())
}
