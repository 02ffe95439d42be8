//! Where a session stands, and what is known only there.

use super::ladder::{Deed, Ladder};
use super::wait::{DRAIN, KEEPING, MOMENT};
use crate::ledger::{Ledger, Over};
use crate::limits::Patience;
use crate::transport::Exit;
use tokio::time::Instant;

/// ```text
/// Running ──all is done, or a pipe is closed──> Closing ──┐
///  │  │                                            │      │
///  │  └──────────────── stop ──────────────────────┴──> Stopping
///  │                                                      │
///  └── exit ──> Draining <────────────── exit ────────────┘   (from Closing too)
///                  └── nothing more comes ──> Done
/// ```
#[derive(Debug)]
pub(super) enum Phase {
    /// The program runs, and nothing was done to end it.
    Running(Running),
    /// It has nothing more to do, or no way to hear or say it: it is given time to end by itself.
    Closing(Ladder),
    /// Somebody wants it to end, done or not, read or not.
    Stopping(Stopping),
    /// The program is gone: what it has left is read, told and kept.
    Draining(Draining),
    /// How it ended is told; the application may not have read it yet.
    Done,
}

#[derive(Debug)]
pub(super) struct Running {
    /// The session is to end when all is done.
    pub(super) finishing: bool,
    /// The turn that begins next is to be interrupted.
    pub(super) halting: bool,
    /// Since when nothing is asked for and no turn is running.
    pub(super) quiet: Option<Instant>,
}

#[derive(Debug)]
pub(super) struct Stopping {
    pub(super) ladder: Ladder,
    /// The last turn that our interrupt was meant for.
    pub(super) interrupted: Option<u64>,
}

#[derive(Debug)]
pub(super) struct Draining {
    pub(super) exit: Exit,
    /// When it exited, or there was room again for what it has left.
    pub(super) since: Instant,
    /// Since when nothing more is to be told.
    pub(super) all_told: Option<Instant>,
    from: Before,
}

/// What it was doing when its program went.
#[derive(Debug)]
enum Before {
    Running(Running),
    Closing,
    Stopping,
}

impl Phase {
    pub(super) fn new(now: Instant) -> Self {
        Phase::Running(Running { finishing: false, halting: false, quiet: Some(now) })
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self, Phase::Running(_))
    }

    /// Whether the program is gone.
    pub(super) fn has_exited(&self) -> bool {
        matches!(self, Phase::Draining(_) | Phase::Done)
    }

    /// What holds as long as nothing was done to end it, also if the program has gone by itself meanwhile.
    pub(super) fn running(&mut self) -> Option<&mut Running> {
        match self {
            Phase::Running(running) | Phase::Draining(Draining { from: Before::Running(running), .. }) => {
                Some(running)
            }
            Phase::Closing(_) | Phase::Stopping(_) | Phase::Draining(_) | Phase::Done => None,
        }
    }

    /// Whether somebody wanted it to end before its time.
    pub(super) fn was_stopped(&self) -> bool {
        matches!(self, Phase::Stopping(_) | Phase::Draining(Draining { from: Before::Stopping, .. }))
    }

    /// On the way down, if that has begun.
    pub(super) fn ladder(&mut self) -> Option<&mut Ladder> {
        match self {
            Phase::Closing(ladder) | Phase::Stopping(Stopping { ladder, .. }) => Some(ladder),
            Phase::Running(_) | Phase::Draining(_) | Phase::Done => None,
        }
    }

    /// Bytes came. A program that was closed and talks on is at work; one that is to stop has to stop.
    pub(super) fn heard(&mut self, now: Instant) {
        if let Phase::Closing(ladder) = self {
            ladder.heard(now);
        }
    }

    /// Nothing was read for a while, which was not the program's fault: time begins again.
    pub(super) fn begin_again(&mut self, now: Instant) {
        if let Some(running) = self.running() {
            running.quiet = running.quiet.map(|_| now);
        }
        match self {
            Phase::Closing(ladder) => ladder.begin_again(now),
            Phase::Draining(draining) => draining.since = now,
            Phase::Running(_) | Phase::Stopping(_) | Phase::Done => {}
        }
    }

    /// It has nothing more to do.
    pub(super) fn close(&mut self, now: Instant) -> Option<Deed> {
        match self {
            Phase::Running(_) => {
                let (ladder, deed) = Ladder::close_input(now);
                *self = Phase::Closing(ladder);
                Some(deed)
            }
            Phase::Stopping(stopping) => stopping.ladder.close(now),
            Phase::Draining(draining) => {
                draining.from.close();
                None
            }
            Phase::Closing(_) | Phase::Done => None,
        }
    }

    /// It is to end. What it is busy with is interrupted first, so that what was paid for is told.
    pub(super) fn stop(&mut self, busy: bool, now: Instant) -> Option<Deed> {
        match std::mem::replace(self, Phase::Done) {
            Phase::Running(_) => {
                let (ladder, deed) = if busy { Ladder::interrupt(now) } else { Ladder::close_input(now) };
                *self = Phase::Stopping(Stopping { ladder, interrupted: None });
                Some(deed)
            }
            Phase::Closing(ladder) => {
                *self = Phase::Stopping(Stopping { ladder, interrupted: None });
                None
            }
            Phase::Stopping(mut stopping) => {
                let deed = if busy { None } else { stopping.ladder.close(now) };
                *self = Phase::Stopping(stopping);
                deed
            }
            Phase::Draining(draining) => {
                *self = Phase::Draining(Draining { from: Before::Stopping, ..draining });
                None
            }
            Phase::Done => None,
        }
    }

    /// The program is gone.
    pub(super) fn exit(&mut self, exit: Exit, now: Instant) {
        let from = match std::mem::replace(self, Phase::Done) {
            Phase::Running(running) => Before::Running(running),
            Phase::Closing(_) => Before::Closing,
            Phase::Stopping(_) => Before::Stopping,
            same @ (Phase::Draining(_) | Phase::Done) => {
                *self = same;
                return;
            }
        };
        *self = Phase::Draining(Draining { exit, since: now, all_told: None, from });
    }
}

