//! One step of an answer: a block of the message, or something that happens to the stream.

use super::act::{Act, Cut, RawAct, Seconds, StreamError};
use super::piece::Pieces;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;
use toml::Spanned;

/// One step of an answer.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Block(Block),
    Act(Act),
}

/// A part of the message.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    Text {
        pieces: Pieces,
        citations: Vec<Value>,
    },
    Thinking {
        pieces: Pieces,
        signature: String,
    },
    Redacted(String),
    Call(Call),
    /// A search on the web that the API does itself: two blocks, the call and its result.
    Search(Search),
    /// A block as it stands.
    Other(Value),
}

/// A call of a tool.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) tool: Tool,
    /// The input as text, for one that is not to be whole.
    pub(crate) written: Option<Pieces>,
    /// Made up if it is not said.
    pub(crate) id: Option<String>,
}

/// What is called.
#[derive(Clone, Debug)]
pub(crate) enum Tool {
    Named {
        name: String,
        input: Value,
    },
    /// The tool that starts a sub-agent, whatever its name is.
    Agent(Agent),
}

/// A sub-agent to start.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Agent {
    pub(crate) prompt: Spanned<String>,
    #[serde(default = "Agent::description")]
    pub(crate) description: String,
    #[serde(default = "Agent::kind")]
    pub(crate) r#type: String,
    /// Whether the main agent goes on meanwhile.
    #[serde(default)]
    pub(crate) background: bool,
}

/// A search on the web.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    pub(crate) query: String,
    #[serde(default)]
    pub(crate) results: Vec<Found>,
    /// Why there is no result.
    pub(crate) error: Option<String>,
}

/// A page that was found.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Found {
    pub(crate) title: String,
    pub(crate) url: String,
}

/// What a made-up block of thinking is signed with: nobody checks it here.
const SIGNATURE: &str = "c2lnbmVkLWJ5LXRoZS1mYWtlLW1vZGVs";

impl Block {
    pub(crate) fn text(words: &str) -> Self {
        Block::said(Pieces::Whole(words.to_owned()))
    }

    pub(super) fn said(pieces: Pieces) -> Self {
        Block::Text { pieces, citations: Vec::new() }
    }

    pub(super) fn thinking(pieces: Pieces) -> Self {
        Block::Thinking { pieces, signature: SIGNATURE.to_owned() }
    }

    fn breaks(&self) -> bool {
        match self {
            Block::Text { pieces, .. } | Block::Thinking { pieces, .. } => pieces.breaks(),
            Block::Call(call) => call.written.as_ref().is_some_and(Pieces::breaks),
            Block::Redacted(_) | Block::Search(_) | Block::Other(_) => false,
        }
    }
}

const CALL: &str =
    "a call names one tool and its input, such as call.Bash.command = \"ls\"; for several, write a list `do`";

impl Call {
    /// A call as it is written: a tool, and its input.
    pub(super) fn of(written: BTreeMap<String, Value>) -> Result<Self, &'static str> {
        let mut tools = written.into_iter();
        match (tools.next(), tools.next()) {
            (Some((name, input @ Value::Object(_))), None) => {
                Ok(Call { tool: Tool::Named { name, input }, written: None, id: None })
            }
            _ => Err(CALL),
        }
    }

    pub(super) fn agent(agent: Agent) -> Self {
        Call { tool: Tool::Agent(agent), written: None, id: None }
    }
}

impl Agent {
    fn description() -> String {
        "Do a part of the work".to_owned()
    }

    fn kind() -> String {
        "general-purpose".to_owned()
    }
}

impl Step {
    /// Whether the stream ends here.
    pub(crate) fn breaks(&self) -> bool {
        match self {
            Step::Block(block) => block.breaks(),
            Step::Act(act) => act.breaks(),
        }
    }
}

