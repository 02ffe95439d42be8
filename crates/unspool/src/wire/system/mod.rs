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

use super::declare::choice;
use super::{Kind, SystemResult};

/// What all of them say that they are.
pub(crate) const SYSTEM: &str = Kind::System(SystemKind::Init).name();

/// Declares `system` lines by the subtypes that the list below has for them.
macro_rules! system {
    ($($declared:tt)*) => {
        $crate::wire::declare::family! {
            [(type (crate::wire::system::SYSTEM)) subtype of crate::wire::SystemKind]
            {
                /// Id of this line.
                uuid: Str,
                /// The session it belongs to.
                session_id: Str,
                /// When the line was written.
                timestamp: Str,
            }
            $($declared)*
        }
    };
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
