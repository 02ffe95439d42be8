//! The calls of tools: which were told, which have no answer yet.

use crate::digest::ByText;
use crate::json::Str;
use crate::translate::memory::label::{ByLabel, Label, LastIds};
use crate::translate::read::content;
use crate::translate::speech::part::Part;
use crate::wire::Wire;
use crate::wire::tool::{AgentInput, ToolInput};
use std::collections::HashSet;

/// Calls that are remembered after they were told: as many as a table of 65,536 places takes.
const CALLS: usize = 57_344;

/// So many calls may wait for their answers; of more, the older half is forgotten.
const OPEN: usize = 131_072;

/// Agents that were launched and not heard of yet.
const LAUNCHED: usize = 4096;

#[derive(Debug)]
pub(crate) struct Calls {
    fates: LastIds<Fate>,
    open: ByLabel<OpenCall>,
    /// Calls whose answer only said that an agent was launched.
    launched: ByLabel<OpenCall>,
    /// The open calls of each sub-agent.
    of_agent: ByLabel<HashSet<Label, ByText>>,
    count: u64,
}

/// What has become of a call.
#[derive(Debug, Default)]
struct Fate {
    told: bool,
    answered: bool,
}

/// A call without an answer.
#[derive(Debug)]
pub(crate) struct OpenCall {
    name: Option<Label>,
    /// The agent who called; `None` for the main agent.
    agent: Option<Label>,
    /// When it was told, if there is a clock.
    at: Option<u64>,
    /// What it says of the agent it starts, if it starts one.
    brief: Option<Brief>,
    order: u64,
}

/// What an answer is told with of its call.
#[derive(Debug)]
pub(crate) struct Asked {
    name: Option<Label>,
    at: Option<u64>,
}

/// What is known of a sub-agent before it speaks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Brief {
    pub(crate) kind: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) prompt: Option<String>,
    pub(crate) background: bool,
}

impl Default for Calls {
    fn default() -> Self {
        Calls {
            fates: LastIds::new(CALLS),
            open: ByLabel::default(),
            launched: ByLabel::default(),
            of_agent: ByLabel::default(),
            count: 0,
        }
    }
}

impl Calls {
    /// A call is to be told. Returns whether it is the first time.
    pub(crate) fn tell(&mut self, id: &str) -> bool {
        !std::mem::replace(&mut self.fates.of(id).told, true)
    }

    /// Whether a part that seems to be known really is. Parts are remembered by their hash, but a call is known by
    /// nothing but its id.
    pub(crate) fn knows(&self, part: &Part<'_>) -> bool {
        match part {
            Part::Call(content::ToolUseBlock { id: Some(id), .. }) => {
                self.fates.get(&id.decode()).is_some_and(|fate| fate.told)
            }
            _ => true,
        }
    }

    /// A call was told, and waits for its answer.
    pub(crate) fn open(&mut self, call: &content::ToolUseBlock<'_>, agent: Option<&str>, at: Option<u64>) {
        let Some(id) = call.id.map(Str::decode) else { return };
        let id = Label::of(&id);
        let name = call.name.map(Str::decode);
        let brief = name.as_deref().filter(|name| ToolInput::starts_agent(name)).map(|_| Brief::of(call));
        let agent = agent.map(Label::of);
        if let Some(agent) = &agent {
            self.of_agent.entry(agent.clone()).or_default().insert(id.clone());
        }
        self.count += 1;
        let name = name.as_deref().map(Label::of);
        self.open.insert(id, OpenCall { name, agent, at, brief, order: self.count });
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
    pub(crate) fn get(&self, id: &str) -> Option<&OpenCall> {
        self.open.get(id.as_bytes()).or_else(|| self.launched.get(id.as_bytes()))
    }

    /// The oldest call that started an agent with this prompt, or with any, and is free.
    pub(crate) fn of_prompt(&self, prompt: Option<&str>, free: impl Fn(&str) -> bool) -> Option<&str> {
        let starts = |(id, call): &(&Label, &OpenCall)| {
            let brief = call.brief.as_ref();
            brief.is_some_and(|it| prompt.is_none() || it.prompt.as_deref() == prompt) && free(id.as_str())
        };
        let calls = self.open.iter().chain(&self.launched).filter(starts);
        calls.min_by_key(|(_, call)| call.order).map(|(id, _)| id.as_str())
    }

    /// A call has its answer, or only that its agent was `launched`. Returns what is known of the call.
    pub(crate) fn answer(&mut self, id: &str, launched: bool) -> Option<Asked> {
        if !launched {
            self.fates.of(id).answered = true;
        }
        let (id, call) = self.open.remove_entry(id.as_bytes())?;
        if let Some(calls) = call.agent.as_ref().and_then(|agent| self.of_agent.get_mut(agent)) {
            calls.remove(&id);
        }
        if !launched || self.launched.len() >= LAUNCHED {
            return Some(Asked { name: call.name, at: call.at });
        }
        let asked = Asked { name: call.name.clone(), at: call.at };
        self.launched.insert(id, call);
        Some(asked)
    }

    /// Whether a call has had its answer.
    pub(crate) fn is_answered(&self, id: &str) -> bool {
        self.fates.get(id).is_some_and(|fate| fate.answered)
    }

    /// An agent has ended: its calls get no answer any more.
    pub(crate) fn leave(&mut self, agent: &str) {
        self.launched.remove(agent.as_bytes());
        for call in self.of_agent.remove(agent.as_bytes()).unwrap_or_default() {
            self.open.remove(&call);
        }
    }

    /// The calls without an answer, in the order they were told.
    pub(crate) fn still_open(&self) -> Vec<&str> {
        let mut open: Vec<_> = self.open.iter().map(|(id, call)| (call.order, id.as_str())).collect();
        open.sort_unstable();
        open.into_iter().map(|(_, id)| id).collect()
    }
}

impl OpenCall {
    /// The agent who called; `None` for the main agent.
    pub(crate) fn agent(&self) -> Option<&str> {
        self.agent.as_ref().map(Label::as_str)
    }

