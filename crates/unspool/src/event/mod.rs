//! What happened, told once: the events that everything else is made from.
//!
//! The JSON of an event is a contract that other programs rely on; `docs/events.md` states it. The names
//! of the fields here are the names there.

mod common;
mod line;
mod read;
pub(crate) mod tell;
mod tokens;
mod tool;
mod what;

pub use read::NotAnEvent;
#[doc(hidden)]
pub use tell::Tell;
pub use tell::{Raw, Words};
pub use what::*;

use crate::json::{Json, write_string};
use crate::wire::Shape;
use std::borrow::Cow;
use std::fmt;

/// The version of the contract, told with the first event.
pub const CONTRACT: u64 = 1;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event<'a> {
    /// 1, 2, 3 … in this stream.
    pub seq: u64,
    /// The line that made it told, from 1.
    pub line: Option<u64>,
    /// The session: of the line, else the last one seen.
    pub session: Option<Words<'a>>,
    /// Who it is about.
    pub agent: Agent<'a>,
    /// The turn, from 1; between turns none.
    pub turn: Option<u64>,
    /// Where it stands in a message, for parts of one.
    pub place: Option<Place<'a>>,
    /// The line's `uuid`.
    pub uuid: Option<Words<'a>>,
    /// The line's `timestamp`.
    pub time: Option<Words<'a>>,
    /// Milliseconds since the stream began, if a clock was given.
    pub at: Option<u64>,
    /// What happened.
    pub what: What<'a>,
    /// Text of values that no ordinary JSON reader takes: nested deeper than 512 levels, or with a number
    /// out of range. They stand here, a line each, and are `null` in their own place.
    pub raw_text: Option<Words<'a>>,
    /// Fields that this version does not know, as an object; only of events that were read back.
    pub extra: Option<Box<Raw<'a>>>,
}

/// Who speaks or is spoken to.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[expect(clippy::exhaustive_enums, reason = "an agent is the main one or another")]
pub enum Agent<'a> {
    /// The one the user talks to.
    Main,
    /// A sub-agent, named by the call that started it.
    Sub(Words<'a>),
}

/// Where a part stands in its message.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Place<'a> {
    /// The message's id on the wire, if it has one.
    pub message: Option<Words<'a>>,
    /// Rank among the told parts of that message, from 0.
    pub part: u64,
}

impl Agent<'_> {
    /// `main`, or the id of the call.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Agent::Main => "main",
            Agent::Sub(call) => call,
        }
    }

    /// Copies what was borrowed.
    #[must_use]
    pub fn into_owned(self) -> Agent<'static> {
        match self {
            Agent::Main => Agent::Main,
            Agent::Sub(call) => Agent::Sub(call.own()),
        }
    }
}

impl Tell for Agent<'_> {
    type Owned = Agent<'static>;
    fn own(self) -> Agent<'static> {
        self.into_owned()
    }
    fn write(&self, out: &mut String) {
        write_string(self.as_str(), out);
    }
    fn read(json: Json<'_>) -> Option<Agent<'static>> {
        let name = json.as_str()?;
        Some(if name == "main" { Agent::Main } else { Agent::Sub(name.decode().own()) })
    }
    fn shape() -> Shape {
        Shape::Text
    }
}

impl<'a> Event<'a> {
    /// An event of which nothing is known but whom it is about, and what.
    pub(crate) fn about(agent: Agent<'a>, what: What<'a>) -> Self {
        Event {
            seq: 0,
            line: None,
            session: None,
            agent,
            turn: None,
            place: None,
            uuid: None,
            time: None,
            at: None,
            what,
            raw_text: None,
            extra: None,
        }
    }
}

impl Event<'_> {
    /// Copies what was borrowed.
    #[must_use]
    pub fn into_owned(self) -> Event<'static> {
        Event {
            seq: self.seq,
            line: self.line,
            session: self.session.own(),
            agent: self.agent.into_owned(),
            turn: self.turn,
            place: self.place.map(|place| Place { message: place.message.own(), part: place.part }),
            uuid: self.uuid.own(),
            time: self.time.own(),
            at: self.at,
            what: self.what.into_owned(),
            raw_text: self.raw_text.own(),
            extra: self.extra.map(|extra| Box::new(extra.own())),
        }
    }

    /// The event as one line of JSON, without its newline.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// Appends the event as JSON.
    pub fn write(&self, out: &mut String) {
        out.push_str("{\"type\":");
        match &self.what {
            What::Other { name, .. } => write_string(name, out),
            what => write_string(what.name(), out),
        }
        self.write_common(out);
        self.what.write_fields(out);
        read::write_extra(self.extra.as_deref(), out);
        out.push('}');
    }
}

impl serde::Serialize for Event<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.to_json();
        let raw: &serde_json::value::RawValue =
            serde_json::from_str(&text).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// One short line: who, what, and the words that matter. For logs and tests, not for programs.
impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.agent {
            Agent::Main => {}
            Agent::Sub(call) => write!(f, "[{call}] ")?,
        }
        f.write_str(self.what.name())?;
        let mut fields = String::new();
        self.what.write_fields(&mut fields);
        let fields: Cow<'_, str> = match fields.char_indices().nth(240) {
            Some((at, _)) => format!("{}…", &fields[..at]).into(),
            None => fields.into(),
        };
        f.write_str(&fields.replacen(',', " ", 1))
    }
}
