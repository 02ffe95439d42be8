//! The control protocol's envelopes: the same three in both directions.

use super::declare::{named, open, wire};
use super::{Ask, Command, Kind, Shape, Wire};

wire! {
    /// One side asks.
    pub struct ControlRequest: type (Kind::ControlRequest.name()) {
        /// Names the question; the asker's own.
        request_id: Str,
        /// The question; its `subtype` says which.
        request: (Json as fn request_shape),
    }

    /// The other side answers.
    pub struct ControlResponse: type (Kind::ControlResponse.name()) {
        /// The answer, and inside it the id of the question.
        response: ControlAnswer,
        /// Bridges only: not for the record.
        live_only: bool,
        /// Bridges only: the session.
        session_id: Str,
    }

    /// The asker no longer wants to know.
    pub struct ControlCancelRequest: type (Kind::ControlCancelRequest.name()) {
        /// The question.
        request_id: Str,
    }
}

named! {
    /// The answer to a control request.
    pub struct ControlAnswer {
        /// `success` or `error`.
        subtype: Str,
        /// The question.
        request_id: Str,
        /// What was asked for; may be absent.
        response: Json,
        /// Why it was not done, in words.
        error: Str,
        /// Why it was not done, for programs.
        error_code: (ErrorCode),
        /// Permission requests that still wait; on the answer to `initialize`.
        pending_permission_requests: [ControlRequest],
        /// Dialogs that still wait.
        pending_user_dialog_requests: [ControlRequest],
        /// Elicitations that still wait.
        pending_elicitation_requests: [ControlRequest],
    }
}

open! {
    /// Why a request was not done.
    pub enum ErrorCode {
        Alias1mDisabled = "alias_1m_disabled",
        Alias1mUnsupported = "alias_1m_unsupported",
        AuthFailed = "auth_failed",
        AutoModeCircuitBreaker = "auto_mode_circuit_breaker",
        AutoModeFastMode = "auto_mode_fast_mode",
        AutoModeModel = "auto_mode_model",
        AutoModeSettings = "auto_mode_settings",
        AutoModeUnavailable = "auto_mode_unavailable",
        BlockedByHook = "blocked_by_hook",
        BypassDisabled = "bypass_disabled",
        BypassNotLaunched = "bypass_not_launched",
        BypassRestricted = "bypass_restricted",
        CatalogUnknown = "catalog_unknown",
        CheckFailed = "check_failed",
        CheckRejected = "check_rejected",
        CheckServerError = "check_server_error",
        CheckUnreachable = "check_unreachable",
        CredentialName = "credential_name",
        CreditsRequired = "credits_required",
        HooksUnchecked = "hooks_unchecked",
        HooksUncheckedPluginNotLoaded = "hooks_unchecked_plugin_not_loaded",
        InternalError = "internal_error",
        InvalidMode = "invalid_mode",
        InvalidRequest = "invalid_request",
        InvalidWorkerEpoch = "invalid_worker_epoch",
        McpCallMalformed = "mcp_call_malformed",
        McpCallNoContainer = "mcp_call_no_container",
        McpCallNotListed = "mcp_call_not_listed",
        McpCallNotVouched = "mcp_call_not_vouched",
        McpCallRefusalLimit = "mcp_call_refusal_limit",
        McpClientRegistrationUnavailable = "mcp_client_registration_unavailable",
        McpPolicyBlocked = "mcp_policy_blocked",
        McpRedirectUriUnusable = "mcp_redirect_uri_unusable",
        ModelNotCurrent = "model_not_current",
        NotFound = "not_found",
        NotOffered = "not_offered",
        OauthOrgNotAllowed = "oauth_org_not_allowed",
        RateLimit = "rate_limit",
        ReadDenied = "read_denied",
        ReloadPluginsBusy = "reload_plugins_busy",
        RemoteControlAuth = "remote_control_auth",
        RemoteControlBelowFloor = "remote_control_below_floor",
        RemoteControlEndedElsewhere = "remote_control_ended_elsewhere",
        RemoteControlFlagsDisabled = "remote_control_flags_disabled",
        RemoteControlFlagsUnreachable = "remote_control_flags_unreachable",
        RemoteControlFloorMalformed = "remote_control_floor_malformed",
        RemoteControlFloorUnanswered = "remote_control_floor_unanswered",
        RemoteControlFloorUnreachable = "remote_control_floor_unreachable",
        RemoteControlGateOff = "remote_control_gate_off",
        RemoteControlPolicyDisabled = "remote_control_policy_disabled",
        RemoteControlSessionUnread = "remote_control_session_unread",
        RemoteControlTerminal = "remote_control_terminal",
        RestrictedByOrg = "restricted_by_org",
        SideQuestionBusy = "side_question_busy",
        StaleWorkerEpoch = "stale_worker_epoch",
        UnavailableForAccount = "unavailable_for_account",
        UnsupportedRequest = "unsupported_request",
        VerdictPending = "verdict_pending",
        WorkspaceDiffPending = "workspace_diff_pending",
    }
}

impl<'a> ControlRequest<'a> {
    /// What Claude Code asks, if this came from it.
    pub fn ask(&self) -> Ask<'a> {
        self.request.and_then(Ask::of).unwrap_or_default()
    }

    /// What we ask, if this goes to Claude Code.
    pub fn command(&self) -> Command<'a> {
        self.request.and_then(Command::of).unwrap_or_default()
    }
}

fn request_shape() -> Shape {
    Shape::Either(&[<Ask<'static> as Wire<'static>>::shape, <Command<'static> as Wire<'static>>::shape])
}
