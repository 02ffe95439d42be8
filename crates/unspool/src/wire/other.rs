//! Lines of other types: progress, limits, goals, and what only bridges see.

use super::Kind;
use super::declare::{open, wire};

wire! {
    /// A tool still runs.
    pub struct ToolProgress: type (Kind::ToolProgress.name()) {
        /// The call; in heartbeats the call with `-heartbeat-<n>` behind it.
        tool_use_id: Str,
        /// The tool.
        tool_name: Str,
        /// The call that started the sub-agent; in heartbeats the real call.
        parent_tool_use_id: Str,
        /// How long it has run.
        elapsed_time_seconds: f64,
        /// The task it belongs to.
        task_id: Str,
        /// Sent only to say that it is alive.
        heartbeat: bool,
        /// What kind of sub-agent runs.
        subagent_type: Str,
        /// The sub-agent's API call is tried again.
        subagent_retry: SubagentRetry,
        /// Id of this line.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
    }

    /// A sub-agent's API call is tried again.
    pub struct SubagentRetry {
        /// The sub-agent.
        agent_id: Str,
        /// Which attempt comes next.
        attempt: u64,
        /// How many there may be.
        max_retries: u64,
        /// How long it waits.
        retry_delay_ms: f64,
        /// HTTP status of the failure.
        error_status: u64,
        /// What kind of failure.
        error_category: Str,
    }

    /// What a batch of calls did, in words.
    pub struct ToolUseSummary: type (Kind::ToolUseSummary.name()) {
        /// The words.
        summary: Str,
        /// The calls.
        preceding_tool_use_ids: [Str],
        /// Id of this line.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
    }

    /// How signing in goes on.
    pub struct AuthStatus: type (Kind::AuthStatus.name()) {
        /// Whether it still goes on.
        is_authenticating "isAuthenticating": bool,
        /// What was printed.
        output: [Str],
        /// What went wrong.
        error: Str,
        /// Id of this line.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
    }

    /// The limits of a subscription have changed.
    pub struct RateLimitEvent: type (Kind::RateLimitEvent.name()) {
        /// The limits.
        rate_limit_info: RateLimitInfo,
        /// Id of this line.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
    }

    /// The limits of a subscription.
    pub struct RateLimitInfo {
        /// Whether calls are allowed.
        status: (RateLimitStatus),
        /// When the limit starts anew, as epoch seconds.
        resets_at "resetsAt": f64,
        /// Which limit counts.
        rate_limit_type "rateLimitType": (RateLimitType),
        /// How much of it is used, from 0 to 1.
        utilization: f64,
        /// Whether calls beyond the limit are allowed.
        overage_status "overageStatus": (RateLimitStatus),
        /// When that starts anew, as epoch seconds.
        overage_resets_at "overageResetsAt": f64,
        /// Why there are none beyond it.
        overage_disabled_reason "overageDisabledReason": (OverageDisabledReason),
        /// Whether calls go beyond the limit.
        is_using_overage "isUsingOverage": bool,
        /// Whether such calls are being paid for.
        overage_in_use "overageInUse": bool,
        /// Whether they are switched on.
        overage_enabled "overageEnabled": bool,
        /// The threshold that was passed.
        surpassed_threshold "surpassedThreshold": f64,
        /// `service`, `channel` or `group_pool`.
        limit_scope "limitScope": Str,
        /// `credits_required`.
        error_code "errorCode": Str,
        /// Whether the user may buy credits.
        can_user_purchase_credits "canUserPurchaseCredits": bool,
        /// Whether there is a card to charge.
        has_chargeable_saved_payment_method "hasChargeableSavedPaymentMethod": bool,
        /// Every limit, by its name.
        unified_windows "unifiedWindows": {RateLimitWindow},
    }

    /// One limit.
    pub struct RateLimitWindow {
        /// How much of it is used, from 0 to 1.
        utilization: f64,
        /// When it starts anew, as epoch seconds.
        resets_at "resetsAt": f64,
        /// Whether calls are allowed.
        status: (RateLimitStatus),
        /// The threshold that was passed.
        surpassed_threshold "surpassedThreshold": f64,
    }

    /// What the user might ask next.
    pub struct PromptSuggestion: type (Kind::PromptSuggestion.name()) {
        /// The prompt.
        suggestion: Str,
        /// Id of this line.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
    }

    /// The conversation begins anew.
    pub struct ConversationReset: type (Kind::ConversationReset.name()) {
        /// Its new id.
        new_conversation_id: Str,
        /// `clear`, `plan_mode_exit`, `fresh_session` or `onboarding`.
        trigger: Str,
        /// The message that asked for it.
        user_message_uuid: Str,
        /// When the line was written.
        timestamp: Str,
        /// Id of this line.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
    }

    /// The goal that the session works towards, or none.
    pub struct ActiveGoal: type (Kind::ActiveGoal.name()) {
        /// The goal.
        value: Goal,
        /// Id of this line.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
    }

    /// A goal that the session works towards.
    pub struct Goal {
        /// When it is reached.
        condition: Str,
        /// How often it was tried.
        iterations: u64,
        /// When it was set.
        set_at: Json,
        /// Tokens used before.
        tokens_at_start: u64,
        /// Why it was not reached the last time.
        last_reason: Str,
    }

    /// Nothing happened; the other side is there.
    pub struct KeepAlive: type (Kind::KeepAlive.name()) {
        /// How far the start has come.
        startup_mark: Str,
    }

    /// What was written to the transcript on disk. Not for people.
    pub struct TranscriptMirror: type (Kind::TranscriptMirror.name()) {
        /// The transcript.
        file_path "filePath": Str,
        /// Its new lines.
        entries: [Json],
    }

    /// What became of a user message that had a uuid.
    pub struct CommandLifecycle: type (Kind::CommandLifecycle.name()) {
        /// The message.
        command_uuid: Str,
        /// What became of it.
        state: (CommandState),
        /// Id of this line.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
    }

    /// When the context will be compacted.
    pub struct AutocompactState: type (Kind::AutocompactState.name()) {
        /// The settings in force.
        value: Autocompact,
        /// Id of this line.
        uuid: Str,
        /// The session it belongs to.
        session_id: Str,
    }

    /// When the context is compacted.
    pub struct Autocompact {
        /// Whether it is at all.
        enabled: bool,
        /// Size of the context, in tokens.
        effective_window: u64,
        /// Tokens at which it is compacted.
        threshold: u64,
        /// Whether the setting is imposed.
        enforced: bool,
        /// Where the setting comes from.
        source: Str,
    }

    /// Remote transports only; its shape is not known.
    pub struct SourcesChanged: type (Kind::SourcesChanged.name()) {}

    /// Remote transports only; its shape is not known.
    pub struct EnvManagerLog: type (Kind::EnvManagerLog.name()) {}

    /// Remote transports only; its shape is not known.
    pub struct ClientEvent: type (Kind::ClientEvent.name()) {}

    /// Remote transports only; its shape is not known.
    pub struct Heartbeat: type (Kind::Heartbeat.name()) {}
}

