//! What becomes of the conversation with the model: retries, fallbacks, compaction.

use super::super::declare::{open, wire};
use super::super::{AssistantError, PermissionMode};
use super::system;

system! {
    /// What the session does just now, or that its mode has changed.
    pub struct Status {
        /// What it does; null if nothing in particular.
        status: (Activity),
        /// The mode it has changed to.
        permission_mode "permissionMode": (PermissionMode),
        /// Whether compaction worked: `success` or `failed`.
        compact_result: Str,
        /// Why it did not.
        compact_error: Str,
        /// Length of the summary.
        compact_output_chars: u64,
        /// The user messages that the turn takes.
        user_message_uuids: [Str],
    }

    /// What was said before this is now a summary.
    pub struct CompactBoundary {
        /// What was done.
        compact_metadata: CompactMetadata,
        /// The message it follows.
        logical_parent_uuid: Str,
    }
}

wire! {
    /// How a conversation was compacted.
    pub struct CompactMetadata {
        /// `manual` or `auto`.
        trigger: Str,
        /// Tokens before.
        pre_tokens: u64,
        /// Tokens after.
        post_tokens: u64,
        /// How long it took.
        duration_ms: f64,
        /// Messages that were kept, by their ends.
        preserved_segment: PreservedSegment,
        /// Messages that were kept, by name.
        preserved_messages: PreservedMessages,
        /// Tokens dropped by all compactions so far.
        cumulative_dropped_tokens: u64,
    }

    /// A run of messages that was kept.
    pub struct PreservedSegment {
        /// The first.
        head_uuid: Str,
        /// What they now follow.
        anchor_uuid: Str,
        /// The last.
        tail_uuid: Str,
    }

    /// Messages that were kept.
    pub struct PreservedMessages {
        /// What they now follow.
        anchor_uuid: Str,
        /// The messages.
        uuids: [Str],
    }
}

system! {
    /// An API call failed and will be tried again.
    pub struct ApiRetry {
        /// Which attempt comes next.
        attempt: u64,
        /// How many there may be.
        max_retries: u64,
        /// How long it waits.
        retry_delay_ms: f64,
        /// HTTP status; null if there was no answer.
        error_status: u64,
        /// What went wrong.
        error: (AssistantError),
        /// How long it waited in vain.
        no_response: NoResponse,
    }
}

wire! {
    /// An API call that was not answered.
    pub struct NoResponse {
        /// How long it waited.
        waited_ms: f64,
        /// How long it will wait the next time.
        retry_wait_ms: f64,
    }
}

system! {
    /// How a request of ours goes on.
    pub struct ControlRequestProgress {
        /// The request.
        request_id: Str,
        /// `started` or `api_retry`.
        status: Str,
        /// Which attempt comes next.
        attempt: u64,
        /// How many there may be.
        max_retries: u64,
        /// How long it waits.
        retry_delay_ms: f64,
        /// HTTP status of the failure.
        error_status: u64,
    }

    /// The model refused; another one tries.
    pub struct ModelRefusalFallback {
        /// `refusal`.
        trigger: Str,
        /// `retry`, or in older versions `revert` or `sticky`.
        direction: Str,
        /// How long it holds: `session` or `local`.
        scope: Str,
        /// The model that refused.
        original_model: Str,
        /// The model that tries.
        fallback_model: Str,
        /// The API request.
        request_id: Str,
        /// What it was refused for.
        api_refusal_category: Str,
        /// Why, in words.
        api_refusal_explanation: Str,
        /// Lines that no longer count.
        retracted_message_uuids: [Str],
        /// The message that was refused.
        refused_user_message_uuid: Str,
        /// What Claude Code tells people of it.
        content: Str,
    }

    /// The model refused, and no other one tries.
    pub struct ModelRefusalNoFallback {
        /// The model that refused.
        original_model: Str,
        /// The API request.
        request_id: Str,
        /// What it was refused for.
        api_refusal_category: Str,
        /// Why, in words.
        api_refusal_explanation: Str,
        /// The message that was refused.
        refused_user_message_uuid: Str,
        /// What Claude Code tells people of it.
        content: Str,
    }

    /// The model could not be had; another one takes over.
    pub struct ModelFallback {
        /// Why, such as `overloaded`.
        trigger: Str,
        /// The model that was wanted.
        original_model: Str,
        /// The model that takes over.
        fallback_model: Str,
        /// What Claude Code tells people of it.
        content: Str,
    }

    /// How much the model has thought so far, roughly.
    pub struct ThinkingTokens {
        /// Tokens of this thought.
        estimated_tokens: u64,
        /// Tokens since the last such line.
        estimated_tokens_delta: u64,
        /// The user message that is being answered.
        user_message_uuid: Str,
    }
}

open! {
    /// What a session does just now.
    pub enum Activity {
        Compacting = "compacting",
        Requesting = "requesting",
    }
}