impl Running {
    /// When waiting for the end is over, if nothing happens before and it is to end at all.
    pub(super) fn over_at(&self, ledger: &Ledger, heard: Instant, patience: &Patience) -> Option<Instant> {
        let quiet = self.quiet.filter(|_| self.finishing)?;
        match ledger.over() {
            Over::Yes => Some(quiet),
            Over::Perhaps => Some(quiet.max(heard) + MOMENT),
            Over::No(_) => patience.background.map(|limit| quiet + limit),
        }
    }
}

impl Draining {
    /// When whoever still writes to the pipes of a program that has ended is none of our business: after a silence, or
    /// when it goes on for too long.
    pub(super) fn drained_at(&self, heard: Instant, patience: &Patience) -> Instant {
        (self.since.max(heard) + DRAIN).min(self.since + DRAIN.max(patience.exit))
    }

    /// How long it is waited for the store, once all that goes there was read.
    pub(super) fn kept_at(&self) -> Option<Instant> {
        Some(self.since.max(self.all_told?) + KEEPING)
    }
}

impl Before {
    fn close(&mut self) {
        if let Before::Running(_) = self {
            *self = Before::Closing;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Signal;

    /// Each beginning, what is done to it, and what becomes of it.
    #[test]
    fn what_was_begun_to_end_it_is_known_when_it_is_gone() {
        let now = Instant::now();
        let running = || Phase::new(now);
        let closing = || {
            let mut phase = running();
            assert_eq!(phase.close(now), Some(Deed::CloseInput));
            phase
        };
        let stopping = |busy, deed| {
            let mut phase = running();
            assert_eq!(phase.stop(busy, now), Some(deed));
            phase
        };
        for (mut phase, by_itself, stopped) in [
            (running(), true, false),
            (closing(), false, false),
            (stopping(true, Deed::Interrupt), false, true),
            (stopping(false, Deed::CloseInput), false, true),
        ] {
            assert_eq!((phase.running().is_some(), phase.was_stopped()), (by_itself, stopped), "{phase:?}");
            phase.exit(Exit::default(), now);
            assert!(phase.has_exited());
            assert_eq!((phase.running().is_some(), phase.was_stopped()), (by_itself, stopped), "{phase:?}");
            // It exits once, and what is done about it now is known, and does nothing.
            phase.exit(Exit { code: Some(1), signal: None }, now);
            assert!(matches!(&phase, Phase::Draining(draining) if draining.exit == Exit::default()));
            assert_eq!(phase.close(now), None);
            assert_eq!((phase.running().is_some(), phase.was_stopped()), (false, stopped), "{phase:?}");
            assert_eq!(phase.stop(true, now), None);
            assert!(phase.was_stopped() && phase.running().is_none());
        }
    }

    /// A program that talks on is waited for, unless somebody wants it to end.
    #[test]
    fn who_stops_does_not_wait_for_words() {
        let (patience, began) = (Patience::default(), Instant::now());
        let late = began + patience.exit;
        for (stops, deed) in [(false, None), (true, Some(Deed::Signal(Signal::Terminate)))] {
            let mut phase = Phase::new(began);
            phase.close(began);
            if stops {
                assert_eq!(phase.stop(false, began), None);
            }
            phase.heard(late);
            let ladder = phase.ladder().expect("it is on its way down");
            assert_eq!(ladder.handle_timeout(&patience, late), deed);
        }
    }
}
