//! What the translator reads of a line: the fields it needs, and no others.
//!
//! The types of [`wire`](crate::wire) know every field, and reading a line into one of them costs more than
//! telling it. These know a few, which are looked for together. A field that has another shape than it should
//! have counts as missing.

use super::content::Held;
use super::detail::Detail;
use super::flow::Begun;
use super::pick;
use crate::digest::{self, Digest};
use crate::event::Tokens;
use crate::json::{Chart, Place, Str};
use crate::wire::{AbandonedBlocks, Assistant, Lazy, Wire};

/// An `assistant` line. What is seldom needed is read when it is.
#[derive(Default)]
pub(super) struct Saying<'l> {
    pub(super) message: Option<Spoken<'l>>,
    pub(super) parent_tool_use_id: Option<Str<'l>>,
    pub(super) uuid: Option<Str<'l>>,
    pub(super) error: Place,
    pub(super) api_error_status: Place,
    pub(super) subagent_type: Place,
    pub(super) task_description: Place,
}

/// A `user` line.
#[derive(Default)]
pub(super) struct Hearing<'l> {
    pub(super) message: Option<Spoken<'l>>,
    pub(super) parent_tool_use_id: Option<Str<'l>>,
    pub(super) is_synthetic: bool,
    pub(super) is_replay: bool,
    pub(super) tool_use_result: Option<Detail<'l>>,
    pub(super) subagent_type: Place,
    pub(super) task_description: Place,
}

/// The message in it.
#[derive(Default)]
pub(super) struct Spoken<'l> {
    pub(super) id: Option<Str<'l>>,
    pub(super) model: Option<Str<'l>>,
    pub(super) content: Option<Held<'l>>,
    pub(super) stop_reason: Option<Str<'l>>,
    /// Its tokens, which are read when they are told: most lines of a message repeat them.
    pub(super) usage: Place,
}

/// A `stream_event` line.
pub(super) struct Streaming<'l> {
    pub(super) event: Option<Flow<'l>>,
    pub(super) parent_tool_use_id: Option<Str<'l>>,
    pub(super) api_message_id: Option<Str<'l>>,
    pub(super) abandoned_blocks: Option<Lazy<'l, AbandonedBlocks<'l>>>,
}

/// The piece in it, of whatever type.
#[derive(Clone, Copy, Default)]
pub(super) struct Flow<'l> {
    pub(super) kind: Option<Str<'l>>,
    pub(super) index: Option<u64>,
    pub(super) message: Option<Opened<'l>>,
    pub(super) content_block: Option<Begun<'l>>,
    pub(super) delta: Option<Change<'l>>,
    pub(super) usage: Option<Counts>,
}

/// A message that begins.
#[derive(Clone, Copy, Default)]
pub(super) struct Opened<'l> {
    pub(super) id: Option<Str<'l>>,
    pub(super) model: Option<Str<'l>>,
    pub(super) usage: Option<Counts>,
}

/// What a message or a part of it grows by.
#[derive(Clone, Copy, Default)]
pub(super) struct Change<'l> {
    pub(super) kind: Option<Str<'l>>,
    pub(super) text: Option<Str<'l>>,
    pub(super) thinking: Option<Str<'l>>,
    pub(super) partial_json: Option<Str<'l>>,
    pub(super) signature: Option<Str<'l>>,
    pub(super) stop_reason: Option<Str<'l>>,
}

/// Tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Counts {
    pub(super) input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
    pub(super) cache_read_input_tokens: Option<u64>,
    pub(super) cache_creation_input_tokens: Option<u64>,
    /// How much of that is kept for an hour.
    pub(super) kept_for_an_hour: Option<u64>,
}

impl<'l> Saying<'l> {
    /// Whether a line is one: its message is one, or there is none, and then nothing is said in another place.
    pub(super) fn fits(chart: &Chart<'l>, line: &pick::Line) -> bool {
        match chart.first(line.message()) {
            b'{' => true,
            b'n' | 0 => Assistant::of(chart.json()).is_some_and(|line| line.extra.is_empty()),
            _ => false,
        }
    }

    pub(super) fn of(chart: &Chart<'l>, line: &pick::Line) -> Self {
        let is_there = chart.first(line.message()) == b'{';
        Saying {
            message: is_there.then(|| Spoken::of(chart, line.message())),
            parent_tool_use_id: chart.str(line.parent_tool_use_id()),
            uuid: chart.str(line.uuid()),
            error: line.error(),
            api_error_status: line.api_error_status(),
            subagent_type: line.subagent_type(),
            task_description: line.task_description(),
        }
    }
}

impl<'l> Hearing<'l> {
    /// `None` if nothing is said.
    pub(super) fn of(chart: &Chart<'l>, line: &pick::Line) -> Option<Self> {
        let message = Spoken::of(chart, line.message());
        message.content?;
        Some(Hearing {
            message: Some(message),
            parent_tool_use_id: chart.str(line.parent_tool_use_id()),
            is_synthetic: chart.bool(line.is_synthetic()).unwrap_or(false),
            is_replay: chart.bool(line.is_replay()).unwrap_or(false),
            tool_use_result: Detail::of(chart, line.tool_use_result()),
            subagent_type: line.subagent_type(),
            task_description: line.task_description(),
        })
    }
}

