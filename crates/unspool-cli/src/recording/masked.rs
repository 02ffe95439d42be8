//! Lines of a bare stream, masked: each with the time at which it came.

use crate::redact;
use unspool::journal::{Scribe, Way};
use unspool_redact::EntryRedactor;

/// Lines on their way into a recording.
pub(super) struct Masked {
    scribe: Scribe,
    redactor: EntryRedactor,
    ready: Vec<(Way, Vec<u8>, u64)>,
}

impl Masked {
    /// Only if something is to be masked.
    pub(super) fn wanted() -> Option<Box<Self>> {
        let redactor = EntryRedactor::new(redact::masks()?);
        Some(Box::new(Masked { scribe: Scribe::new(), redactor, ready: Vec::new() }))
    }

    /// These bytes went this way now.
    pub(super) fn feed(&mut self, way: Way, bytes: &[u8], now: u64) {
        let Masked { scribe, redactor, ready } = self;
        scribe.feed(way, bytes, now, |entry| redactor.feed(entry, |entry| ready.push(line(&entry))));
    }

    /// Nothing more goes any way.
    pub(super) fn finish(&mut self) {
        let Masked { scribe, redactor, ready } = self;
        for way in [Way::In, Way::Out] {
            scribe.close(way, |entry| redactor.feed(entry, |entry| ready.push(line(&entry))));
        }
        redactor.finish(|entry| ready.push(line(&entry)));
    }

    /// Lines that need not wait, with the way they went and the time.
    pub(super) fn ready(&mut self) -> Vec<(Way, Vec<u8>, u64)> {
        std::mem::take(&mut self.ready)
    }
}

fn line(entry: &unspool::journal::Entry<'_>) -> (Way, Vec<u8>, u64) {
    let mut bytes = Vec::with_capacity(entry.bytes.len() + 1);
    entry.write_bytes(&mut bytes);
    (entry.way, bytes, entry.at)
}