    /// What it says of the agent that it starts, if it starts one.
    pub(crate) fn brief(&self) -> Option<&Brief> {
        self.brief.as_ref()
    }
}

impl Asked {
    /// The tool.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_ref().map(Label::as_str)
    }

    /// When the call was told, if there was a clock.
    pub(crate) fn at(&self) -> Option<u64> {
        self.at
    }
}

impl Brief {
    fn of(call: &content::ToolUseBlock<'_>) -> Self {
        let input = call.input.and_then(AgentInput::of).unwrap_or_default();
        let own = |text: Option<Str<'_>>| text.map(|text| text.to_string());
        Brief {
            kind: own(input.subagent_type),
            description: own(input.description),
            prompt: own(input.prompt),
            background: input.run_in_background.unwrap_or(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::digest::Digest;
    use crate::event::What;
    use crate::{Grain, Spool};

    /// Two ids that have the same hash.
    const ALIKE: [&str; 2] = ["toolu_01gipjcplneibpkcnc", "toolu_01bhjahfkmknodpbjj"];

    fn call(id: &str, tool: &str) -> String {
        format!(r#"{{"type":"tool_use","id":"{id}","name":"{tool}","input":{{}}}}"#)
    }

    fn message(blocks: &[&str], uuid: Option<&str>) -> String {
        let uuid = uuid.map(|uuid| format!(r#","uuid":"{uuid}""#)).unwrap_or_default();
        let message = format!(r#"{{"id":"m","content":[{}]}}"#, blocks.join(","));
        format!("{{\"type\":\"assistant\",\"message\":{message}{uuid}}}\n")
    }

    fn answer(call: &str) -> String {
        let block = format!(r#"{{"type":"tool_result","tool_use_id":"{call}","content":"x"}}"#);
        format!("{{\"type\":\"user\",\"message\":{{\"content\":[{block}]}}}}\n")
    }

    #[test]
    fn calls_whose_ids_have_one_hash_are_two_calls() {
        let [a, b] = ALIKE.map(Digest::of);
        assert_eq!((a.hash(), a == b), (b.hash(), true), "they are alike as far as hashes go");
        let (first, second) = (&*call(ALIKE[0], "Read"), &*call(ALIKE[1], "Bash"));
        let text = r#"{"type":"text","text":"x"}"#;
        for lines in [
            [message(&[first], Some("1")), message(&[second], Some("2"))],
            [message(&[first], Some("1")), message(&[second], Some("1"))],
            [message(&[first], None), message(&[first, second], None)],
            [message(&[first, text], None), message(&[second, text], None)],
        ] {
            let stream = lines.concat() + &ALIKE.map(answer).concat();
            let mut told = Vec::new();
            for event in Spool::read(Grain::Blocks, stream.as_bytes()) {
                match event.what {
                    What::ToolUse { id, .. } => told.push(id.unwrap().into_owned()),
                    What::ToolResult { name, .. } => told.push(name.unwrap_or_default().into_owned()),
                    _ => {}
                }
            }
            assert_eq!(told, [ALIKE[0], ALIKE[1], "Read", "Bash"], "{stream}");
        }
    }
}
