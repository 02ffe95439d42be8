//! What is still owed: prompts without an answer, turns without a result, tasks that Claude Code waits for.
//!
//! Events go in; out comes which prompts are begun and which are done with, and whether it is all over.
//!
//! What to know before changing it:
//!
//! - Results and prompts are not one to one. A prompt that is sent while a tool runs goes into the running
//!   turn (fixtures/turns/queued-2.1.325); several that wait are merged into one
//!   (fixtures/turns/queued_streaming-2.1.112).
//! - Claude Code 2.1.325 says which prompts a result answers. Others tell a prompt back when they take it
//!   (`--replay-user-messages`), and then the result of that turn answers it. Where neither is known, results answer
//!   prompts in order.
//! - A task that ends between turns starts a turn by itself, a moment later
//!   (fixtures/agents/bgagent_stdin_open-2.1.325).
//! - Version 2.1.50 tells the task of an agent only after the agent has ended, and never tells its end
//!   (fixtures/agents/sub1-2.1.50).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use unspool::Event;
use unspool::event::{Cause, ErrorKind, What};
use unspool::json::Str;
use unspool::wire::system::{SessionState, System, TaskType};
use unspool::wire::{CommandState, Envelope};

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    prompts: VecDeque<Prompt>,
    /// Turns that have begun and have no result.
    open: BTreeSet<u64>,
    /// Turns that have begun, by number: the last of them.
    last: Option<u64>,
    /// Tasks that Claude Code waits for before it ends, by id, and the calls that started them.
    tasks: BTreeMap<String, Option<String>>,
    /// Agents that have ended in this turn, by their calls.
    ended: BTreeSet<String>,
    /// What Claude Code says of itself, if it does.
    state: Option<State>,
    /// A task has ended since the last turn began, so one may begin.
    task_ended: bool,
    /// Claude Code says what becomes of each prompt.
    says: bool,
    /// The last turn failed before it began.
    never_began: bool,
}

/// What an event means for prompts.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct Noted {
    /// Claude Code has begun to work on these.
    pub(crate) begins: Vec<String>,
    /// These are done with: answered, or never to be.
    pub(crate) settles: Vec<String>,
}

