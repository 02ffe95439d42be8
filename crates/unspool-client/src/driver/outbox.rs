//! Events on their way to whoever reads them.
//!
//! A reader that is slow makes the driver read no more once so many bytes are waiting; Claude Code then waits in
//! turn, and nothing is lost. Answers to its questions go another way and never wait here.

use super::Told;
use std::collections::VecDeque;

/// So many bytes of lines may wait as events.
const WAITING: usize = 8 << 20;

#[derive(Debug, Default)]
pub(super) struct Outbox {
    told: VecDeque<(Told, usize)>,
    bytes: usize,
    /// Bytes that were read since the last event.
    unpaid: usize,
}

impl Outbox {
    /// Bytes were read; the next event bears their weight.
    pub(super) fn weigh(&mut self, bytes: usize) {
        self.unpaid += bytes;
    }

    pub(super) fn push(&mut self, told: Told) {
        let weight = std::mem::take(&mut self.unpaid);
        self.bytes += weight;
        self.told.push_back((told, weight));
    }

    pub(super) fn pop(&mut self) -> Option<Told> {
        let (told, weight) = self.told.pop_front()?;
        self.bytes -= weight;
        Some(told)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    pub(super) fn has_room(&self) -> bool {
        self.bytes < WAITING
    }

    pub(super) fn clear(&mut self) {
        *self = Outbox::default();
    }
}
