//! How a turn ended: `result` lines.

use super::declare::{named, open, wire};
use super::{FastModeDisabledReason, FastModeState, Kind, ModelUsage, Origin, StopReason, Usage};
use crate::json::write_string;

named! {
    /// The end of a turn. Whether it failed is told by `is_error`, not by `subtype`.
    pub struct ResultLine: type (Kind::Result.name()) {
        /// How it ended, in one word.
        subtype: (ResultSubtype),
        /// Whether the turn failed; true also on `success` when the API failed.
        is_error: bool,
        /// The last words of the turn, or the text of an API failure.
        result: Str,
        /// The session it belongs to.
        session_id: Str,
        /// Id of this line.
        uuid: Str,
        /// When the line was written.
        timestamp: Str,
        /// Time of the whole turn.
        duration_ms: f64,
        /// Time spent in API calls.
        duration_api_ms: f64,
        /// Round trips to the model; 0 for local commands.
        num_turns: u64,
        /// Money spent by the process so far, not by the turn.
        total_cost_usd: f64,
        /// Money of the turn, as CLI 0.2 and 1.0.0 tell it.
        cost_usd: f64,
        /// Money so far, as CLI 0.2 and 1.0.0 tell it.
        total_cost: f64,
        /// Tokens of this turn, main agent only.
        usage: Usage,
        /// Tokens and money by model, of all agents, since the process began.
        model_usage "modelUsage": {ModelUsage},
        /// Tokens and money by model, of all agents, since the last result: what this turn cost.
        model_usage_since_last_result: {ModelUsage},
        /// Every call that was not allowed.
        permission_denials: [PermissionDenial],
        /// Why the model stopped last.
        stop_reason: (StopReason),
        /// Why the turn went no further.
        terminal_reason: (TerminalReason),
        /// The value that was asked for with a JSON schema.
        structured_output: Json,
        /// The call that a hook put off.
        deferred_tool_use: DeferredToolUse,
        /// What went wrong, on error subtypes; absent up to CLI 2.0.0.
        errors: [Str],
        /// HTTP status of the failed API call.
        api_error_status: u64,
        /// What kind of API failure.
        api_error: Str,
        /// Its type, in the API's words.
        api_error_type: Str,
        /// Its code, in the API's words.
        api_error_code: Str,
        /// Where it came from.
        api_error_origin: Str,
        /// The permission check that ended the turn.
        stopped_by_permission_check: Json,
        /// Why the process could not start.
        startup_failure_reason: (StartupFailureReason),
        /// The configuration file that could not be read.
        invalid_config_file: InvalidConfigFile,
        /// The local command that made this result.
        local_command: Str,
        /// Messages that still wait for a turn.
        queued_turn_count: u64,
        /// Place among the results of this process; a gap is a lost result.
        result_index: u64,
        /// The user message that was answered.
        user_message_uuid: Str,
        /// All user messages that the turn took.
        user_message_uuids: [Str],
        /// Why a turn that was cut off went on.
        resume_reason: Str,
        /// Who sent the prompt.
        origin: Origin,
        /// Whether fast mode is on.
        fast_mode_state: (FastModeState),
        /// Why it is not.
        fast_mode_disabled_reason: (FastModeDisabledReason),
        /// When the credentials run out.
        credential_expires_at: Str,
        /// Counts of sub-agents.
        subagent_stats: SubagentStats,
        /// How often safety stopped the model.
        safety_stops: u64,
        /// Time to the first token.
        ttft_ms: f64,
        /// Time to the first token of the stream.
        ttft_stream_ms: f64,
        /// Time until the API was asked.
        time_to_request_ms: f64,
        /// Time until the API was asked, from the start of the process.
        time_to_request_from_spawn_ms: f64,
        /// Time until the API was asked, by phase.
        time_to_request_phases_ms: {f64},
        /// Time until the API was asked that was lag of the event loop.
        time_to_request_loop_lag_ms: f64,
        /// CPU time until the API was asked.
        time_to_request_cpu_ms: f64,
        /// Page faults until the API was asked.
        time_to_request_major_faults: u64,
        /// When the API was asked, as epoch milliseconds.
        request_sent_wall_ms: f64,
        /// When the process's clock began, as epoch milliseconds.
        time_origin_ms: f64,
        /// Time to the first line with content.
        first_content_frame_ms: f64,
        /// Time to the first post of a bridge.
        first_stream_post_ms: f64,
        /// Time until that post was acknowledged.
        first_stream_post_ack_ms: f64,
        /// Time that post waited.
        first_stream_post_queue_wait_ms: f64,
        /// How many posts it waited for.
        first_stream_post_queued_behind: u64,
        /// When it was sent, as epoch milliseconds.
        first_stream_post_wall_ms: f64,
        /// Time to a bridge's first post with text.
        first_text_post_ms: f64,
        /// Time that post waited.
        first_text_post_queue_wait_ms: f64,
        /// How many posts it waited for.
        first_text_post_queued_behind: u64,
        /// When it was sent, as epoch milliseconds.
        first_text_post_wall_ms: f64,
        /// Fresh input of the first API call.
        first_request_input_tokens: u64,
        /// Cached input of the first API call.
        first_request_cache_read_input_tokens: u64,
        /// The process had been started in advance.
        warm_spare_claimed: bool,
        /// How the session was resumed at the start of the turn.
        turn_start_resume_kind: Str,
        /// Place of the turn in this process.
        process_turn_index: u64,
        /// Where time went: attachments.
        input_attachments_detail: Json,
        /// Where time went: tool schemas.
        tool_schema_build_detail: Json,
        /// Where time went: putting messages in order.
        message_normalization_detail: Json,
        /// Where time went: building the request.
        request_build_detail: Json,
    }
}

