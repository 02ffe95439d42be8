//! Which agent does what, since when.

use crate::words::{CallWords, clean_line};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use unspool::event::{Agent, Event, What};
use unspool::json::Str;
use unspool::wire::system::{self, System};
use unspool::wire::{Envelope, StopReason};

/// Everybody who is at work.
#[derive(Debug, Default)]
pub struct Activity {
    /// In the order in which they began.
    workers: BTreeMap<u64, Worker>,
    /// Where each is in there.
    ranks: HashMap<String, u64>,
    /// Calls without an answer: who has made them, and which one of all it was.
    calls: HashMap<String, (u64, u64)>,
    /// How many there were, of agents and calls.
    next: u64,
    /// The main agent has said its last word of a turn.
    at_rest: bool,
    /// The turn that has begun last.
    turn: Option<u64>,
}

/// An agent at work.
#[derive(Debug)]
#[non_exhaustive]
pub struct Worker {
    /// `main`, or the call that started it.
    pub agent: String,
    /// What it is to do, as far as that was told.
    pub description: Option<String>,
    /// What it does while no tool is at work for it.
    pub doing: Doing,
    /// Since when.
    pub since: u64,
    calls: BTreeMap<u64, OpenCall>,
}

/// What an agent does.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum Doing {
    /// It has begun.
    Starting,
    /// The model is to answer.
    #[default]
    Waiting,
    /// The model thinks.
    Thinking,
    /// The model writes.
    Writing,
    /// The model writes what this tool is to be given.
    Preparing(String),
    /// A person is asked whether a tool may be used.
    Asking,
    /// The conversation is being summarised.
    Compacting,
}

/// A call without an answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenCall {
    /// Its id.
    pub id: String,
    /// What it does, in words.
    pub words: CallWords,
    /// Since when.
    pub since: u64,
    /// It has begun an agent, which speaks for itself.
    pub is_agent: bool,
}

impl Activity {
    /// Those who are at work, in the order in which they began. Who only waits for others is not among them, nor is the main agent
    /// when it has said its last word of a turn, though the turn's result may be still to come.
    pub fn workers(&self) -> impl Iterator<Item = &Worker> {
        let rests = |worker: &Worker| self.at_rest && worker.agent == "main";
        self.workers.values().filter(move |worker| !worker.only_waits() && !rests(worker))
    }

    /// Whether this is the result of a turn behind which another has begun: Claude Code has held it back, and the main agent goes
    /// on (2.1.197 and later; `fixtures/agents/bgagent-2.1.325`).
    pub(super) fn was_held_back(&self, event: &Event<'_>) -> bool {
        let is_older = || event.turn.zip(self.turn).is_some_and(|(over, last)| over < last);
        matches!(event.what, What::TurnComplete { .. }) && is_older()
    }

    /// Whether the main agent has said its last word of a turn, as far as its messages tell.
    pub(super) fn is_at_rest(&self) -> bool {
        self.at_rest
    }

    /// The main agent has said its last word of a turn, if no call of it is without an answer.
    pub(super) fn come_to_rest(&mut self) {
        self.at_rest = self.has_no_calls();
    }

    /// Whether no call of the main agent is without an answer.
    fn has_no_calls(&self) -> bool {
        let main = self.ranks.get("main").and_then(|rank| self.workers.get(rank));
        main.is_none_or(|main| main.calls.is_empty())
    }

    /// Whether agents are at work.
    pub(super) fn has_agents(&self) -> bool {
        self.workers.values().any(|worker| worker.agent != "main")
    }

    pub(crate) fn step(&mut self, event: &Event<'_>, now: u64) {
        let agent = event.agent.as_str();
        self.rest(event);
        match &event.what {
            What::TurnStart { .. } => {
                self.turn = event.turn.or(self.turn);
                self.does("main", Doing::Waiting, now);
            }
            What::Text { .. } | What::TextDelta { .. } => self.does(agent, Doing::Writing, now),
            What::Thinking { .. } | What::ThinkingDelta { .. } => self.does(agent, Doing::Thinking, now),
            What::ToolInputDelta { name: Some(name), .. } => {
                self.does(agent, Doing::Preparing(clean_line(name)), now);
            }
            What::ToolUse { id: Some(id), name, input, abandoned: None, .. } => {
                self.begin(agent, id, CallWords::of(name.as_deref(), input.as_ref()), now);
            }
            What::ToolResult { id, .. } => {
                if let Some(id) = id {
                    self.answer(id);
                }
                self.does(agent, Doing::Waiting, now);
            }
            What::PermissionRequest { .. } => self.does(agent, Doing::Asking, now),
            What::PermissionResolved { .. } => self.does(agent, Doing::Waiting, now),
            What::AgentStart { description, .. } => {
                self.does(agent, Doing::Starting, now);
                let (_, worker) = self.worker(agent, now);
                worker.description = description.as_deref().map(clean_line);
            }
            What::AgentEnd { .. } => self.end(agent),
            What::Status { .. } => {
                if let Some(Envelope::System(System::Status(line))) = event.what.envelope()
                    && let Some(status) = line.status
                {
                    let is_request = status == system::Activity::Requesting;
                    self.does(agent, if is_request { Doing::Waiting } else { Doing::Compacting }, now);
                }
            }
            What::TurnComplete { .. } if !self.was_held_back(event) => self.end("main"),
            What::Finished { .. } => *self = Activity { next: self.next, ..Activity::default() },
            _ => {}
        }
    }

