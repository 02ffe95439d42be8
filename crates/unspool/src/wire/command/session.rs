//! Commands about the running session: interrupt, model, mode, tasks, files.

use super::super::PermissionMode;
use super::super::declare::{wire, writable};

writable! {
    /// Stop the running turn.
    pub struct Interrupt: subtype "interrupt" {
        /// The messages that wait are dropped too.
        cancel_queued: bool,
    }
}

wire! {
    /// What became of the messages that waited.
    pub struct InterruptReply {
        /// The messages that will still be answered.
        still_queued: [Str],
        /// The messages that were dropped.
        cancelled: [Str],
    }
}

writable! {
    /// Changes the permission mode.
    pub struct SetPermissionMode: subtype "set_permission_mode" {
        /// The mode.
        mode: (PermissionMode),
    }
}

wire! {
    /// The mode in force.
    pub struct SetPermissionModeReply {
        /// The mode.
        mode: (PermissionMode),
    }
}

writable! {
    /// Changes the model.
    pub struct SetModel: subtype "set_model" {
        /// The model; none or `default` for the usual one.
        model: Str,
        /// Only if this one is in use.
        only_if_model_is_current: Json,
    }
}

wire! {
    /// The model in use.
    pub struct SetModelReply {
        /// Its full name.
        model: Str,
    }
}

writable! {
    /// How much the model may think.
    pub struct SetMaxThinkingTokens: subtype "set_max_thinking_tokens" {
        /// At most so many tokens.
        max_thinking_tokens: u64,
        /// How it is shown: `summarized`, `omitted` or `highlights`.
        thinking_display: Str,
    }

    /// Changes the title of a session.
    pub struct RenameSession: subtype "rename_session" {
        /// The title.
        title: Str,
        /// Who wants it: `remote` or `host`.
        source: Str,
        /// The session.
        session_id: Str,
    }

    /// Changes the colour of the session; refused on stdio.
    pub struct SetColor: subtype "set_color" {
        /// The colour.
        color: Str,
    }

    /// Drop a message that waits.
    pub struct CancelAsyncMessage: subtype "cancel_async_message" {
        /// The message.
        message_uuid: Str,
    }
}

wire! {
    /// Whether it was dropped.
    pub struct CancelAsyncMessageReply {
        /// Whether it was.
        cancelled: bool,
    }
}

writable! {
    /// Tells Claude Code whether anybody looks on.
    pub struct SetHasSubscribers: subtype "set_has_subscribers" {
        /// Whether anybody does.
        has_subscribers: bool,
    }

    /// Stop a task.
    pub struct StopTask: subtype "stop_task" {
        /// The task.
        task_id: Str,
    }

    /// Go on in the background.
    pub struct BackgroundTasks: subtype "background_tasks" {
        /// The call; all if absent.
        tool_use_id: Str,
    }
}

wire! {
    /// Whether it does.
    pub struct BackgroundTasksReply {
        /// What went to the background.
        backgrounded: Json,
    }
}

writable! {
    /// What a task has printed.
    pub struct GetTaskOutput: subtype "get_task_output" {
        /// The task.
        task_id: Str,
    }
}

wire! {
    /// What a task has printed.
    pub struct GetTaskOutputReply {
        /// The end of it.
        output: Str,
        /// How much there is.
        total_bytes: u64,
        /// Whether the beginning is missing.
        truncated: bool,
    }
}

writable! {
    /// Put files back as they were.
    pub struct RewindFiles: subtype "rewind_files" {
        /// As they were at this message.
        user_message_id: Str,
        /// Only say what would be done.
        dry_run: bool,
    }
}

wire! {
    /// What was or would be done.
    pub struct RewindFilesReply {
        /// Whether it can.
        can_rewind "canRewind": bool,
        /// Why not.
        error: Str,
        /// The files.
        files_changed "filesChanged": [Str],
        /// Lines that come back.
        insertions: u64,
        /// Lines that go.
        deletions: u64,
        /// Links that are left alone.
        skipped_links "skippedLinks": Json,
    }
}

writable! {
    /// What a file says.
    pub struct ReadFile: subtype "read_file" {
        /// The file.
        path: Str,
        /// At most so much of it.
        max_bytes: u64,
        /// `utf-8` or `base64`.
        encoding: Str,
        /// What the path is relative to.
        anchor: Json,
        /// From here on.
        offset: u64,
        /// Not for the record.
        live_reply "liveReply": bool,
    }
}

wire! {
    /// What a file says.
    pub struct ReadFileReply {
        /// The text.
        contents: Str,
        /// Where the file is.
        abs_path "absPath": Str,
        /// The path as it was asked for.
        requested_path: Str,
        /// Whether the end is missing.
        truncated: bool,
        /// How the text is to be read.
        encoding: Str,
        /// Whether bytes were replaced.
        lossy: bool,
    }
}

writable! {
    /// We have read a file already.
    pub struct SeedReadState: subtype "seed_read_state" {
        /// The file.
        path: Str,
        /// When it was changed, as epoch milliseconds.
        mtime: f64,
    }

    /// A repository inside the working directory.
    pub struct RegisterRepoRoot: subtype "register_repo_root" {
        /// Where it is.
        directory: Str,
        /// Its instructions are to be read.
        reload_claude_md: bool,
        /// Its plugins are to be loaded.
        reload_plugins: bool,
        /// Its skills are to be loaded.
        reload_skills: bool,
    }

    /// Files whose names are like this.
    pub struct FileSuggestions: subtype "file_suggestions" {
        /// The beginning of a name.
        query: Str,
    }
}

wire! {
    /// The files.
    pub struct FileSuggestionsReply {
        /// The files.
        suggestions: [Json],
        /// The directory they are in.
        cwd: Str,
    }
}

writable! {
    /// Changes the working directory.
    pub struct SetCwd: subtype "set_cwd" {
        /// The directory.
        path: Str,
        /// The user trusts it.
        trust_accepted: bool,
        /// What exactly is trusted.
        trusted_directory: Str,
    }
}

wire! {
    /// The directory in force.
    pub struct SetCwdReply {
        /// What was done.
        status: Str,
        /// The directory.
        cwd: Str,
        /// Where nothing was done because the user has not said that it is trusted: what to trust, as the request then
        /// has to name it.
        directory: Str,
        /// Whether it is another one.
        changed: bool,
        /// Whether the transcript has moved too.
        transcript_relocated: bool,
    }
}

writable! {
    /// Take a process that was started in advance.
    pub struct ClaimSession: subtype "claim_session" {
        /// The working directory.
        cwd: Str,
        /// What may be done without asking.
        permission_mode: (PermissionMode),
        /// Environment variables.
        env: {Str},
        /// Other directories that may be used.
        additional_directories: [Str],
        /// Stands behind the built-in prompt.
        append_system_prompt: Str,
        /// The session's title.
        title: Str,
        /// Kinds of sub-agents.
        agents: Json,
        /// Whether the directory is trusted.
        workspace_trust: Json,
        /// MCP servers that run with us.
        sdk_mcp_servers: Json,
        /// Reply as to `initialize` too.
        include_initialize: bool,
    }
}

wire! {
    /// The session that was taken.
    pub struct ClaimSessionReply {
        /// The working directory.
        cwd: Str,
        /// The session.
        session_id: Str,
        /// How long it had waited.
        parked_ms: f64,
        /// Whether our MCP servers are connected.
        sdk_mcp_settled: Json,
        /// The reply to `initialize`.
        initialize: Json,
    }
}

writable! {
    /// End the process.
    pub struct EndSession: subtype "end_session" {
        /// Why the process is to end.
        reason: Str,
    }
}
