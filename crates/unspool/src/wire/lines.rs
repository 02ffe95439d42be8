//! The types of lines: the only list of them.
//!
//! [`Kind`](super::Kind) and [`Envelope`](super::Envelope) are made from it, and the type of a line takes its name from there. The
//! subtypes of `system` lines are listed in the same way, in [`system`](super::system).

/// Hands the list to another macro: the `type` on the wire, the variant, the type of the line where that has another name, and
/// where the type alone does not say what a line is, the enum that does.
macro_rules! lines {
    ($then:ident) => {
        $then! {
            "assistant" => Assistant,
            "user" => User,
            "stream_event" => StreamEvent,
            "system" => System by SystemKind,
            "result" => Result(ResultLine),
            "control_request" => ControlRequest,
            "control_response" => ControlResponse,
            "control_cancel_request" => ControlCancelRequest,
            "keep_alive" => KeepAlive,
            "tool_progress" => ToolProgress,
            "tool_use_summary" => ToolUseSummary,
            "auth_status" => AuthStatus,
            "rate_limit_event" => RateLimitEvent,
            "prompt_suggestion" => PromptSuggestion,
            "conversation_reset" => ConversationReset,
            "active_goal" => ActiveGoal,
            "command_lifecycle" => CommandLifecycle,
            "autocompact_state" => AutocompactState,
            "transcript_mirror" => TranscriptMirror,
            "sources_changed" => SourcesChanged,
            "env_manager_log" => EnvManagerLog,
            "client_event" => ClientEvent,
            "heartbeat" => Heartbeat,
        }
    };
}
pub(super) use lines;
