//! Prompts that the application does not want answered any more.

use crate::ledger::Noted;
use std::collections::BTreeMap;
use tokio::sync::oneshot;
use unspool::control::CommandId;

/// Those that have not begun, by their names.
#[derive(Debug, Default)]
pub(super) struct Abandoned(BTreeMap<String, Prompt>);

/// One that is being taken back.
#[derive(Debug)]
struct Prompt {
    command: CommandId,
    reply: oneshot::Sender<()>,
    /// It has begun all the same, and was interrupted.
    interrupted: bool,
}

impl Abandoned {
    /// This command takes it back.
    pub(super) fn push(&mut self, uuid: String, command: CommandId, reply: oneshot::Sender<()>) {
        self.0.insert(uuid, Prompt { command, reply, interrupted: false });
    }

    /// What an event means for them. Whether one has begun all the same, and is to be interrupted.
    pub(super) fn note(&mut self, noted: &Noted) -> bool {
        let mut unwanted = false;
        for uuid in &noted.begins {
            let begun = self.0.get_mut(uuid);
            unwanted |= begun.is_some_and(|begun| !std::mem::replace(&mut begun.interrupted, true));
        }
        for uuid in &noted.settles {
            self.0.remove(uuid);
        }
        unwanted
    }

    /// The prompt that this command takes back.
    pub(super) fn find(&self, command: CommandId) -> Option<String> {
        let (uuid, _) = self.0.iter().find(|(_, prompt)| prompt.command == command)?;
        Some(uuid.clone())
    }

    /// It was taken back. Returns whom to tell.
    pub(super) fn remove(&mut self, uuid: &str) -> Option<oneshot::Sender<()>> {
        self.0.remove(uuid).map(|prompt| prompt.reply)
    }
}
