//! What Claude Code says of itself: its reply to the last `initialize`.

use crate::controls::Outcome;
use tokio::sync::oneshot;
use unspool::control::{CommandId, Payload};
use unspool::wire::Wire as _;
use unspool::wire::command::InitializeReply;

#[derive(Debug)]
pub(super) struct Introduction {
    /// What has to be said, because without it Claude Code does not know of hooks, rules and servers.
    wanted: Option<Payload>,
    /// A hook is to block what it fails to answer.
    blocks_on_failure: bool,
    asked: Option<CommandId>,
    told: Option<Outcome>,
    waiting: Vec<oneshot::Sender<Outcome>>,
    /// Those whom an earlier answer does not help.
    waiting_for_next: Vec<oneshot::Sender<Outcome>>,
}

impl Introduction {
    pub(super) fn new(wanted: Option<Payload>, blocks_on_failure: bool) -> Self {
        Introduction {
            wanted,
            blocks_on_failure,
            asked: None,
            told: None,
            waiting: Vec::new(),
            waiting_for_next: Vec::new(),
        }
    }

    /// What has to be said, if anything.
    pub(super) fn wanted(&self) -> Option<&Payload> {
        self.wanted.as_ref()
    }

    /// Whether Claude Code has not answered what has to be said.
    pub(super) fn is_owed(&self) -> bool {
        self.wanted.is_some() && self.told.is_none()
    }

    /// Whether a hook is to block what it fails to answer, and Claude Code cannot do that.
    pub(super) fn fails_open(&self, outcome: &Outcome) -> bool {
        let Ok(Some(reply)) = outcome else { return false };
        let reply = InitializeReply::of(reply.json());
        self.blocks_on_failure && reply.and_then(|reply| reply.hook_on_failure_supported) != Some(true)
    }

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
