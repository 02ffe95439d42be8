//! The calls of tools: which were told, which have no answer yet.

use super::content;
use super::recent::{AsHash, Recent};
use super::slot;
use crate::digest::Digest;
use crate::json::{Json, Str};
use std::collections::{HashMap, HashSet};

/// Ids of calls that are remembered after they were told.
const CALLS: usize = 65_536;

/// So many calls may wait for their answers; of more, the older half is forgotten.
const OPEN: usize = 2 * CALLS;

/// Agents that were launched and not heard of yet.
const LAUNCHED: usize = 4096;

/// Calls whose memory is kept for others.
const SPARE: usize = 16;

/// Calls, by the hash of their id.
type ById<T> = HashMap<u64, T, AsHash>;

#[derive(Debug)]
pub(super) struct Calls {
    told: Recent,
    answered: Recent,
    open: ById<Call>,
    /// Calls whose answer only said that an agent was launched.
    launched: ById<Call>,
    /// The open calls of each sub-agent.
    of_agent: ById<HashSet<u64, AsHash>>,
    count: u64,
    /// Calls that were answered; the last one last.
    spare: Vec<Call>,
}

/// A call without an answer.
#[derive(Debug, Default)]
pub(super) struct Call {
    id: String,
    pub(super) name: Option<String>,
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
            open: ById::default(),
            launched: ById::default(),
            of_agent: ById::default(),
            count: 0,
            spare: Vec::new(),
        }
    }
}

impl Calls {
    /// A call is to be told. Returns whether it is the first time.
    pub(super) fn told(&mut self, id: &str) -> bool {
        self.told.insert(hash(id))
    }

    /// A call was told, and waits for its answer.
    pub(super) fn open(&mut self, call: &content::Call<'_>, agent: Option<&str>, at: Option<u64>) {
        let Some(id) = call.id.map(Str::decode) else { return };
        self.count += 1;
        let Call { id: mut own_id, name: own_name, .. } = self.spare.pop().unwrap_or_default();
        own_id.clear();
        own_id.shrink_to(slot::LONG);
        own_id.push_str(&id);
        let name = call.name.map(|name| {
            let mut own = own_name.unwrap_or_default();
            own.clear();
            own.shrink_to(slot::LONG);
            own.push_str(&name.decode());
            own
        });
        let brief = matches!(name.as_deref(), Some("Agent" | "Task")).then(|| Brief::of(call));
        if let Some(agent) = agent {
            self.of_agent.entry(hash(agent)).or_default().insert(hash(&id));
        }
        let agent = agent.map(Into::into);
        self.open.insert(hash(&id), Call { id: own_id, name, agent, at, brief, order: self.count });
        if self.open.len() > OPEN {
            self.forget_older_half();
        }
    }

    fn forget_older_half(&mut self) {
        let mut orders: Vec<u64> = self.open.values().map(|call| call.order).collect();
        let half = orders.len() / 2;
        let middle = *orders.select_nth_unstable(half).1;
        self.open.retain(|_, call| call.order >= middle);
        for calls in self.of_agent.values_mut() {
            calls.retain(|call| self.open.contains_key(call));
        }
        self.of_agent.retain(|_, calls| !calls.is_empty());
    }

    /// A call that has no answer yet, or only that its agent was launched.
    pub(super) fn get(&self, id: &str) -> Option<&Call> {
        self.open.get(&hash(id)).or_else(|| self.launched.get(&hash(id)))
    }

    /// The oldest call that started an agent with this prompt, or with any, and is free.
    pub(super) fn of_prompt(&self, prompt: Option<&str>, free: impl Fn(&str) -> bool) -> Option<&str> {
        let starts = |call: &&Call| {
            let brief = call.brief.as_ref();
            brief.is_some_and(|it| prompt.is_none() || it.prompt.as_deref() == prompt) && free(&call.id)
        };
        let calls = self.open.values().chain(self.launched.values()).filter(starts);
        calls.min_by_key(|call| call.order).map(|call| call.id.as_str())
    }

    /// A call has its answer. Returns the call.
    pub(super) fn answer(&mut self, id: &str, launch: bool) -> Option<&Call> {
        let id = hash(id);
        if !launch {
            self.answered.insert(id);
        }
        let call = self.open.remove(&id)?;
        if let Some(calls) = call.agent.as_ref().and_then(|agent| self.of_agent.get_mut(&hash(agent))) {
            calls.remove(&id);
        }
        if launch && self.launched.len() < LAUNCHED {
            return Some(self.launched.entry(id).insert_entry(call).into_mut());
        }
        if self.spare.len() == SPARE {
            self.spare.clear();
        }
        self.spare.push(call);
        self.spare.last()
    }

    /// Whether a call has had its answer.
    pub(super) fn answered(&self, id: &str) -> bool {
        self.answered.contains(hash(id))
    }

    /// An agent has ended: its calls get no answer any more.
    pub(super) fn leave(&mut self, agent: &str) {
        self.launched.remove(&hash(agent));
        for call in self.of_agent.remove(&hash(agent)).unwrap_or_default() {
            self.open.remove(&call);
        }
    }

    /// The calls without an answer, in the order they were told.
    pub(super) fn still_open(&self) -> Vec<&str> {
        let mut open: Vec<_> = self.open.values().map(|call| (call.order, call.id.as_str())).collect();
        open.sort_unstable();
        open.into_iter().map(|(_, id)| id).collect()
    }
}

fn hash(id: &str) -> u64 {
    Digest::of(id).hash()
}

impl Brief {
    fn of(call: &content::Call<'_>) -> Self {
        let mut brief = Brief::default();
        // Of repeated ones the last counts.
        for (key, value) in call.input.into_iter().flat_map(Json::fields) {
            let text = || value.as_str().map(|text| text.to_string());
            match &*key.decode() {
                "subagent_type" => brief.kind = text(),
                "description" => brief.description = text(),
                "prompt" => brief.prompt = text(),
                "run_in_background" => brief.background = value.as_bool().unwrap_or(false),
                _ => {}
            }
        }
        brief
    }
}
