//! Events on their way to whoever reads them.
//!
//! When a reader is slow and so many bytes are waiting, what else is read goes into the [backlog](super::backlog), and
//! nothing is lost. Answers to questions go another way and never wait here.

use super::Told;
use crate::feed::Teller;
use crate::ledger::Noted;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;
use unspool::Event;

/// So many bytes of lines may wait as events, until the application has taken them.
const WAITING: usize = 8 << 20;

#[derive(Debug, Default)]
pub(super) struct Outbox {
    told: VecDeque<Told>,
    scale: Arc<Scale>,
    /// Bytes that were read since the last event.
    unpaid: usize,
    /// Whoever else is told, at once and without waiting.
    feeds: Vec<Teller>,
}

/// What weighs all that waits, here and with the reader.
#[derive(Debug, Default)]
struct Scale {
    bytes: AtomicUsize,
    /// There is room again.
    room: Notify,
}

/// The weight of an event, as long as it waits.
#[derive(Debug)]
pub(crate) struct Load {
    bytes: usize,
    scale: Arc<Scale>,
}

impl Drop for Load {
    fn drop(&mut self) {
        let before = self.scale.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        if before >= WAITING && before - self.bytes < WAITING {
            self.scale.room.notify_one();
        }
    }
}

impl Outbox {
    pub(super) fn new(feeds: Vec<Teller>) -> Self {
        Outbox { feeds, ..Outbox::default() }
    }

    /// Bytes were read; the next event bears their weight.
    pub(super) fn weigh(&mut self, bytes: usize) {
        self.unpaid += bytes;
    }

    pub(super) fn push(&mut self, event: Event<'static>, noted: Noted) {
        let bytes = std::mem::take(&mut self.unpaid);
        let (event, load) = (Arc::new(event), self.load(bytes));
        for feed in &self.feeds {
            feed.tell(&event, bytes);
        }
        self.told.push_back(Told { event, noted, load });
    }

    /// A weight, for what waits elsewhere.
    pub(super) fn load(&self, bytes: usize) -> Load {
        self.scale.bytes.fetch_add(bytes, Ordering::Relaxed);
        Load { bytes, scale: Arc::clone(&self.scale) }
    }

    pub(super) fn pop(&mut self) -> Option<Told> {
        self.told.pop_front()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    pub(super) fn has_room(&self) -> bool {
        self.scale.bytes.load(Ordering::Relaxed) < WAITING
    }

    /// Waits until there is room.
    pub(super) fn room(&self) -> impl Future<Output = ()> + use<> {
        let scale = Arc::clone(&self.scale);
        async move { scale.room.notified().await }
    }

    pub(super) fn clear(&mut self) {
        self.told.clear();
    }
}
