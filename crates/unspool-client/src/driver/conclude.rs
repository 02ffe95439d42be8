//! How the driver brings a run to its end, and tells how it ended.

use super::Driver;
use super::ladder::Deed;
use super::tell::Piece;
use super::wait::{drained_at, over_at};
use crate::controls::Order;
use crate::fit::Fit;
use crate::ledger::Over;
use crate::transport::{Exit, Signal};
use crate::warning::Warning;
use crate::{Ending, Traffic, store};
use tokio::time::Instant;
use unspool::event::{ErrorKind, What};
use unspool::verdict::{Beside, Cut};

impl Driver {
    /// Does what follows from what has happened.
    pub(super) fn act(&mut self) {
        let now = Instant::now();
        self.work_off();
        self.do_actions();
        self.note_stall(now);
        let is_unknown = self.ledger.has_begun() && !self.introduction.was_answered();
        if self.initialize.is_some() && is_unknown && self.ladder.is_running() {
            let words = "Claude Code works and has not answered `initialize`: hooks, servers and what else it says do not hold";
            self.cut(Cut::NotStarted(words.to_owned()));
        }
        let busy = self.ledger.is_busy();
        if busy {
            self.quiet = None;
        } else {
            self.quiet.get_or_insert(now);
            self.questions.forget();
            // The prompt was taken back: the next one is another matter.
            self.halting = false;
        }
        let caught_up = self.is_caught_up();
        let waits = busy && !self.questions.is_asked() && caught_up && self.ladder.is_running();
        self.watch.waits(waits, now);
        if self.ladder.is_interrupted() {
            self.see_interrupt_through(now);
        }
        if self.halting && self.ledger.is_in_turn() {
            self.halting = false;
            self.interrupt(true);
        }
        if self.finishing && caught_up && self.ladder.is_running() && self.ledger.over() == Over::Yes {
            self.close_unless_asked(now);
        }
        // A program that says nothing more, or hears nothing more and has nothing to do, is done.
        let useless = self.output.is_none() || self.writer.has_ended() && !busy;
        if useless && self.exit.is_none() && self.ladder.is_running() {
            let deed = self.ladder.close(now);
            self.do_deed(deed);
        }
        let all_is_told = self.output.is_none() && self.backlog.is_empty();
        if all_is_told {
            self.all_told.get_or_insert(now);
        }
        if let Some(mirror) = self.mirror.as_mut().filter(|_| all_is_told) {
            mirror.close();
        }
        let nothing_comes = all_is_told && self.hearing.is_none() && self.mirror.is_none();
        if nothing_comes && self.exit.is_some() && !self.concluded {
            self.conclude();
        }
        self.do_actions();
    }

    fn do_actions(&mut self) {
        while let Some(action) = self.dialogue.poll() {
            self.on_action(action);
        }
    }

    /// Whether the ledger knows of all that was read.
    fn is_caught_up(&self) -> bool {
        self.outbox.has_room() && self.backlog.is_empty()
    }

    /// Whether there is a place for what comes.
    fn reads(&self) -> bool {
        self.outbox.has_room() || self.backlog.has_room()
    }

    /// While nothing is read, whatever does not come is not Claude Code's fault, and no time passes for it until there is
    /// room again.
    fn note_stall(&mut self, now: Instant) {
        let stalled = !self.reads();
        if std::mem::replace(&mut self.stalled, stalled) && !stalled {
            self.heard = now;
            if !self.stopping {
                self.ladder.begin_again(now);
            }
            self.quiet = self.quiet.map(|_| now);
            self.exit = self.exit.map(|(exit, _)| (exit, now));
        }
    }

    /// A turn may begin after the interrupt, with a prompt that was on its way: it is to hear it too.
    fn see_interrupt_through(&mut self, now: Instant) {
        if !self.ledger.is_busy() {
            let deed = self.ladder.close(now);
            self.do_deed(deed);
        } else if self.ledger.is_in_turn() && self.interrupted != self.ledger.last_turn() {
            self.do_deed(Some(Deed::Interrupt));
        }
    }

    /// Takes the orders that wait. If no prompt is among them no more are taken, and the input is closed.
    fn close_unless_asked(&mut self, now: Instant) {
        let gate = self.gate.clone();
        let mut closed = gate.hold();
        let waiting: Vec<Order> = std::iter::from_fn(|| self.orders.try_recv().ok()).collect();
        let asked = waiting.iter().any(|order| matches!(order, Order::Send { .. }));
        *closed |= !asked;
        drop(closed);
        for order in waiting {
            self.on_order(order);
            self.do_actions();
        }
        if asked {
            self.quiet = None;
        } else {
            let deed = self.ladder.close(now);
            self.do_deed(deed);
        }
    }

    /// Nothing more is written.
    pub(super) fn end_input(&mut self) {
        *self.gate.hold() = true;
        self.writer.end();
    }

