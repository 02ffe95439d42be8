//! What a tool says of itself beside its answer: the few fields that an event or an agent's end is told from.

use crate::event::Tokens;
use crate::json::{Cursor, Fault, Json, Str};
use crate::tally;
use crate::wire::{Found, Shape, Usage, Wire};

/// A tool's own structured output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Detail<'l> {
    pub(super) json: Json<'l>,
    status: Option<Json<'l>>,
    duration_ms: Option<Json<'l>>,
    duration_seconds: Option<Json<'l>>,
    total_duration_ms: Option<Json<'l>>,
    total_tokens: Option<Json<'l>>,
    usage: Option<Json<'l>>,
}

impl<'l> Detail<'l> {
    /// What has become of what was asked for, in one word.
    pub(super) fn status(&self) -> Option<Str<'l>> {
        self.status.and_then(Json::as_str)
    }

    /// How long the tool says that it took.
    pub(super) fn took(&self) -> Option<u64> {
        let number = |field: Option<Json<'l>>| field.and_then(Json::as_f64);
        let seconds = || number(self.duration_seconds).map(|seconds| seconds * 1e3);
        let time = number(self.duration_ms).or_else(|| number(self.total_duration_ms)).or_else(seconds);
        time.filter(|time| *time >= 0.0).map(|time| time.round() as u64)
    }

    /// How long an agent was at work.
    pub(super) fn total_duration_ms(&self) -> Option<u64> {
        self.total_duration_ms.and_then(Json::as_u64)
    }

    /// All tokens of an agent.
    pub(super) fn total_tokens(&self) -> Option<u64> {
        self.total_tokens.and_then(Json::as_u64)
    }

    /// The tokens of an agent.
    pub(super) fn tokens(&self) -> Option<Tokens> {
        self.usage.and_then(Usage::of).map(|usage| tally::tokens(&usage))
    }
}

impl<'l> Wire<'l> for Detail<'l> {
    fn read(cursor: &mut Cursor<'l>) -> Result<Found<Self>, Fault> {
        let first = cursor.peek();
        let start = cursor.at();
        let mut it = Detail {
            json: Json::NULL,
            status: None,
            duration_ms: None,
            duration_seconds: None,
            total_duration_ms: None,
            total_tokens: None,
            usage: None,
        };
        if first == b'{' {
            cursor.object(|key, cursor| {
                let value = Some(cursor.skip()?);
                match &*key.decode() {
                    "status" => it.status = value,
                    "durationMs" => it.duration_ms = value,
                    "durationSeconds" => it.duration_seconds = value,
                    "totalDurationMs" => it.total_duration_ms = value,
                    "totalTokens" => it.total_tokens = value,
                    "usage" => it.usage = value,
                    _ => {}
                }
                Ok(())
            })?;
        } else {
            cursor.skip()?;
        }
        it.json = cursor.since(start);
        Ok(if first == b'n' { Found::Null } else { Found::Fits(it) })
    }

    /// Never called: a view is only read.
    fn write(&self, _: &mut String) {}

    fn shape() -> Shape {
        Shape::Any
    }
}
