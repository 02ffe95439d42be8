//! How the driver brings a run to its end, and tells how it ended.

use super::ladder::Deed;
use super::wait::over_at;
use super::{DRAIN, Driver};
use crate::controls::COMMAND_LIMIT;
use crate::fit::Fit;
use crate::ledger::Over;
use crate::transport::Exit;
use crate::warning::Warning;
use crate::{Ending, store};
use tokio::time::Instant;
use unspool::control::Payload;
use unspool::event::{ErrorKind, What};
use unspool::verdict::Cut;

impl Driver {
    /// Does what follows from what has happened.
    pub(super) fn act(&mut self) {
        let now = Instant::now();
        while let Some(action) = self.dialogue.poll() {
            self.on_action(action);
        }
        self.note_stall(now);
        let is_unknown = self.ledger.has_begun() && !self.introduction.was_answered();
        if self.needs_introduction && is_unknown && self.ladder.is_running() {
            let words = "Claude Code works and has not answered `initialize`: hooks, servers and what else it says do not hold";
            self.cut(Cut::NotStarted(words.to_owned()));
        }
        if self.ledger.is_busy() {
            self.quiet = None;
        } else {
            self.quiet.get_or_insert(now);
        }
        if self.ladder.is_interrupted() && !self.ledger.is_in_turn() {
            let deed = self.ladder.close(now);
            self.do_deed(deed);
        }
        if self.finishing && self.ladder.is_running() && self.ledger.over() == Over::Yes {
            let deed = self.ladder.close(now);
            self.do_deed(deed);
        }
        if self.output.is_none() && self.exit.is_none() && self.ladder.is_running() {
            let deed = self.ladder.close(now);
            self.do_deed(deed);
        }
        if let Some(mirror) = self.mirror.as_mut().filter(|_| self.output.is_none()) {
            mirror.close();
        }
        let nothing_comes = self.output.is_none() && self.hearing.is_none() && self.mirror.is_none();
        if nothing_comes && self.exit.is_some() && !self.concluded {
            self.conclude();
        }
    }

    /// While the application or its store takes nothing, nothing is read: whatever did not come is then not Claude
    /// Code's fault, and no time passes for it until there is room again.
    fn note_stall(&mut self, now: Instant) {
        let stalled = !self.outbox.has_room();
        if std::mem::replace(&mut self.stalled, stalled) && !stalled {
            self.heard = now;
            self.watch.heard(now);
            self.ladder.heard(now);
            self.quiet = self.quiet.map(|_| now);
        }
    }

    pub(super) fn on_time(&mut self) {
        let now = Instant::now();
        self.dialogue.handle_timeout(now - self.began);
        let (busy, asking, reads) =
            (self.ledger.is_busy(), !self.questions.is_empty(), self.outbox.has_room());
        if let Some(words) = self.watch.hung(busy && reads, asking, now).filter(|_| self.ladder.is_running())
        {
            self.cut(Cut::Hung(words));
        }
        let over = over_at(&self.ledger, self.quiet, self.heard, &self.patience);
        if reads && self.finishing && self.ladder.is_running() && over.is_some_and(|at| at <= now) {
            if let Over::No(owed) = self.ledger.over() {
                let limit = self.patience.background.unwrap_or_default().as_secs();
                self.cut(Cut::Hung(format!("still waiting after {limit} s: {owed}")));
            } else {
                let deed = self.ladder.close(now);
                self.do_deed(deed);
            }
        }
        if self.exit.is_none() && (reads || self.stopping) {
            let deed = self.ladder.handle_timeout(&self.patience, now);
            self.do_deed(deed);
        }
        if reads && self.exit.is_some_and(|(_, at)| now >= at.max(self.heard) + DRAIN) {
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
        let (_, exited) = self.exit.filter(|_| self.mirror.is_some() && self.output.is_none())?;
        Some(exited.max(self.heard) + store::LIMIT)
    }

    /// The store has everything, or never will.
    pub(super) fn on_kept(&mut self, kept: Result<(), &str>) {
        self.mirror = None;
        if let Err(reason) = kept {
            let (path, reason) = ("the session's transcripts".to_owned(), reason.to_owned());
            self.warnings.tell(&Warning::NotKept { path, reason });
        }
    }

    /// The application has dropped its end: nobody wants to know any more.
    pub(super) fn on_reader_gone(&mut self) {
        self.tell = None;
        self.outbox.clear();
        self.stop();
    }

    /// We end it, and say why.
    pub(super) fn cut(&mut self, cut: Cut) {
        if self.cut.set(cut.clone()).is_ok() {
            self.spool.cut(cut);
        }
        self.stop();
    }

    /// Interrupts what is running, so that what was paid for is told, and ends.
    pub(super) fn stop(&mut self) {
        self.stopping = true;
        let now = Instant::now();
        let deed = if self.ledger.is_in_turn() { self.ladder.stop(now) } else { self.ladder.close(now) };
        self.do_deed(deed);
    }

    pub(super) fn do_deed(&mut self, deed: Option<Deed>) {
        match deed {
            None => {}
            Some(Deed::Interrupt) => {
                let request = serde_json::json!({"subtype": "interrupt", "cancel_queued": true});
                let until = self.began.elapsed() + COMMAND_LIMIT;
                self.dialogue.command(&Payload::from(request), Some(until));
            }
            Some(Deed::CloseInput) => self.writer.end(),
            Some(Deed::Signal(signal)) => {
                self.warnings.tell(&Warning::Stuck { signal, waited: self.patience.exit });
                self.writer.cut();
                self.child.signal(signal);
            }
            Some(Deed::GiveUp) => {
                self.exit = Some((Exit::default(), Instant::now()));
                self.output = None;
                self.hearing = None;
                self.dialogue.close();
            }
        }
    }

    /// Nothing more will come: tells how it ended.
    pub(super) fn conclude(&mut self) {
        self.concluded = true;
        self.writer.cut();
        self.questions.clear();
        let unfit = self.fit.as_ref().and_then(Fit::unfit);
        let kind = match self.cut.get() {
            Some(Cut::MaxTurns(_)) => Some(ErrorKind::MaxTurns),
            Some(Cut::Interrupted(_)) => Some(ErrorKind::Interrupted),
            _ => unfit.as_ref().map(|_| ErrorKind::StructuredOutput),
        };
        self.spool.unfit(unfit);
        let mut told = Vec::new();
        self.spool.finish(|event| told.push(event.into_owned()));
        for event in told {
            let answers = self.ledger.step(&event);
            if let What::Finished { verdict, reason, .. } = &event.what {
                let ending = Ending {
                    verdict: *verdict,
                    reason: reason.to_string(),
                    exit: self.exit.map(|(exit, _)| exit).unwrap_or_default(),
                    stderr: self.last_words.text(),
                    kind,
                };
                tracing::info!(verdict = %ending.verdict, reason = ending.reason, exit = %ending.exit, "finished");
                // It ends once.
                let _ = self.ending.set(ending);
            }
            self.outbox.push(event, answers);
        }
    }
}
