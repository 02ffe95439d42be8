//! A session of which it is known where it is.

use crate::source::{Listener, Source};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::ops::Deref;
use std::path::Path;
use unspool::Grain;
use unspool::event::{Event, What};
use unspool::transcript::{ends_turn, milliseconds};
use unspool_report::outline::Outline;
use unspool_report::state::State;

/// A session in one line, and its file.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) path: String,
    /// When its file was last written to, in milliseconds since 1970.
    pub(crate) written: Option<i64>,
    pub(crate) outline: Outline,
    pub(crate) state: State,
    /// It is one that Claude Code keeps: where its file ends, nobody has said that the session is over.
    is_kept: bool,
    /// The entry whose events are told ends a turn.
    rests: bool,
    /// The last time that an event had.
    now: u64,
    /// When an event comes that does not say it, as far as whoever looks knows.
    clock: Option<u64>,
}

impl Deref for Row {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.outline
    }
}

impl Listener for Row {
    fn event(&mut self, event: &Event<'_>) {
        self.outline.step(event);
        let time = event.time.as_deref().and_then(milliseconds);
        let time = time.and_then(|time| u64::try_from(time).ok());
        self.now = time.or(self.clock).unwrap_or(self.now);
        if !(self.is_kept && matches!(event.what, What::Finished { .. })) {
            self.state.step(event, self.now);
            if self.rests {
                self.state.rest(self.now);
            }
        }
    }

    fn entry(&mut self, agent: Option<&Path>, line: &[u8]) {
        self.is_kept = true;
        self.rests = agent.is_none() && ends_turn(line);
    }
}

impl Row {
    /// Nothing is known of it yet.
    pub(crate) fn new(source: &Source) -> Self {
        let (path, written) = (source.path().display().to_string(), source.written());
        let now = written.and_then(|written| u64::try_from(written).ok()).unwrap_or(0);
        Row {
            path,
            written,
            outline: Outline::default(),
            state: State::new(now),
            is_kept: false,
            rests: false,
            now,
            clock: None,
        }
    }

    /// What is told from here on came now, unless it says otherwise.
    pub(crate) fn set_clock(&mut self, now: u64) {
        self.clock = Some(now);
    }

    /// Reads a session.
    pub(crate) fn of(source: &Source) -> anyhow::Result<Self> {
        let mut row = Row::new(source);
        source.tell_to(Grain::Blocks, &mut row)?;
        Ok(row)
    }

    /// Whether nothing was said in it yet.
    pub(crate) fn is_silent(&self) -> bool {
        self.is_kept && self.state.at(self.now).name() == "starting"
    }

    /// When it was: its last time, or where it tells none, when its file was last written to.
    pub(crate) fn when(&self) -> Option<Timestamp> {
        self.outline.when().or_else(|| Timestamp::from_millisecond(self.written?).ok())
    }

    /// The session as one object.
    pub(crate) fn json(&self, now: u64) -> Value {
        let mut json = self.outline.json();
        json["file"] = json!(self.path);
        json["state"] = self.state.json(now);
        json
    }
}
