//! Who is who in a transcript: which call started the agent that an entry is of.

use crate::digest;
use crate::json::{Chart, Json, Str};
use crate::translate::agents::calls::{Brief, Calls};
use crate::translate::memory::recent::AsHash;
use crate::translate::read::fields;
use crate::wire::entry::AgentMetadata;
use crate::wire::fields::filled;
use crate::wire::quirk::SYNTHETIC;
use crate::wire::tool::AgentCompleted;
use crate::wire::{Block, Content, EntryHead, Kind, Mention, Wire};
use std::collections::{HashMap, HashSet, VecDeque};

/// Entries of agents without id, whose agent is remembered.
const CHAIN: usize = 65_536;

/// What an entry mentions that says what the model is, and one that says which agent a call has started.
static SPOKEN: Mention = Mention::of(Kind::Assistant.name());
static OF_AGENT: Mention = Mention::of(EntryHead::NAMES.agent_id);

/// An agent of whom there is neither an id nor the id of an entry.
const NAMELESS: &str = "sidechain";

/// What is known of the agents of a session before its entries are told.
///
/// An entry names its agent by an id of its own, an event by the call that started the agent. The two are joined
/// by the agent's `.meta.json`, else by the answer to the call, which may come much later, else by the prompt. An
/// agent that no call has started keeps its own id.
#[derive(Debug, Default)]
pub struct Cast {
    known: HashMap<Box<str>, Known>,
    /// The calls that are known to have started one of them.
    calls: HashSet<Box<str>>,
    /// The first model of the main agent.
    model: Option<String>,
    /// What the agents are called in events.
    names: HashMap<Box<str>, Box<str>>,
    /// The agents by what they are called in events.
    agents: HashMap<Box<str>, Box<str>>,
    chain: Chain,
}

#[derive(Debug, Default)]
struct Known {
    call: Option<Box<str>>,
    kind: Option<String>,
    description: Option<String>,
}

/// The agents of the last entries that do not name theirs, by uuid.
#[derive(Debug, Default)]
struct Chain {
    agents: HashMap<u64, Box<str>, AsHash>,
    order: VecDeque<u64>,
    last: Option<Box<str>>,
}

impl Cast {
    /// Takes the text of the file `agent-<id>.meta.json`.
    pub fn meta(&mut self, agent: &str, text: &str) {
        let Ok(meta) = Json::new(text.trim()) else { return };
        let meta: AgentMetadata<'_> = filled(meta).unwrap_or_default();
        let own = |text: Option<Str<'_>>| text.map(|text| text.to_string());
        let known = self.known.entry(agent.into()).or_default();
        known.call = own(meta.tool_use_id).map(String::into_boxed_str).or(known.call.take());
        self.calls.extend(known.call.clone());
        known.kind = own(meta.agent_type).or(known.kind.take());
        known.description = own(meta.description).or(known.description.take());
    }

