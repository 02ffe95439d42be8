//! How a run is brought to its end, step by step: interrupt, close the input, ask to end, kill.

use crate::limits::Patience;
use crate::transport::Signal;
use std::time::Duration;
use tokio::time::Instant;

/// ```text
/// Interrupted ──turn ended, or time──> Closed ──time──> Told ──time──> Killed ──time──> GivenUp
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Step {
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
    /// When the input was closed.
    closed: Instant,
}

impl Ladder {
    /// Begins with the interrupt of what is running.
    pub(super) fn interrupt(now: Instant) -> (Self, Deed) {
        (Ladder { step: Step::Interrupted, since: now, closed: now }, Deed::Interrupt)
    }

    /// Begins with the input, which is closed.
    pub(super) fn close_input(now: Instant) -> (Self, Deed) {
        (Ladder { step: Step::Closed, since: now, closed: now }, Deed::CloseInput)
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.step == Step::Interrupted
    }

    /// How long ago the input was closed.
    pub(super) fn closed_for(&self, now: Instant) -> Duration {
        now - self.closed
    }

    /// Closes the input, unless that was done, and goes on from there.
    pub(super) fn close(&mut self, now: Instant) -> Option<Deed> {
        self.is_interrupted().then(|| self.go(Step::Closed, Deed::CloseInput, now))
    }

    /// Something was heard after the input was closed: it is still at work.
    pub(super) fn heard(&mut self, now: Instant) {
        if self.step == Step::Closed {
            self.since = now;
        }
    }

    /// Nothing was read for a while, which was not its fault: time begins again.
    pub(super) fn begin_again(&mut self, now: Instant) {
        if self.step == Step::Closed {
            (self.since, self.closed) = (now, now);
        }
    }

    /// When the next step is due.
    pub(super) fn deadline(&self, patience: &Patience) -> Option<Instant> {
        match self.step {
            Step::GivenUp => None,
            Step::Interrupted => Some(self.since + patience.interrupt),
            // It may have much to say, but not for ever: what it waits for by itself has a limit of its own.
            Step::Closed => {
                let most = patience.background.map(|limit| self.closed + limit.max(patience.exit));
                Some(most.into_iter().fold(self.since + patience.exit, Instant::min))
            }
            Step::Told | Step::Killed => Some(self.since + patience.exit),
        }
    }

    /// The next step, if it is due.
    pub(super) fn handle_timeout(&mut self, patience: &Patience, now: Instant) -> Option<Deed> {
        self.deadline(patience).filter(|deadline| *deadline <= now)?;
        match self.step {
            Step::GivenUp => None,
            Step::Interrupted => Some(self.go(Step::Closed, Deed::CloseInput, now)),
            Step::Closed => Some(self.go(Step::Told, Deed::Signal(Signal::Terminate), now)),
            Step::Told => Some(self.go(Step::Killed, Deed::Signal(Signal::Kill), now)),
            Step::Killed => Some(self.go(Step::GivenUp, Deed::GiveUp, now)),
        }
    }

    fn go(&mut self, step: Step, deed: Deed, now: Instant) -> Deed {
        self.step = step;
        self.since = now;
        if step == Step::Closed {
            self.closed = now;
        }
        deed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_talks_on_is_waited_for_but_not_for_ever() {
        let (patience, began) = (Patience::default(), Instant::now());
        let (mut ladder, deed) = Ladder::close_input(began);
        assert_eq!(deed, Deed::CloseInput);
        for second in (0..595).step_by(9) {
            let now = began + Duration::from_secs(second);
            assert_eq!(ladder.handle_timeout(&patience, now), None, "{second}");
            ladder.heard(now);
        }
        let now = began + Duration::from_secs(600);
        assert_eq!(ladder.handle_timeout(&patience, now), Some(Deed::Signal(Signal::Terminate)));
        assert_eq!(ladder.closed_for(now), Duration::from_secs(600));
    }
}
