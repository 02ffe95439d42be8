//! Notices that there is no point in waiting any longer, and says what was waited for.

use crate::limits::Patience;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::Instant;
use unspool::Event;
use unspool::event::{Raw, What};
use unspool::verdict::Cut;
use unspool::wire::system::System;
use unspool::wire::{AssistantError, Envelope};
use unspool_report::words::CallWords;

/// The most of a call's input that is shown.
const SHOWN: usize = 60;

#[derive(Debug)]
pub(crate) struct Watch {
    patience: Patience,
    /// When something was first asked of Claude Code.
    asked: Option<Instant>,
    /// When the first prompt was sent.
    prompted: Option<Instant>,
    /// When the last line came.
    heard: Option<Instant>,
    /// Since when nothing but Claude Code can go on.
    waiting: Option<Instant>,
    /// The login is refused.
    refused: Option<Refused>,
    /// The key is a given one, which nobody can renew; `None` as long as Claude Code has not said.
    fixed_key: Option<bool>,
    /// Calls without an answer.
    calls: BTreeMap<String, OpenCall>,
    latest: &'static str,
}

#[derive(Debug)]
struct Refused {
    since: Instant,
    times: u32,
    words: String,
}

#[derive(Debug)]
struct OpenCall {
    words: String,
    since: Instant,
}

impl Watch {
    pub(crate) fn new(patience: Patience) -> Self {
        Watch {
            patience,
            asked: None,
            prompted: None,
            heard: None,
            waiting: None,
            refused: None,
            fixed_key: None,
            calls: BTreeMap::new(),
            latest: "",
        }
    }

    /// Something was written to Claude Code.
    pub(crate) fn asked(&mut self, now: Instant) {
        self.asked.get_or_insert(now);
    }

    /// A prompt was sent: from the first on, time is limited.
    pub(crate) fn prompted(&mut self, now: Instant) {
        self.prompted.get_or_insert(now);
    }

    /// Whether it is for Claude Code to go on, and not for the application or the user. How long it was silent before
    /// does not count.
    pub(crate) fn waits(&mut self, waits: bool, now: Instant) {
        self.waiting = waits.then(|| self.waiting.unwrap_or(now));
    }

    /// Bytes came.
    pub(crate) fn heard(&mut self, now: Instant) {
        self.heard = Some(now);
    }

    /// Whether it is known where the key comes from.
    pub(crate) fn knows_key(&self) -> bool {
        self.fixed_key.is_some()
    }

    /// Claude Code has said where the key comes from.
    pub(crate) fn key_from(&mut self, source: &str) {
        self.fixed_key = Some(source == "ANTHROPIC_API_KEY");
    }

    pub(crate) fn step(&mut self, event: &Event<'_>, now: Instant) {
        self.latest = event.what.name();
        match &event.what {
            What::ToolUse { id: Some(id), name, input, abandoned: None | Some(false), .. } => {
                let words = describe(name.as_deref(), input.as_ref());
                self.calls.insert(id.to_string(), OpenCall { words, since: now });
            }
            What::ToolResult { id: Some(id), .. } => {
                self.calls.remove(&**id);
            }
            What::TurnComplete { .. } => self.calls.clear(),
            _ => {}
        }
        match &event.what {
            What::ApiRetry { .. } => {
                let (since, times) = self.refused.take().map_or((now, 0), |it| (it.since, it.times));
                self.refused = refusal(&event.what).map(|words| Refused { since, times: times + 1, words });
            }
            // Whoever is answered is logged in.
            What::Usage { .. } | What::TurnComplete { .. } => self.refused = None,
            _ => {}
        }
    }

