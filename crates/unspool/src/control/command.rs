//! What we ask of Claude Code: the commands that wait for their answer.

use super::Payload;
use crate::json::Json;
use crate::wire::ControlAnswer;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Names a command; on the wire `u-1`, `u-2` and so on, which no id of Claude Code's looks like.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct CommandId(u64);

impl CommandId {
    /// The command with this id on the wire, if the id is one of this form.
    #[must_use]
    pub fn of(id: &str) -> Option<Self> {
        let command = CommandId(id.strip_prefix("u-")?.parse().ok()?);
        (command.to_string() == id).then_some(command)
    }
}

impl fmt::Display for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "u-{}", self.0)
    }
}

/// Why a command to Claude Code was not done.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Claude Code said no.
    #[error("refused: {message}")]
    Refused {
        /// Why, in words.
        message: String,
        /// Why, for programs; most refusals have none.
        code: Option<String>,
    },
    /// Claude Code said nothing in time. It may still do it.
    #[error("no answer to `{subtype}` in time")]
    TimedOut {
        /// What was asked.
        subtype: String,
    },
    /// It was taken back. Claude Code may have done it all the same.
    #[error("cancelled")]
    Cancelled,
    /// The stream ended first.
    #[error("the stream ended without an answer")]
    Closed,
    /// It was never sent, because Claude Code would end on a request that is no object.
    #[error("the request is not an object")]
    Malformed,
}

/// What an answer says. Anything but `success` is a refusal.
pub(super) fn outcome(answer: &ControlAnswer<'_>) -> Result<Option<Payload>, Refusal> {
    if answer.subtype.is_some_and(|subtype| subtype == "success") {
        return Ok(answer.response.map(Payload::from));
    }
    let message = answer.error.map(|words| words.decode().into_owned());
    Err(Refusal::Refused {
        message: message.unwrap_or_else(|| "no reason given".to_owned()),
        code: answer.error_code.map(|code| code.as_str().into_owned()),
    })
}

/// The commands that wait. One that has ended is remembered by its number alone.
#[derive(Debug, Default)]
pub(super) struct Commands {
    waiting: BTreeMap<CommandId, Waiting>,
    last: u64,
}

#[derive(Debug)]
struct Waiting {
    subtype: String,
    until: Option<Duration>,
}

impl Commands {
    /// The next command, which waits from now on.
    pub(super) fn issue(&mut self, request: Json<'_>, until: Option<Duration>) -> CommandId {
        self.last += 1;
        let command = CommandId(self.last);
        let subtype = request.get("subtype").and_then(Json::as_str).unwrap_or_default().to_string();
        self.waiting.insert(command, Waiting { subtype, until });
        command
    }

    pub(super) fn issued(&self, command: CommandId) -> bool {
        (1..=self.last).contains(&command.0)
    }

    pub(super) fn waits(&self, command: CommandId) -> bool {
        self.waiting.contains_key(&command)
    }

    /// Waits no longer; `false` if it did not wait.
    pub(super) fn end(&mut self, command: CommandId) -> bool {
        self.waiting.remove(&command).is_some()
    }

    pub(super) fn next_deadline(&self) -> Option<Duration> {
        self.waiting.values().filter_map(|waiting| waiting.until).min()
    }

    /// The commands whose time is over, and what each asks.
    pub(super) fn due(&self, now: Duration) -> Vec<(CommandId, String)> {
        let is_due = |waiting: &Waiting| waiting.until.is_some_and(|until| until <= now);
        let due = self.waiting.iter().filter(|(_, waiting)| is_due(waiting));
        due.map(|(command, waiting)| (*command, waiting.subtype.clone())).collect()
    }

    pub(super) fn all(&self) -> Vec<CommandId> {
        self.waiting.keys().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_of_our_spelling_are_ours() {
        assert_eq!(CommandId::of("u-12"), Some(CommandId(12)));
        for odd in ["u-012", "u-+1", "u-", "12", "U-1", "u-1 ", "u-99999999999999999999"] {
            assert_eq!(CommandId::of(odd), None, "{odd}");
        }
    }
}
