//! How the driver brings a run to its end, and tells how it ended.

use super::ladder::Deed;
use super::wait::over_at;
use super::{DRAIN, Driver, Told};
use crate::Ending;
use crate::controls::COMMAND_LIMIT;
use crate::fit::Fit;
use crate::ledger::Over;
use crate::transport::Exit;
use tokio::time::Instant;
use unspool::control::Payload;
use unspool::event::What;
use unspool::verdict::Cut;

impl Driver {
    /// Does what follows from what has happened.
    pub(super) fn act(&mut self) {
        let now = Instant::now();
        while let Some(action) = self.dialogue.poll() {
            self.on_action(action);
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
        if self.output.is_none() && self.exit.is_some() && self.hearing.is_none() && !self.concluded {
            self.conclude();
        }
    }

    pub(super) fn on_time(&mut self) {
        let now = Instant::now();
        self.dialogue.handle_timeout(now - self.began);
        let (busy, asking) = (self.ledger.is_busy(), !self.questions.is_empty());
        if let Some(words) = self.watch.hung(busy, asking, now).filter(|_| self.ladder.is_running()) {
            self.cut(Cut::Hung(words));
        }
        let over = over_at(&self.ledger, self.quiet, self.heard, &self.patience);
        if self.finishing && self.ladder.is_running() && over.is_some_and(|at| at <= now) {
            if let Over::No(owed) = self.ledger.over() {
                let limit = self.patience.background.unwrap_or_default().as_secs();
                self.cut(Cut::Hung(format!("still waiting after {limit} s: {owed}")));
            } else {
                let deed = self.ladder.close(now);
                self.do_deed(deed);
            }
        }
        let deed = self.ladder.handle_timeout(&self.patience, now).filter(|_| self.exit.is_none());
        self.do_deed(deed);
        if self.exit.is_some_and(|(_, at)| now >= at.max(self.heard) + DRAIN) {
            self.hearing = None;
            if self.output.take().is_some() {
                self.dialogue.close();
            }
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
        if !std::mem::replace(&mut self.cut, true) {
            self.spool.cut(cut);
        }
        self.stop();
    }

    /// Interrupts what is running, so that what was paid for is told, and ends.
    pub(super) fn stop(&mut self) {
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
        self.spool.unfit(self.fit.as_ref().and_then(Fit::unfit));
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
                };
                tracing::info!(verdict = %ending.verdict, reason = ending.reason, exit = %ending.exit, "finished");
                // It ends once.
                let _ = self.ending.set(ending);
            }
            self.outbox.push(Told { event, answers });
        }
    }
}
