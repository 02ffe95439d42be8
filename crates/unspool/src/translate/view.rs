//! What the translator reads of a line: the fields it needs, and no others.
//!
//! The types of [`wire`](crate::wire) know every field, and reading a line into one of them costs more than
//! telling it. These know a few; what else stands in the line is checked and passed over.

#![allow(unreachable_pub, reason = "`wire!` declares types for everybody")]

use super::bill::Bills;
use super::content::Contents;
use super::detail::Detail;
use crate::digest::{self, Digest};
use crate::event::{ModelTokens, Tokens};
use crate::json::Str;
use crate::tally::{self, Figures};
use crate::wire::declare::wire;
use crate::wire::{
    AbandonedBlocks, AssistantError, Origin, PermissionDenial, PermissionMode, ResultSubtype,
    StartupFailureReason, StopReason, TerminalReason,
};

wire! {
    /// An `assistant` line.
    pub struct Saying: type "assistant" {
        message: (Spoken),
        parent_tool_use_id: Str,
        uuid: Str,
        session_id: Str,
        timestamp: Str,
        error: (AssistantError),
        api_error_status: u64,
        subagent_type: Str,
        task_description: Str,
    }

    /// A `user` line.
    pub struct Hearing: type "user" {
        message: (Spoken),
        parent_tool_use_id: Str,
        uuid: Str,
        session_id: Str,
        timestamp: Str,
        is_synthetic "isSynthetic": bool,
        is_replay "isReplay": bool,
        tool_use_result: (Detail),
        subagent_type: Str,
        task_description: Str,
    }

    /// The message in it.
    pub struct Spoken {
        id: Str,
        model: Str,
        content: (Contents),
        stop_reason: (StopReason),
        usage: (Counts),
    }

    /// A `stream_event` line.
    pub struct Streaming: type "stream_event" {
        event: (Flow),
        parent_tool_use_id: Str,
        uuid: Str,
        session_id: Str,
        timestamp: Str,
        api_message_id: Str,
        abandoned_blocks: AbandonedBlocks,
    }

    /// The piece in it, of whatever type.
    pub struct Flow {
        kind "type": Str,
        index: u64,
        message: (Opened),
        content_block: Json,
        delta: (Change),
        usage: (Counts),
    }

    /// A message that begins.
    pub struct Opened {
        id: Str,
        model: Str,
        usage: (Counts),
    }

    /// What a message or a part of it grows by.
    pub struct Change {
        kind "type": Str,
        text: Str,
        thinking: Str,
        partial_json: Str,
        signature: Str,
        stop_reason: Str,
    }

    /// Tokens.
    pub struct Counts {
        input_tokens: u64,
        output_tokens: u64,
        cache_read_input_tokens: u64,
        cache_creation_input_tokens: u64,
    }

    /// Tokens and money of a model.
    pub struct Model {
        input_tokens "inputTokens": u64,
        output_tokens "outputTokens": u64,
        cache_read_input_tokens "cacheReadInputTokens": u64,
        cache_creation_input_tokens "cacheCreationInputTokens": u64,
        cost_usd "costUSD": f64,
        context_window "contextWindow": u64,
        max_output_tokens "maxOutputTokens": u64,
    }

    /// A `result` line.
    pub struct Ending: type "result" {
        subtype: (ResultSubtype),
        is_error: bool,
        result: Json,
        session_id: Str,
        uuid: Str,
        timestamp: Str,
        duration_ms: f64,
        total_cost_usd: f64,
        cost_usd: f64,
        total_cost: f64,
        usage: (Counts),
        model_usage "modelUsage": (Bills),
        model_usage_since_last_result: (Bills),
        permission_denials: [PermissionDenial],
        stop_reason: (StopReason),
        terminal_reason: (TerminalReason),
        structured_output: Json,
        errors: [Str],
        api_error_status: u64,
        startup_failure_reason: (StartupFailureReason),
        local_command: Str,
        user_message_uuid: Str,
        user_message_uuids: [Str],
        resume_reason: Str,
        turn_start_resume_kind: Str,
        origin: Origin,
    }

    /// A `system/init` line.
    pub struct Beginning: type "system", subtype "init" {
        session_id: Str,
        uuid: Str,
        timestamp: Str,
        model: Str,
        cwd: Str,
        claude_code_version: Str,
        tools: [Str],
        mcp_servers: [Json],
        mcp_servers_old "mcpServers": [Json],
        permission_mode "permissionMode": (PermissionMode),
        user_message_uuids: [Str],
    }
}

impl Counts<'_> {
    /// The same with what another one knows besides.
    pub(super) fn or(&self, other: &Counts<'_>) -> Counts<'static> {
        Counts {
            input_tokens: self.input_tokens.or(other.input_tokens),
            output_tokens: self.output_tokens.or(other.output_tokens),
            cache_read_input_tokens: self.cache_read_input_tokens.or(other.cache_read_input_tokens),
            cache_creation_input_tokens: self
                .cache_creation_input_tokens
                .or(other.cache_creation_input_tokens),
            ..Counts::default()
        }
    }

    /// The same as an event tells it.
    pub(super) fn tokens(&self) -> Tokens {
        let Counts { input_tokens, output_tokens, .. } = *self;
        tally::count(
            input_tokens,
            output_tokens,
            self.cache_read_input_tokens,
            self.cache_creation_input_tokens,
        )
    }
}

impl Ending<'_> {
    /// What the tally takes of it.
    pub(super) fn figures(&self) -> Figures {
        Figures {
            total_cost_usd: self.total_cost_usd,
            total_cost: self.total_cost,
            cost_usd: self.cost_usd,
            usage: self.usage.map(|usage| usage.tokens()),
            models: self.model_usage.filter(|models| !models.is_empty()).map(|models| models.models()),
            since: self.model_usage_since_last_result.map(|models| models.models()),
        }
    }
}

impl Model<'_> {
    /// The same as an event tells it.
    pub(super) fn tokens(&self) -> ModelTokens {
        let tokens = tally::count(
            self.input_tokens,
            self.output_tokens,
            self.cache_read_input_tokens,
            self.cache_creation_input_tokens,
        );
        tally::model_tokens(tokens, self.cost_usd, self.context_window, self.max_output_tokens)
    }
}

impl Saying<'_> {
    /// Whether it is not from a model.
    pub(super) fn is_synthetic(&self) -> bool {
        let model = self.message.as_ref().and_then(|message| message.model);
        model.is_some_and(|model| model == "<synthetic>")
    }

    /// Where its first block begins and its last one ends.
    pub(super) fn blocks(&self) -> Option<(usize, usize)> {
        self.message.as_ref()?.content?.blocks
    }

    /// Whose line it is, and of which message, as a hash.
    pub(super) fn whose(&self) -> u64 {
        let name = |name: Option<Str<'_>>| Digest::of(&name.unwrap_or_default().decode()).hash();
        let message = self.message.as_ref().and_then(|message| message.id);
        digest::join(name(self.parent_tool_use_id), name(message))
    }
}