    /// When the driver must look again.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        [self.total(), self.quiet(), self.login()].into_iter().flatten().min()
    }

    /// Why there is no point in waiting any longer.
    pub(crate) fn over(&self, now: Instant) -> Option<Cut> {
        if let Some(refused) = self.refused.as_ref().filter(|_| self.login().is_some_and(|at| at <= now)) {
            return Some(Cut::NotLoggedIn(refused.words.clone()));
        }
        if let Some(limit) = self.patience.total.filter(|_| self.total().is_some_and(|at| at <= now)) {
            let limit = seconds(limit);
            return Some(Cut::Hung(format!(
                "the time limit of {limit} was reached{}",
                self.latest_words(now)
            )));
        }
        self.quiet().filter(|at| *at <= now)?;
        Some(Cut::Hung(match self.silent_since() {
            Some(since) => format!("no line for {}{}", seconds(now - since), self.latest_words(now)),
            None => {
                let asked = self.asked.unwrap_or(now);
                format!("nothing came for {} after the start", seconds(now - asked))
            }
        }))
    }

    /// What was refused once may have run out: Claude Code gets another token, or asks the helper for a key again. A key that it
    /// was given stays what it is.
    fn login(&self) -> Option<Instant> {
        let enough = if self.fixed_key == Some(true) { 1 } else { 2 };
        let refused = self.refused.as_ref().filter(|refused| refused.times >= enough)?;
        Some(refused.since + self.patience.login?)
    }

    fn total(&self) -> Option<Instant> {
        Some(self.prompted? + self.patience.total?)
    }

    fn quiet(&self) -> Option<Instant> {
        match (self.heard, self.asked) {
            (None, Some(asked)) => self.patience.start.map(|limit| asked + limit),
            _ => self.silent_since().zip(self.patience.silence).map(|(since, limit)| since + limit),
        }
    }

    fn silent_since(&self) -> Option<Instant> {
        self.heard.zip(self.waiting).map(|(heard, waiting)| heard.max(waiting))
    }

    fn latest_words(&self, now: Instant) -> String {
        match self.calls.values().max_by_key(|call| call.since) {
            Some(call) => format!("; last: {}, running for {}", call.words, seconds(now - call.since)),
            None if self.latest.is_empty() => String::new(),
            None => format!("; last: {}", self.latest),
        }
    }
}

/// In which words the API refuses the login, if that is why it is asked again. 403 is never asked again.
fn refusal(what: &What<'_>) -> Option<String> {
    let Some(Envelope::System(System::ApiRetry(retry))) = what.envelope() else { return None };
    let status = retry.error_status;
    if status != Some(401) && retry.error != Some(AssistantError::AuthenticationFailed) {
        return None;
    }
    let error = retry.error.map(|error| error.as_str().into_owned());
    let said = [status.map(|status| status.to_string()), error];
    Some(format!("the login is refused ({})", said.into_iter().flatten().collect::<Vec<_>>().join(" ")))
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs())
}

/// A call in words: the tool, and what it is done to.
fn describe(name: Option<&str>, input: Option<&Raw<'_>>) -> String {
    let CallWords { tool, subject, .. } = CallWords::of(Some(name.unwrap_or("a tool")), input);
    if subject.is_empty() {
        return tool;
    }
    let shown: String = subject.chars().take(SHOWN).collect();
    let rest = if shown.len() < subject.len() { "…" } else { "" };
    format!("{tool} `{shown}{rest}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::json::Json;

    #[test]
    fn a_call_is_told_in_a_few_words_that_cannot_steer_a_terminal() {
        let long = format!(r#"{{"command":"{}"}}"#, "x".repeat(SHOWN + 1));
        for (name, input, words) in [
            (Some("Bash"), r#"{"command":"npm test"}"#, "Bash `npm test`".to_owned()),
            (Some("Bash"), r#"{"command":"a\n\u001b[2Jb"}"#, "Bash `a ⏎ \u{fffd}[2Jb`".to_owned()),
            (Some("Bash"), &long, format!("Bash `{}…`", "x".repeat(SHOWN))),
            (Some("mcp__jira__find"), r#"{"query":"bugs"}"#, "jira: find `bugs`".to_owned()),
            (Some("Skill"), r#"{"skill":"review"}"#, "Skill `review`".to_owned()),
            (Some("Frobnicate"), "{}", "Frobnicate".to_owned()),
            (None, "{}", "a tool".to_owned()),
        ] {
            let input = Raw::new(Json::new(input).unwrap());
            assert_eq!(describe(name, Some(&input)), words);
        }
    }
}
