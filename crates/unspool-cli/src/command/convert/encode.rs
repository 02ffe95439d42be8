//! Writes a session in the form that is wanted.

use super::file::Made;
use crate::source::{Listener, Source};
use unspool::convert::{Target, Transcriber};
use unspool::journal::{Entry, Note, Way};
use unspool::transcript::milliseconds;
use unspool::{Event, Grain};

/// Bytes that are collected before they are written.
const PIECE: usize = 64 << 10;

/// Writes all of it. A reader of standard output who has gone away has got all that was wanted.
pub(super) fn encode(source: &Source, target: Target, made: &mut Made<'_>) -> anyhow::Result<()> {
    match target {
        Target::Events(grain) => events(source, grain, made),
        Target::Transcript => transcript(source, made),
        Target::TimedStream => by_entry(source, made),
        Target::Recording if made.is_packed() => by_entry(source, made),
        _ => {
            let mut text = Vec::new();
            source.entries(|entry| {
                match target {
                    Target::Recording => entry.write(&mut text),
                    _ if entry.way == Way::Out => entry.write_bytes(&mut text),
                    _ => {}
                }
                made.collect(&mut text, PIECE)
            })?;
            made.collect(&mut text, 0)
        }
    }
}

fn by_entry(source: &Source, made: &mut Made<'_>) -> anyhow::Result<()> {
    source.entries(|entry| made.record(entry))?;
    made.end()
}

fn transcript(source: &Source, made: &mut Made<'_>) -> anyhow::Result<()> {
    let (mut transcriber, mut clock, mut text) = (Transcriber::new(), Clock::default(), Vec::new());
    source.entries(|entry| {
        clock.transcribe(entry, &mut transcriber, &mut text);
        made.collect(&mut text, PIECE)
    })?;
    transcriber.finish(&mut text)?;
    made.collect(&mut text, 0)
}

/// What the clock on the wall showed, where the recording says when it began.
#[derive(Default)]
pub(super) struct Clock {
    began: Option<i64>,
}

impl Clock {
    /// Hands an entry on.
    pub(super) fn transcribe(&mut self, entry: &Entry<'_>, transcriber: &mut Transcriber, out: &mut Vec<u8>) {
        if let Some(Note::Begin(begin)) = entry.note() {
            let time = begin.time.filter(|_| begin.untimed != Some(true));
            self.began = time.and_then(|time| milliseconds(&time.decode()));
        }
        let passed = i64::try_from(entry.at).ok();
        if let Some(now) = self.began.zip(passed).and_then(|(began, passed)| began.checked_add(passed)) {
            transcriber.set_clock(now);
        }
        match entry.way {
            Way::Out => {
                let mut bytes = Vec::with_capacity(entry.bytes.len() + 1);
                entry.write_bytes(&mut bytes);
                transcriber.feed(&bytes, out);
            }
            Way::In => transcriber.wrote(&String::from_utf8_lossy(&entry.bytes)),
            _ => {}
        }
    }
}

fn events(source: &Source, grain: Grain, made: &mut Made<'_>) -> anyhow::Result<()> {
    struct Writer<'w, 'm>(&'w mut Made<'m>, String);
    impl Listener for Writer<'_, '_> {
        fn event(&mut self, event: &Event<'_>) {
            event.write(&mut self.1);
            self.1.push('\n');
        }
        fn pause(&mut self) -> anyhow::Result<bool> {
            let mut text = std::mem::take(&mut self.1).into_bytes();
            self.0.collect(&mut text, 0)?;
            Ok(true)
        }
    }
    source.tell_to(grain, &mut Writer(made, String::new()))
}
