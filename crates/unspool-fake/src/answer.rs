//! A turn, made into a message for the request that it answers.

use crate::request::Request;
use crate::script::{self, Act, Agent, Block, Pieces, Step, Turn, Usage};
use serde_json::{Map, Value, json};

/// A message, ready to be sent.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) model: String,
    pub(crate) parts: Vec<Part>,
    pub(crate) stop_reason: String,
    pub(crate) stop_sequence: Option<String>,
    pub(crate) tokens: Tokens,
}

/// A part of a message, or what happens between parts.
#[derive(Debug)]
pub(crate) enum Part {
    Text {
        pieces: Pieces,
        citations: Vec<Value>,
    },
    Thinking {
        pieces: Pieces,
        signature: String,
    },
    /// A call: what stands around its input, and the input.
    Call {
        kind: &'static str,
        id: String,
        name: String,
        input: Pieces,
    },
    /// A block that comes in one piece.
    Whole(Value),
    Act(Act),
}

/// The tokens of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tokens {
    pub(crate) input: u64,
    pub(crate) output: u64,
    pub(crate) cache_read: u64,
    pub(crate) cache_write: u64,
    pub(crate) searches: usize,
}

/// Who answers: what ids and numbers are made of.
pub(crate) struct Source<'a> {
    /// What distinguishes this message from all others of the session.
    pub(crate) name: String,
    /// The number of the turn, from 1.
    pub(crate) turn: u64,
    pub(crate) request: &'a Request,
}

impl Message {
    pub(crate) fn of(turn: &Turn, answer: &script::Answer, source: &Source<'_>) -> Self {
        let mut parts = Vec::new();
        for (number, step) in answer.steps.iter().enumerate() {
            match step {
                Step::Act(act) => parts.push(Part::Act(act.clone())),
                Step::Block(block) => source.block(block, number + 1, &mut parts),
            }
        }
        let calls = parts.iter().any(|part| matches!(part, Part::Call { kind: "tool_use", .. }));
        let reason = if calls { "tool_use" } else { "end_turn" };
        let searches = |step: &&Step| matches!(step, Step::Block(Block::Search(it)) if it.error.is_none());
        Message {
            id: format!("msg_fake_{}", source.name),
            model: source.request.model.clone(),
            parts,
            stop_reason: answer.stop.clone().unwrap_or_else(|| reason.to_owned()),
            stop_sequence: answer.stop_sequence.clone(),
            tokens: Tokens::of(turn.usage, source.turn, answer.steps.iter().filter(searches).count()),
        }
    }

    /// The message as it is sent to whoever does not want a stream.
    pub(crate) fn plain(&self) -> Value {
        let mut usage = self.tokens.at_start();
        usage.extend(self.tokens.at_end());
        json!({
            "id": self.id, "type": "message", "role": "assistant", "model": self.model,
            "content": self.parts.iter().filter_map(Part::plain).collect::<Vec<_>>(),
            "stop_reason": self.stop_reason, "stop_sequence": self.stop_sequence, "usage": usage,
        })
    }
}

impl Tokens {
    /// What is not said is made up, so that every number tells where it comes from.
    fn of(usage: Usage, turn: u64, searches: usize) -> Self {
        Tokens {
            input: usage.input.unwrap_or(100 + turn),
            output: usage.output.unwrap_or(20 + turn),
            cache_read: usage.cache_read.unwrap_or(10_000 + turn),
            cache_write: usage.cache_write.unwrap_or(1000 + turn),
            searches,
        }
    }

    /// What is known when the message begins.
    pub(crate) fn at_start(self) -> Map<String, Value> {
        object(json!({
            "input_tokens": self.input,
            "cache_creation_input_tokens": self.cache_write,
            "cache_read_input_tokens": self.cache_read,
            "cache_creation": {"ephemeral_5m_input_tokens": self.cache_write, "ephemeral_1h_input_tokens": 0},
            "output_tokens": self.output.min(1),
            "service_tier": "standard",
        }))
    }

    /// What is known when it ends.
    pub(crate) fn at_end(self) -> Map<String, Value> {
        let mut usage = object(json!({
            "input_tokens": self.input,
            "cache_creation_input_tokens": self.cache_write,
            "cache_read_input_tokens": self.cache_read,
            "output_tokens": self.output,
        }));
        if self.searches > 0 {
            let made = json!({"web_search_requests": self.searches, "web_fetch_requests": 0});
            usage.insert("server_tool_use".to_owned(), made);
        }
        usage
    }
}