    /// Takes a line of the session's main file before it is told, for the model and the agents in it.
    pub fn look(&mut self, line: &[u8]) {
        let wants_model = self.model.is_none() && SPOKEN.is_in(line);
        if !wants_model && !OF_AGENT.is_in(line) {
            return;
        }
        let Ok(text) = simdutf8::basic::from_utf8(line) else { return };
        let Ok(entry) = Json::new(text.trim()) else { return };
        let head = EntryHead::of(entry).unwrap_or_default();
        let Some(message) = head.message.map(|message| message.read()) else { return };
        if wants_model && let Some(model) = message.model {
            self.model = Some(model.to_string()).filter(|model| model != SYNTHETIC);
        }
        // Whatever has become of the agent, its id is in the same field.
        let detail = head.tool_use_result.and_then(filled::<AgentCompleted<'_>>);
        let agent = detail.and_then(|detail| detail.agent_id);
        if let (Some(agent), Some(call)) = (agent, message.content.and_then(answered)) {
            let known = self.known.entry(agent.decode().into()).or_default();
            let call = known.call.get_or_insert_with(|| call.decode().into());
            self.calls.insert(call.clone());
        }
    }

    /// Whether the model is known, which is all that there is to look for in a session without agents.
    #[must_use]
    pub fn has_model(&self) -> bool {
        self.model.is_some()
    }

    /// The first model of the main agent, to be told once.
    pub(super) fn take_model(&mut self) -> Option<String> {
        self.model.take()
    }

    /// Whether the call that started this agent is known.
    #[must_use]
    pub fn has_call(&self, agent: &str) -> bool {
        self.known.get(agent).is_some_and(|known| known.call.is_some())
    }

    /// The agent of an entry; `None` is the main agent.
    pub(super) fn whose(
        &mut self,
        chart: &Chart<'_>,
        entry: &fields::Entry,
        calls: &Calls,
    ) -> Option<Box<str>> {
        if chart.bool(entry.is_sidechain()) != Some(true) {
            return None;
        }
        let named = chart.str(entry.agent()).filter(|agent| !agent.is_empty());
        let named = named.map(|agent| Box::from(&*agent.decode()));
        let has_id = named.is_some();
        let agent = named.unwrap_or_else(|| self.chain.agent(chart, entry));
        if let Some(name) = self.names.get(&agent) {
            return Some(name.clone());
        }
        let prompt = prompt_of(chart, entry);
        let name = self.join(&agent, prompt.as_deref(), has_id, calls);
        self.agents.insert(name.clone(), agent.clone());
        self.names.insert(agent, name.clone());
        Some(name)
    }

    fn join(&self, agent: &str, prompt: Option<&str>, has_id: bool, calls: &Calls) -> Box<str> {
        if let Some(call) = self.known.get(agent).and_then(|known| known.call.clone()) {
            return call;
        }
        let free = |call: &str| !self.agents.contains_key(call) && !self.calls.contains(call);
        let by_prompt = prompt.and_then(|prompt| calls.of_prompt(Some(prompt), free));
        // An agent with an id may be one that the CLI started by itself.
        let any = || if has_id { None } else { calls.of_prompt(None, free) };
        by_prompt.or_else(any).unwrap_or(agent).into()
    }

    /// What an agent is called in events, if an entry of it was told.
    pub(super) fn name(&self, agent: &str) -> Option<&str> {
        self.names.get(agent).map(|name| &**name)
    }

    /// What is known of an agent, by its name in events.
    pub(super) fn brief(&self, name: &str) -> Brief {
        let known = self.agents.get(name).and_then(|agent| self.known.get(agent));
        Brief {
            kind: known.and_then(|known| known.kind.clone()),
            description: known.and_then(|known| known.description.clone()),
            ..Brief::default()
        }
    }
}

impl Chain {
    /// The agent of the entry that this one follows. The first one has none before it, and names the agent.
    fn agent(&mut self, chart: &Chart<'_>, entry: &fields::Entry) -> Box<str> {
        let hash = |place| chart.str(place).map(|uuid: Str<'_>| digest::hash_of(&uuid.decode()));
        let uuid = chart.str(entry.uuid()).map(Str::decode).filter(|uuid| !uuid.is_empty());
        let first = || uuid.as_deref().map_or_else(|| NAMELESS.into(), Box::from);
        let known = match (hash(entry.parent()), &uuid) {
            (Some(parent), _) => self.agents.get(&parent).or(self.last.as_ref()).cloned(),
            (None, Some(_)) => None,
            // Nothing says whose it is.
            (None, None) => self.last.clone(),
        };
        let agent = known.unwrap_or_else(first);
        let Some(uuid) = uuid else { return agent };
        if self.order.len() == CHAIN
            && let Some(oldest) = self.order.pop_front()
        {
            self.agents.remove(&oldest);
        }
        let uuid = digest::hash_of(&uuid);
        self.order.push_back(uuid);
        self.agents.insert(uuid, agent.clone());
        self.last = Some(agent.clone());
        agent
    }
}

/// What an agent was told, if the entry is that.
fn prompt_of(chart: &Chart<'_>, entry: &fields::Entry) -> Option<String> {
    let content = fields::Message::of(chart, entry.message()).content();
    if let Some(words) = chart.str(content) {
        return Some(words.to_string());
    }
    let blocks = chart.value_if(content, b'[')?.items();
    blocks
        .filter_map(|block| match Block::of(block)? {
            Block::Text(text) => text.text,
            _ => None,
        })
        .next()
        .map(|words| words.to_string())
}

/// The first call that is answered.
fn answered(content: Content<'_>) -> Option<Str<'_>> {
    let Content::Blocks(blocks) = content else { return None };
    blocks.iter().find_map(|block| match block {
        Block::ToolResult(answer) => answer.tool_use_id,
        _ => None,
    })
}
