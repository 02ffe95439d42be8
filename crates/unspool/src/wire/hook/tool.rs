//! What hooks are told about calls of tools.

use super::super::ask::McpOrigin;
use super::super::declare::wire;
use super::super::{PermissionMode, PermissionUpdate};
use super::{Effort, hook};

hook! {
    /// A tool is about to be called.
    pub struct PreToolUse "PreToolUse" {
        /// The tool.
        tool_name: Str,
        /// What it is to be given.
        tool_input: Json,
        /// The call.
        tool_use_id: Str,
        /// The tool's server.
        mcp_server: McpOrigin,
    }

    /// A tool has answered.
    pub struct PostToolUse "PostToolUse" {
        /// The tool.
        tool_name: Str,
        /// What it was given.
        tool_input: Json,
        /// What it answered.
        tool_response: Json,
        /// The call.
        tool_use_id: Str,
        /// How long it took.
        duration_ms: f64,
        /// The tool's server.
        mcp_server: McpOrigin,
    }

    /// A tool has failed.
    pub struct PostToolUseFailure "PostToolUseFailure" {
        /// The tool.
        tool_name: Str,
        /// What it was given.
        tool_input: Json,
        /// The call.
        tool_use_id: Str,
        /// What went wrong.
        error: Str,
        /// It was interrupted.
        is_interrupt: bool,
        /// How long it took.
        duration_ms: f64,
        /// The tool's server.
        mcp_server: McpOrigin,
    }

    /// All tools that were called together have answered.
    pub struct PostToolBatch "PostToolBatch" {
        /// The calls.
        tool_calls: [BatchedCall],
    }
}

wire! {
    /// One call of a batch.
    pub struct BatchedCall {
        /// The tool.
        tool_name: Str,
        /// What it was given.
        tool_input: Json,
        /// The call.
        tool_use_id: Str,
        /// What it answered.
        tool_response: Json,
    }
}

hook! {
    /// Claude Code is about to ask the user or the host about a call.
    pub struct PermissionRequest "PermissionRequest" {
        /// The tool.
        tool_name: Str,
        /// What it is to be given.
        tool_input: Json,
        /// What to change so that Claude Code does not ask again.
        permission_suggestions: [PermissionUpdate],
        /// The tool's server.
        mcp_server: McpOrigin,
    }

    /// A call was not allowed.
    pub struct PermissionDenied "PermissionDenied" {
        /// The tool.
        tool_name: Str,
        /// What it was to be given.
        tool_input: Json,
        /// The call.
        tool_use_id: Str,
        /// Why it was not allowed.
        reason: Str,
        /// The tool's server.
        mcp_server: McpOrigin,
    }
}
