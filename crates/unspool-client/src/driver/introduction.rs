//! What Claude Code says of itself: its reply to `initialize`, which it takes once.

use crate::Outcome;
use tokio::sync::oneshot;
use unspool::control::CommandId;

#[derive(Debug, Default)]
pub(super) struct Introduction {
    asked: Option<CommandId>,
    told: Option<Outcome>,
    waiting: Vec<oneshot::Sender<Outcome>>,
}

impl Introduction {
    pub(super) fn ask(&mut self, command: CommandId) {
        self.asked = Some(command);
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

    /// Tells somebody who wants to know, now or when it is there.
    pub(super) fn tell(&mut self, reply: oneshot::Sender<Outcome>) {
        self.waiting.push(reply);
        self.tell_all();
    }

    pub(super) fn done(&mut self, outcome: Outcome) {
        self.told = Some(outcome);
        self.tell_all();
    }

    fn tell_all(&mut self) {
        let Some(told) = &self.told else { return };
        for reply in self.waiting.drain(..) {
            // Whoever asked may have lost interest.
            let _ = reply.send(told.clone());
        }
    }
}