    /// A message of the main agent that ends for no tool ends its turn.
    fn rest(&mut self, event: &Event<'_>) {
        if event.agent != Agent::Main {
            return;
        }
        self.at_rest = match &event.what {
            What::Usage { stop_reason: Some(reason), .. } => {
                let reason = StopReason::from(Str::from(&**reason));
                !matches!(reason, StopReason::ToolUse | StopReason::PauseTurn) && self.has_no_calls()
            }
            What::TurnStart { .. }
            | What::Text { .. }
            | What::TextDelta { .. }
            | What::Thinking { .. }
            | What::ThinkingDelta { .. }
            | What::ToolUse { .. }
            | What::ToolResult { .. } => false,
            _ => self.at_rest,
        };
    }

    fn does(&mut self, agent: &str, doing: Doing, now: u64) {
        let (_, worker) = self.worker(agent, now);
        if worker.doing != doing {
            (worker.doing, worker.since) = (doing, now);
        }
    }

    fn begin(&mut self, agent: &str, id: &str, words: CallWords, now: u64) {
        self.next += 1;
        let number = self.next;
        let (rank, worker) = self.worker(agent, now);
        let open = OpenCall { id: id.to_owned(), words, since: now, is_agent: false };
        worker.calls.insert(number, open);
        self.calls.insert(id.to_owned(), (rank, number));
    }

    /// A call that was begun is made otherwise.
    pub(crate) fn change(&mut self, id: &str, words: &CallWords) {
        let at = self.calls.get(id).copied();
        let open = at.and_then(|(rank, number)| self.workers.get_mut(&rank)?.calls.get_mut(&number));
        open.into_iter().for_each(|open| open.words = words.clone());
    }

    fn answer(&mut self, id: &str) {
        if let Some((rank, number)) = self.calls.remove(id)
            && let Some(worker) = self.workers.get_mut(&rank)
        {
            worker.calls.remove(&number);
        }
    }

    fn end(&mut self, agent: &str) {
        let worker = self.ranks.remove(agent).and_then(|rank| self.workers.remove(&rank));
        for open in worker.iter().flat_map(|worker| worker.calls.values()) {
            self.calls.remove(&open.id);
        }
    }

    fn worker(&mut self, agent: &str, now: u64) -> (u64, &mut Worker) {
        let rank = match self.ranks.get(agent) {
            Some(rank) => *rank,
            None => {
                self.next += 1;
                self.ranks.insert(agent.to_owned(), self.next);
                let call = self.calls.get(agent).copied();
                let call =
                    call.and_then(|(rank, number)| self.workers.get_mut(&rank)?.calls.get_mut(&number));
                call.into_iter().for_each(|open| open.is_agent = true);
                self.next
            }
        };
        let worker = self.workers.entry(rank).or_insert_with(|| Worker {
            agent: agent.to_owned(),
            description: None,
            doing: Doing::default(),
            since: now,
            calls: BTreeMap::new(),
        });
        (rank, worker)
    }
}

impl Worker {
    /// Its calls without an answer, the oldest first.
    #[must_use]
    pub fn calls(&self) -> impl ExactSizeIterator<Item = &OpenCall> {
        self.calls.values()
    }

    /// Since when it does what it does: the oldest call, or what it does itself.
    #[must_use]
    pub fn busy_since(&self) -> u64 {
        self.calls.values().next().map_or(self.since, |open| open.since)
    }

    /// What it does, in a few words: its oldest call, or what it does itself.
    #[must_use]
    pub fn words(&self) -> String {
        self.calls.values().next().map_or_else(|| self.doing.to_string(), |open| open.words.line())
    }

    fn only_waits(&self) -> bool {
        !self.calls.is_empty() && self.calls.values().all(|open| open.is_agent)
    }
}

/// In the words of the status line.
impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doing::Starting => f.write_str("starting"),
            Doing::Waiting => f.write_str("waiting for the model"),
            Doing::Thinking => f.write_str("thinking"),
            Doing::Writing => f.write_str("writing"),
            Doing::Preparing(tool) => write!(f, "preparing {tool}"),
            Doing::Asking => f.write_str("waiting for permission"),
            Doing::Compacting => f.write_str("compacting"),
        }
    }
}
