//! How the driver brings a run to its end, and tells how it ended.

use super::Driver;
use super::ladder::Deed;
use super::phase::Phase;
use super::tell::Piece;
use crate::Ending;
use crate::controls::Order;
use crate::fit::Fit;
use crate::ledger::Over;
use crate::transport::{Exit, Signal};
use crate::warning::Warning;
use tokio::time::Instant;
use unspool::event::{ErrorKind, What};
use unspool::verdict::{Beside, Cut};

impl Driver {
    /// A turn may begin after the interrupt, with a prompt that was on its way: it is to hear it too.
    pub(super) fn see_interrupt_through(&mut self, busy: bool, now: Instant) {
        let Phase::Stopping(stopping) = &self.phase else { return };
        if !stopping.ladder.is_interrupted() {
            return;
        }
        let ledger = &self.watchers.ledger;
        if !busy {
            self.close(now);
        } else if ledger.is_in_turn() && stopping.interrupted != ledger.last_turn() {
            self.do_deed(Some(Deed::Interrupt));
        }
    }

    /// Takes the orders that wait. If no prompt is among them no more are taken, and the input is closed.
    pub(super) fn close_unless_asked(&mut self, now: Instant) {
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
            if let Some(running) = self.phase.running() {
                running.quiet = None;
            }
        } else {
            self.close(now);
        }
    }

    /// Nothing more is written.
    pub(super) fn end_input(&mut self) {
        *self.gate.hold() = true;
        self.writer.end();
    }

    /// Everything should be over by now: if something is owed, it has taken too long.
    pub(super) fn give_up_waiting(&mut self, now: Instant) {
        if let Over::No(owed) = self.watchers.ledger.over() {
            let limit = self.patience.background.unwrap_or_default().as_secs();
            self.cut(Cut::Hung(format!("still waiting after {limit} s: {owed}")));
        } else {
            self.close_unless_asked(now);
        }
    }

    /// The program is gone: is there anything more to be read, told or kept?
    pub(super) fn drain(&mut self, now: Instant) {
        let (caught_up, ledger) = (self.is_caught_up(), &self.watchers.ledger);
        let done = self.phase.running().is_some_and(|running| running.finishing) && caught_up;
        if done && ledger.over() == Over::Yes {
            self.close(now);
        }
        let Phase::Draining(draining) = &mut self.phase else { return };
        if self.intake.is_over() {
            draining.all_told.get_or_insert(now);
            if self.hearing.is_none() && self.watchers.mirror.is_none() {
                self.conclude();
            }
        }
    }

    /// Whoever else writes to the pipes is none of our business.
    pub(super) fn hear_no_more(&mut self) {
        self.hearing = None;
        if self.intake.close() {
            self.dialogue.close();
        }
    }

    /// The store has everything, or never will.
    pub(super) fn on_kept(&mut self, kept: Result<(), &str>) {
        self.watchers.mirror = None;
        if let Err(reason) = kept {
            let (path, reason) = ("the session's transcripts".to_owned(), reason.to_owned());
            self.watchers.warnings.tell(&Warning::NotKept { path, reason });
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
        let deed = self.phase.stop(self.watchers.ledger.is_busy(), Instant::now());
        self.do_deed(deed);
    }

    /// Lets it end by itself: there is nothing more for it to do.
    pub(super) fn close(&mut self, now: Instant) {
        let deed = self.phase.close(now);
        self.do_deed(deed);
    }

    pub(super) fn do_deed(&mut self, deed: Option<Deed>) {
        match deed {
            None => {}
            Some(Deed::Interrupt) => {
                if let Phase::Stopping(stopping) = &mut self.phase {
                    stopping.interrupted = self.watchers.ledger.last_turn();
                }
                self.interrupt(true);
            }
            Some(Deed::CloseInput) => self.end_input(),
            Some(Deed::Signal(signal)) => {
                let closed = self.phase.ladder().map(|ladder| ladder.closed_for(Instant::now()));
                let waited = closed.filter(|_| signal == Signal::Terminate).unwrap_or(self.patience.exit);
                self.watchers.warnings.tell(&Warning::Stuck { signal, waited });
                self.writer.cut();
                self.child.signal(signal);
            }
            Some(Deed::GiveUp) => {
                self.on_exit(Exit::default());
                self.intake.close();
                self.hearing = None;
                self.dialogue.close();
            }
        }
    }

    /// The program is gone, or there is nothing more to be done about it.
    pub(super) fn on_exit(&mut self, exit: Exit) {
        self.phase.exit(exit, Instant::now());
        self.gone.cancel();
    }

    /// Nothing more will come: tells how it ended.
    pub(super) fn conclude(&mut self) {
        self.end_input();
        let (last, at) = (self.tap.close(), self.tap.clock());
        self.on_written(last);
        self.tell(Piece::End, at, false);
        let was_stopped = self.phase.was_stopped();
        let exit = match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Draining(draining) => draining.exit,
            Phase::Running(_) | Phase::Closing(_) | Phase::Stopping(_) | Phase::Done => Exit::default(),
        };
        let (owed, left) = match self.watchers.ledger.over() {
            Over::No(owed) if !was_stopped => (Some(owed), self.watchers.ledger.at_work()),
            _ => (None, None),
        };
        self.writer.cut();
        self.questions.clear();
        let unfit = self.watchers.fit.as_ref().and_then(Fit::unfit);
        let kind = match self.cut.get() {
            Some(Cut::MaxTurns(_)) => Some(ErrorKind::MaxTurns),
            Some(Cut::Interrupted(_)) => Some(ErrorKind::Interrupted),
            Some(Cut::NotLoggedIn(_)) => Some(ErrorKind::Auth),
            _ if self.watchers.ledger.never_began() => Some(ErrorKind::Startup),
            _ => unfit.as_ref().map(|_| ErrorKind::StructuredOutput),
        };
        let mut beside = Beside::new().unfit(unfit).left(left);
        beside.cut = self.cut.get().cloned();
        self.tap.end(exit, &beside, at);
        self.spool.beside(beside);
        let mut told = Vec::new();
        self.spool.finish(|event| told.push(event.into_owned()));
        for event in told {
            let noted = self.watchers.ledger.step(&event);
            self.watchers.cost.step(&event);
            if let What::Finished { verdict, reason, .. } = &event.what {
                let ending = Ending {
                    verdict: *verdict,
                    reason: reason.to_string(),
                    exit,
                    stderr: self.last_words.text(),
                    owed: owed.clone(),
                    spent: self.watchers.cost.now(),
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
