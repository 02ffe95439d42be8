//! Entries: the lines of a transcript, which is what Claude Code keeps of a session on disk.
//!
//! What was said stands in them as on the wire; [`EntryHead`] has what is around it. [`Entry`] is whatever else a transcript notes,
//! and `system` entries of the subtypes that streams have, too, are [`System`](super::System) lines.

mod head;
mod noted;
mod system;

pub use head::*;
pub use noted::*;
pub use system::*;

use super::declare::choice;
use crate::json::Json;

/// Declares entries by the names that the list below has for them.
macro_rules! entry {
    ($($declared:tt)*) => {
        $crate::wire::declare::family! {
            [type of crate::wire::EntryKind]
            {
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
use entry;

choice! {
    /// An entry beside the conversation: all types that 2.1.325 lists for itself, and what older versions had.
    pub enum Entry as EntryKind by "type" {
        "agent-color" => AgentColor,
        "agent-name" => AgentName,
        "agent-setting" => AgentSetting,
        "agent_metadata" => AgentMetadata,
        "ai-title" => AiTitle,
        "api-request" => ApiRequest,
        "api-request-blob" => ApiRequestBlob,
        "api-request-shape" => ApiRequestShape,
        "artifact-autoreact-ledger" => ArtifactAutoreactLedger,
        "artifact-comment-monitor" => ArtifactCommentMonitor,
        "atis-latch" => AtisLatch,
        "attachment" => Attachment,
        "attribution-snapshot" => AttributionSnapshot,
        "bridge-session" => BridgeSession,
        "content-replacement" => ContentReplacement,
        "continued-in" => ContinuedIn,
        "cost-state" => CostState,
        "custom-title" => CustomTitle,
        "data-flow-incomplete" => DataFlowIncomplete,
        "data-flow-records" => DataFlowRecords,
        "derived-from" => DerivedFrom,
        "dev-mods" => DevMods,
        "ended-by-model" => EndedByModel,
        "file-history-delta" => FileHistoryDelta,
        "file-history-snapshot" => FileHistorySnapshot,
        "fork-context-ref" => ForkContextRef,
        "frame-link" => FrameLink,
        "history-suppression" => HistorySuppression,
        "isolation-latch" => IsolationLatch,
        "last-prompt" => LastPrompt,
        "memory-mode" => MemoryMode,
        "mode" => Mode,
        "observer-ref" => ObserverRef,
        "permission-mode" => PermissionModeSet,
        "pr-link" => PrLink,
        "progress" => Progress,
        "queue-operation" => QueueOperation,
        "relocated" => Relocated,
        "repl-mode" => ReplMode,
        "resume-head-vouch" => ResumeHeadVouch,
        "session-owner" => SessionOwner,
        "summary" => Summary,
        "tag" => Tag,
        "tools-used" => ToolsUsed,
        "worktree-state" => WorktreeState,
        ;
        /// `system`, of a subtype that no stream has.
        System(SystemEntry),
    }
}

impl<'a> Entry<'a> {
    /// Reads an entry by the name that an event has for it: its type, or of a `system` entry its subtype. `None` if it is not
    /// listed.
    pub(crate) fn named(name: &str, json: Json<'a>) -> Option<Self> {
        let noted = EntryKind::of(name).map(|kind| Entry::of_kind(kind, json));
        noted.or_else(|| Some(Entry::System(SystemEntry::of_kind(SystemEntryKind::of(name)?, json))))
    }
}
