//! A turn, made into a message for the request that it answers.

use crate::request::Request;
use crate::script::{self, Act, Agent, Block, Pieces, Step, Turn, Usage};
use crate::text::{array, object, quoted, quoted_or_null};
use serde_json::{Value, json};
use unspool::json::Json;

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
    pub(crate) cache_write_1h: u64,
    pub(crate) searches: u64,
    pub(crate) fast: bool,
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

    /// The message as it is sent to a client that does not want a stream.
    pub(crate) fn plain(&self) -> String {
        let content: Vec<String> = self.parts.iter().filter_map(Part::plain).collect();
        let stop = [&*quoted(&self.stop_reason), &*quoted_or_null(self.stop_sequence.as_deref())];
        self.write(&array(&content), stop, &self.tokens.all())
    }

    /// The message as it begins.
    pub(crate) fn begun(&self) -> String {
        self.write("[]", ["null", "null"], &self.tokens.at_start())
    }

    fn write(&self, content: &str, [reason, sequence]: [&str; 2], usage: &str) -> String {
        object(&[
            ("id", &quoted(&self.id)),
            ("type", "\"message\""),
            ("role", "\"assistant\""),
            ("model", &quoted(&self.model)),
            ("content", content),
            ("stop_reason", reason),
            ("stop_sequence", sequence),
            ("usage", usage),
        ])
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
            cache_write_1h: usage.cache_write_1h.unwrap_or(0),
            searches: usage.searches.unwrap_or(searches as u64),
            fast: usage.fast.unwrap_or(false),
        }
    }

    /// What is known when the message begins.
    pub(crate) fn at_start(self) -> String {
        let written = self.written();
        let mut more = vec![("cache_creation", &*written), ("service_tier", TIER)];
        more.extend(self.fast.then_some(FAST));
        self.write(self.output.min(1), &more)
    }

    /// What is known when it ends.
    pub(crate) fn at_end(self) -> String {
        let searches = self.searches();
        let mut more: Vec<_> = searches.iter().map(|it| ("server_tool_use", &**it)).collect();
        more.extend(self.fast.then_some(FAST));
        self.write(self.output, &more)
    }

    /// All that is known.
    fn all(self) -> String {
        let (written, searches) = (self.written(), self.searches());
        let mut more = vec![("cache_creation", &*written)];
        more.extend(searches.iter().map(|it| ("server_tool_use", &**it)));
        more.push(("service_tier", TIER));
        more.extend(self.fast.then_some(FAST));
        self.write(self.output, &more)
    }

    fn write(self, output: u64, more: &[(&str, &str)]) -> String {
        let names =
            ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];
        let counts = [self.input, self.cache_write, self.cache_read, output].map(|it| it.to_string());
        let mut fields: Vec<(&str, &str)> = names.into_iter().zip(counts.iter().map(|it| &**it)).collect();
        fields.extend(more);
        object(&fields)
    }

    /// How the tokens for the cache are divided.
    fn written(self) -> String {
        let for_an_hour = self.cache_write_1h.min(self.cache_write);
        let counts = [self.cache_write - for_an_hour, for_an_hour].map(|count| count.to_string());
        object(&[("ephemeral_5m_input_tokens", &counts[0]), ("ephemeral_1h_input_tokens", &counts[1])])
    }

    /// How often the API searched.
    fn searches(self) -> Option<String> {
        let count = self.searches.to_string();
        let made = object(&[("web_search_requests", &count), ("web_fetch_requests", "0")]);
        (self.searches > 0).then_some(made)
    }
}

const TIER: &str = "\"standard\"";
const FAST: (&str, &str) = ("speed", "\"fast\"");

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
    fn plain(&self) -> Option<String> {
        Some(match self {
            Part::Text { pieces, citations } => {
                let (text, citations) = (quoted(&pieces.words()), Value::from(&citations[..]).to_string());
                let fields = [("type", "\"text\""), ("text", &text), ("citations", &citations)];
                object(if citations == "[]" { &fields[..2] } else { &fields })
            }
            Part::Thinking { pieces, signature } => object(&[
                ("type", "\"thinking\""),
                ("thinking", &quoted(&pieces.words())),
                ("signature", &quoted(signature)),
            ]),
            Part::Call { input, .. } => {
                let input = input.words();
                // An input that is not whole is none.
                self.call(if Json::new(&input).is_ok() { &input } else { "{}" })
            }
            Part::Whole(block) => block.to_string(),
            Part::Act(_) => return None,
        })
    }

    /// A call with this input.
    pub(crate) fn call(&self, input: &str) -> String {
        let Part::Call { kind, id, name, .. } = self else { return "null".to_owned() };
        object(&[("type", &quoted(kind)), ("id", &quoted(id)), ("name", &quoted(name)), ("input", input)])
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
