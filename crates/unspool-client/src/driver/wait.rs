//! What the driver waits for: all of it at once, and each for no longer than it may take.

use super::outbox::Outbox;
use super::phase::Phase;
use super::{Driver, Told};
use crate::store::{self, Mirror};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

/// A turn that begins by itself does so within this time after a task has ended.
pub(super) const MOMENT: Duration = Duration::from_secs(3);

/// Pipes that are still open this long after the program has ended are held by a process that outlives it.
pub(super) const DRAIN: Duration = Duration::from_secs(2);

/// So long it is waited for the store, once all that goes there was read.
pub(super) const KEEPING: Duration = store::LIMIT;

impl Driver {
    /// Waits for the next thing to happen, and lets it happen.
    pub(super) async fn wait(&mut self) {
        let deadline = self.dialogue.poll_timeout().map(|after| self.began + after);
        let next = deadline.into_iter().chain(self.due()).min();
        let (asked, has_room, reads) = (!self.questions.is_empty(), self.outbox.has_room(), self.reads());
        let (exited, done) = (self.phase.has_exited(), matches!(self.phase, Phase::Done));
        let reads = reads && self.intake.is_open();
        let told = self.intake.is_over();
        let Driver { intake, child, questions, orders, outbox, tell, writer, watchers, tap, .. } = self;
        let (mirror, room) = (&mut watchers.mirror, outbox.room());

        tokio::select! {
            Some(order) = orders.recv() => self.on_order(order),
            answered = questions.next(), if asked => {
                if let Some((ask, answer)) = answered {
                    self.on_answer(&ask, answer);
                }
            }
            sent = send(tell.as_ref(), outbox), if !outbox.is_empty() => {
                if !sent {
                    self.on_reader_gone();
                }
            }
            () = gone(tell.as_ref()), if tell.is_some() && !done => self.on_reader_gone(),
            read = intake.read(), if reads => self.on_read(read),
            () = tap.crossed() => {
                let written = self.tap.written();
                self.on_written(written);
            }
            () = room, if !has_room => {}
            exit = child.wait(), if !exited => {
                self.on_exit(exit);
                self.end_input();
            }
            there = kept(mirror.as_mut()), if told && mirror.is_some() => {
                self.on_kept(if there { Ok(()) } else { Err("it has panicked") });
            }
            () = heard_all(self.hearing.as_mut()), if exited && self.hearing.is_some() => self.hearing = None,
            Ok(_) = &mut writer.failed, if !writer.has_ended() => self.end_input(),
            () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => self.on_time(),
        }
    }

    /// When [`on_time`](Self::on_time) has something to do in this phase.
    fn due(&self) -> Option<Instant> {
        let Driver { watchers, intake, patience, .. } = self;
        match &self.phase {
            Phase::Running(running) => {
                let over = running.over_at(&watchers.ledger, intake.heard, patience);
                let over = over.filter(|_| self.is_caught_up());
                watchers.watch.deadline().into_iter().chain(over).min()
            }
            Phase::Closing(ladder) => ladder.deadline(patience).filter(|_| self.reads()),
            Phase::Stopping(stopping) => stopping.ladder.deadline(patience),
            Phase::Draining(draining) => {
                let is_open = intake.is_open() || self.hearing.is_some();
                let drained = draining.drained_at(intake.heard, patience);
                let drained = Some(drained).filter(|_| is_open && self.reads());
                let kept = draining.kept_at().filter(|_| watchers.mirror.is_some());
                drained.into_iter().chain(kept).min()
            }
            Phase::Done => None,
        }
    }
}

/// Hands events on, as many as the reader takes at once. `false` if there is no reader.
async fn send(tell: Option<&mpsc::Sender<Told>>, outbox: &mut Outbox) -> bool {
    let Some(tell) = tell else { return false };
    let Ok(permit) = tell.reserve().await else { return false };
    let Some(told) = outbox.pop() else { return true };
    permit.send(told);
    while let Ok(permit) = tell.try_reserve() {
        let Some(told) = outbox.pop() else { break };
        permit.send(told);
    }
    true
}

async fn heard_all(hearing: Option<&mut JoinHandle<()>>) {
    if let Some(hearing) = hearing {
        // Whatever ended it, nothing more will be heard.
        let _ = hearing.await;
    }
}

async fn kept(mirror: Option<&mut Mirror>) -> bool {
    match mirror {
        Some(mirror) => mirror.done().await,
        None => true,
    }
}

async fn gone(tell: Option<&mpsc::Sender<Told>>) {
    if let Some(tell) = tell {
        tell.closed().await;
    }
}
