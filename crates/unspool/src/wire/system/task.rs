//! Tasks: sub-agents, background shells, workflows, and what becomes of them.

use super::super::declare::{open, wire};
use super::system;

system! {
    /// A task begins.
    pub struct TaskStarted {
        /// Its id.
        task_id: Str,
        /// This run of it.
        run_id: Str,
        /// The call that started it.
        tool_use_id: Str,
        /// What it does, in words.
        description: Str,
        /// What kind of task.
        task_type: (TaskType),
        /// What kind of sub-agent.
        subagent_type: Str,
        /// It runs in the background.
        is_backgrounded: bool,
        /// How deep it is nested.
        spawn_depth: u64,
        /// The task that started it.
        parent_task_id: Str,
        /// The workflow it runs.
        workflow_name: Str,
        /// What the sub-agent is asked for.
        prompt: Str,
        /// Not for the transcript.
        skip_transcript: bool,
        /// It is not part of the work.
        ambient: bool,
    }

    /// A task goes on.
    pub struct TaskProgress {
        /// The task.
        task_id: Str,
        /// This run of it.
        run_id: Str,
        /// The call that started it.
        tool_use_id: Str,
        /// What it does, in words.
        description: Str,
        /// What kind of sub-agent.
        subagent_type: Str,
        /// What it has used so far.
        usage: TaskUsage,
        /// The tool it used last.
        last_tool_name: Str,
        /// How far it has come.
        summary: Str,
    }

    /// A task has changed; what is not named stays.
    pub struct TaskUpdated {
        /// The task.
        task_id: Str,
        /// This run of it.
        run_id: Str,
        /// What has changed.
        patch: TaskPatch,
    }
}

wire! {
    /// What has changed in a task.
    pub struct TaskPatch {
        /// Where it stands.
        status: (TaskStatus),
        /// What it does, in words.
        description: Str,
        /// When it ended, as epoch milliseconds.
        end_time: f64,
        /// How long it was paused.
        total_paused_ms: f64,
        /// What went wrong.
        error: Str,
        /// It runs in the background.
        is_backgrounded: bool,
    }
}

system! {
    /// A task has ended.
    pub struct TaskNotification {
        /// The task.
        task_id: Str,
        /// This run of it.
        run_id: Str,
        /// The call that started it.
        tool_use_id: Str,
        /// How it ended.
        status: (TaskEnd),
        /// Why, such as `worker_restart`.
        reason: Str,
        /// Where its output is.
        output_file: Str,
        /// What came of it, in words.
        summary: Str,
        /// What it used.
        usage: TaskUsage,
        /// What it made.
        resource_links: [ResourceLink],
        /// Not for the transcript.
        skip_transcript: bool,
        /// It was not part of the work.
        ambient: bool,
    }
}

wire! {
    /// What a task has used.
    pub struct TaskUsage {
        /// Tokens.
        total_tokens: u64,
        /// Calls of tools.
        tool_uses: u64,
        /// Time.
        duration_ms: f64,
    }

    /// Something a task made.
    pub struct ResourceLink {
        /// Where it is.
        uri: Str,
        /// Its name.
        name: Str,
        /// Its name for people.
        title: Str,
        /// What it is.
        description: Str,
        /// What kind of file.
        mime_type "mimeType": Str,
        /// How many bytes.
        size: u64,
        /// Notes of the MCP server.
        annotations: Json,
    }
}

system! {
    /// The tasks that run in the background, all of them.
    pub struct BackgroundTasksChanged {
        /// The tasks.
        tasks: [BackgroundTask],
    }
}

wire! {
    /// A task that runs in the background.
    pub struct BackgroundTask {
        /// Its id.
        task_id: Str,
        /// This run of it.
        run_id: Str,
        /// What kind of task.
        task_type: (TaskType),
        /// What kind of sub-agent.
        subagent_type: Str,
        /// What it does, in words.
        description: Str,
        /// The task that started it.
        parent_task_id: Str,
        /// It is not part of the work.
        ambient: bool,
    }
}

impl TaskUpdated<'_> {
    /// Whether the task has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let status = self.patch.and_then(|patch| patch.read().status);
        matches!(
            status,
            Some(TaskStatus::Completed | TaskStatus::Failed | TaskStatus::Killed | TaskStatus::Stopped)
        )
    }
}

open! {
    /// What kind of task.
    pub enum TaskType {
        LocalAgent = "local_agent",
        LocalBash = "local_bash",
        LocalWorkflow = "local_workflow",
        McpTask = "mcp_task",
        Monitor = "monitor",
    }

    /// Where a task stands.
    pub enum TaskStatus {
        Pending = "pending",
        Running = "running",
        Completed = "completed",
        Failed = "failed",
        Killed = "killed",
        Paused = "paused",
        Stopped = "stopped",
    }

    /// How a task ended.
    pub enum TaskEnd {
        Completed = "completed",
        Failed = "failed",
        Stopped = "stopped",
    }
}
