//! One answer of the model, and all that is special about it.

use super::act::{Seconds, either};
use super::fail::Fail;
use super::piece::Pieces;
use super::step::{Agent, Block, Call, Step, Tool};
use serde::Deserialize;
use serde::de::{self, MapAccess, Visitor, value::MapAccessDeserializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// One answer of the model.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) does: Does,
    /// Tokens; what is not said is made up.
    pub(crate) usage: Usage,
    /// Headers of the answer.
    pub(crate) headers: BTreeMap<String, String>,
    /// Time before anything is sent.
    pub(crate) wait: Duration,
    /// How often it is played.
    pub(crate) times: usize,
}

/// What a turn does.
#[derive(Clone, Debug)]
pub(crate) enum Does {
    /// It answers with a message.
    Answer(Answer),
    /// It answers with an error.
    Fail(Fail),
}

/// A message.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) steps: Vec<Step>,
    /// Why the message ends; chosen by what is in it if it is not said.
    pub(crate) stop: Option<String>,
    pub(crate) stop_sequence: Option<String>,
    /// Time between the parts of a stream.
    pub(crate) pace: Duration,
    /// Characters in a piece of a stream.
    pub(crate) chunk: Option<usize>,
}

/// Tokens of a turn.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Usage {
    pub(crate) input: Option<u64>,
    pub(crate) output: Option<u64>,
    pub(crate) cache_read: Option<u64>,
    pub(crate) cache_write: Option<u64>,
    /// How much of that is kept for an hour.
    pub(crate) cache_write_1h: Option<u64>,
    pub(crate) searches: Option<u64>,
    /// It was answered in fast mode.
    pub(crate) fast: Option<bool>,
}

impl Usage {
    /// What is said here, and else what is said there.
    pub(crate) fn or(self, other: Usage) -> Usage {
        Usage {
            input: self.input.or(other.input),
            output: self.output.or(other.output),
            cache_read: self.cache_read.or(other.cache_read),
            cache_write: self.cache_write.or(other.cache_write),
            cache_write_1h: self.cache_write_1h.or(other.cache_write_1h),
            searches: self.searches.or(other.searches),
            fast: self.fast.or(other.fast),
        }
    }
}

/// What is answered when the turns have run out.
#[derive(Clone, Debug, Default)]
pub(crate) enum Then {
    /// A sentence that says so.
    #[default]
    Say,
    /// The last turn again.
    Repeat,
    /// An error, which is also noted as a failure.
    Fail,
    /// This.
    Turn(Box<Turn>),
}

impl Turn {
    /// Words alone.
    pub(crate) fn say(text: &str) -> Self {
        Turn::of(vec![Step::Block(Block::text(text))])
    }

    /// These steps, and nothing special.
    pub(crate) fn of(steps: Vec<Step>) -> Self {
        let answer = Answer { steps, stop: None, stop_sequence: None, pace: Duration::ZERO, chunk: None };
        Turn::doing(Does::Answer(answer))
    }

    /// An error.
    pub(crate) fn fail(fail: Fail) -> Self {
        Turn::doing(Does::Fail(fail))
    }

    fn doing(does: Does) -> Self {
        Turn { does, usage: Usage::default(), headers: BTreeMap::new(), wait: Duration::ZERO, times: 1 }
    }

    /// Whether the client has reason to ask the same again.
    pub(crate) fn breaks(&self) -> bool {
        match &self.does {
            Does::Fail(_) => true,
            Does::Answer(answer) => answer.steps.iter().any(Step::breaks),
        }
    }

    /// The agents that it starts.
    pub(crate) fn agents(&self) -> impl Iterator<Item = &Agent> {
        let steps = match &self.does {
            Does::Answer(answer) => &answer.steps[..],
            Does::Fail(_) => &[],
        };
        steps.iter().filter_map(|step| match step {
            Step::Block(Block::Call(Call { tool: Tool::Agent(agent), .. })) => Some(agent),
            _ => None,
        })
    }
}

