//! `system` entries of subtypes that no stream has.

use super::super::SystemKind;
use super::super::declare::{choice, wire};
use super::super::system::{Level, SYSTEM};

/// Declares `system` entries by the subtypes that the list below has for them; most of them have words.
macro_rules! system_entry {
    ($($declared:tt)*) => {
        $crate::wire::declare::family! {
            [(type (crate::wire::system::SYSTEM)) subtype of crate::wire::entry::SystemEntryKind]
            {
                /// The words, where it has any.
                content: Str,
                /// How much it matters.
                level: (Level),
                /// Id of this entry.
                uuid: Str,
                /// The session it belongs to.
                session_id "sessionId": Str,
                /// When the entry was written.
                timestamp: Str,
            }
            $($declared)*
        }
    };
}

choice! {
    /// A `system` entry of a subtype that no stream has.
    pub enum SystemEntry as SystemEntryKind by "subtype" {
        "agents_killed" => AgentsKilled,
        "api_error" => ApiError,
        "away_summary" => AwaySummary,
        "bridge_status" => BridgeStatus,
        "cloud_session_status" => CloudSessionStatus,
        "file_snapshot" => FileSnapshot,
        "local_command" => LocalCommand,
        "memory_saved" => MemorySaved,
        "model_consent_fallback" => ModelConsentFallback,
        "permission_retry" => PermissionRetry,
        "post_tool_hook_feedback" => PostToolHookFeedback,
        "rewind_stand_in" => RewindStandIn,
        "scheduled_task_fire" => ScheduledTaskFire,
        "stop_hook_summary" => StopHookSummary,
        "turn_duration" => TurnDuration,
    }
}

system_entry! {
    /// All agents were stopped.
    pub struct AgentsKilled {}

    /// An API call failed.
    pub struct ApiError {}

    /// What happened while the user was away.
    pub struct AwaySummary {}

    /// Whether a bridge is connected.
    pub struct BridgeStatus {}

    /// How a session elsewhere stands.
    pub struct CloudSessionStatus {}

    /// The state of files.
    pub struct FileSnapshot {}

    /// A local command, or what it printed.
    pub struct LocalCommand {}

    /// Something is remembered from now on.
    pub struct MemorySaved {
        /// The files it stands in.
        written_paths "writtenPaths": [Str],
    }

    /// The user wants another model.
    pub struct ModelConsentFallback {}

    /// A call that was not allowed may be tried again.
    pub struct PermissionRetry {}

    /// What a hook has to say of a call.
    pub struct PostToolHookFeedback {}

    /// It stands for what was taken back.
    pub struct RewindStandIn {}

    /// A task that was planned begins.
    pub struct ScheduledTaskFire {}

    /// What the hooks at the end of a turn did.
    pub struct StopHookSummary {}

    /// How long a turn took.
    pub struct TurnDuration {}
}

wire! {
    /// What was said before this is now a summary: what a transcript says of it in other words than a stream.
    pub struct CompactBoundaryEntry: type (SYSTEM), subtype (SystemKind::CompactBoundary.name()) {
        /// What was done.
        compact_metadata "compactMetadata": EntryCompactMetadata,
    }

    /// How a conversation was compacted, as a transcript has it.
    pub struct EntryCompactMetadata {
        /// Messages that were kept, by their ends.
        preserved_segment "preservedSegment": EntryPreservedSegment,
        /// Messages that were kept, by name.
        preserved_messages "preservedMessages": EntryPreservedMessages,
    }

    /// A run of messages that was kept, as a transcript has it.
    pub struct EntryPreservedSegment {
        /// The first.
        head_uuid "headUuid": Str,
        /// What they now follow.
        anchor_uuid "anchorUuid": Str,
        /// The last.
        tail_uuid "tailUuid": Str,
    }

    /// Messages that were kept, as a transcript has it.
    pub struct EntryPreservedMessages {
        /// What they now follow.
        anchor_uuid "anchorUuid": Str,
        /// The messages.
        uuids: [Str],
    }
}
