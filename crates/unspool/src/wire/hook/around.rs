//! What hooks are told about all else: tasks, settings, files, directories.

use super::super::PermissionMode;
use super::super::ask::ElicitationAction;
use super::{Effort, hook};

hook! {
    /// A project is set up.
    pub struct Setup "Setup" {
        /// `init` or `maintenance`.
        trigger: Str,
    }

    /// A member of a team has nothing to do.
    pub struct TeammateIdle "TeammateIdle" {
        /// Who has nothing to do.
        teammate_name: Str,
        /// The team.
        team_name: Str,
    }

    /// A thing to do was noted.
    pub struct TaskCreated "TaskCreated" {
        /// Its id.
        task_id: Str,
        /// What to do, in short.
        task_subject: Str,
        /// What to do.
        task_description: Str,
        /// Who is to do it.
        teammate_name: Str,
        /// The team.
        team_name: Str,
    }

    /// A thing to do was done.
    pub struct TaskCompleted "TaskCompleted" {
        /// Its id.
        task_id: Str,
        /// What to do, in short.
        task_subject: Str,
        /// What to do.
        task_description: Str,
        /// Who has done it.
        teammate_name: Str,
        /// The team.
        team_name: Str,
    }

    /// An MCP server wants to know something from the user.
    pub struct Elicitation "Elicitation" {
        /// The server.
        mcp_server_name: Str,
        /// What it wants, in words.
        message: Str,
        /// `form` or `url`.
        mode: Str,
        /// The page to go to.
        url: Str,
        /// Its own name for the question.
        elicitation_id: Str,
        /// What it wants, as JSON Schema.
        requested_schema: Json,
    }

    /// The user has answered an MCP server.
    pub struct ElicitationResult "ElicitationResult" {
        /// The server.
        mcp_server_name: Str,
        /// Its own name for the question.
        elicitation_id: Str,
        /// `form` or `url`.
        mode: Str,
        /// Whether the user answered.
        action: (ElicitationAction),
        /// The answer.
        content: Json,
    }

    /// The settings have changed.
    pub struct ConfigChange "ConfigChange" {
        /// Which of them.
        source: Str,
        /// The file.
        file_path: Str,
    }

    /// A worktree is wanted.
    pub struct WorktreeCreate "WorktreeCreate" {
        /// Its name.
        name: Str,
    }

    /// A worktree is no longer wanted.
    pub struct WorktreeRemove "WorktreeRemove" {
        /// Where it is.
        worktree_path: Str,
    }

    /// A file of instructions was read.
    pub struct InstructionsLoaded "InstructionsLoaded" {
        /// The file.
        file_path: Str,
        /// Whose: `User`, `Project`, `Local` or `Managed`.
        memory_type: Str,
        /// Why the file was loaded.
        load_reason: Str,
        /// The files it is for.
        globs: [Str],
        /// The file that made it read.
        trigger_file_path: Str,
        /// The file that includes it.
        parent_file_path: Str,
    }

    /// The working directory has changed.
    pub struct CwdChanged "CwdChanged" {
        /// The directory so far.
        old_cwd: Str,
        /// The directory from now on.
        new_cwd: Str,
    }

    /// A file that is watched has changed.
    pub struct FileChanged "FileChanged" {
        /// The file.
        file_path: Str,
        /// `change`, `add` or `unlink`.
        event: Str,
    }

    /// Another directory may be used.
    pub struct DirectoryAdded "DirectoryAdded" {
        /// The directory.
        directory: Str,
        /// Who asked: `slash_command` or `register_repo_root`.
        source: Str,
    }

    /// A piece of a message is about to be shown.
    pub struct MessageDisplay "MessageDisplay" {
        /// The turn.
        turn_id: Str,
        /// The message.
        message_id: Str,
        /// Which piece.
        index: u64,
        /// The last one.
        is_final "final": bool,
        /// The words.
        delta: Str,
    }
}
