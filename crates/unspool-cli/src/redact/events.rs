//! Events of a run that is going on, masked before anybody is told.

use super::masks;
use unspool::Event;
use unspool_redact::Redactor;

/// Masks events, if that is wanted. Pieces of a part wait while they may have the beginning of a secret, and what is behind them.
pub(crate) struct MaskedEvents {
    redactor: Option<Redactor>,
    line: String,
    ready: Vec<u8>,
}

impl MaskedEvents {
    pub(crate) fn new() -> Self {
        MaskedEvents { redactor: masks().map(Redactor::new), line: String::new(), ready: Vec::new() }
    }

    /// Hands on what is decided.
    pub(crate) fn step(&mut self, event: &Event<'_>, take: impl FnMut(&Event<'_>)) {
        let Some(redactor) = &mut self.redactor else {
            let mut take = take;
            return take(event);
        };
        self.line.clear();
        event.write(&mut self.line);
        self.line.push('\n');
        redactor.feed(self.line.as_bytes(), &mut self.ready);
        self.tell(take);
    }

    /// There are no more events.
    pub(crate) fn finish(&mut self, take: impl FnMut(&Event<'_>)) {
        if let Some(redactor) = &mut self.redactor {
            redactor.finish(&mut self.ready);
            self.tell(take);
        }
    }

    fn tell(&mut self, mut take: impl FnMut(&Event<'_>)) {
        for line in self.ready.split(|byte| *byte == b'\n') {
            // What was written as an event is read as one.
            if let Some(event) = str::from_utf8(line).ok().and_then(|line| Event::read(line).ok()) {
                take(&event);
            }
        }
        self.ready.clear();
    }
}
