//! What hooks are told about prompts, sessions, stops and models.

use super::super::declare::wire;
use super::super::{AssistantError, PermissionMode};
use super::{Effort, hook};

hook! {
    /// The user is told something.
    pub struct Notification "Notification" {
        /// The words.
        message: Str,
        /// Their title.
        title: Str,
        /// What it is about.
        notification_type: Str,
    }

    /// A prompt is about to be answered.
    pub struct UserPromptSubmit "UserPromptSubmit" {
        /// The prompt.
        prompt: Str,
        /// Who sent it: `user`, `sdk`, `system` or a timer.
        source: Str,
        /// The session's title.
        session_title: Str,
    }

    /// A command becomes a prompt.
    pub struct UserPromptExpansion "UserPromptExpansion" {
        /// `slash_command` or `mcp_prompt`.
        expansion_type: Str,
        /// The command.
        command_name: Str,
        /// What stood behind it.
        command_args: Str,
        /// Where it is defined.
        command_source: Str,
        /// The prompt.
        prompt: Str,
    }

    /// A session begins.
    pub struct SessionStart "SessionStart" {
        /// How: `startup`, `resume`, `clear`, `compact` or `fork`.
        source: Str,
        /// The model.
        model: Str,
        /// The session's title.
        session_title: Str,
        /// How long it rested.
        seconds_since_last_response: f64,
        /// What is in the context.
        context_tokens: u64,
        /// The cache is likely to be gone.
        prompt_cache_likely_expired: bool,
        /// What it may cost to fill it again.
        estimated_cache_write_usd: f64,
    }

    /// A session ends.
    pub struct SessionEnd "SessionEnd" {
        /// Why: `clear`, `resume`, `logout`, `prompt_input_exit` or `other`.
        reason: Str,
    }

    /// The main agent is about to stop.
    pub struct Stop "Stop" {
        /// It goes on because of a stop hook already.
        stop_hook_active: bool,
        /// What it said last.
        last_assistant_message: Str,
        /// What still runs.
        background_tasks: [HookTask],
        /// What is still to come.
        session_crons: [SessionCron],
    }
}

wire! {
    /// A task in the background.
    pub struct HookTask {
        /// Its id.
        id: Str,
        /// What kind: `shell`, `subagent`, `monitor`, `workflow` and others.
        kind "type": Str,
        /// Where it stands.
        status: Str,
        /// What it does, in words.
        description: Str,
        /// The command it runs.
        command: Str,
        /// What kind of sub-agent.
        agent_type: Str,
        /// The MCP server it waits for.
        server: Str,
        /// The tool it runs.
        tool: Str,
        /// Its name.
        name: Str,
    }

    /// Something that is to happen later.
    pub struct SessionCron {
        /// Its id.
        id: Str,
        /// When it is to happen.
        schedule: Str,
        /// Whether again and again.
        recurring: bool,
        /// What is then asked.
        prompt: Str,
    }
}

hook! {
    /// The main agent stops because the API failed.
    pub struct StopFailure "StopFailure" {
        /// What went wrong.
        error: (AssistantError),
        /// What went wrong, in words.
        error_details: Str,
        /// What it said last.
        last_assistant_message: Str,
    }

    /// A sub-agent begins.
    pub struct SubagentStart "SubagentStart" {}

    /// A sub-agent is about to stop.
    pub struct SubagentStop "SubagentStop" {
        /// It goes on because of a stop hook already.
        stop_hook_active: bool,
        /// Its transcript on disk.
        agent_transcript_path: Str,
        /// What it said last.
        last_assistant_message: Str,
        /// What still runs.
        background_tasks: [HookTask],
        /// What is still to come.
        session_crons: [SessionCron],
    }

    /// The conversation is about to be compacted.
    pub struct PreCompact "PreCompact" {
        /// `manual` or `auto`.
        trigger: Str,
        /// What the summary should keep.
        custom_instructions: Str,
    }

    /// The conversation was compacted.
    pub struct PostCompact "PostCompact" {
        /// `manual` or `auto`.
        trigger: Str,
        /// The summary.
        compact_summary: Str,
    }

    /// Another model is about to take over.
    pub struct PreModelSwitch "PreModelSwitch" {
        /// The model so far.
        from_model: Str,
        /// The model from now on.
        to_model: Str,
        /// The model as it was asked for.
        requested_model: Str,
        /// Who asked: `command`, `picker` or `sdk`.
        source: Str,
        /// What is in the context.
        context_tokens: u64,
        /// The cache of the old model is lost with it.
        prompt_cache_warm: bool,
        /// How long the cache lives: `5m` or `1h`.
        cache_ttl: Str,
        /// What it may cost to fill it again.
        estimated_cache_write_usd: f64,
        /// Where that price comes from.
        pricing: Str,
    }

    /// Another model has taken over.
    pub struct PostModelSwitch "PostModelSwitch" {
        /// The model so far.
        from_model: Str,
        /// The model from now on.
        to_model: Str,
        /// The model as it was asked for.
        requested_model: Str,
        /// Who asked: `command`, `picker`, `sdk`, `auto` or `resume`.
        source: Str,
        /// What is in the context.
        context_tokens: u64,
        /// The cache of the old model is lost with it.
        prompt_cache_warm: bool,
        /// How long the cache lives: `5m` or `1h`.
        cache_ttl: Str,
        /// What it may cost to fill it again.
        estimated_cache_write_usd: f64,
        /// Where that price comes from.
        pricing: Str,
    }
}
