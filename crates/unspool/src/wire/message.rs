//! What was said: `assistant` and `user` lines and the message inside them.

use super::declare::{named, open, wire};
use super::{Content, ContextUsage, Kind, Usage, UsageReport};

wire! {
    /// A finished part of a message of the model. Synthetic ones report errors and local commands.
    pub struct Assistant: type (Kind::Assistant.name()) {
        /// What was said: on every CLI since 0.2.118 one block.
        message: (Message),
        /// The call that started the sub-agent who speaks; null for the main agent.
        parent_tool_use_id: Str,
        /// Id of this line.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
        /// What went wrong, on a line that reports a failed API call.
        error: (AssistantError),
        /// Id of the API request.
        request_id: Str,
        /// The user message that is being answered.
        user_message_uuid: Str,
        /// All user messages that this turn has taken so far.
        user_message_uuids: [Str],
        /// Why a turn that was cut off goes on.
        resume_reason: Str,
        /// The message continues a thinking block that was cut.
        resumed_from_incomplete_thinking: bool,
        /// Earlier lines that this one replaces.
        supersedes: [Str],
        /// The text was cut by an interrupt.
        aborted: bool,
        /// The sub-agent who speaks; the `task_id` of its task.
        agent_id: Str,
        /// What kind of sub-agent it is.
        subagent_type: Str,
        /// What the sub-agent was asked for.
        task_description: Str,
        /// When the block was finished.
        timestamp: Str,
        /// What fills the context, as `/context` tells it.
        context_usage: ContextUsage,
        /// What was spent, as `/usage` tells it.
        usage_report: UsageReport,
        /// How long the model thought.
        thinking_duration_ms: f64,
        /// How thinking is shown.
        thinking_display: Str,
        /// Labels for calls of MCP tools.
        tool_use_meta: [ToolUseMeta],
        /// Whether the line reports a failed API call.
        is_api_error_message: bool,
        /// What kind of API failure.
        api_error: Str,
        /// Its HTTP status.
        api_error_status: u64,
        /// Its type, in the API's words.
        api_error_type: Str,
        /// Its details.
        api_error_params: ApiErrorParams,
        /// The message that the model refused to go on with.
        refused_message_id: Str,
        /// Where a local command came from.
        local_command_source: Str,
        /// The local command that made this line.
        local_command_run: LocalCommandRun,
        /// How it ended.
        local_command_outcome: LocalCommandOutcome,
        /// How much the model was to think; named by the seed documents.
        thinking_metadata "thinkingMetadata": ThinkingMetadata,
        /// The list of things to do; named by the seed documents.
        todos: [Todo],
    }

    /// A tool result, a prompt, or text that the CLI put in.
    pub struct User: type (Kind::User.name()) {
        /// What was said.
        message: (Message),
        /// The call that started the sub-agent it was said to; null for the main agent.
        parent_tool_use_id: Str,
        /// Id of this line; on stdin the name the host gives its message.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
        /// Text that the CLI put in.
        is_synthetic "isSynthetic": bool,
        /// A message of the host, told back.
        is_replay "isReplay": bool,
        /// Not for people.
        is_meta "isMeta": bool,
        /// The tool's own structured output; its shape depends on the tool.
        tool_use_result: Json,
        /// Why a tool did or did not run.
        tool_result_meta: [ToolResultMeta],
        /// When a message sent in mid-turn is to be taken.
        priority: (Priority),
        /// Who sent it.
        origin: Origin,
        /// False: remember it, but start no turn.
        should_query "shouldQuery": bool,
        /// When it was written.
        timestamp: Str,
        /// The text is verbatim: no slash commands, no file mentions.
        client_composed: bool,
        /// Pastes that were taken out of the prompt.
        pasted_content: [Json],
        /// Pastes that are still in it.
        inline_pastes: [Str],
        /// Files that came with it.
        file_attachments: [Json],
        /// The sub-agent it was said to.
        agent_id: Str,
        /// What kind of sub-agent that is.
        subagent_type: Str,
        /// What the sub-agent was asked for.
        task_description: Str,
        /// The message that the model refused to go on with.
        refused_message_id: Str,
    }
}

named! {
    /// A message of the Messages API; before CLI 0.2.118 a line of its own.
    pub struct Message {
        /// Its id; the lines of one message share it.
        id: Str,
        /// `message`.
        kind "type": Str,
        /// `assistant` or `user`.
        role: Str,
        /// The model, or `<synthetic>`.
        model: Str,
        /// What was said.
        content: (Content),
        /// Why the model stopped; on most lines not known yet.
        stop_reason: (StopReason),
        /// The sequence it stopped at.
        stop_sequence: Str,
        /// More on why it stopped.
        stop_details: StopDetails,
        /// Tokens; repeated on every line of the message.
        usage: Usage,
        /// The container of code execution.
        container: Container,
        /// What the API removed from the context.
        context_management: ContextManagement,
        /// The API's own diagnostics.
        diagnostics: Diagnostics,
        /// What the API changed in the input.
        input_transformations: Json,
    }
}

