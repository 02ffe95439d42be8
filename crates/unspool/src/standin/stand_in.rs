//! A stand-in: told what the host writes, it says what to do next.

use super::clock::Speed;
use super::deviation::{Deviation, Waits};
use super::ended::Ended;
use super::life::Life;
use super::names::Names;
use super::part::Part;
use super::vary::Variation;
use crate::journal::Way;
use crate::line::{DEFAULT_LIMIT, Splitter};
use std::borrow::Cow;

/// Plays a life of Claude Code: told what the host writes, it says what to do next.
#[derive(Debug)]
pub struct StandIn {
    lines: Splitter,
    part: Part,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Act<'s> {
    /// Write these bytes to standard output or standard error.
    Write(Way, Cow<'s, [u8]>),
    /// Tell people what the host did otherwise.
    Tell(Deviation),
    /// Nothing until then, or until something is heard.
    Wait(u64),
    /// Nothing until something is heard.
    Listen,
    /// Exit so.
    Exit(Ended),
}

impl StandIn {
    pub(super) fn new<A: AsRef<str>>(life: &Life, args: &[A]) -> Self {
        StandIn { lines: Splitter::new(DEFAULT_LIMIT), part: Part::new(life.clone(), args) }
    }

    /// Plays it so fast; at once, if this is not said.
    #[must_use]
    pub fn speed(mut self, speed: Speed) -> Self {
        self.part.speed = speed;
        self
    }

    /// Goes on where the host does otherwise, as if it had done what was recorded.
    #[must_use]
    pub fn lenient(mut self, is_lenient: bool) -> Self {
        self.part.is_lenient = is_lenient;
        self
    }

    /// Ends also where the arguments are others, or the host asks for what nobody knows.
    #[must_use]
    pub fn strict(mut self, is_strict: bool) -> Self {
        self.part.is_strict = is_strict;
        self
    }

    /// Plays the life as it might have been.
    #[must_use]
    pub fn vary(mut self, variation: &Variation) -> Self {
        self.part.vary(variation);
        self
    }

    /// A field of the host's lines that is not compared: names behind each other, `*` for any, such as
    /// `request.appendSystemPrompt`.
    #[must_use]
    pub fn ignore(mut self, path: impl Into<String>) -> Self {
        self.part.ignored.push(path.into());
        self
    }

    /// Names that are known from lives that were played before.
    #[must_use]
    pub fn know(mut self, names: &Names) -> Self {
        names.noted().for_each(|(recorded, now)| self.part.names.note(recorded, now));
        self
    }

    /// What the host calls things, as far as it has named them.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.part.names
    }

    /// What the host has to write before it goes on, if anything.
    #[must_use]
    pub fn waits(&self) -> Option<Waits> {
        self.part.waits()
    }

    /// The host wrote these bytes, cut anywhere.
    pub fn feed(&mut self, bytes: &[u8], now: u64) {
        self.part.begin();
        let StandIn { lines, part } = self;
        lines.feed(bytes, |line| part.line(line.bytes, now));
    }

    /// The host has closed the input.
    pub fn close(&mut self, now: u64) {
        self.part.begin();
        let StandIn { lines, part } = self;
        lines.finish(|line| part.line(line.bytes, now));
        part.close(now);
    }

    /// What to do next. To be asked again until it says to wait, to listen or to exit.
    pub fn poll(&mut self, now: u64) -> Act<'_> {
        self.part.begin();
        self.part.poll(now)
    }
}
