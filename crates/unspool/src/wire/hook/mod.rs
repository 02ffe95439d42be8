//! Hooks: what Claude Code tells them, and what they may say to it.
//!
//! Every input has the same first fields; the macro in this file adds them.

mod around;
mod output;
mod session;
mod tool;

pub use around::*;
pub use output::*;
pub use session::*;
pub use tool::*;

use super::declare::{choice, wire};

/// Declares what a hook is told: as `wire!`, the event being the name.
macro_rules! hook {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $name:ident $event:literal {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident $($wire_name:literal)? : $ty:tt
            ),* $(,)?
        }
    )*) => { $(
        $crate::wire::declare::wire! {
            $(#[doc = $doc])*
            pub struct $name: hook_event_name $event {
                /// The session.
                session_id: Str,
                /// Its transcript on disk.
                transcript_path: Str,
                /// The working directory.
                cwd: Str,
                /// The prompt that is being answered.
                prompt_id: Str,
                /// What may be done without asking.
                permission_mode: (PermissionMode),
                /// The sub-agent it happened in.
                agent_id: Str,
                /// What kind of agent that is.
                agent_type: Str,
                /// How hard the model is to try.
                effort: Effort,
                $(
                    $(#[doc = $field_doc])*
                    $field $($wire_name)? : $ty,
                )*
            }
        }
    )* };
}
use hook;

wire! {
    /// What most hooks are told: enough to say what it is about, whichever hook it is.
    pub struct HookHead {
        /// What happened.
        hook_event_name: Str,
        /// The tool.
        tool_name: Str,
        /// The call.
        tool_use_id: Str,
        /// The sub-agent it happened in.
        agent_id: Str,
    }
}

choice! {
    /// What a hook is told.
    pub enum HookInput as HookEvent by "hook_event_name" {
        "PreToolUse" => PreToolUse,
        "PostToolUse" => PostToolUse,
        "PostToolUseFailure" => PostToolUseFailure,
        "PostToolBatch" => PostToolBatch,
        "Notification" => Notification,
        "UserPromptSubmit" => UserPromptSubmit,
        "UserPromptExpansion" => UserPromptExpansion,
        "SessionStart" => SessionStart,
        "SessionEnd" => SessionEnd,
        "Stop" => Stop,
        "StopFailure" => StopFailure,
        "SubagentStart" => SubagentStart,
        "SubagentStop" => SubagentStop,
        "PreCompact" => PreCompact,
        "PostCompact" => PostCompact,
        "PreModelSwitch" => PreModelSwitch,
        "PostModelSwitch" => PostModelSwitch,
        "PermissionRequest" => PermissionRequest,
        "PermissionDenied" => PermissionDenied,
        "Setup" => Setup,
        "TeammateIdle" => TeammateIdle,
        "TaskCreated" => TaskCreated,
        "TaskCompleted" => TaskCompleted,
        "Elicitation" => Elicitation,
        "ElicitationResult" => ElicitationResult,
        "ConfigChange" => ConfigChange,
        "WorktreeCreate" => WorktreeCreate,
        "WorktreeRemove" => WorktreeRemove,
        "InstructionsLoaded" => InstructionsLoaded,
        "CwdChanged" => CwdChanged,
        "FileChanged" => FileChanged,
        "DirectoryAdded" => DirectoryAdded,
        "MessageDisplay" => MessageDisplay,
    }
}

wire! {
    /// How hard the model is to try.
    pub struct Effort {
        /// In one word.
        level: Str,
    }
}