/// In few words, for a log.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.does {
            Does::Fail(fail) => write!(f, "fail {}", fail.status),
            Does::Answer(answer) if answer.steps.is_empty() => f.write_str("nothing"),
            Does::Answer(answer) => {
                let steps: Vec<String> = answer.steps.iter().map(ToString::to_string).collect();
                f.write_str(&steps.join(", "))
            }
        }
    }
}

/// A turn as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTurn {
    think: Option<Pieces>,
    say: Option<Pieces>,
    call: Option<BTreeMap<String, Value>>,
    agent: Option<Agent>,
    r#do: Option<Vec<Step>>,
    fail: Option<Fail>,
    #[serde(default)]
    usage: Usage,
    stop: Option<String>,
    stop_sequence: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    pace: Option<Seconds>,
    chunk: Option<usize>,
    times: Option<usize>,
    wait: Option<Seconds>,
}

const NOTHING: &str = "a turn needs `say`, `think`, `call` or `agent`, a list `do` of such steps, or `fail`";
const BOTH: &str = "`do` stands alone: put `say`, `think`, `call` and `agent` into its list, in order";
const FAILS: &str = "a turn with `fail` says nothing: make what follows it a turn of its own";
const TIMES: &str = "`times` is a number from 1 to 1000; `then = \"repeat\"` plays the last turn for ever";
const CHUNK: &str = "`chunk` is a number of characters, at least 1";

impl<'de> Deserialize<'de> for Turn {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::table::checked::<RawTurn, _, _>(deserializer)
    }
}

impl TryFrom<RawTurn> for Turn {
    type Error = &'static str;

    fn try_from(mut raw: RawTurn) -> Result<Self, &'static str> {
        let times = raw.times.unwrap_or(1);
        if !(1..=1000).contains(&times) {
            return Err(TIMES);
        }
        if raw.chunk == Some(0) {
            return Err(CHUNK);
        }
        let usage = raw.usage;
        let wait = raw.wait.take().map_or(Duration::ZERO, |it| it.0);
        let headers = std::mem::take(&mut raw.headers);
        super::fail::check_headers(&headers)?;
        Ok(Turn { does: raw.does()?, usage, headers, wait, times })
    }
}

impl RawTurn {
    fn does(self) -> Result<Does, &'static str> {
        let list = self.r#do.is_some();
        let mut steps = self.r#do.unwrap_or_default();
        // A model thinks, then speaks, then calls; whoever wants another order writes `do`.
        let mut plain = Vec::new();
        plain.extend(self.think.map(Block::thinking));
        plain.extend(self.say.map(Block::said));
        plain.extend(self.call.map(Call::of).transpose()?.map(Block::Call));
        plain.extend(self.agent.map(Call::agent).map(Block::Call));
        match self.fail {
            Some(_) if list || !plain.is_empty() => return Err(FAILS),
            Some(fail) => return Ok(Does::Fail(fail)),
            None if list && !plain.is_empty() => return Err(BOTH),
            None if !list && plain.is_empty() => return Err(NOTHING),
            None => steps.extend(plain.into_iter().map(Step::Block)),
        }
        Ok(Does::Answer(Answer {
            steps,
            stop: self.stop,
            stop_sequence: self.stop_sequence,
            pace: self.pace.map_or(Duration::ZERO, |it| it.0),
            chunk: self.chunk,
        }))
    }
}

impl<'de> Deserialize<'de> for Then {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ThenVisitor)
    }
}

struct ThenVisitor;

impl<'de> Visitor<'de> for ThenVisitor {
    type Value = Then;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`then` as \"repeat\", \"fail\", or a turn such as { say = \"That is all.\" }")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Then, E> {
        either(&self, word, [("repeat", Then::Repeat), ("fail", Then::Fail)])
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Then, A::Error> {
        Ok(Then::Turn(Box::new(Turn::deserialize(MapAccessDeserializer::new(map))?)))
    }
}
