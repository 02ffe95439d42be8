//! Lines that Claude Code's own SDKs know of but that nobody has seen on stdout.

use super::system;

system! {
    /// What came of a turn.
    pub struct PostTurnSummary {
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
    pub struct TaskSummary {
        /// What it says.
        detail: Json,
    }

    /// Something about the session.
    pub struct SessionMetadata {}

    /// How a permission check goes on.
    pub struct PermissionCheckStatus {
        /// How it goes on.
        status: Str,
    }

    /// A message of another session is held back.
    pub struct PeerMessageHold {}

    /// The effort of this turn has changed.
    pub struct PerTurnEffortChanged {}

    /// The instructions are long.
    pub struct InstructionSizeWarning {}

    /// The title of a conversation in Slack.
    pub struct SlackTagTitle {}

    /// Something changed in version control.
    pub struct VcsStateChanged {}

    /// What the developer is about to do.
    pub struct DevIntent {}

    /// A checkpoint was made.
    pub struct CheckpointDone {}
}
