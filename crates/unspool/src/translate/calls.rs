//! The calls of tools: which were told, which have no answer yet.

use super::recent::Recent;
use crate::digest::Digest;
use crate::wire::ToolUse;
use std::collections::{HashMap, HashSet};

/// Ids of calls that are remembered after they were told.
const CALLS: usize = 65_536;

/// Agents that were launched and not heard of yet.
const LAUNCHED: usize = 4096;

#[derive(Debug)]
pub(super) struct Calls {
    told: Recent,
    answered: Recent,
    open: HashMap<Box<str>, Call>,
    /// Calls whose answer only said that an agent was launched.
    launched: HashMap<Box<str>, Call>,
    /// The open calls of each sub-agent.
    of_agent: HashMap<Box<str>, HashSet<Box<str>>>,
    count: u64,
}

/// A call without an answer.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) name: Option<Box<str>>,
    /// The agent who called; `None` for the main agent.
    pub(super) agent: Option<Box<str>>,
    /// When it was told, if there is a clock.
    pub(super) at: Option<u64>,
    /// What it says of the agent it starts, if it starts one.
    pub(super) brief: Option<Brief>,
    order: u64,
}

/// What is known of a sub-agent before it speaks.
#[derive(Clone, Debug, Default)]
pub(super) struct Brief {
    pub(super) kind: Option<String>,
    pub(super) description: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) background: bool,
}

impl Default for Calls {
    fn default() -> Self {
        Calls {
            told: Recent::new(CALLS),
            answered: Recent::new(CALLS),
            open: HashMap::new(),
            launched: HashMap::new(),
            of_agent: HashMap::new(),
            count: 0,
        }
    }
}

impl Calls {
    /// A call is to be told. Returns whether it is the first time.
    pub(super) fn told(&mut self, id: &str) -> bool {
        self.told.insert(Digest::of(id).hash())
    }

    /// A call was told, and waits for its answer.
    pub(super) fn open(&mut self, call: &ToolUse<'_>, agent: Option<&str>, at: Option<u64>) {
        let Some(id) = call.id else { return };
        self.count += 1;
        let name = call.name.map(|name| name.decode().into());
        let brief = matches!(name.as_deref(), Some("Agent" | "Task")).then(|| Brief::of(call));
        let call = Call { name, agent: agent.map(Into::into), at, brief, order: self.count };
        let id = Box::from(&*id.decode());
        if let Some(agent) = agent {
            self.of_agent.entry(agent.into()).or_default().insert(Clone::clone(&id));
        }
        self.open.insert(id, call);
    }

    /// A call that has no answer yet, or only that its agent was launched.
    pub(super) fn get(&self, id: &str) -> Option<&Call> {
        self.open.get(id).or_else(|| self.launched.get(id))
    }

    /// A call has its answer. Returns its tool, and when it was made.
    pub(super) fn answer(&mut self, id: &str, launch: bool) -> Option<(Option<Box<str>>, Option<u64>)> {
        if !launch {
            self.answered.insert(Digest::of(id).hash());
        }
        let call = self.open.remove(id)?;
        if let Some(calls) = call.agent.as_ref().and_then(|agent| self.of_agent.get_mut(agent)) {
            calls.remove(id);
        }
        let told = (call.name.clone(), call.at);
        if launch && self.launched.len() < LAUNCHED {
            self.launched.insert(id.into(), call);
        }
        Some(told)
    }

    /// Whether a call has had its answer.
    pub(super) fn answered(&self, id: &str) -> bool {
        self.answered.contains(Digest::of(id).hash())
    }

    /// An agent has ended: nobody answers its calls any more.
    pub(super) fn leave(&mut self, agent: &str) {
        self.launched.remove(agent);
        for call in self.of_agent.remove(agent).unwrap_or_default() {
            self.open.remove(&call);
        }
    }

    /// The calls without an answer, in the order they were told.
    pub(super) fn still_open(&self) -> Vec<&str> {
        let mut open: Vec<_> = self.open.iter().map(|(id, call)| (call.order, &**id)).collect();
        open.sort_unstable();
        open.into_iter().map(|(_, id)| id).collect()
    }
}

impl Brief {
    fn of(call: &ToolUse<'_>) -> Self {
        let field = |name| call.input.and_then(|input| input.get(name));
        let text = |name| field(name).and_then(|value| value.as_str()).map(|text| text.to_string());
        Brief {
            kind: text("subagent_type"),
            description: text("description"),
            prompt: text("prompt"),
            background: field("run_in_background").and_then(|value| value.as_bool()).unwrap_or(false),
        }
    }
}