/// In few words, for a log.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Act(act) => act.fmt(f),
            Step::Block(Block::Text { .. }) => f.write_str("say"),
            Step::Block(Block::Thinking { .. }) => f.write_str("think"),
            Step::Block(Block::Redacted(_)) => f.write_str("redacted"),
            Step::Block(Block::Call(call)) => match &call.tool {
                Tool::Named { name, .. } => write!(f, "call {name}"),
                Tool::Agent(agent) => write!(f, "agent \"{}\"", agent.description),
            },
            Step::Block(Block::Search(_)) => f.write_str("search"),
            Step::Block(Block::Other(block)) => {
                write!(f, "block {}", block["type"].as_str().unwrap_or("?"))
            }
        }
    }
}

/// A step as it is written: one thing, and perhaps more about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    say: Option<Pieces>,
    think: Option<Pieces>,
    redacted: Option<String>,
    call: Option<BTreeMap<String, Value>>,
    agent: Option<Agent>,
    search: Option<Search>,
    block: Option<Value>,
    pause: Option<Seconds>,
    cut: Option<Cut>,
    error: Option<StreamError>,
    ping: Option<bool>,
    event: Option<Value>,

    citations: Option<Vec<Value>>,
    signature: Option<String>,
    input_json: Option<Pieces>,
    id: Option<String>,
}

const ONE: &str = "a step does one thing: `say`, `think`, `redacted`, `call`, `agent`, `search`, `block`, \
                   `pause`, `cut`, `error`, `ping` or `event`; make two steps of it";
const MORE: &str = "`citations` belong to `say`, a `signature` to `think`, `input_json` to `call`, and an \
                    `id` to `call` or `agent`";
const TYPE: &str = "a block or event of your own is a table with a `type`";
const ID: &str = "an `id` has letters, digits, `_` and `-`";

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::table::checked::<RawStep, _, _>(deserializer)
    }
}

impl TryFrom<RawStep> for Step {
    type Error = &'static str;

    fn try_from(raw: RawStep) -> Result<Self, &'static str> {
        let RawStep { mut citations, mut signature, mut input_json, mut id, .. } = raw;
        if [&raw.block, &raw.event].into_iter().flatten().any(|it| !it["type"].is_string()) {
            return Err(TYPE);
        }
        if id.as_ref().is_some_and(|id| !named(id)) {
            return Err(ID);
        }
        let RawStep { pause, cut, error, ping, event, .. } = raw;
        let acts = RawAct { pause, cut, error, ping, event, json: None }.acts();
        let mut steps: Vec<Step> = acts.into_iter().map(Step::Act).collect();
        let mut blocks = Vec::new();
        blocks.extend(
            raw.say.map(|pieces| Block::Text { pieces, citations: citations.take().unwrap_or_default() }),
        );
        blocks.extend(raw.think.map(|pieces| Block::Thinking {
            pieces,
            signature: signature.take().unwrap_or_else(|| SIGNATURE.to_owned()),
        }));
        blocks.extend(raw.redacted.map(Block::Redacted));
        if let Some(call) = raw.call {
            let written = input_json.take();
            blocks.push(Block::Call(Call { written, id: id.take(), ..Call::of(call)? }));
        }
        blocks.extend(raw.agent.map(|it| Block::Call(Call { id: id.take(), ..Call::agent(it) })));
        blocks.extend(raw.search.map(Block::Search));
        blocks.extend(raw.block.map(Block::Other));
        steps.extend(blocks.into_iter().map(Step::Block));
        match steps.pop() {
            Some(_) if !steps.is_empty() => Err(ONE),
            None => Err(ONE),
            Some(_) if citations.is_some() || signature.is_some() || input_json.is_some() || id.is_some() => {
                Err(MORE)
            }
            Some(step) => Ok(step),
        }
    }
}

/// Whether this can be part of an id.
pub(super) fn named(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '-')
}

impl Search {
    /// What was found, as the API says it.
    pub(crate) fn content(&self) -> Value {
        match &self.error {
            Some(code) => json!({"type": "web_search_tool_result_error", "error_code": code}),
            None => self.results.iter().map(Found::result).collect(),
        }
    }
}

impl Found {
    fn result(&self) -> Value {
        json!({
            "type": "web_search_result", "title": self.title, "url": self.url,
            "encrypted_content": "ZmFrZQ==", "page_age": null,
        })
    }
}
