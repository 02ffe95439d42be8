//! Where a session is while it is played again: when what comes now is due, and whether it is to be told at all.

use super::clock::Clock;
use super::position::{Excerpt, Side};
use super::speed::Speed;
use crate::source::Came;
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};
use unspool::Event;
use unspool::journal::Goal;

/// So far apart are lines whose times nobody knows.
pub(super) const EVENLY: u64 = 50;

/// When things happened: what is told is followed, line by line and event by event. Times never go back.
#[derive(Default)]
pub(super) struct Moment {
    /// The line or entry.
    pub(super) number: u64,
    /// When it came, or where in the order of lines it stands.
    pub(super) at: u64,
    /// Nobody knows when lines came.
    pub(super) is_even: bool,
}

impl Moment {
    pub(super) fn begins(has_times: bool) -> Self {
        Moment { is_even: !has_times, ..Moment::default() }
    }

    /// A line came.
    pub(super) fn came(&mut self, line: &Came<'_>) {
        self.number = line.number;
        let even = self.is_even.then(|| line.number.saturating_sub(1).saturating_mul(EVENLY));
        self.at = self.at.max(line.at.or(even).unwrap_or(0));
    }

    /// It made this event told.
    pub(super) fn step(&mut self, event: &Event<'_>) {
        self.at = self.at.max(event.at.filter(|_| !self.is_even).unwrap_or(0));
    }
}

/// The place that has been reached, and the clock that says when to go on.
pub(crate) struct Cue {
    moment: Moment,
    excerpt: Excerpt,
    /// Nothing where nothing is waited for.
    clock: Option<Clock>,
    /// The clock was set to where it begins.
    is_set: bool,
    /// What people call what is played.
    name: String,
}

impl Cue {
    pub(crate) fn new(name: String, speed: Speed, longest: Option<Duration>, excerpt: Excerpt) -> Self {
        let clock = match speed {
            Speed::Times(speed) => Some(Clock::new(speed, longest, Instant::now())),
            Speed::Max => None,
        };
        Cue { moment: Moment::default(), excerpt, clock, is_set: false, name }
    }

    /// It begins. Where nobody knows when lines came, that is said.
    pub(super) fn begins(&mut self, has_times: bool) {
        self.moment = Moment::begins(has_times);
        if !has_times && self.clock.is_some() {
            let each = 1000 / EVENLY;
            eprintln!(
                "unspool: {}: nobody knows when its lines came; they are played evenly, {each} a second",
                self.name
            );
        }
    }

    /// Where it begins, if it can be found without what stands before.
    pub(super) fn goal(&self) -> Option<Goal> {
        self.excerpt.goal()
    }

    pub(super) fn came(&mut self, line: &Came<'_>) {
        self.moment.came(line);
    }

    pub(super) fn step(&mut self, event: &Event<'_>) {
        self.moment.step(event);
        self.excerpt.step(event);
    }

    /// When that happened which was taken last.
    pub(super) fn at(&self) -> u64 {
        self.moment.at
    }

    /// Where it lies.
    pub(super) fn side(&mut self) -> Side {
        self.excerpt.side(self.moment.number, self.moment.at)
    }

    /// Waits until it is due. `idle` is called before, and again and again if that takes longer than `tick`; it is told what
    /// time it was.
    pub(super) fn wait(
        &mut self,
        tick: Duration,
        mut idle: impl FnMut(u64) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(clock) = &mut self.clock else { return Ok(()) };
        if !std::mem::replace(&mut self.is_set, true) {
            clock.set(self.excerpt.begin(self.moment.at), Instant::now());
        }
        loop {
            let wall = Instant::now();
            let left = clock.left(self.moment.at, wall).unwrap_or_default();
            if left.is_zero() {
                return Ok(());
            }
            idle(clock.now(wall))?;
            sleep(left.min(tick));
        }
    }

    /// What there is to say of a place that was never reached.
    pub(super) fn end(&self) -> anyhow::Result<()> {
        match self.excerpt.never_begun() {
            Some(place) => anyhow::bail!("{} ends before {place}", self.name),
            None => Ok(()),
        }
    }
}