impl<'l> Spoken<'l> {
    pub(super) fn of(chart: &Chart<'l>, message: Place) -> Self {
        let message = pick::Message::of(chart, message);
        Spoken {
            id: chart.str(message.id()),
            model: chart.str(message.model()),
            content: Held::of(chart, message.content()),
            stop_reason: chart.str(message.stop_reason()),
            usage: message.usage(),
        }
    }
}

impl<'l> Streaming<'l> {
    pub(super) fn of(chart: &Chart<'l>, line: &pick::Line) -> Self {
        Streaming {
            event: (chart.first(line.event()) == b'{').then(|| Flow::of(chart, line.event())),
            parent_tool_use_id: chart.str(line.parent_tool_use_id()),
            api_message_id: chart.str(line.api_message_id()),
            abandoned_blocks: chart.value_if(line.abandoned_blocks(), b'{').map(Lazy::from),
        }
    }
}

impl<'l> Opened<'l> {
    fn of(chart: &Chart<'l>, message: Place) -> Option<Self> {
        if chart.first(message) != b'{' {
            return None;
        }
        let message = pick::Message::of(chart, message);
        Some(Opened {
            id: chart.str(message.id()),
            model: chart.str(message.model()),
            usage: Counts::of(chart, message.usage()),
        })
    }
}

impl<'l> Change<'l> {
    fn of(chart: &Chart<'l>, delta: Place) -> Option<Self> {
        if chart.first(delta) != b'{' {
            return None;
        }
        let delta = pick::Delta::of(chart, delta);
        Some(Change {
            kind: chart.str(delta.kind()),
            text: chart.str(delta.text()),
            thinking: chart.str(delta.thinking()),
            partial_json: chart.str(delta.partial_json()),
            signature: chart.str(delta.signature()),
            stop_reason: chart.str(delta.stop_reason()),
        })
    }
}

impl Counts {
    pub(super) fn of(chart: &Chart<'_>, usage: Place) -> Option<Self> {
        if chart.first(usage) != b'{' {
            return None;
        }
        let usage = pick::Tokens::of(chart, usage);
        let cache_creation_input_tokens = chart.u64(usage.cache_creation_input_tokens());
        let writes = cache_creation_input_tokens.is_some_and(|tokens| tokens > 0);
        let kept = Some(usage.cache_creation()).filter(|kept| writes && chart.first(*kept) == b'{');
        Some(Counts {
            input_tokens: chart.u64(usage.input_tokens()),
            output_tokens: chart.u64(usage.output_tokens()),
            cache_read_input_tokens: chart.u64(usage.cache_read_input_tokens()),
            cache_creation_input_tokens,
            kept_for_an_hour: kept.and_then(|kept| chart.u64(pick::Kept::of(chart, kept).for_an_hour())),
        })
    }

    /// These counts, and those of another line that are missing here.
    pub(super) fn or(&self, other: &Counts) -> Counts {
        Counts {
            input_tokens: self.input_tokens.or(other.input_tokens),
            output_tokens: self.output_tokens.or(other.output_tokens),
            cache_read_input_tokens: self.cache_read_input_tokens.or(other.cache_read_input_tokens),
            cache_creation_input_tokens: self
                .cache_creation_input_tokens
                .or(other.cache_creation_input_tokens),
            kept_for_an_hour: self.kept_for_an_hour.or(other.kept_for_an_hour),
        }
    }

    /// How much of what was written to the cache is kept for an hour, if any.
    pub(super) fn for_an_hour(&self) -> Option<u64> {
        self.kept_for_an_hour.filter(|tokens| *tokens > 0)
    }

    /// These counts as an event tells them.
    pub(super) fn tokens(&self) -> Tokens {
        let Counts { input_tokens, output_tokens, .. } = *self;
        Tokens::new(
            input_tokens,
            output_tokens,
            self.cache_read_input_tokens,
            self.cache_creation_input_tokens,
        )
    }
}

impl<'l> Flow<'l> {
    fn of(chart: &Chart<'l>, event: Place) -> Self {
        let event = pick::Piece::of(chart, event);
        Flow {
            kind: chart.str(event.kind()),
            index: chart.u64(event.index()),
            message: Opened::of(chart, event.message()),
            content_block: Begun::of(chart, event.content_block()),
            delta: Change::of(chart, event.delta()),
            usage: Counts::of(chart, event.usage()),
        }
    }
}

impl Saying<'_> {
    /// Whether it is not from a model.
    pub(super) fn is_synthetic(&self) -> bool {
        let model = self.message.as_ref().and_then(|message| message.model);
        model.is_some_and(|model| model == "<synthetic>")
    }

    /// Whose line it is, and of which message, as a hash.
    pub(super) fn whose(&self) -> u64 {
        let name = |name: Option<Str<'_>>| Digest::of(&name.unwrap_or_default().decode()).hash();
        let message = self.message.as_ref().and_then(|message| message.id);
        digest::join(name(self.parent_tool_use_id), name(message))
    }
}
