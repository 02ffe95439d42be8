//! What happens in the middle of a stream besides words: pauses, cuts, errors.

use super::fail::{status_of, words_of};
use serde::Deserialize;
use serde::de::{self, MapAccess, Visitor, value::MapAccessDeserializer};
use serde_json::Value;
use std::fmt;
use std::time::Duration;

/// Something that happens between two parts of a stream.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Nothing, for a while.
    Pause(Duration),
    /// Nothing comes any more.
    Cut(Cut),
    /// An event `error`, after which nothing comes any more.
    Error(StreamError),
    /// An event `ping`.
    Ping,
    /// This event, as it stands.
    Event(Value),
}

/// How a stream ends before its time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Cut {
    /// The connection breaks.
    Connection,
    /// The stream ends as if it were complete.
    Stream,
}

/// An error in the middle of a stream.
#[derive(Clone, Debug)]
pub(crate) struct StreamError {
    pub(crate) kind: String,
    pub(crate) message: String,
}

impl Act {
    /// Whether nothing comes after it.
    pub(crate) fn breaks(&self) -> bool {
        matches!(self, Act::Cut(_) | Act::Error(_))
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Act::Pause(time) => write!(f, "pause {}", time.as_secs_f64()),
            Act::Cut(Cut::Connection) => f.write_str("cut the connection"),
            Act::Cut(Cut::Stream) => f.write_str("cut the stream"),
            Act::Error(error) => write!(f, "error {}", error.kind),
            Act::Ping => f.write_str("ping"),
            Act::Event(event) => write!(f, "event {}", event["type"].as_str().unwrap_or("?")),
        }
    }
}

/// The acts as they are written, one to a table.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawAct {
    pub(super) pause: Option<Seconds>,
    pub(super) cut: Option<Cut>,
    pub(super) error: Option<StreamError>,
    pub(super) ping: Option<bool>,
    pub(super) event: Option<Value>,
    /// Only in a list of pieces: the inside of a JSON string, for words that TOML cannot write.
    pub(super) json: Option<String>,
}

impl RawAct {
    /// The acts that are there; there should be one.
    pub(super) fn acts(self) -> Vec<Act> {
        let mut acts = Vec::new();
        acts.extend(self.pause.map(|time| Act::Pause(time.0)));
        acts.extend(self.cut.map(Act::Cut));
        acts.extend(self.error.map(Act::Error));
        acts.extend(self.ping.filter(|it| *it).map(|_| Act::Ping));
        acts.extend(self.event.map(Act::Event));
        acts
    }
}

/// A time, in seconds.
#[derive(Clone, Copy)]
pub(super) struct Seconds(pub(super) Duration);

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        if !(0.0..=86400.0).contains(&number) {
            return Err(de::Error::custom("a time is in seconds, from 0 to 86400, such as 2 or 0.25"));
        }
        Ok(Seconds(Duration::from_secs_f64(number)))
    }
}

impl<'de> Deserialize<'de> for Cut {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CutVisitor)
    }
}

struct CutVisitor;

impl Visitor<'_> for CutVisitor {
    type Value = Cut;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`cut` as \"connection\" (it breaks) or \"stream\" (it ends, as if complete)")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Cut, E> {
        either(&self, word, [("connection", Cut::Connection), ("stream", Cut::Stream)])
    }
}

impl<'de> Deserialize<'de> for StreamError {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ErrorVisitor)
    }
}

struct ErrorVisitor;

impl<'de> Visitor<'de> for ErrorVisitor {
    type Value = StreamError;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`error` as a type such as \"overloaded_error\", or as { type = .., message = .. }")
    }

    fn visit_str<E: de::Error>(self, kind: &str) -> Result<StreamError, E> {
        Ok(StreamError { kind: kind.to_owned(), message: words_of(status_of(kind)).to_owned() })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<StreamError, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Raw {
            r#type: String,
            message: String,
        }
        let raw = Raw::deserialize(MapAccessDeserializer::new(map))?;
        Ok(StreamError { kind: raw.r#type, message: raw.message })
    }
}

/// One of a few words.
pub(super) fn either<'de, V: Visitor<'de>, T, E: de::Error, const N: usize>(
    visitor: &V,
    word: &str,
    choices: [(&str, T); N],
) -> Result<T, E> {
    let found = choices.into_iter().find(|(name, _)| *name == word);
    found.map(|(_, it)| it).ok_or_else(|| E::invalid_value(de::Unexpected::Str(word), visitor))
}
