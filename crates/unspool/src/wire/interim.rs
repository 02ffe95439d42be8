//! interim
use super::declare::wire;
use super::{ModelUsage, Origin, StopReason, Usage};
wire! {
    /// x
    pub struct ResultLine: type "result" {
        /// x
        subtype: Str,
        /// x
        is_error: bool,
        /// x
        result: Json,
        /// x
        total_cost_usd: f64,
        /// x
        cost_usd: f64,
        /// x
        total_cost: f64,
        /// x
        usage: Usage,
        /// x
        model_usage "modelUsage": {ModelUsage},
        /// x
        model_usage_since_last_result: {ModelUsage},
        /// x
        duration_ms: f64,
        /// x
        permission_denials: [Json],
        /// x
        stop_reason: (StopReason),
        /// x
        terminal_reason: Str,
        /// x
        errors: [Str],
        /// x
        startup_failure_reason: Str,
        /// x
        structured_output: Json,
        /// x
        origin: Origin,
        /// x
        local_command: Json,
        /// x
        user_message_uuid: Str,
        /// x
        user_message_uuids: [Str],
        /// x
        api_error_status: u64,
        /// x
        turn_start_resume_kind: Str,
        /// x
        resume_reason: Str,
        /// x
        uuid: Str,
        /// x
        session_id: Str,
    }
    /// x
    pub struct Init: type "system", subtype "init" {
        /// x
        model: Str,
        /// x
        cwd: Str,
        /// x
        tools: [Str],
        /// x
        mcp_servers: [Json],
        /// x
        mcp_servers_old "mcpServers": [Json],
        /// x
        permission_mode "permissionMode": Str,
        /// x
        claude_code_version: Str,
        /// x
        user_message_uuids: [Str],
        /// x
        uuid: Str,
        /// x
        session_id: Str,
    }
    /// x
    pub struct TaskLine: type "system" {
        /// x
        subtype: Str,
        /// x
        task_id: Str,
        /// x
        tool_use_id: Str,
        /// x
        description: Str,
        /// x
        subagent_type: Str,
        /// x
        is_backgrounded: bool,
        /// x
        parent_task_id: Str,
        /// x
        task_type: Str,
        /// x
        prompt: Str,
        /// x
        status: Str,
        /// x
        usage: TaskUsage,
        /// x
        patch: Json,
        /// x
        uuid: Str,
        /// x
        session_id: Str,
    }
    /// x
    pub struct TaskUsage {
        /// x
        total_tokens: u64,
        /// x
        tool_uses: u64,
        /// x
        duration_ms: f64,
    }
}