impl Source<'_> {
    /// A block of the script as parts of the message.
    fn block(&self, block: &Block, number: usize, parts: &mut Vec<Part>) {
        match block.clone() {
            Block::Text { pieces, citations } => parts.push(Part::Text { pieces, citations }),
            Block::Thinking { pieces, signature } => parts.push(Part::Thinking { pieces, signature }),
            Block::Redacted(data) => {
                parts.push(Part::Whole(json!({"type": "redacted_thinking", "data": data})));
            }
            Block::Call(call) => parts.push(self.call(call, number)),
            Block::Search(search) => {
                let id = format!("srvtoolu_fake_{}_{number}", self.name);
                let input = Pieces::Whole(json!({"query": search.query}).to_string());
                let name = "web_search".to_owned();
                parts.push(Part::Call { kind: "server_tool_use", id: id.clone(), name, input });
                let kind = "web_search_tool_result";
                let content = search.content();
                parts.push(Part::Whole(json!({"type": kind, "tool_use_id": id, "content": content})));
            }
            Block::Other(block) => parts.push(Part::Whole(block)),
        }
    }

    fn call(&self, call: script::Call, number: usize) -> Part {
        let (name, mut input) = match call.tool {
            script::Tool::Named { name, input } => (name, input),
            script::Tool::Agent(agent) => self.agent(&agent),
        };
        if let Some(folder) = self.request.folder() {
            put_folder(&mut input, folder);
        }
        let id = call.id.unwrap_or_else(|| format!("toolu_fake_{}_{number}", self.name));
        let input = call.written.unwrap_or_else(|| Pieces::Whole(input.to_string()));
        Part::Call { kind: "tool_use", id, name, input }
    }

    /// The tool that starts agents is called `Task` in older versions, and not all know all of its input.
    fn agent(&self, agent: &Agent) -> (String, Value) {
        let tool = ["Agent", "Task"].iter().find_map(|name| self.request.tool(name));
        let knows = |it: &str| tool.is_none_or(|tool| tool.parameters.iter().any(|name| name == it));
        let mut input = json!({"description": agent.description, "prompt": agent.prompt.get_ref()});
        if knows("subagent_type") {
            input["subagent_type"] = json!(agent.r#type);
        }
        if knows("run_in_background") {
            input["run_in_background"] = json!(agent.background);
        }
        (tool.map_or("Agent", |tool| &tool.name).to_owned(), input)
    }
}

impl Part {
    /// The part as a whole block.
    fn plain(&self) -> Option<Value> {
        Some(match self {
            Part::Text { pieces, citations } if citations.is_empty() => {
                json!({"type": "text", "text": pieces.words()})
            }
            Part::Text { pieces, citations } => {
                json!({"type": "text", "text": pieces.words(), "citations": citations})
            }
            Part::Thinking { pieces, signature } => {
                json!({"type": "thinking", "thinking": pieces.words(), "signature": signature})
            }
            Part::Call { kind, id, name, input } => {
                let input: Value = serde_json::from_str(&input.words()).unwrap_or_else(|_| json!({}));
                json!({"type": kind, "id": id, "name": name, "input": input})
            }
            Part::Whole(block) => block.clone(),
            Part::Act(_) => return None,
        })
    }

    /// Whether nothing comes after it, and how.
    pub(crate) fn breaks(&self) -> Option<&Act> {
        match self {
            Part::Act(act) if act.breaks() => Some(act),
            Part::Text { pieces, .. } | Part::Thinking { pieces, .. } | Part::Call { input: pieces, .. } => {
                pieces.acts().find(|act| act.breaks())
            }
            Part::Whole(_) | Part::Act(_) => None,
        }
    }
}

/// What a script cannot know: the folder that the CLI works in.
fn put_folder(value: &mut Value, folder: &str) {
    match value {
        Value::String(text) => *text = text.replace("${cwd}", folder),
        Value::Array(items) => items.iter_mut().for_each(|item| put_folder(item, folder)),
        Value::Object(fields) => fields.values_mut().for_each(|field| put_folder(field, folder)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
