//! What the session has to say beside the conversation.

use super::super::DecisionReasonType;
use super::super::command::SlashCommand;
use super::super::declare::{open, wire};
use super::system;

system! {
    /// The session works, waits or rests.
    pub struct SessionStateChanged {
        /// Which of them.
        state: (SessionState),
        /// For the host alone.
        sdk_host_only: bool,
    }

    /// A remote worker ends.
    pub struct WorkerShuttingDown {
        /// Why the worker ends.
        reason: Str,
    }

    /// The slash commands, all of them.
    pub struct CommandsChanged {
        /// The commands.
        commands: [SlashCommand],
    }

    /// Something for the user to see.
    pub struct Notification {
        /// What it is about; a later one replaces it.
        key: Str,
        /// The words.
        text: Str,
        /// How urgent it is.
        priority: (NotificationPriority),
        /// In which colour.
        color: Str,
        /// For how long.
        timeout_ms: f64,
    }

    /// Files were saved.
    pub struct FilesPersisted {
        /// The files that were saved.
        files: [PersistedFile],
        /// The files that were not saved.
        failed: [FailedFile],
        /// When they were saved.
        processed_at: Str,
    }
}

wire! {
    /// A file that was saved.
    pub struct PersistedFile {
        /// Its name.
        filename: Str,
        /// Its id.
        file_id: Str,
    }

    /// A file that was not saved.
    pub struct FailedFile {
        /// Its name.
        filename: Str,
        /// Why not.
        error: Str,
    }
}

system! {
    /// Something was remembered.
    pub struct MemoryRecall {
        /// `select` or `synthesize`.
        mode: Str,
        /// What was remembered.
        memories: [Memory],
    }
}

wire! {
    /// Something that was remembered.
    pub struct Memory {
        /// The file it stands in.
        path: Str,
        /// `personal`, `team` or `organization`.
        scope: Str,
        /// What it says.
        content: Str,
    }
}

system! {
    /// The user has done what an MCP server asked for on a web page.
    pub struct ElicitationComplete {
        /// The server.
        mcp_server_name: Str,
        /// Its question.
        elicitation_id: Str,
    }

    /// Claude Code did not allow a call, and asked neither the user nor the host.
    pub struct PermissionDenied {
        /// The tool.
        tool_name: Str,
        /// The call.
        tool_use_id: Str,
        /// The sub-agent that called.
        agent_id: Str,
        /// What decided.
        decision_reason_type: (DecisionReasonType),
        /// Why, in words.
        decision_reason: Str,
        /// What the model is told.
        message: Str,
    }

    /// The transcript could not be mirrored. Made by SDKs, never by Claude Code.
    pub struct MirrorError {
        /// What went wrong.
        error: Str,
        /// Which transcript.
        key: MirrorKey,
    }
}

wire! {
    /// A transcript.
    pub struct MirrorKey {
        /// The project.
        project_key "projectKey": Str,
        /// The session.
        session_id "sessionId": Str,
        /// The file in it.
        subpath: Str,
    }
}

system! {
    /// Something worth knowing.
    pub struct Informational {
        /// The words.
        content: Str,
        /// How much it matters.
        level: (Level),
        /// The call it is about.
        tool_use_id: Str,
        /// The turn ends with it.
        prevent_continuation: bool,
        /// What it is about, for programs.
        tag: Str,
        /// What became of the prompt.
        prompt_submit_outcome: PromptSubmitOutcome,
    }
}

wire! {
    /// What became of a prompt.
    pub struct PromptSubmitOutcome {
        /// In one word.
        kind: Str,
        /// Whether it stays in the conversation.
        prompt_kept: bool,
        /// Why it came to that.
        reason: Str,
    }
}

system! {
    /// The disk was full, and something was not written.
    pub struct SessionWritesLost {
        /// `ENOSPC` or `EDQUOT`.
        error_code: Str,
        /// What: `transcript` or `global_config`.
        lost: [Str],
        /// The sessions whose transcripts are not whole.
        transcript_session_ids: [Str],
    }

    /// The session has another title.
    pub struct SessionTitleChanged {
        /// The title.
        title: Str,
    }

    /// Something should be drawn again.
    pub struct UiInvalidate {
        /// What should be drawn again.
        event: Str,
    }

    /// A local command has printed something.
    pub struct LocalCommandOutput {
        /// What it printed.
        content: Str,
    }
}

open! {
    /// Whether a session works.
    pub enum SessionState {
        Idle = "idle",
        Running = "running",
        RequiresAction = "requires_action",
    }

    /// How urgent a notification is.
    pub enum NotificationPriority {
        Low = "low",
        Medium = "medium",
        High = "high",
        Immediate = "immediate",
    }

    /// How much something matters.
    pub enum Level {
        Info = "info",
        Notice = "notice",
        Suggestion = "suggestion",
        Warning = "warning",
        Error = "error",
    }
}
