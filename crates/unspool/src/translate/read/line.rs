//! What the translator reads of a line: the fields it needs, and no others.
//!
//! The types of [`wire`](crate::wire) know every field, and reading a line into one of them costs more than
//! telling it. These know a few, which are looked for together. A field that has another shape than it should
//! have counts as missing.

use crate::digest::{self, Digest};
use crate::event::Tokens;
use crate::json::{Chart, Spot, Str};
use crate::translate::read::content::Held;
use crate::translate::read::detail::Detail;
use crate::translate::read::fields;
use crate::translate::read::stream_event::Begun;
use crate::wire::quirk::SYNTHETIC;
use crate::wire::{AbandonedBlocks, Assistant, Lazy, Wire};

/// An `assistant` line. What is seldom needed is read when it is.
#[derive(Default)]
pub(crate) struct Saying<'l> {
    pub(crate) message: Option<Spoken<'l>>,
    pub(crate) parent_tool_use_id: Option<Str<'l>>,
    pub(crate) uuid: Option<Str<'l>>,
    pub(crate) error: Spot,
    pub(crate) api_error_status: Spot,
    pub(crate) subagent_type: Spot,
    pub(crate) task_description: Spot,
}

/// A `user` line.
#[derive(Default)]
pub(crate) struct Hearing<'l> {
    pub(crate) message: Option<Spoken<'l>>,
    pub(crate) parent_tool_use_id: Option<Str<'l>>,
    pub(crate) is_synthetic: bool,
    pub(crate) is_replay: bool,
    pub(crate) tool_use_result: Option<Detail<'l>>,
    pub(crate) subagent_type: Spot,
    pub(crate) task_description: Spot,
}

/// The message in it.
#[derive(Default)]
pub(crate) struct Spoken<'l> {
    pub(crate) id: Option<Str<'l>>,
    pub(crate) model: Option<Str<'l>>,
    pub(crate) content: Option<Held<'l>>,
    pub(crate) stop_reason: Option<Str<'l>>,
    /// Its tokens, which are read when they are told: most lines of a message repeat them.
    pub(crate) usage: Spot,
}

/// A `stream_event` line.
pub(crate) struct Streaming<'l> {
    pub(crate) event: Option<Flow<'l>>,
    pub(crate) parent_tool_use_id: Option<Str<'l>>,
    pub(crate) api_message_id: Option<Str<'l>>,
    pub(crate) abandoned_blocks: Option<Lazy<'l, AbandonedBlocks<'l>>>,
}

/// The delta in it, of whatever type.
#[derive(Clone, Copy, Default)]
pub(crate) struct Flow<'l> {
    pub(crate) kind: Option<Str<'l>>,
    pub(crate) index: Option<u64>,
    pub(crate) message: Option<Opened<'l>>,
    pub(crate) content_block: Option<Begun<'l>>,
    pub(crate) delta: Option<DeltaFields<'l>>,
    pub(crate) usage: Option<Counts>,
}

/// A message that begins.
#[derive(Clone, Copy, Default)]
pub(crate) struct Opened<'l> {
    pub(crate) id: Option<Str<'l>>,
    pub(crate) model: Option<Str<'l>>,
    pub(crate) usage: Option<Counts>,
}

/// What a message or a part of it grows by.
#[derive(Clone, Copy, Default)]
pub(crate) struct DeltaFields<'l> {
    pub(crate) kind: Option<Str<'l>>,
    pub(crate) text: Option<Str<'l>>,
    pub(crate) thinking: Option<Str<'l>>,
    pub(crate) partial_json: Option<Str<'l>>,
    pub(crate) signature: Option<Str<'l>>,
    pub(crate) stop_reason: Option<Str<'l>>,
}

/// Tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    pub(crate) input_tokens: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
    pub(crate) cache_read_input_tokens: Option<u64>,
    pub(crate) cache_creation_input_tokens: Option<u64>,
    /// How much of that is kept for an hour.
    pub(crate) kept_for_an_hour: Option<u64>,
}

