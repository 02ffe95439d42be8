//! What happens in a life, one thing after the other.

use super::deviation::Waits;
use crate::journal::{Entry, Way};
use crate::json::Json;
use crate::line::End;
use crate::wire::ask::Ask;
use crate::wire::{ControlCancelRequest, ControlRequest, ControlResponse, Kind, Wire};
use std::borrow::Cow;

/// One thing that happens.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// Claude Code writes something.
    Say(Say),
    /// The host does.
    Hear(Hear),
}

/// A line of Claude Code, or several that nobody looks into.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Say {
    /// When it was, by the time of the recording.
    pub(super) at: u64,
    pub(super) way: Way,
    /// With its line feed, if it had one.
    pub(super) bytes: Vec<u8>,
    /// So long it is held back beside all else.
    pub(super) pause: u64,
    pub(super) is: Meaning,
}

/// What a line of Claude Code is to the host.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// A question with this id.
    Ask { id: String, is_notice: bool },
    /// The question with this id is withdrawn.
    Cancel { id: String },
    /// The answer to a request of the host.
    Answer { id: String },
    /// The end of a turn, and whether it failed.
    Result { is_error: bool },
    /// A sign of life.
    Nothing,
    /// Anything else.
    Else,
}

/// A line of the host.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hear {
    pub(super) number: u64,
    pub(super) at: u64,
    /// Without its line feed.
    pub(super) bytes: Vec<u8>,
    pub(super) lane: Lane,
    /// Nothing waits for it, and nobody misses it.
    pub(super) is_optional: bool,
    /// Whatever it says will do.
    pub(super) is_any: bool,
}

/// Lines of one lane come in their order; lines of several need not.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Lane {
    /// A prompt.
    Prompt,
    /// A request, by what it asks for.
    Request { id: String, subtype: String },
    /// An answer to the question with this id.
    Answer { id: String },
    /// A sign of life, or nothing at all.
    Nothing,
    /// Any other JSON, by what it says that it is.
    Else(String),
    /// A text.
    Text,
}

impl Step {
    /// What an entry is in a life; a note is nothing. Without `is_json` what the host writes is a text.
    pub(super) fn of(entry: &Entry<'_>, is_json: bool) -> Option<Self> {
        match entry.way {
            Way::Out | Way::Err => {
                let mut bytes = Vec::with_capacity(entry.bytes.len() + 1);
                entry.write_bytes(&mut bytes);
                Some(Step::Say(Say::new(entry.way, bytes, entry.at)))
            }
            Way::In => Some(Step::Hear(Hear {
                number: entry.number,
                at: entry.at,
                lane: if is_json { Lane::of(&entry.bytes) } else { Lane::Text },
                bytes: entry.bytes.to_vec(),
                is_optional: false,
                is_any: false,
            })),
            Way::Note => None,
        }
    }
}

impl Say {
    pub(super) fn new(way: Way, bytes: Vec<u8>, at: u64) -> Self {
        let is = if way == Way::Out { Meaning::of(&text_of(&bytes)) } else { Meaning::Else };
        Say { at, way, bytes, pause: 0, is }
    }

    /// Whether it shows that Claude Code has gone on.
    pub(super) fn goes_on(&self) -> bool {
        self.way == Way::Out && !matches!(self.is, Meaning::Answer { .. } | Meaning::Nothing)
    }
}

impl Meaning {
    fn of(text: &str) -> Self {
        let kind = Kind::of(text);
        let Ok(json) = Json::new(text) else { return Meaning::Else };
        let id = |id: Option<crate::json::Str<'_>>| id.map(|id| id.to_string()).unwrap_or_default();
        match kind {
            Kind::ControlRequest => ControlRequest::of(json).map_or(Meaning::Else, |request| Meaning::Ask {
                id: id(request.request_id),
                is_notice: is_notice(&request),
            }),
            Kind::ControlCancelRequest => ControlCancelRequest::of(json)
                .map_or(Meaning::Else, |it| Meaning::Cancel { id: id(it.request_id) }),
            Kind::ControlResponse => Meaning::Answer { id: answered(json).unwrap_or_default() },
            Kind::Result => {
                let is_error = json.get("is_error").and_then(Json::as_bool).unwrap_or(false);
                Meaning::Result { is_error }
            }
            Kind::KeepAlive => Meaning::Nothing,
            _ => Meaning::Else,
        }
    }
}

impl Hear {
    /// The line as it is read.
    pub(super) fn text(&self) -> Cow<'_, str> {
        text_of(&self.bytes)
    }

    /// What whoever waits for it waits for.
    pub(super) fn waits(&self) -> Waits {
        Waits { entry: self.number, line: self.text().into_owned() }
    }
}

impl Lane {
    /// Whether lines of the one may be meant as lines of the other.
    pub(super) fn is_like(&self, other: &Lane) -> bool {
        match (self, other) {
            (Lane::Request { subtype, .. }, Lane::Request { subtype: other, .. }) => subtype == other,
            (one, other) => one == other,
        }
    }

    /// The lane of a line that a host of JSON wrote.
    pub(super) fn of(line: &[u8]) -> Self {
        let text = text_of(line);
        if text.is_empty() {
            return Lane::Nothing;
        }
        let Ok(json) = Json::new(&text) else { return Lane::Text };
        match Kind::last_of(json) {
            Kind::User => Lane::Prompt,
            Kind::KeepAlive => Lane::Nothing,
            Kind::ControlRequest => {
                let request = ControlRequest::of(json).unwrap_or_default();
                let id = request.request_id.map(|id| id.to_string()).unwrap_or_default();
                let subtype = request.request.and_then(|request| request.get("subtype")?.as_str());
                Lane::Request { id, subtype: subtype.map(|name| name.to_string()).unwrap_or_default() }
            }
            Kind::ControlResponse => match answered(json) {
                Some(id) => Lane::Answer { id },
                None => Lane::Else(Kind::said_by(json)),
            },
            _ => Lane::Else(Kind::said_by(json)),
        }
    }
}

/// The question that an answer names.
fn answered(line: Json<'_>) -> Option<String> {
    Some(ControlResponse::of(line)?.response?.read().request_id?.to_string())
}

/// Whether a question is a notification of MCP, to which there is nothing to say.
fn is_notice(request: &ControlRequest<'_>) -> bool {
    matches!(request.ask(), Ask::McpMessage(message) if message.message.is_some_and(|it| it.get("id").is_none()))
}

/// A line as it is read.
pub(super) fn text_of(line: &[u8]) -> Cow<'_, str> {
    crate::line::Line::whole(0, line, End::Newline).text()
}