wire! {
    /// A call that was not allowed.
    pub struct PermissionDenial {
        /// The tool.
        tool_name: Str,
        /// The call.
        tool_use_id: Str,
        /// What the tool was to be given.
        tool_input: Json,
    }

    /// A call that a hook put off.
    pub struct DeferredToolUse {
        /// The call.
        id: Str,
        /// The tool.
        name: Str,
        /// What the tool was to be given.
        input: Json,
    }

    /// A configuration file that could not be read.
    pub struct InvalidConfigFile {
        /// Where it is.
        path: Str,
        /// Whether it is the user's own.
        is_global: bool,
        /// Whether a backup was looked for.
        backup_searched: bool,
        /// The backup that was found.
        backup_path: Str,
    }

    /// Counts of the sub-agents of a turn.
    pub struct SubagentStats {
        /// Started.
        spawned: u64,
        /// What was asked for.
        requested: SubagentsRequested,
        /// Started in the background.
        started_in_background: u64,
        /// How deep they were nested.
        max_depth: u64,
        /// Started by other sub-agents.
        spawned_by_subagents: u64,
        /// Finished.
        completed: u64,
        /// Failed.
        failed: u64,
        /// Stopped, by whom.
        killed: SubagentsKilled,
        /// Not started, by reason.
        refused: SubagentsRefused,
        /// Counts by kind of sub-agent.
        by_type: Json,
    }

    /// How sub-agents were asked for.
    pub struct SubagentsRequested {
        /// In the background.
        background: u64,
        /// In the foreground.
        foreground: u64,
        /// Without a word on it.
        unset: u64,
    }

    /// Who stopped sub-agents.
    pub struct SubagentsKilled {
        /// The agent that had started them.
        parent: u64,
        /// The user.
        user: u64,
        /// Claude Code itself.
        system: u64,
    }

    /// Why sub-agents were not started.
    pub struct SubagentsRefused {
        /// Nested too deep.
        depth_limit: u64,
        /// Too many at once.
        concurrency_limit: u64,
        /// No money left.
        budget: u64,
    }
}

