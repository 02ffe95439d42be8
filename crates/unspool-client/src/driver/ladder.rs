//! How a run is brought to its end, step by step: interrupt, close the input, ask to end, kill.

use crate::Patience;
use crate::transport::Signal;
use tokio::time::Instant;

/// ```text
/// Running ──stop──> Interrupted ──turn ended, or time──┐
///    └──────────────────close──────────────────────────┴──> Closed ──time──> Told ──time──> Killed ──time──> GivenUp
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Step {
    /// Not at all yet.
    Running,
    /// The turn was interrupted.
    Interrupted,
    /// The input is closed.
    Closed,
    /// It was told to end.
    Told,
    /// It was killed.
    Killed,
    /// It cannot be ended.
    GivenUp,
}

/// What to do on the way down.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Deed {
    Interrupt,
    CloseInput,
    Signal(Signal),
    GiveUp,
}

#[derive(Debug)]
pub(super) struct Ladder {
    step: Step,
    since: Instant,
}

impl Ladder {
    pub(super) fn new(now: Instant) -> Self {
        Ladder { step: Step::Running, since: now }
    }

    pub(super) fn is_running(&self) -> bool {
        self.step == Step::Running
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.step == Step::Interrupted
    }

    pub(super) fn is_closed(&self) -> bool {
        !matches!(self.step, Step::Running | Step::Interrupted)
    }

    /// Interrupts what is running, and goes on from there.
    pub(super) fn stop(&mut self, now: Instant) -> Option<Deed> {
        self.is_running().then(|| self.go(Step::Interrupted, Deed::Interrupt, now))
    }

    /// Closes the input, and goes on from there.
    pub(super) fn close(&mut self, now: Instant) -> Option<Deed> {
        (!self.is_closed()).then(|| self.go(Step::Closed, Deed::CloseInput, now))
    }

    /// Something was heard after the input was closed: it is still at work.
    pub(super) fn heard(&mut self, now: Instant) {
        if self.step == Step::Closed {
            self.since = now;
        }
    }

    /// When the next step is due.
    pub(super) fn deadline(&self, patience: &Patience) -> Option<Instant> {
        match self.step {
            Step::Running | Step::GivenUp => None,
            Step::Interrupted => Some(self.since + patience.interrupt),
            Step::Closed | Step::Told | Step::Killed => Some(self.since + patience.exit),
        }
    }

    /// The next step, if it is due.
    pub(super) fn handle_timeout(&mut self, patience: &Patience, now: Instant) -> Option<Deed> {
        self.deadline(patience).filter(|deadline| *deadline <= now)?;
        match self.step {
            Step::Running | Step::GivenUp => None,
            Step::Interrupted => Some(self.go(Step::Closed, Deed::CloseInput, now)),
            Step::Closed => Some(self.go(Step::Told, Deed::Signal(Signal::Terminate), now)),
            Step::Told => Some(self.go(Step::Killed, Deed::Signal(Signal::Kill), now)),
            Step::Killed => Some(self.go(Step::GivenUp, Deed::GiveUp, now)),
        }
    }

    fn go(&mut self, step: Step, deed: Deed, now: Instant) -> Deed {
        self.step = step;
        self.since = now;
        deed
    }
}