#[derive(Debug)]
struct Prompt {
    uuid: String,
    /// Claude Code works on it.
    begun: bool,
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
        self.prompts.push_back(Prompt { uuid: uuid.to_owned(), begun: false, turn: None });
    }

    /// Takes note of an event.
    pub(crate) fn step(&mut self, event: &Event<'_>) -> Noted {
        let mut noted = Noted::default();
        match &event.what {
            What::TurnStart { cause, .. } => {
                self.open.extend(event.turn);
                self.last = event.turn.max(self.last);
                self.ended.clear();
                self.never_began = false;
                self.state = self.state.map(|_| State::Busy);
                let by_itself = std::mem::take(&mut self.task_ended) || *cause == Cause::Task;
                if !by_itself && !self.says {
                    noted.begins = begin(self.prompts.iter_mut().filter(|prompt| !prompt.begun).take(1));
                }
            }
            What::Error { kind, .. } => self.never_began = *kind == ErrorKind::Startup,
            What::AgentEnd { .. } => {
                let agent = event.agent.as_str().to_owned();
                let tasks = self.tasks.iter().filter(|(_, call)| call.as_deref() == Some(&*agent));
                let tasks: Vec<String> = tasks.map(|(task, _)| task.clone()).collect();
                tasks.into_iter().for_each(|task| self.end_task(Some(task)));
                self.ended.insert(agent);
            }
            // Version 1.0.128 tells prompts back without saying so; the name is proof enough.
            What::UserText { .. } => {
                if let Some(uuid) = &event.uuid {
                    noted.begins = self.taken(uuid, event.turn);
                }
            }
            What::Status { .. } => self.on_status(event.what.envelope(), event.turn, &mut noted),
            What::Task { .. } => self.on_task(event.what.envelope()),
            What::TurnComplete { cause, prompts, merged, .. } => {
                let uuids: Vec<&str> = prompts.iter().flatten().map(|uuid| &**uuid).collect();
                let merged = merged.as_deref().unwrap_or_default();
                noted.settles = self.on_result(event.turn, *cause, &uuids, merged);
            }
            _ => {}
        }
        noted
    }

    /// A prompt was taken back, and nothing was told of it. `false` if it was done with before.
    pub(crate) fn forget(&mut self, uuid: &str) -> bool {
        let before = self.prompts.len();
        self.prompts.retain(|prompt| prompt.uuid != uuid);
        self.prompts.len() < before
    }

    fn on_status(&mut self, line: Option<Envelope<'_>>, turn: Option<u64>, noted: &mut Noted) {
        match line {
            // 2.1.325, where the environment asks for it: fixtures/turns/state_events-2.1.325.
            Some(Envelope::System(System::SessionStateChanged(line))) => match line.state {
                Some(SessionState::Idle) => self.state = Some(State::Idle),
                Some(_) => self.state = Some(State::Busy),
                None => {}
            },
            // 2.1.257 and later: fixtures/turns/queued-2.1.325.
            Some(Envelope::CommandLifecycle(line)) => {
                let Some(state) = line.state else { return };
                self.says = true;
                let Some(uuid) = line.command_uuid.map(|uuid| uuid.to_string()) else { return };
                match state {
                    CommandState::Queued => {}
                    // Said before its turn begins, when no turn or an older one is open.
                    CommandState::Started => {
                        noted.begins = begin(self.prompts.iter_mut().filter(|prompt| prompt.uuid == uuid))
                    }
                    // Said before the result of the turn that a prompt went into, and behind that of its own.
                    CommandState::Completed => noted.begins = self.taken(&uuid, turn),
                    // `cancelled`. A prompt whose turn was cut short has had its result:
                    // fixtures/turns/queued_priority_now-2.1.325.
                    _ => {
                        let taken_back = |prompt: &Prompt| prompt.uuid == uuid && prompt.turn.is_none();
                        if self.prompts.iter().any(taken_back) {
                            self.prompts.retain(|prompt| !taken_back(prompt));
                            noted.settles.push(uuid);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// A prompt went into this turn. Of several that were merged, older versions tell only the last back.
    fn taken(&mut self, uuid: &str, turn: Option<u64>) -> Vec<String> {
        let Some(at) = self.prompts.iter().position(|prompt| prompt.uuid == uuid) else { return Vec::new() };
        let first = if self.says { at } else { 0 };
        for prompt in self.prompts.range_mut(first..=at) {
            prompt.turn = prompt.turn.or(turn);
        }
        begin(self.prompts.range_mut(first..=at))
    }

    fn on_task(&mut self, line: Option<Envelope<'_>>) {
        let Some(Envelope::System(line)) = line else { return };
        let own = |text: Option<Str<'_>>| text.map(|text| text.to_string());
        match line {
            System::TaskStarted(task)
                if matches!(task.task_type, None | Some(TaskType::LocalAgent | TaskType::LocalWorkflow)) =>
            {
                let call = own(task.tool_use_id);
                if !call.as_ref().is_some_and(|call| self.ended.contains(call)) {
                    self.tasks.extend(own(task.task_id).map(|task| (task, call)));
                }
            }
            System::TaskNotification(task) => self.end_task(own(task.task_id)),
            System::TaskUpdated(task) if task.is_over() => self.end_task(own(task.task_id)),
            _ => {}
        }
    }

    fn end_task(&mut self, task: Option<String>) {
        if task.is_some_and(|task| self.tasks.remove(&task).is_some()) {
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
            // Whoever says what becomes of prompts has said that it began, or this is a turn of its own.
            let next =
                self.prompts.iter().find(|prompt| prompt.turn.is_none() && (prompt.begun || !self.says));
            answered.extend(next.map(|prompt| prompt.uuid.clone()));
        }
        self.prompts.retain(|prompt| !answered.contains(&prompt.uuid));
        answered
    }

    /// Whether anything is going on or asked for.
    pub(crate) fn is_busy(&self) -> bool {
        !self.open.is_empty() || !self.prompts.is_empty()
    }

    /// Whether Claude Code says what becomes of each prompt.
    pub(crate) fn says(&self) -> bool {
        self.says
    }

    /// Whether a turn has ever begun.
    pub(crate) fn has_begun(&self) -> bool {
        self.last.is_some()
    }

    /// Whether the last turn failed before it began.
    pub(crate) fn never_began(&self) -> bool {
        self.never_began
    }

    /// The number of the turn that began last.
    pub(crate) fn last_turn(&self) -> Option<u64> {
        self.last
    }

    /// Whether Claude Code works on a prompt; nothing, if it is done with.
    pub(crate) fn is_begun(&self, uuid: &str) -> Option<bool> {
        self.prompts.iter().find(|prompt| prompt.uuid == uuid).map(|prompt| prompt.begun)
    }

    /// Whether a turn is running.
    pub(crate) fn is_in_turn(&self) -> bool {
        !self.open.is_empty()
    }

    /// The tasks that Claude Code waits for, in words.
    pub(crate) fn at_work(&self) -> Option<String> {
        some(self.tasks.len(), "task at work", "tasks at work")
    }

    /// Whether all is done that was asked for.
    pub(crate) fn over(&self) -> Over {
        let turns = some(self.open.len(), "turn without a result", "turns without a result");
        let prompts = some(self.prompts.len(), "prompt without an answer", "prompts without an answer");
        let owed: Vec<String> = [turns, prompts, self.at_work()].into_iter().flatten().collect();
        if !owed.is_empty() {
            return Over::No(owed.join(", "));
        }
        match self.state {
            Some(State::Busy) => Over::Perhaps,
            Some(State::Idle) if !self.task_ended => Over::Yes,
            None if !self.task_ended => Over::Yes,
            _ => Over::Perhaps,
        }
    }
}

/// So many of something, in words.
fn some(count: usize, one: &str, many: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {many}")),
    }
}

/// These are worked on from now on; returns those that were not before.
fn begin<'p>(prompts: impl Iterator<Item = &'p mut Prompt>) -> Vec<String> {
    let begin = |prompt: &'p mut Prompt| {
        prompt.begun = true;
        prompt.uuid.clone()
    };
    prompts.filter(|prompt| !prompt.begun).map(begin).collect()
}
