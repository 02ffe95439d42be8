//! The only loop: reads what Claude Code says, answers what it asks, writes what the application wants, and
//! knows when it is over.
//!
//! One task per session runs it. Whatever may take long runs elsewhere: lines are written by the
//! [writer](writer::Writer), questions are answered by tasks of their own, events wait in the
//! [outbox](outbox::Outbox), and lines in the [backlog](backlog::Backlog) when that is full. So a slow reader, a slow handler and a slow program never wait for each other.
//!
//! What it does next depends on its [phase](phase::Phase), which has what is known only then.

mod abandoned;
mod backlog;
mod conclude;
mod intake;
mod introduction;
mod ladder;
mod outbox;
mod phase;
mod questions;
mod react;
mod setup;
mod spans;
mod tell;
mod wait;
mod watchers;
mod writer;

pub(crate) use outbox::Load;
pub(crate) use questions::Handler;
pub(crate) use setup::{Handle, Limiter, Setup, Told, start};

use crate::Ending;
use crate::controls::{Gate, Order};
use crate::last_words::LastWords;
use crate::ledger::Over;
use crate::limits::Patience;
use crate::store::Folder;
use crate::tap::Tap;
use crate::transport::Child;
use abandoned::Abandoned;
use intake::Intake;
use introduction::Introduction;
use outbox::Outbox;
use phase::Phase;
use questions::Questions;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use unspool::Spool;
use unspool::control::{CommandId, Dialogue};
use unspool::verdict::Cut;
use watchers::Watchers;
use writer::Writer;

struct Driver {
    // The program.
    writer: Writer,
    intake: Intake,
    child: Box<dyn Child>,
    gone: CancellationToken,
    last_words: LastWords,
    /// Reads standard error, until there is no more.
    hearing: Option<JoinHandle<()>>,
    #[expect(dead_code, reason = "it is there as long as the program may read it")]
    folder: Option<Folder>,

    // What is said, both ways.
    spool: Spool,
    began: Instant,
    tap: Tap,
    dialogue: Dialogue,
    questions: Questions,
    introduction: Introduction,
    commands: BTreeMap<CommandId, oneshot::Sender<crate::controls::Outcome>>,
    abandoned: Abandoned,

    // The application.
    orders: mpsc::UnboundedReceiver<Order>,
    gate: Gate,
    /// Prompts are taken as they are, `/` and `@` too.
    verbatim: bool,
    outbox: Outbox,
    /// `None` once the application does not read any more.
    tell: Option<mpsc::Sender<Told>>,

    // What becomes of it.
    watchers: Watchers,
    patience: Patience,
    phase: Phase,
    /// Why we end it.
    cut: Arc<OnceLock<Cut>>,
    ending: Arc<OnceLock<Ending>>,
}

impl Driver {
    async fn run(mut self) {
        loop {
            self.act();
            if matches!(self.phase, Phase::Done) && (self.outbox.is_empty() || self.tell.is_none()) {
                return;
            }
            self.wait().await;
        }
    }

    /// Does what follows from what has happened.
    fn act(&mut self) {
        let now = Instant::now();
        self.work_off();
        self.do_actions();
        // While nothing is read, whatever does not come is not Claude Code's fault: no time passes for it.
        if self.intake.goes_on(self.reads(), now) {
            self.phase.begin_again(now);
        }
        self.check_introduction();
        let busy = self.watchers.ledger.is_busy();
        if !busy {
            self.questions.forget();
        }
        let waits = busy && !self.questions.is_asked() && self.is_caught_up() && self.phase.is_running();
        self.watchers.watch.waits(waits, now);
        if let Some(mirror) = self.watchers.mirror.as_mut().filter(|_| self.intake.is_over()) {
            mirror.close();
        }
        match &self.phase {
            Phase::Running(_) => self.go_on(busy, now),
            Phase::Stopping(_) => self.see_interrupt_through(busy, now),
            Phase::Draining(_) => self.drain(now),
            Phase::Closing(_) | Phase::Done => {}
        }
        self.do_actions();
    }

    /// Time has passed: what was waited for in vain is not waited for any longer.
    fn on_time(&mut self) {
        let now = Instant::now();
        self.dialogue.handle_timeout(now - self.began);
        let reads = self.reads();
        match &mut self.phase {
            Phase::Running(running) => {
                let over = running.over_at(&self.watchers.ledger, self.intake.heard, &self.patience);
                if let Some(cut) = self.watchers.watch.over(now) {
                    self.cut(cut);
                } else if over.is_some_and(|at| at <= now) && self.is_caught_up() {
                    self.give_up_waiting(now);
                }
            }
            Phase::Closing(ladder) if reads => {
                let deed = ladder.handle_timeout(&self.patience, now);
                self.do_deed(deed);
            }
            // It waits for the application, and no time passes for it.
            Phase::Closing(_) => {}
            Phase::Stopping(stopping) => {
                let deed = stopping.ladder.handle_timeout(&self.patience, now);
                self.do_deed(deed);
            }
            Phase::Draining(draining) => {
                let kept = draining.kept_at();
                if reads && draining.drained_at(self.intake.heard, &self.patience) <= now {
                    self.hear_no_more();
                }
                if self.watchers.mirror.is_some() && kept.is_some_and(|at| at <= now) {
                    self.on_kept(Err("it takes too long"));
                }
            }
            Phase::Done => {}
        }
    }

    /// The program runs: is there anything more for it to do?
    fn go_on(&mut self, busy: bool, now: Instant) {
        let (caught_up, ledger) = (self.is_caught_up(), &self.watchers.ledger);
        let Some(running) = self.phase.running() else { return };
        running.quiet = if busy { None } else { Some(running.quiet.unwrap_or(now)) };
        // If the prompt was taken back, the next one is another matter.
        running.halting &= busy;
        let halts = running.halting && ledger.is_in_turn();
        running.halting &= !halts;
        let is_over = running.finishing && caught_up && ledger.over() == Over::Yes;
        if halts {
            self.interrupt(true);
        }
        if is_over {
            self.close_unless_asked(now);
        }
        // A program that says nothing more, or hears nothing more and has nothing to do, is done.
        let useless = !self.intake.is_open() || self.writer.has_ended() && !busy;
        if useless && self.phase.is_running() {
            self.close(now);
        }
    }

    fn do_actions(&mut self) {
        while let Some(action) = self.dialogue.poll() {
            self.on_action(action);
        }
    }

    /// Whether the ledger knows of all that was read.
    fn is_caught_up(&self) -> bool {
        self.outbox.has_room() && self.intake.backlog.is_empty()
    }

    /// Whether there is a place for what comes.
    fn reads(&self) -> bool {
        self.outbox.has_room() || self.intake.backlog.has_room()
    }
}