open! {
    /// How a turn ended.
    pub enum ResultSubtype {
        /// The turn ran to its end; an API failure counts as that.
        Success = "success",
        /// Interrupted, crashed, or never started.
        ErrorDuringExecution = "error_during_execution",
        /// Too many round trips.
        ErrorMaxTurns = "error_max_turns",
        /// Too much money.
        ErrorMaxBudgetUsd = "error_max_budget_usd",
        /// The output never fitted the schema.
        ErrorMaxStructuredOutputRetries = "error_max_structured_output_retries",
    }

    /// Why a turn went no further.
    pub enum TerminalReason {
        Completed = "completed",
        MaxTurns = "max_turns",
        BudgetExhausted = "budget_exhausted",
        StructuredOutputRetryExhausted = "structured_output_retry_exhausted",
        AbortedStreaming = "aborted_streaming",
        AbortedTools = "aborted_tools",
        ApiError = "api_error",
        ModelError = "model_error",
        ImageError = "image_error",
        PromptTooLong = "prompt_too_long",
        BlockingLimit = "blocking_limit",
        RapidRefillBreaker = "rapid_refill_breaker",
        MalformedToolUseExhausted = "malformed_tool_use_exhausted",
        StopHookPrevented = "stop_hook_prevented",
        HookStopped = "hook_stopped",
        ToolDeferred = "tool_deferred",
        ToolDeferredUnavailable = "tool_deferred_unavailable",
        BackgroundRequested = "background_requested",
        TurnSetupFailed = "turn_setup_failed",
    }

    /// Why the process could not start.
    pub enum StartupFailureReason {
        OrgPinApiKeyConflict = "org_pin_api_key_conflict",
        ProviderNotAllowed = "provider_not_allowed",
        OrgVerifyFailed = "org_verify_failed",
        OrgPinMismatch = "org_pin_mismatch",
        ManagedSettingsInvalid = "managed_settings_invalid",
        RemoteSettingsRequiredUnavailable = "remote_settings_required_unavailable",
        GatewaySigninRequired = "gateway_signin_required",
        GatewayAccessDenied = "gateway_access_denied",
        ProxyInvalid = "proxy_invalid",
        TempDirUnusable = "temp_dir_unusable",
        CwdUnavailable = "cwd_unavailable",
        ShellToolMissing = "shell_tool_missing",
        SessionHeldByBackground = "session_held_by_background",
        WorktreeResumeRefused = "worktree_resume_refused",
        WorktreeUnverified = "worktree_unverified",
        CliVersionTooOld = "cli_version_too_old",
        BypassRoot = "bypass_root",
        OrgConfigRequiredUnavailable = "org_config_required_unavailable",
        OrgConfigRefused = "org_config_refused",
        SandboxRequiredUnavailable = "sandbox_required_unavailable",
        InitializeNotFirst = "initialize_not_first",
        ConfigFileInvalid = "config_file_invalid",
        ManagedSettingsNotDelivered = "managed_settings_not_delivered",
    }
}

impl ResultSubtype<'_> {
    /// Whether it says that the turn failed; an API failure does not.
    #[must_use]
    pub fn is_error(&self) -> bool {
        match self {
            Self::Success => false,
            Self::ErrorDuringExecution
            | Self::ErrorMaxTurns
            | Self::ErrorMaxBudgetUsd
            | Self::ErrorMaxStructuredOutputRetries => true,
            Self::Other(other) => other.decode().starts_with("error"),
        }
    }
}

impl TerminalReason<'_> {
    /// Whether somebody stopped the turn.
    #[must_use]
    pub fn is_abort(&self) -> bool {
        match self {
            Self::AbortedStreaming | Self::AbortedTools => true,
            Self::Other(other) => other.decode().starts_with("aborted_"),
            _ => false,
        }
    }
}

impl PermissionDenial<'_> {
    /// The text of one, for a call that no result lists.
    #[must_use]
    pub fn text_of(tool: &str, call: &str) -> String {
        let mut text = String::from("{\"tool_name\":");
        write_string(tool, &mut text);
        text.push_str(",\"tool_use_id\":");
        write_string(call, &mut text);
        text.push('}');
        text
    }
}
