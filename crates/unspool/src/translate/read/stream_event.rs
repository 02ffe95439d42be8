//! What a `stream_event` line says, however it was read.

use crate::json::{Chart, Json, Spot, Str};
use crate::translate::read::content::Seen;
use crate::translate::read::line::{Counts, Flow};
use crate::wire::{Block, Wire};

/// What happens to a message that arrives in deltas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Says<'l> {
    /// It begins.
    Message { id: Option<Str<'l>>, model: Option<Str<'l>>, usage: Option<Counts> },
    /// A part of it begins.
    Part { index: u64, begun: Begun<'l> },
    /// A part grows.
    Delta { index: u64, kind: DeltaKind, words: Str<'l> },
    /// It has stopped.
    Stopped { reason: Option<Str<'l>>, usage: Counts },
    /// Nothing that has to be told.
    Nothing,
}

/// A part that begins; its first words, if there are any.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Begun<'l> {
    Text(Option<Str<'l>>),
    Thinking(Option<Str<'l>>),
    Call { id: Option<Str<'l>>, name: Option<Str<'l>> },
    Other(Json<'l>),
}

/// What a delta belongs to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum DeltaKind {
    Text,
    Thinking,
    Input,
    /// The proof of a thought.
    Signature,
}

impl DeltaKind {
    /// A part whose start was not heard.
    pub(crate) fn begun(self) -> Begun<'static> {
        match self {
            DeltaKind::Text => Begun::Text(None),
            DeltaKind::Thinking | DeltaKind::Signature => Begun::Thinking(None),
            DeltaKind::Input => Begun::Call { id: None, name: None },
        }
    }
}

impl<'l> Says<'l> {
    /// `None` for what is not as usual.
    pub(crate) fn of(flow: &Flow<'l>) -> Option<Self> {
        let index = flow.index.unwrap_or(0);
        match &*flow.kind?.decode() {
            "content_block_delta" => {
                let (kind, words) = delta(flow)?;
                Some(Says::Delta { index, kind, words })
            }
            "content_block_start" => Some(Says::Part { index, begun: flow.content_block? }),
            "message_start" => {
                let message = flow.message.unwrap_or_default();
                Some(Says::Message { id: message.id, model: message.model, usage: message.usage })
            }
            "message_delta" => {
                let reason = flow.delta.and_then(|change| change.stop_reason);
                Some(Says::Stopped { reason, usage: flow.usage.unwrap_or_default() })
            }
            "content_block_stop" | "message_stop" | "ping" => Some(Says::Nothing),
            _ => None,
        }
    }
}

/// What a part grows by.
fn delta<'l>(flow: &Flow<'l>) -> Option<(DeltaKind, Str<'l>)> {
    let delta = flow.delta.as_ref()?;
    let (kind, words) = match &*delta.kind?.decode() {
        "text_delta" => (DeltaKind::Text, delta.text),
        "thinking_delta" => (DeltaKind::Thinking, delta.thinking),
        "input_json_delta" => (DeltaKind::Input, delta.partial_json),
        "signature_delta" => (DeltaKind::Signature, delta.signature),
        _ => return None,
    };
    Some((kind, words.unwrap_or_default()))
}

impl<'l> Begun<'l> {
    /// `None` if nothing stands there.
    pub(crate) fn of(chart: &Chart<'l>, block: Spot) -> Option<Self> {
        let raw = chart.value(block)?;
        Some(match Seen::of(chart, block) {
            Seen::Text { words, .. } => Begun::Text(Some(words)),
            Seen::Thinking { words, .. } => Begun::Thinking(Some(words)),
            Seen::Call(call) => Begun::Call { id: call.id, name: call.name },
            Seen::Answer(_) => Begun::Other(raw),
            Seen::Any(_) => Begun::of_odd(raw),
        })
    }

    fn of_odd(raw: Json<'l>) -> Self {
        match Block::of(raw) {
            Some(Block::Text(text)) => Begun::Text(text.text),
            Some(Block::Thinking(thinking)) => Begun::Thinking(thinking.thinking.or(thinking.text)),
            Some(Block::ToolUse(call)) => Begun::Call { id: call.id, name: call.name },
            _ => Begun::Other(raw),
        }
    }
}
