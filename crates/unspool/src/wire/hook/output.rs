//! What hooks may say.

use super::super::ask::ElicitationAction;
use super::super::declare::{choice, open, writable};
use super::super::{Behavior, PermissionUpdate};

writable! {
    /// What a hook says. Nothing at all means: no opinion.
    pub struct HookOutput {
        /// The hook goes on by itself; Claude Code does not wait for it.
        run_async "async": bool,
        /// For how long, in milliseconds.
        async_timeout "asyncTimeout": f64,
        /// False: the turn ends.
        carry_on "continue": bool,
        /// What to show then.
        stop_reason "stopReason": Str,
        /// What the hook printed is not shown.
        suppress_output "suppressOutput": bool,
        /// `approve` or `block`.
        decision: Str,
        /// Why it is approved or blocked.
        reason: Str,
        /// Something for the user to see.
        system_message "systemMessage": Str,
        /// A notification for the terminal.
        terminal_sequence "terminalSequence": Str,
        /// What only this event can say.
        specific "hookSpecificOutput": (HookSpecific),
    }
}

choice! {
    /// What a hook can say to one event only.
    pub enum HookSpecific by "hookEventName" {
        "PreToolUse" => PreToolUseOutput,
        "PostToolUse" => PostToolUseOutput,
        "PostToolUseFailure" => PostToolUseFailureOutput,
        "PostToolBatch" => PostToolBatchOutput,
        "Notification" => NotificationOutput,
        "UserPromptSubmit" => UserPromptSubmitOutput,
        "UserPromptExpansion" => UserPromptExpansionOutput,
        "SessionStart" => SessionStartOutput,
        "Stop" => StopOutput,
        "SubagentStart" => SubagentStartOutput,
        "SubagentStop" => SubagentStopOutput,
        "PreModelSwitch" => PreModelSwitchOutput,
        "PostModelSwitch" => PostModelSwitchOutput,
        "PermissionRequest" => PermissionRequestOutput,
        "PermissionDenied" => PermissionDeniedOutput,
        "Setup" => SetupOutput,
        "Elicitation" => ElicitationOutput,
        "ElicitationResult" => ElicitationResultOutput,
        "WorktreeCreate" => WorktreeCreateOutput,
        "CwdChanged" => CwdChangedOutput,
        "FileChanged" => FileChangedOutput,
        "MessageDisplay" => MessageDisplayOutput,
    }
}

