//! Tools that change how the model works: by a plan, in a worktree.

use super::super::declare::{wire, writable};

writable! {
    /// What `EnterPlanMode` is given.
    pub struct EnterPlanModeInput {}

    /// What `ExitPlanMode` is given.
    pub struct ExitPlanModeInput {
        /// What it wants to be allowed.
        allowed_prompts "allowedPrompts": [AllowedPrompt],
        /// The plan.
        plan: Str,
        /// Where the plan is.
        plan_file_path "planFilePath": Str,
    }

    /// Something that a plan wants to be allowed.
    pub struct AllowedPrompt {
        /// The tool.
        tool: Str,
        /// What it is to do, in words.
        prompt: Str,
    }

    /// What `EnterWorktree` is given.
    pub struct EnterWorktreeInput {
        /// The name of a new one.
        name: Str,
        /// Where one is.
        path: Str,
    }

    /// What `ExitWorktree` is given.
    pub struct ExitWorktreeInput {
        /// `keep` or `remove`.
        action: Str,
        /// What is not committed may be lost.
        discard_changes: bool,
    }
}

wire! {
    /// What `EnterPlanMode` answers.
    pub struct EnterPlanModeOutput {
        /// What happened, in words.
        message: Str,
    }

    /// What `ExitPlanMode` answers.
    pub struct ExitPlanModeOutput {
        /// The plan.
        plan: Str,
        /// It is a sub-agent's.
        is_agent "isAgent": bool,
        /// Where the plan is.
        file_path "filePath": Str,
        /// There is a tool to give work to others.
        has_task_tool "hasTaskTool": bool,
        /// The user has changed it.
        plan_was_edited "planWasEdited": bool,
        /// The team's leader is to approve it.
        awaiting_leader_approval "awaitingLeaderApproval": bool,
        /// The request to do so.
        request_id "requestId": Str,
    }

    /// What `EnterWorktree` answers.
    pub struct EnterWorktreeOutput {
        /// Where it is.
        worktree_path "worktreePath": Str,
        /// Its branch.
        worktree_branch "worktreeBranch": Str,
        /// What happened, in words.
        message: Str,
    }

    /// What `ExitWorktree` answers.
    pub struct ExitWorktreeOutput {
        /// `keep` or `remove`.
        action: Str,
        /// Where the model works again.
        original_cwd "originalCwd": Str,
        /// Where the worktree is.
        worktree_path "worktreePath": Str,
        /// Its branch.
        worktree_branch "worktreeBranch": Str,
        /// Its session of tmux.
        tmux_session_name "tmuxSessionName": Str,
        /// How many files were lost.
        discarded_files "discardedFiles": u64,
        /// How many commits were lost.
        discarded_commits "discardedCommits": u64,
        /// What happened, in words.
        message: Str,
    }
}
