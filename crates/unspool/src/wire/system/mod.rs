//! `system` lines: what goes on around the conversation.
//!
//! Each carries `uuid` and `session_id`; the macro in this file adds them.

mod hook;
mod init;
mod model;
mod notice;
mod task;
mod unseen;

pub use hook::*;
pub use init::*;
pub use model::*;
pub use notice::*;
pub use task::*;
pub use unseen::*;

use super::SystemResult;
use super::declare::choice;

/// Declares `system` lines: as `wire!`, with the subtype that the list below has for it.
macro_rules! system {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $name:ident {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident $($wire_name:literal)? : $ty:tt
            ),* $(,)?
        }
    )*) => { $(
        $crate::wire::declare::wire! {
            $(#[doc = $doc])*
            pub struct $name:
                type ($crate::wire::Kind::System($crate::wire::SystemKind::$name).name()),
                subtype ($crate::wire::SystemKind::$name.name())
            {
                $(
                    $(#[doc = $field_doc])*
                    $field $($wire_name)? : $ty,
                )*
                /// Id of this line.
                uuid: Str,
                /// The session it belongs to.
                session_id: Str,
                /// When the line was written.
                timestamp: Str,
            }
        }
    )* };
}
use system;

choice! {
    /// A `system` line.
    pub enum System as SystemKind by "subtype" {
        "init" => Init,
        "compact_boundary" => CompactBoundary,
        "status" => Status,
        "api_retry" => ApiRetry,
        "control_request_progress" => ControlRequestProgress,
        "model_refusal_fallback" => ModelRefusalFallback,
        "model_refusal_no_fallback" => ModelRefusalNoFallback,
        "model_fallback" => ModelFallback,
        "local_command_output" => LocalCommandOutput,
        "hook_started" => HookStarted,
        "hook_progress" => HookProgress,
        "hook_response" => HookResponse,
        "plugin_install" => PluginInstall,
        "task_started" => TaskStarted,
        "task_progress" => TaskProgress,
        "task_updated" => TaskUpdated,
        "task_notification" => TaskNotification,
        "background_tasks_changed" => BackgroundTasksChanged,
        "thinking_tokens" => ThinkingTokens,
        "session_state_changed" => SessionStateChanged,
        "worker_shutting_down" => WorkerShuttingDown,
        "commands_changed" => CommandsChanged,
        "notification" => Notification,
        "files_persisted" => FilesPersisted,
        "memory_recall" => MemoryRecall,
        "elicitation_complete" => ElicitationComplete,
        "permission_denied" => PermissionDenied,
        "mirror_error" => MirrorError,
        "informational" => Informational,
        "session_writes_lost" => SessionWritesLost,
        "session_title_changed" => SessionTitleChanged,
        "ui_invalidate" => UiInvalidate,
        "post_turn_summary" => PostTurnSummary,
        "task_summary" => TaskSummary,
        "session_metadata" => SessionMetadata,
        "permission_check_status" => PermissionCheckStatus,
        "peer_message_hold" => PeerMessageHold,
        "per_turn_effort_changed" => PerTurnEffortChanged,
        "instruction_size_warning" => InstructionSizeWarning,
        "slack_tag_title" => SlackTagTitle,
        "vcs_state_changed" => VcsStateChanged,
        "dev_intent" => DevIntent,
        "checkpoint_done" => CheckpointDone,
        "result" => Result(SystemResult),
    }
}