wire! {
    /// More on why the model stopped, normally on a refusal.
    pub struct StopDetails {
        /// `refusal`.
        kind "type": Str,
        /// What was refused.
        category: Str,
        /// Why, in words.
        explanation: Str,
        /// A model that would not refuse.
        recommended_model: Str,
        /// What makes the next attempt cheaper.
        fallback_credit_token: Str,
        /// Whether the next attempt may go on from what was said.
        fallback_has_prefill_claim: bool,
    }

    /// The container of code execution.
    pub struct Container {
        /// Its id.
        id: Str,
        /// Until when it lives.
        expires_at: Str,
        /// The skills in it.
        skills: Json,
    }

    /// What the API removed from the context.
    pub struct ContextManagement {
        /// Each removal.
        applied_edits: [Json],
    }

    /// The API's own diagnostics.
    pub struct Diagnostics {
        /// Why the cache was of no use.
        cache_miss_reason: Json,
    }

    /// Labels for a call of an MCP tool.
    pub struct ToolUseMeta {
        /// The call.
        id: Str,
        /// The tool's name for people.
        display_name: Str,
        /// The server's name for people.
        server_display_name: Str,
        /// The tool's own name.
        tool_name: Str,
        /// A picture.
        icon_url: Str,
    }

    /// Details of an API failure.
    pub struct ApiErrorParams {
        /// What was cut.
        cut: Str,
    }

    /// A local command.
    pub struct LocalCommandRun {
        /// Its name.
        command: Str,
        /// What stood behind it.
        args: Str,
    }

    /// How a local command ended.
    pub struct LocalCommandOutcome {
        /// In one word.
        kind: Str,
    }

    /// How much the model was to think.
    pub struct ThinkingMetadata {
        /// `high`, `medium`, `low` or `auto`.
        level: Str,
        /// Not at all.
        disabled: bool,
        /// What asked for it.
        triggers: [Str],
    }

    /// A thing to do.
    pub struct Todo {
        /// Its id.
        id: Str,
        /// What to do.
        content: Str,
        /// `pending`, `in_progress` or `completed`.
        status: Str,
        /// What is being done, in words.
        active_form "activeForm": Str,
    }

    /// Why a tool did or did not run.
    pub struct ToolResultMeta {
        /// The call.
        id: Str,
        /// Why it did not run.
        non_execution_kind: Str,
        /// What the user said to it.
        user_feedback: Str,
        /// Who decided what.
        permission_decision: PermissionDecision,
    }

    /// Who decided about a call.
    pub struct PermissionDecision {
        /// `accept` or `reject`.
        decision: Str,
        /// Who decided.
        source: Str,
        /// Why it was decided so.
        reason_type: Str,
    }

    /// Who sent a message or started a turn.
    pub struct Origin {
        /// What kind of sender it was.
        kind: (OriginKind),
        /// A task notification's own kind.
        subkind: Str,
        /// Who made the task.
        producer: Str,
        /// The run of the task.
        run_id "runId": Str,
        /// Why it fired.
        fire_reason "fireReason": Str,
        /// The server of a channel.
        server: Str,
        /// The peer or observer.
        from: Str,
        /// How the peer sends.
        from_mode "fromMode": Str,
        /// The peer's session.
        from_session "fromSession": Str,
        /// The peer's name.
        name: Str,
        /// The sender's task.
        sender_task_id "senderTaskId": Str,
        /// What the peer said.
        body: Str,
        /// The peer's process.
        verified_peer_pid "verifiedPeerPid": u64,
    }
}

open! {
    /// What went wrong with an API call.
    pub enum AssistantError {
        AuthenticationFailed = "authentication_failed",
        OauthOrgNotAllowed = "oauth_org_not_allowed",
        AccountOnHold = "account_on_hold",
        VerificationRequired = "verification_required",
        BillingError = "billing_error",
        RateLimit = "rate_limit",
        Overloaded = "overloaded",
        InvalidRequest = "invalid_request",
        ModelNotFound = "model_not_found",
        ServerError = "server_error",
        Unspecified = "unknown",
        MaxOutputTokens = "max_output_tokens",
        CloudCredentialError = "cloud_credential_error",
    }

    /// Why the model stopped.
    pub enum StopReason {
        EndTurn = "end_turn",
        MaxTokens = "max_tokens",
        StopSequence = "stop_sequence",
        ToolUse = "tool_use",
        PauseTurn = "pause_turn",
        Compaction = "compaction",
        Refusal = "refusal",
        ModelContextWindowExceeded = "model_context_window_exceeded",
        ToolDeferred = "tool_deferred",
    }

    /// When a message sent in mid-turn is taken.
    pub enum Priority {
        /// At once: the running turn is aborted.
        Now = "now",
        /// Between two tool rounds of the running turn; also if nothing is said.
        Next = "next",
        /// In a turn of its own, afterwards.
        Later = "later",
    }

    /// Who sent a message.
    pub enum OriginKind {
        Human = "human",
        Channel = "channel",
        Peer = "peer",
        TaskNotification = "task-notification",
        Coordinator = "coordinator",
        Unclassified = "unclassified",
        Observer = "observer",
        AutoContinuation = "auto-continuation",
        ObserverActivity = "observer-activity",
    }
}
