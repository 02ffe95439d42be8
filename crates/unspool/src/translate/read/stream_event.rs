//! What a `stream_event` line says, however it was read.

use crate::json::{Chart, Json, Spot, Str};
use crate::translate::read::content::Seen;
use crate::translate::read::line::{Counts, Flow};
use crate::wire::{Block, DeltaKind, PieceKind, Wire};

/// What happens to a message that arrives in deltas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Says<'l> {
    /// It begins.
    Message { id: Option<Str<'l>>, model: Option<Str<'l>>, usage: Option<Counts> },
    /// A part of it begins.
    Part { index: u64, begun: Begun<'l> },
    /// A part grows.
    Delta { index: u64, kind: DeltaOf, words: Str<'l> },
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
pub(crate) enum DeltaOf {
    Text,
    Thinking,
    Input,
    /// The proof of a thought.
    Signature,
}

impl DeltaOf {
    /// A part whose start was not heard.
    pub(crate) fn begun(self) -> Begun<'static> {
        match self {
            DeltaOf::Text => Begun::Text(None),
            DeltaOf::Thinking | DeltaOf::Signature => Begun::Thinking(None),
            DeltaOf::Input => Begun::Call { id: None, name: None },
        }
    }
}

// Names as constants, which a pattern can hold: deltas come by the thousand, and telling their kind first costs 0.3 % more.
const BLOCK_START: &str = PieceKind::ContentBlockStart.name();
const BLOCK_DELTA: &str = PieceKind::ContentBlockDelta.name();
const BLOCK_STOP: &str = PieceKind::ContentBlockStop.name();
const MESSAGE_START: &str = PieceKind::MessageStart.name();
const MESSAGE_DELTA: &str = PieceKind::MessageDelta.name();
const MESSAGE_STOP: &str = PieceKind::MessageStop.name();
const PING: &str = PieceKind::Ping.name();

const TEXT: &str = DeltaKind::TextDelta.name();
const THINKING: &str = DeltaKind::ThinkingDelta.name();
const INPUT: &str = DeltaKind::InputJsonDelta.name();
const SIGNATURE: &str = DeltaKind::SignatureDelta.name();

impl<'l> Says<'l> {
    /// `None` for what is not as usual.
    pub(crate) fn of(flow: &Flow<'l>) -> Option<Self> {
        let index = flow.index.unwrap_or(0);
        match &*flow.kind?.decode() {
            BLOCK_DELTA => {
                let (kind, words) = delta(flow)?;
                Some(Says::Delta { index, kind, words })
            }
            BLOCK_START => Some(Says::Part { index, begun: flow.content_block? }),
            MESSAGE_START => {
                let message = flow.message.unwrap_or_default();
                Some(Says::Message { id: message.id, model: message.model, usage: message.usage })
            }
            MESSAGE_DELTA => {
                let reason = flow.delta.and_then(|change| change.stop_reason);
                Some(Says::Stopped { reason, usage: flow.usage.unwrap_or_default() })
            }
            BLOCK_STOP | MESSAGE_STOP | PING => Some(Says::Nothing),
            _ => None,
        }
    }
}

/// What a part grows by.
fn delta<'l>(flow: &Flow<'l>) -> Option<(DeltaOf, Str<'l>)> {
    let delta = flow.delta.as_ref()?;
    let (kind, words) = match &*delta.kind?.decode() {
        TEXT => (DeltaOf::Text, delta.text),
        THINKING => (DeltaOf::Thinking, delta.thinking),
        INPUT => (DeltaOf::Input, delta.partial_json),
        SIGNATURE => (DeltaOf::Signature, delta.signature),
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