writable! {
    /// What to do with a call.
    pub struct PreToolUseOutput: hookEventName "PreToolUse" {
        /// The decision.
        permission_decision "permissionDecision": (HookPermission),
        /// Why it is decided so.
        permission_decision_reason "permissionDecisionReason": Str,
        /// What the tool is given instead.
        updated_input "updatedInput": Json,
        /// What the model should know.
        additional_context "additionalContext": Str,
    }

    /// What to do with an answer.
    pub struct PostToolUseOutput: hookEventName "PostToolUse" {
        /// What the model should know.
        additional_context "additionalContext": Str,
        /// What the model that decides should know.
        classifier_context "classifierContext": Json,
        /// What the tool is taken to have answered.
        updated_tool_output "updatedToolOutput": Json,
        /// What a tool of an MCP server is taken to have answered.
        updated_mcp_tool_output "updatedMCPToolOutput": Json,
    }

    /// What to say about a call.
    pub struct PermissionRequestOutput: hookEventName "PermissionRequest" {
        /// The decision.
        decision: HookDecision,
    }

    /// A hook's decision about a call.
    pub struct HookDecision {
        /// Whether it may be made.
        behavior: (Behavior),
        /// What the tool is given instead.
        updated_input "updatedInput": Json,
        /// What is allowed from now on.
        updated_permissions "updatedPermissions": [PermissionUpdate],
        /// What the model is told.
        message: Str,
        /// The turn ends with it.
        interrupt: bool,
    }

    /// What to do after a denial.
    pub struct PermissionDeniedOutput: hookEventName "PermissionDenied" {
        /// The model may try again.
        retry: bool,
    }

    /// What to do with a prompt.
    pub struct UserPromptSubmitOutput: hookEventName "UserPromptSubmit" {
        /// What the model should know.
        additional_context "additionalContext": Str,
        /// A title for the session.
        session_title "sessionTitle": Str,
        /// The prompt itself is left out.
        suppress_original_prompt "suppressOriginalPrompt": bool,
    }

    /// What to do with a command.
    pub struct UserPromptExpansionOutput: hookEventName "UserPromptExpansion" {
        /// What the model should know.
        additional_context "additionalContext": Str,
        /// The prompt itself is left out.
        suppress_original_prompt "suppressOriginalPrompt": bool,
    }

    /// How to begin a session.
    pub struct SessionStartOutput: hookEventName "SessionStart" {
        /// What the model should know.
        additional_context "additionalContext": Str,
        /// What to ask first.
        initial_user_message "initialUserMessage": Str,
        /// A title for the session.
        session_title "sessionTitle": Str,
        /// Files to watch.
        watch_paths "watchPaths": [Str],
        /// Skills are to be read again.
        reload_skills "reloadSkills": bool,
    }

    /// Whether another model may take over.
    pub struct PreModelSwitchOutput: hookEventName "PreModelSwitch" {
        /// The decision; nobody can be told to defer it.
        permission_decision "permissionDecision": (HookPermission),
        /// Why it is decided so.
        permission_decision_reason "permissionDecisionReason": Str,
    }

    /// An answer in the user's place.
    pub struct ElicitationOutput: hookEventName "Elicitation" {
        /// Whether it is one.
        action: (ElicitationAction),
        /// The answer.
        content: Json,
    }

    /// Another answer than the user's.
    pub struct ElicitationResultOutput: hookEventName "ElicitationResult" {
        /// Whether it is one.
        action: (ElicitationAction),
        /// The answer.
        content: Json,
    }

    /// The worktree that was made.
    pub struct WorktreeCreateOutput: hookEventName "WorktreeCreate" {
        /// Where it is.
        worktree_path "worktreePath": Str,
    }

    /// What to do in another directory.
    pub struct CwdChangedOutput: hookEventName "CwdChanged" {
        /// Files to watch.
        watch_paths "watchPaths": [Str],
    }

    /// What to do about a file.
    pub struct FileChangedOutput: hookEventName "FileChanged" {
        /// Files to watch.
        watch_paths "watchPaths": [Str],
    }

    /// What to show.
    pub struct MessageDisplayOutput: hookEventName "MessageDisplay" {
        /// The words instead.
        display_content "displayContent": Str,
    }

    /// What to say to `PostToolUseFailure`.
    pub struct PostToolUseFailureOutput: hookEventName "PostToolUseFailure" {
        /// What the model should know.
        additional_context "additionalContext": Str,
    }

    /// What to say to `PostToolBatch`.
    pub struct PostToolBatchOutput: hookEventName "PostToolBatch" {
        /// What the model should know.
        additional_context "additionalContext": Str,
    }

    /// What to say to `Notification`.
    pub struct NotificationOutput: hookEventName "Notification" {
        /// What the model should know.
        additional_context "additionalContext": Str,
    }

    /// What to say to `Stop`.
    pub struct StopOutput: hookEventName "Stop" {
        /// What the model should know.
        additional_context "additionalContext": Str,
    }

    /// What to say to `SubagentStart`.
    pub struct SubagentStartOutput: hookEventName "SubagentStart" {
        /// What the model should know.
        additional_context "additionalContext": Str,
    }

    /// What to say to `SubagentStop`.
    pub struct SubagentStopOutput: hookEventName "SubagentStop" {
        /// What the model should know.
        additional_context "additionalContext": Str,
    }

    /// What to say to `PostModelSwitch`.
    pub struct PostModelSwitchOutput: hookEventName "PostModelSwitch" {
        /// What the model should know.
        additional_context "additionalContext": Str,
    }

    /// What to say to `Setup`.
    pub struct SetupOutput: hookEventName "Setup" {
        /// What the model should know.
        additional_context "additionalContext": Str,
    }
}

open! {
    /// What a hook decides about a call, or about another model.
    pub enum HookPermission {
        Allow = "allow",
        Deny = "deny",
        /// Whoever else decides is asked.
        Ask = "ask",
        /// The call is put off until somebody goes on with the session.
        Defer = "defer",
    }
}
