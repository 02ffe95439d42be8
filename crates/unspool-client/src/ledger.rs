//! What is still owed: prompts without an answer, turns without a result, tasks that Claude Code waits for.
//!
//! Events go in; out comes which prompts a result answers, and whether it is all over.
//!
//! What to know before changing it:
//!
//! - Results and prompts are not one to one. A prompt that is sent while a tool runs goes into the running
//!   turn; several that wait are merged into one; turns begin that nobody asked for.
//! - Claude Code 2.1.325 says which prompts a result answers. Others tell a prompt back when they take it
//!   (`--replay-user-messages`), and then the result of that turn answers it. Where neither is known, results answer
//!   prompts in order.
//! - A task that ends between turns starts a turn by itself, a moment later.

use std::collections::{BTreeSet, VecDeque};
use unspool::Event;
use unspool::event::{Cause, What};
use unspool::json::Json;

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    prompts: VecDeque<Prompt>,
    /// Turns that have begun and have no result.
    open: BTreeSet<u64>,
    /// Tasks that Claude Code waits for before it ends, by id.
    tasks: BTreeSet<String>,
    /// What Claude Code says of itself, if it does.
    state: Option<State>,
    /// A task has ended since the last turn began, so one may begin.
    task_ended: bool,
    /// Claude Code says what becomes of each prompt.
    says: bool,
    /// A turn has begun.
    begun: bool,
}

#[derive(Debug)]
struct Prompt {
    uuid: String,
    /// The turn it went into.
    turn: Option<u64>,
}

/// Says what Claude Code is doing, in its own words.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum State {
    Idle,
    Busy,
}

/// Whether it is over.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Over {
    /// Nothing is owed.
    Yes,
    /// Nothing is owed, but a turn may begin by itself in a moment.
    Perhaps,
    /// What is owed, in words.
    No(String),
}

impl Ledger {
    /// A prompt is on its way.
    pub(crate) fn sent(&mut self, uuid: &str) {
        self.prompts.push_back(Prompt { uuid: uuid.to_owned(), turn: None });
    }

    /// Takes note of an event; returns the prompts that it answers.
    pub(crate) fn step(&mut self, event: &Event<'_>) -> Vec<String> {
        match &event.what {
            What::TurnStart { .. } => {
                self.open.extend(event.turn);
                self.begun = true;
                self.task_ended = false;
                self.state = self.state.map(|_| State::Busy);
            }
            // Version 1.0.128 tells prompts back without saying so; the name is proof enough.
            What::UserText { .. } => {
                if let Some(uuid) = &event.uuid {
                    self.taken(uuid, event.turn);
                }
            }
            What::Status { kind, data } => self.on_status(kind, data.json(), event.turn),
            What::Task { kind, data } => self.on_task(kind, data.json()),
            What::TurnComplete { cause, prompts, merged, .. } => {
                let uuids: Vec<&str> = prompts.iter().flatten().map(|uuid| &**uuid).collect();
                return self.on_result(event.turn, *cause, &uuids, merged.as_deref().unwrap_or_default());
            }
            _ => {}
        }
        Vec::new()
    }

    fn on_status(&mut self, kind: &str, data: Json<'_>, turn: Option<u64>) {
        let text = |name: &str| data.get(name).and_then(Json::as_str).map(|text| text.to_string());
        match (kind, text("state").as_deref()) {
            ("session_state_changed", Some("idle")) => self.state = Some(State::Idle),
            ("session_state_changed", Some(_)) => self.state = Some(State::Busy),
            ("command_lifecycle", Some(state)) => {
                self.says = true;
                let Some(uuid) = text("command_uuid") else { return };
                match state {
                    // Said before its turn begins, when no turn or an older one is open.
                    "queued" | "started" => {}
                    "completed" => self.taken(&uuid, turn),
                    _ => self.prompts.retain(|prompt| prompt.uuid != uuid || prompt.turn.is_some()),
                }
            }
            _ => {}
        }
    }

    /// A prompt went into this turn. Of several that were merged, older versions tell only the last back.
    fn taken(&mut self, uuid: &str, turn: Option<u64>) {
        let Some(at) = self.prompts.iter().position(|prompt| prompt.uuid == uuid) else { return };
        let first = if self.says { at } else { 0 };
        for prompt in self.prompts.range_mut(first..=at) {
            prompt.turn = prompt.turn.or(turn);
        }
    }

    fn on_task(&mut self, kind: &str, data: Json<'_>) {
        let text = |data: Json<'_>, name| data.get(name).and_then(Json::as_str).map(|text| text.to_string());
        let is_waited_for = |task: Json<'_>| {
            matches!(text(task, "task_type").as_deref(), None | Some("local_agent" | "local_workflow"))
        };
        match kind {
            "task_started" if is_waited_for(data) => self.tasks.extend(text(data, "task_id")),
            "task_notification" => self.end_task(text(data, "task_id")),
            "task_updated" => {
                let status = data.get("patch").and_then(|patch| text(patch, "status"));
                if matches!(status.as_deref(), Some("completed" | "failed" | "killed" | "stopped")) {
                    self.end_task(text(data, "task_id"));
                }
            }
            _ => {}
        }
    }

    fn end_task(&mut self, task: Option<String>) {
        if task.is_some_and(|task| self.tasks.remove(&task)) {
            self.task_ended = true;
        }
    }

    fn on_result(&mut self, turn: Option<u64>, cause: Cause, uuids: &[&str], merged: &[u64]) -> Vec<String> {
        let ended = |open: &u64| Some(*open) == turn || merged.contains(open);
        self.open.retain(|open| !ended(open));
        let is_answered =
            |prompt: &Prompt| uuids.contains(&&*prompt.uuid) || prompt.turn.as_ref().is_some_and(ended);
        let mut answered: Vec<String> = self
            .prompts
            .iter()
            .filter(|prompt| is_answered(prompt))
            .map(|prompt| prompt.uuid.clone())
            .collect();
        if answered.is_empty() && uuids.is_empty() && cause != Cause::Task {
            let next = self.prompts.iter().find(|prompt| prompt.turn.is_none());
            answered.extend(next.map(|prompt| prompt.uuid.clone()));
        }
        self.prompts.retain(|prompt| !answered.contains(&prompt.uuid));
        answered
    }

    /// Whether anything is going on or asked for.
    pub(crate) fn is_busy(&self) -> bool {
        !self.open.is_empty() || !self.prompts.is_empty()
    }

    /// Whether a turn has ever begun.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun
    }

    /// Whether a turn is running.
    pub(crate) fn is_in_turn(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether all is done that was asked for.
    pub(crate) fn over(&self) -> Over {
        let owed = [
            (self.open.len(), "turn without a result", "turns without a result"),
            (self.prompts.len(), "prompt without an answer", "prompts without an answer"),
            (self.tasks.len(), "task at work", "tasks at work"),
        ];
        let words: Vec<String> = (owed.iter().filter(|(count, ..)| *count > 0))
            .map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many }))
            .collect();
        if !words.is_empty() {
            return Over::No(words.join(", "));
        }
        match self.state {
            Some(State::Busy) => Over::Perhaps,
            Some(State::Idle) if !self.task_ended => Over::Yes,
            None if !self.task_ended => Over::Yes,
            _ => Over::Perhaps,
        }
    }
}
