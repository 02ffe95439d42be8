//! What Claude Code says of itself: its reply to the last `initialize`.

use crate::Outcome;
use tokio::sync::oneshot;
use unspool::control::CommandId;

#[derive(Debug, Default)]
pub(super) struct Introduction {
    asked: Option<CommandId>,
    told: Option<Outcome>,
    waiting: Vec<oneshot::Sender<Outcome>>,
    /// Those whom an earlier answer does not help.
    waiting_for_next: Vec<oneshot::Sender<Outcome>>,
}

impl Introduction {
    /// What was said before holds until there is an answer.
    pub(super) fn ask(&mut self, command: CommandId) {
        self.asked = Some(command);
    }

    /// Tells the handle that wants to know what is said to the command that was asked last.
    pub(super) fn tell_next(&mut self, reply: oneshot::Sender<Outcome>) {
        self.waiting_for_next.push(reply);
    }

    pub(super) fn was_asked(&self) -> bool {
        self.asked.is_some()
    }

    pub(super) fn was_answered(&self) -> bool {
        self.told.is_some()
    }

    pub(super) fn is(&self, command: CommandId) -> bool {
        self.asked == Some(command)
    }

    /// Tells the handle that wants to know, now or when it is there.
    pub(super) fn tell(&mut self, reply: oneshot::Sender<Outcome>) {
        self.waiting.push(reply);
        self.tell_all();
    }

    pub(super) fn done(&mut self, outcome: Outcome) {
        self.waiting.append(&mut self.waiting_for_next);
        // What holds is not lost by asking again in vain.
        if outcome.is_ok() || self.told.is_none() {
            self.told = Some(outcome.clone());
        }
        for reply in self.waiting.drain(..) {
            // Whoever asked may have lost interest.
            let _ = reply.send(outcome.clone());
        }
    }

    fn tell_all(&mut self) {
        let Some(told) = &self.told else { return };
        for reply in self.waiting.drain(..) {
            // Whoever asked may have lost interest.
            let _ = reply.send(told.clone());
        }
    }
}
