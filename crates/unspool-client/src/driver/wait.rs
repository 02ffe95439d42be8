//! What the driver waits for: all of it at once, and each for no longer than it may take.

use super::outbox::Outbox;
use super::{DRAIN, Driver, Told};
use crate::Patience;
use crate::ledger::{Ledger, Over};
use crate::store::Mirror;
use crate::transport::Output;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

/// A turn that begins by itself does so within this time after a task has ended.
const MOMENT: Duration = Duration::from_secs(3);

impl Driver {
    /// Waits for the next thing to happen, and lets it happen.
    pub(super) async fn wait(&mut self) {
        let keeping = self.keeping_until();
        let Driver { output, child, questions, orders, outbox, tell, writer, mirror, piece, .. } = self;
        let deadline = self.dialogue.poll_timeout().map(|after| self.began + after);
        let (asked, has_room) = (!questions.is_empty(), outbox.has_room());
        let reads = has_room || self.backlog.has_room();
        let watch = self.watch.deadline().filter(|_| self.ladder.is_running() && self.exit.is_none());
        let ladder =
            self.ladder.deadline(&self.patience).filter(|_| self.exit.is_none() && (reads || self.stopping));
        let over =
            self.finishing.then(|| over_at(&self.ledger, self.quiet, self.heard, &self.patience)).flatten();
        let over = over.filter(|_| has_room && self.backlog.is_empty() && self.ladder.is_running());
        let drain = self
            .exit
            .filter(|_| reads && (output.is_some() || self.hearing.is_some()))
            .map(|(_, at)| drained_at(at, self.heard, &self.patience));
        let next = [deadline, watch, ladder, over, drain, keeping].into_iter().flatten().min();
        let (exited, concluded) = (self.exit.is_some(), self.concluded);
        let room = outbox.room();
        let told = output.is_none() && self.backlog.is_empty();

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
            () = gone(tell.as_ref()), if tell.is_some() && !concluded => self.on_reader_gone(),
            read = read(output.as_mut(), piece), if output.is_some() && reads => self.on_read(read),
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
}

/// When whoever still writes to the pipes of a program that has ended is none of our business: after a silence, or when
/// it goes on for too long.
pub(super) fn drained_at(exited: Instant, heard: Instant, patience: &Patience) -> Instant {
    (exited.max(heard) + DRAIN).min(exited + DRAIN.max(patience.exit))
}

/// When waiting for the end is over, if nothing happens before.
pub(super) fn over_at(
    ledger: &Ledger,
    quiet: Option<Instant>,
    heard: Instant,
    patience: &Patience,
) -> Option<Instant> {
    let quiet = quiet?;
    match ledger.over() {
        Over::Yes => Some(quiet),
        Over::Perhaps => Some(quiet.max(heard) + MOMENT),
        Over::No(_) => patience.background.map(|limit| quiet + limit),
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

async fn read(output: Option<&mut Output>, piece: &mut [u8]) -> std::io::Result<usize> {
    match output {
        Some(output) => output.read(piece).await,
        None => Ok(0),
    }
}