open! {
    /// Whether calls are allowed.
    pub enum RateLimitStatus {
        Allowed = "allowed",
        AllowedWarning = "allowed_warning",
        Rejected = "rejected",
    }

    /// Which limit of a subscription.
    pub enum RateLimitType {
        FiveHour = "five_hour",
        SevenDay = "seven_day",
        SevenDayOpus = "seven_day_opus",
        SevenDaySonnet = "seven_day_sonnet",
        SevenDayOverageIncluded = "seven_day_overage_included",
        Overage = "overage",
    }

    /// Why there are no calls beyond the limit.
    pub enum OverageDisabledReason {
        OverageNotProvisioned = "overage_not_provisioned",
        OrgLevelDisabled = "org_level_disabled",
        OrgLevelDisabledUntil = "org_level_disabled_until",
        OutOfCredits = "out_of_credits",
        SeatTierLevelDisabled = "seat_tier_level_disabled",
        MemberLevelDisabled = "member_level_disabled",
        SeatTierZeroCreditLimit = "seat_tier_zero_credit_limit",
        GroupZeroCreditLimit = "group_zero_credit_limit",
        MemberZeroCreditLimit = "member_zero_credit_limit",
        OrgServiceLevelDisabled = "org_service_level_disabled",
        NoLimitsConfigured = "no_limits_configured",
        FetchError = "fetch_error",
        Unspecified = "unknown",
    }

    /// What became of a user message.
    pub enum CommandState {
        Queued = "queued",
        Started = "started",
        Completed = "completed",
        Cancelled = "cancelled",
        Discarded = "discarded",
        Refused = "refused",
    }

    /// Whether fast mode is on.
    pub enum FastModeState {
        Off = "off",
        Cooldown = "cooldown",
        On = "on",
    }

    /// Why fast mode is not on.
    pub enum FastModeDisabledReason {
        Free = "free",
        Preference = "preference",
        ExtraUsageDisabled = "extra_usage_disabled",
        NetworkError = "network_error",
        NotFirstParty = "not_first_party",
        DisabledByEnv = "disabled_by_env",
        ModelNotAllowed = "model_not_allowed",
        SdkOptInRequired = "sdk_opt_in_required",
        Pending = "pending",
        Unspecified = "unknown",
    }
}
