//! Whether Claude Code has a prompt that it was sent before its program died: what stands in its transcript it has.
//!
//! It says that it has begun with a prompt some 100 ms before it writes the prompt down. Whoever dies in between has never
//! seen it, and cannot go on with it.

use crate::Claude;
use crate::kept::KeptSessions;
use std::time::{SystemTime, UNIX_EPOCH};
use unspool::json::Json;
use unspool::transcript::milliseconds;
use unspool::wire::{EntryHead, Wire as _};

/// A prompt that was sent.
#[derive(Debug)]
pub(super) struct Sent {
    /// Its name.
    uuid: String,
    /// When, in milliseconds since 1970.
    at: i64,
}

impl Sent {
    pub(super) fn now(uuid: String) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Sent { uuid, at: i64::try_from(since.as_millis()).unwrap_or(i64::MAX) }
    }

    /// Whether the session has it, whose program has ended; `None` if its transcript is not where we could read it.
    pub(super) async fn is_kept(&self, claude: &Claude, session: &str) -> Option<bool> {
        let stored = claude.stored(session).await;
        if !stored.is_empty() {
            return Some(stored.iter().any(|entry| self.is_in(entry.json().text())));
        }
        let (config, session) = (claude.config_folder()?, session.to_owned());
        let read = move || KeptSessions::at(config).find(&session).ok().flatten()?.read().ok();
        let transcript = tokio::task::spawn_blocking(read).await.ok().flatten()?;
        Some(transcript.lines().any(|entry| self.is_in(entry)))
    }

    /// Whether an entry is the prompt, or follows it. What is no part of the conversation has no uuid of its own; half a line
    /// is none.
    fn is_in(&self, entry: &str) -> bool {
        if !entry.contains(&*self.uuid) && !entry.contains(COMMAND) {
            return false;
        }
        let Some(head) = Json::new(entry).ok().and_then(EntryHead::of) else { return false };
        head.uuid.is_some() && (entry.contains(&*self.uuid) || self.may_be_command(&head))
    }

    /// 2.0.77 and before give a slash command another name when they write it down.
    fn may_be_command(&self, entry: &EntryHead<'_>) -> bool {
        let at = entry.timestamp.and_then(|at| milliseconds(&at.decode()));
        entry.is_user() && at.is_some_and(|at| at >= self.at)
    }
}

const COMMAND: &str = "<command-name>";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_kept_if_an_entry_is_it_or_follows_it() {
        let sent = Sent { uuid: "11-22".to_owned(), at: 1_000_000_000_000 };
        let (before, after) = ("2001-09-09T01:46:39.999Z", "2001-09-09T01:46:40.000Z");
        let command = |kind: &str, at: &str| {
            format!(
                r#"{{"type":"{kind}","uuid":"9","timestamp":"{at}","message":{{"content":"<command-name>/x"}}}}"#
            )
        };
        for (entry, is_in) in [
            (r#"{"type":"user","uuid":"11-22"}"#.to_owned(), true),
            (r#"{"type":"assistant","uuid":"3","parentUuid":"11-22"}"#.to_owned(), true),
            (r#"{"type":"attachment","uuid":"3","attachment":{"source_uuid":"11-22"}}"#.to_owned(), true),
            (r#"{"type":"user","uuid":"11-23"}"#.to_owned(), false),
            (r#"{"type":"file-history-snapshot","messageId":"11-22"}"#.to_owned(), false),
            (r#"{"type":"user","uuid":"11-22""#.to_owned(), false),
            (command("user", after), true),
            (command("user", before), false),
            (command("assistant", after), false),
        ] {
            assert_eq!(sent.is_in(&entry), is_in, "{entry}");
        }
    }
}
