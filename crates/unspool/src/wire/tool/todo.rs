//! Tools that keep a list of what is to be done.

use super::super::declare::{open, wire, writable};

writable! {
    /// What `TodoWrite` is given.
    pub struct TodoWriteInput {
        /// The whole list.
        todos: [Todo],
    }

    /// Something that is to be done.
    pub struct Todo {
        /// What it is.
        content: Str,
        /// How far it is.
        status: (TodoStatus),
        /// What it is called while it is done.
        active_form "activeForm": Str,
    }

    /// What `TaskCreate` is given.
    pub struct TaskCreateInput {
        /// What it is, in a few words.
        subject: Str,
        /// What it is.
        description: Str,
        /// What it is called while it is done.
        active_form "activeForm": Str,
        /// What else is known.
        metadata: Json,
    }

    /// What `TaskGet` is given.
    pub struct TaskGetInput {
        /// Which one.
        task_id "taskId": Str,
    }

    /// What `TaskList` is given.
    pub struct TaskListInput {}

    /// What `TaskUpdate` is given.
    pub struct TaskUpdateInput {
        /// Which one.
        task_id "taskId": Str,
        /// What it is, in a few words.
        subject: Str,
        /// What it is.
        description: Str,
        /// What it is called while it is done.
        active_form "activeForm": Str,
        /// How far it is.
        status: (TodoStatus),
        /// The tasks that wait for it.
        add_blocks "addBlocks": [Str],
        /// The tasks that it waits for.
        add_blocked_by "addBlockedBy": [Str],
        /// Who does it.
        owner: Str,
        /// What else is known.
        metadata: Json,
    }
}

wire! {
    /// What `TodoWrite` answers.
    pub struct TodoWriteOutput {
        /// The list as it was.
        old_todos "oldTodos": [Todo],
        /// The list as it is.
        new_todos "newTodos": [Todo],
        /// The model is to check what it did.
        verification_nudge_needed "verificationNudgeNeeded": bool,
    }

    /// What `TaskCreate` answers.
    pub struct TaskCreateOutput {
        /// What is to be done.
        task: ListedTask,
    }

    /// What `TaskGet` answers.
    pub struct TaskGetOutput {
        /// What is to be done; none if it is not listed.
        task: ListedTask,
    }

    /// What `TaskList` answers.
    pub struct TaskListOutput {
        /// All that is to be done.
        tasks: [ListedTask],
    }

    /// Something that is to be done, as it is listed.
    pub struct ListedTask {
        /// Which one it is.
        id: Str,
        /// What it is, in a few words.
        subject: Str,
        /// What it is.
        description: Str,
        /// How far it is.
        status: (TodoStatus),
        /// Who does it.
        owner: Str,
        /// The tasks that wait for it.
        blocks: [Str],
        /// The tasks that it waits for.
        blocked_by "blockedBy": [Str],
    }

    /// What `TaskUpdate` answers.
    pub struct TaskUpdateOutput {
        /// It was done.
        success: bool,
        /// Which one.
        task_id "taskId": Str,
        /// What has changed.
        updated_fields "updatedFields": [Str],
        /// What went wrong.
        error: Str,
        /// How far it is.
        status_change "statusChange": StatusChange,
    }

    /// How far something was, and is.
    pub struct StatusChange {
        /// How far it was.
        from: (TodoStatus),
        /// How far it is.
        to: (TodoStatus),
    }
}

open! {
    /// How far something is that is to be done.
    pub enum TodoStatus {
        Pending = "pending",
        InProgress = "in_progress",
        Completed = "completed",
        /// It is to be taken off the list.
        Deleted = "deleted",
    }
}
