//! Lines that Claude Code's own SDKs know of but that nobody has seen on stdout.

use super::system;

system! {
    /// What came of a turn.
    pub struct PostTurnSummary "post_turn_summary" {
        /// The line it is about.
        summarizes_uuid: Str,
        /// How it stands, in one word.
        status_category: Str,
        /// How it stands, in words.
        status_detail: Str,
        /// What the user should do.
        needs_action: Json,
    }

    /// What came of a task.
    pub struct TaskSummary "task_summary" {
        /// What it says.
        detail: Json,
    }

    /// Something about the session.
    pub struct SessionMetadata "session_metadata" {}

    /// How a permission check goes on.
    pub struct PermissionCheckStatus "permission_check_status" {
        /// How it goes on.
        status: Str,
    }

    /// A message of another session is held back.
    pub struct PeerMessageHold "peer_message_hold" {}

    /// The effort of this turn has changed.
    pub struct PerTurnEffortChanged "per_turn_effort_changed" {}

    /// The instructions are long.
    pub struct InstructionSizeWarning "instruction_size_warning" {}

    /// The title of a conversation in Slack.
    pub struct SlackTagTitle "slack_tag_title" {}

    /// Something changed in version control.
    pub struct VcsStateChanged "vcs_state_changed" {}

    /// What the developer is about to do.
    pub struct DevIntent "dev_intent" {}

    /// A checkpoint was made.
    pub struct CheckpointDone "checkpoint_done" {}
}
