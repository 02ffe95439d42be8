//! The fields of objects that the translator looks for: one list for each object, and the place of each field.

use crate::json::{Chart, Names, Spot};
use crate::wire::ask::{CanUseTool, HookCallback};
use crate::wire::entry::{Attached, CostState, EntryHead};
use crate::wire::system::{HookResponse, Init, TaskNotification, TaskProgress, TaskStarted, TaskUpdated};
use crate::wire::tool::{AgentCompleted, GlobOutput, WebFetchOutput, WebSearchOutput};
use crate::wire::{
    self, Assistant, BareResult, CacheCreation, CommandLifecycle, ContentBlockDelta, ContentBlockStart,
    ControlRequest, InputJsonDelta, MessageChange, MessageDelta, MessageStart, ModelUsage, ResultLine,
    SignatureDelta, StreamEvent, SystemResult, TextDelta, ThinkingDelta, Type, Usage, User,
};

/// Declares fields that are looked for together, and of which types of the wire they are: a field that none of them has does not
/// compile. Where the name of a field on the wire is no Rust name, it is given.
macro_rules! picks {
    ($(
        $(#[doc = $doc:literal])*
        struct $name:ident of [$($ty:ty),* $(,)?] { $($field:ident $($wire_name:literal)?),* $(,)? }
    )*) => { $(
        const _: () = declared($name::NAMES, &[$(<$ty>::TYPE),*]);

        $(#[doc = $doc])*
        pub(crate) struct $name([Spot; $name::NAMES.len()]);

        impl $name {
            const NAMES: &'static [&'static str] =
                &[$($crate::wire::declare::wire_name!($field $($wire_name)?)),*];

            /// Looks for them in an object; none is found in anything else.
            #[inline(always)]
            pub(crate) fn of(chart: &Chart<'_>, object: Spot) -> Self {
                static NAMES: Names = Names::new($name::NAMES);
                let mut places = [Spot::default(); $name::NAMES.len()];
                chart.pick(object, &NAMES, &mut places);
                Self(places)
            }

            picks!(@place 0; $($field)*);
        }
    )* };
    (@place $at:expr; $field:ident $($rest:ident)*) => {
        #[inline(always)]
        pub(crate) fn $field(&self) -> Spot {
            self.0[$at]
        }
        picks!(@place $at + 1; $($rest)*);
    };
    (@place $at:expr;) => {};
}

/// Fails to compile if none of these types has a field of one of these names.
const fn declared(names: &[&str], types: &[&Type]) {
    let mut name = 0;
    while name < names.len() {
        let mut ty = 0;
        while ty < types.len() && !types[ty].has(names[name]) {
            ty += 1;
        }
        if ty == types.len() {
            panic!("{}", names[name]);
        }
        name += 1;
    }
}

picks! {
    /// A line, of whatever type.
    struct Line of [
        Assistant, User, StreamEvent, ResultLine, SystemResult, BareResult, ControlRequest, CommandLifecycle, Init, HookResponse,
    ] {
        kind "type",
        subtype,
        role,
        session_id,
        uuid,
        timestamp,
        message,
        parent_tool_use_id,
        error,
        api_error_status,
        subagent_type,
        task_description,
        is_synthetic "isSynthetic",
        is_replay "isReplay",
        tool_use_result,
        event,
        api_message_id,
        abandoned_blocks,
        request,
        request_id,
        is_error,
        result,
        num_turns,
        duration_ms,
        total_cost_usd,
        cost_usd,
        total_cost,
        usage,
        model_usage "modelUsage",
        model_usage_since_last_result,
        permission_denials,
        stop_reason,
        terminal_reason,
        structured_output,
        errors,
        startup_failure_reason,
        local_command,
        user_message_uuid,
        user_message_uuids,
        resume_reason,
        turn_start_resume_kind,
        origin,
        model,
        cwd,
        claude_code_version,
        tools,
        mcp_servers,
        mcp_servers_old "mcpServers",
        permission_mode "permissionMode",
        hook_name,
        state,
        command_uuid,
    }

    /// A message.
    struct Message of [wire::Message] { id, model, content, stop_reason, usage }

    /// A block of it.
    struct Block of [wire::Text, wire::Thinking, wire::ToolUse, wire::ToolResult] {
        kind "type",
        text,
        thinking,
        signature,
        citations,
        id,
        name,
        input,
        tool_use_id,
        content,
        is_error,
    }

    /// A piece of a message that arrives in pieces, of whatever type.
    struct StreamedEvent of [MessageStart, ContentBlockStart, ContentBlockDelta, MessageDelta] { kind "type", index, message, content_block, delta, usage }

    /// What a message or a part of it grows by.
    struct Delta of [TextDelta, ThinkingDelta, InputJsonDelta, SignatureDelta, MessageChange] { kind "type", text, thinking, partial_json, signature, stop_reason }

    /// Tokens.
    struct Tokens of [Usage] {
        input_tokens,
        output_tokens,
        cache_read_input_tokens,
        cache_creation_input_tokens,
        cache_creation,
    }

    /// How long the cache keeps what is written to it.
    struct Kept of [CacheCreation] { for_an_hour "ephemeral_1h_input_tokens" }

    /// Tokens and money of a model.
    struct ModelTokens of [ModelUsage] {
        input_tokens "inputTokens",
        output_tokens "outputTokens",
        cache_read_input_tokens "cacheReadInputTokens",
        cache_creation_input_tokens "cacheCreationInputTokens",
        cost_usd "costUSD",
        context_window "contextWindow",
        max_output_tokens "maxOutputTokens",
    }

    /// What a tool says of itself.
    struct ToolReport of [AgentCompleted, WebFetchOutput, WebSearchOutput, GlobOutput] {
        status,
        duration_ms "durationMs",
        duration_seconds "durationSeconds",
        total_duration_ms "totalDurationMs",
        total_tokens "totalTokens",
        usage,
    }

    /// A task line.
    struct Task of [TaskStarted, TaskProgress, TaskNotification, TaskUpdated] {
        task_id,
        tool_use_id,
        task_type,
        subagent_type,
        description,
        prompt,
        is_backgrounded,
        parent_task_id,
        status,
        usage,
        patch,
    }

    /// An entry of a transcript, of whatever type.
    struct Entry of [EntryHead, CostState, wire::entry::Attachment] {
        kind "type",
        subtype,
        uuid,
        parent "parentUuid",
        timestamp,
        session "sessionId",
        agent "agentId",
        is_sidechain "isSidechain",
        is_meta "isMeta",
        is_summary "isCompactSummary",
        is_hidden "isVisibleInTranscriptOnly",
        message,
        detail "toolUseResult",
        denial "toolDenialKind",
        error,
        api_error_status "apiErrorStatus",
        is_api_error "isApiErrorMessage",
        request_id "requestId",
        origin,
        forked_from "forkedFrom",
        cwd,
        version,
        permission_mode "permissionMode",
        cost_usd "costUSD",
        total_cost_usd "totalCostUSD",
        model_usage "modelUsage",
        attachment,
    }

    /// What else the model is given with a prompt.
    struct Attachment of [Attached] { kind "type" }

    /// Where a prompt comes from.
    struct Origin of [wire::Origin] { kind }

    /// What a question of Claude Code asks.
    struct Request of [CanUseTool, HookCallback] { subtype, tool_name, tool_use_id, input, permission_suggestions, agent_id }
}