    pub(super) fn on_time(&mut self) {
        let now = Instant::now();
        self.dialogue.handle_timeout(now - self.began);
        let reads = self.reads();
        let over = self.watch.over(now).filter(|_| self.ladder.is_running() && self.exit.is_none());
        if let Some(cut) = over {
            self.cut(cut);
        }
        let over = over_at(&self.ledger, self.quiet, self.heard, &self.patience);
        let is_over = self.is_caught_up() && over.is_some_and(|at| at <= now);
        if is_over && self.finishing && self.ladder.is_running() {
            if let Over::No(owed) = self.ledger.over() {
                let limit = self.patience.background.unwrap_or_default().as_secs();
                self.cut(Cut::Hung(format!("still waiting after {limit} s: {owed}")));
            } else {
                self.close_unless_asked(now);
            }
        }
        if self.exit.is_none() && (reads || self.stopping) {
            let deed = self.ladder.handle_timeout(&self.patience, now);
            self.do_deed(deed);
        }
        let drained = self.exit.map(|(_, at)| drained_at(at, self.heard, &self.patience));
        if reads && drained.is_some_and(|at| at <= now) {
            self.hearing = None;
            if self.output.take().is_some() {
                self.dialogue.close();
            }
        }
        if self.keeping_until().is_some_and(|until| until <= now) {
            self.on_kept(Err("it takes too long"));
        }
    }

    /// How long it is waited for the store, once all that goes there was read.
    pub(super) fn keeping_until(&self) -> Option<Instant> {
        let (_, exited) = self.exit.filter(|_| self.mirror.is_some())?;
        Some(exited.max(self.all_told?) + store::LIMIT)
    }

    /// The store has everything, or never will.
    pub(super) fn on_kept(&mut self, kept: Result<(), &str>) {
        self.mirror = None;
        if let Err(reason) = kept {
            let (path, reason) = ("the session's transcripts".to_owned(), reason.to_owned());
            self.warnings.tell(&Warning::NotKept { path, reason });
        }
    }

    /// The application has dropped its end: it does not want to know any more.
    pub(super) fn on_reader_gone(&mut self) {
        self.tell = None;
        self.outbox.clear();
        self.stop();
    }

    /// We end it, and say why.
    pub(super) fn cut(&mut self, cut: Cut) {
        // The first reason counts.
        let _ = self.cut.set(cut);
        self.stop();
    }

    /// Interrupts what is running, so that what was paid for is told, and ends.
    pub(super) fn stop(&mut self) {
        self.stopping = true;
        let now = Instant::now();
        let deed = if self.ledger.is_busy() { self.ladder.stop(now) } else { self.ladder.close(now) };
        self.do_deed(deed);
    }

    pub(super) fn do_deed(&mut self, deed: Option<Deed>) {
        match deed {
            None => {}
            Some(Deed::Interrupt) => {
                self.interrupted = self.ledger.last_turn();
                self.interrupt(true);
            }
            Some(Deed::CloseInput) => self.end_input(),
            Some(Deed::Signal(signal)) => {
                let waited = match signal {
                    Signal::Terminate => self.ladder.closed_for(Instant::now()),
                    Signal::Kill => self.patience.exit,
                };
                self.warnings.tell(&Warning::Stuck { signal, waited });
                self.writer.cut();
                self.child.signal(signal);
            }
            Some(Deed::GiveUp) => {
                self.on_exit(Exit::default());
                self.output = None;
                self.hearing = None;
                self.dialogue.close();
            }
        }
    }

    /// The program is gone, or there is nothing more to be done about it.
    pub(super) fn on_exit(&mut self, exit: Exit) {
        self.exit = Some((exit, Instant::now()));
        self.gone.cancel();
    }

    /// Nothing more will come: tells how it ended.
    pub(super) fn conclude(&mut self) {
        self.concluded = true;
        self.end_input();
        self.tell(Piece::End, false);
        let (owed, left) = match self.ledger.over() {
            Over::No(owed) if !self.stopping => (Some(owed), self.ledger.at_work()),
            _ => (None, None),
        };
        self.writer.cut();
        self.questions.clear();
        let unfit = self.fit.as_ref().and_then(Fit::unfit);
        let kind = match self.cut.get() {
            Some(Cut::MaxTurns(_)) => Some(ErrorKind::MaxTurns),
            Some(Cut::Interrupted(_)) => Some(ErrorKind::Interrupted),
            Some(Cut::NotLoggedIn(_)) => Some(ErrorKind::Auth),
            _ if self.ledger.never_began() => Some(ErrorKind::Startup),
            _ => unfit.as_ref().map(|_| ErrorKind::StructuredOutput),
        };
        let mut beside = Beside::new().unfit(unfit).left(left);
        beside.cut = self.cut.get().cloned();
        self.hand_on(Traffic::Ended(&beside));
        self.spool.beside(beside);
        let mut told = Vec::new();
        self.spool.finish(|event| told.push(event.into_owned()));
        for event in told {
            let noted = self.ledger.step(&event);
            self.cost.step(&event);
            if let What::Finished { verdict, reason, .. } = &event.what {
                let ending = Ending {
                    verdict: *verdict,
                    reason: reason.to_string(),
                    exit: self.exit.map(|(exit, _)| exit).unwrap_or_default(),
                    stderr: self.last_words.text(),
                    owed: owed.clone(),
                    spent: self.cost.now(),
                    kind,
                };
                tracing::info!(verdict = %ending.verdict, reason = ending.reason, exit = %ending.exit, "finished");
                // It ends once.
                let _ = self.ending.set(ending);
            }
            self.outbox.push(event, noted);
        }
    }
}