impl<'l> Saying<'l> {
    /// Whether a line is one: its message is one, or there is none, and then nothing is said in another place.
    pub(crate) fn fits(chart: &Chart<'l>, line: &fields::Line) -> bool {
        match chart.first(line.message()) {
            b'{' => true,
            b'n' | 0 => Assistant::of(chart.json()).is_some_and(|line| line.extra.is_empty()),
            _ => false,
        }
    }

    pub(crate) fn of(chart: &Chart<'l>, line: &fields::Line) -> Self {
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
    pub(crate) fn of(chart: &Chart<'l>, line: &fields::Line) -> Option<Self> {
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
    pub(crate) fn of(chart: &Chart<'l>, message: Spot) -> Self {
        let message = fields::Message::of(chart, message);
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
    pub(crate) fn of(chart: &Chart<'l>, line: &fields::Line) -> Self {
        Streaming {
            event: (chart.first(line.event()) == b'{').then(|| Flow::of(chart, line.event())),
            parent_tool_use_id: chart.str(line.parent_tool_use_id()),
            api_message_id: chart.str(line.api_message_id()),
            abandoned_blocks: chart.value_if(line.abandoned_blocks(), b'{').map(Lazy::from),
        }
    }
}

impl<'l> Opened<'l> {
    fn of(chart: &Chart<'l>, message: Spot) -> Option<Self> {
        if chart.first(message) != b'{' {
            return None;
        }
        let message = fields::Message::of(chart, message);
        Some(Opened {
            id: chart.str(message.id()),
            model: chart.str(message.model()),
            usage: Counts::of(chart, message.usage()),
        })
    }
}

impl<'l> DeltaFields<'l> {
    fn of(chart: &Chart<'l>, delta: Spot) -> Option<Self> {
        if chart.first(delta) != b'{' {
            return None;
        }
        let delta = fields::Delta::of(chart, delta);
        Some(DeltaFields {
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
    pub(crate) fn of(chart: &Chart<'_>, usage: Spot) -> Option<Self> {
        if chart.first(usage) != b'{' {
            return None;
        }
        let usage = fields::Tokens::of(chart, usage);
        let cache_creation_input_tokens = chart.u64(usage.cache_creation_input_tokens());
        let writes = cache_creation_input_tokens.is_some_and(|tokens| tokens > 0);
        let kept = Some(usage.cache_creation()).filter(|kept| writes && chart.first(*kept) == b'{');
        Some(Counts {
            input_tokens: chart.u64(usage.input_tokens()),
            output_tokens: chart.u64(usage.output_tokens()),
            cache_read_input_tokens: chart.u64(usage.cache_read_input_tokens()),
            cache_creation_input_tokens,
            kept_for_an_hour: kept.and_then(|kept| chart.u64(fields::Kept::of(chart, kept).for_an_hour())),
        })
    }

    /// These counts, and those of another line that are missing here.
    pub(crate) fn or(&self, other: &Counts) -> Counts {
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
    pub(crate) fn for_an_hour(&self) -> Option<u64> {
        self.kept_for_an_hour.filter(|tokens| *tokens > 0)
    }

    /// These counts as an event tells them.
    pub(crate) fn tokens(&self) -> Tokens {
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
    fn of(chart: &Chart<'l>, event: Spot) -> Self {
        let event = fields::StreamedEvent::of(chart, event);
        Flow {
            kind: chart.str(event.kind()),
            index: chart.u64(event.index()),
            message: Opened::of(chart, event.message()),
            content_block: Begun::of(chart, event.content_block()),
            delta: DeltaFields::of(chart, event.delta()),
            usage: Counts::of(chart, event.usage()),
        }
    }
}

impl Saying<'_> {
    /// Whether it is not from a model.
    pub(crate) fn is_synthetic(&self) -> bool {
        let model = self.message.as_ref().and_then(|message| message.model);
        model.is_some_and(|model| model == SYNTHETIC)
    }

    /// Whose line it is, and of which message, as a hash.
    pub(crate) fn whose(&self) -> u64 {
        let name = |name: Option<Str<'_>>| Digest::of(&name.unwrap_or_default().decode()).hash();
        let message = self.message.as_ref().and_then(|message| message.id);
        digest::join(name(self.parent_tool_use_id), name(message))
    }
}
