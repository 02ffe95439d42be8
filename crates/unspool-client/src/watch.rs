//! Notices that nothing comes any more, and says what was waited for.

use crate::Patience;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::Instant;
use unspool::Event;
use unspool::event::{Raw, What};
use unspool::json::Json;

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
    /// Calls without an answer.
    calls: BTreeMap<String, Call>,
    latest: &'static str,
}

#[derive(Debug)]
struct Call {
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

    /// Whether it is for Claude Code to go on, and for nobody else. How long it was silent before does not count.
    pub(crate) fn waits(&mut self, waits: bool, now: Instant) {
        self.waiting = waits.then(|| self.waiting.unwrap_or(now));
    }

    /// Bytes came.
    pub(crate) fn heard(&mut self, now: Instant) {
        self.heard = Some(now);
    }

    pub(crate) fn step(&mut self, event: &Event<'_>, now: Instant) {
        self.latest = event.what.name();
        match &event.what {
            What::ToolUse { id: Some(id), name, input, abandoned: None | Some(false), .. } => {
                let words = describe(name.as_deref(), input.as_ref());
                self.calls.insert(id.to_string(), Call { words, since: now });
            }
            What::ToolResult { id: Some(id), .. } => {
                self.calls.remove(&**id);
            }
            What::TurnComplete { .. } => self.calls.clear(),
            _ => {}
        }
    }

    /// When somebody must look.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.total().into_iter().chain(self.quiet()).min()
    }

    /// What was waited for in vain.
    pub(crate) fn hung(&self, now: Instant) -> Option<String> {
        if let Some(limit) = self.patience.total.filter(|_| self.total().is_some_and(|at| at <= now)) {
            return Some(format!("not done after {}{}", seconds(limit), self.latest_words(now)));
        }
        self.quiet().filter(|at| *at <= now)?;
        Some(match self.silent_since() {
            Some(since) => format!("no line for {}{}", seconds(now - since), self.latest_words(now)),
            None => {
                let asked = self.asked.unwrap_or(now);
                format!("nothing came for {} after the start", seconds(now - asked))
            }
        })
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

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs())
}

/// A call in words: the tool, and the one string of its input that says most.
fn describe(name: Option<&str>, input: Option<&Raw<'_>>) -> String {
    let name = name.unwrap_or("a tool");
    let telling = ["command", "file_path", "pattern", "description", "url", "query", "prompt"];
    let text = |field: &&str| input?.json().get(field).and_then(Json::as_str).map(|text| text.to_string());
    match telling.iter().find_map(text) {
        None => name.to_owned(),
        Some(text) => {
            let line = text.lines().next().unwrap_or_default();
            let shown: String = line.chars().take(SHOWN).collect();
            let rest = if shown.len() < text.len() { "…" } else { "" };
            format!("{name} `{shown}{rest}`")
        }
    }
}
