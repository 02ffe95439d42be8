//! `initialize`: what we bring along, and what Claude Code has.

use super::super::declare::{wire, writable};
use super::super::{FastModeDisabledReason, FastModeState, PermissionMode};

writable! {
    /// What we bring along. Everything is optional, the request itself too.
    pub struct Initialize: subtype "initialize" {
        /// What we want to be told of, by event.
        hooks: {[HookMatcher]},
        /// MCP servers that run with us.
        sdk_mcp_servers "sdkMcpServers": [Str],
        /// Their settings.
        sdk_mcp_server_configs "sdkMcpServerConfigs": {SdkMcpServerConfig},
        /// What they would answer to the first questions.
        sdk_mcp_server_manifests "sdkMcpServerManifests": {SdkMcpServerManifest},
        /// `host_per_send`; remote transports only.
        sdk_mcp_server_manifests_origin "sdkMcpServerManifestsOrigin": Str,
        /// What the output has to look like.
        json_schema "jsonSchema": Json,
        /// Takes the place of the built-in prompt; one empty text leaves none.
        system_prompt "systemPrompt": [Str],
        /// Stands behind the built-in prompt.
        append_system_prompt "appendSystemPrompt": Str,
        /// Stands behind the prompt of sub-agents.
        append_subagent_system_prompt "appendSubagentSystemPrompt": Str,
        /// Whether the prompt is kept as it is now.
        system_prompt_snapshot "systemPromptSnapshot": bool,
        /// What to do in plan mode.
        plan_mode_instructions "planModeInstructions": Str,
        /// Other names for tools.
        tool_aliases "toolAliases": {Str},
        /// Leaves out what changes from turn to turn.
        exclude_dynamic_sections "excludeDynamicSections": bool,
        /// Kinds of sub-agents.
        agents: {AgentDefinition},
        /// The title of a new session.
        title: Str,
        /// The skills of the main agent.
        skills: [Str],
        /// Suggest prompts.
        prompt_suggestions "promptSuggestions": bool,
        /// Say how far sub-agents have come.
        agent_progress_summaries "agentProgressSummaries": bool,
        /// Tell what sub-agents say.
        forward_subagent_text "forwardSubagentText": bool,
        /// Tell what their sub-agents call.
        forward_nested_subagent_tool_calls "forwardNestedSubagentToolCalls": bool,
        /// The dialogs that we can show.
        supported_dialog_kinds "supportedDialogKinds": [Str],
        /// An interrupt spares sub-agents in the background.
        per_task_stop_affordance "perTaskStopAffordance": bool,
        /// Plugins to load.
        plugins: [LocalPlugin],
        /// MCP tools that run code.
        code_running_mcp_tools "codeRunningMcpTools": Json,
        /// MCP servers that web search may share with.
        web_search_isolation_exempt_mcp_servers "webSearchIsolationExemptMcpServers": Json,
        /// Whether a quick second prompt cuts off the first.
        rapid_followup_preempt "rapidFollowupPreempt": Json,
        /// Whether the directory is trusted.
        workspace_trust "workspaceTrust": Json,
        /// Settings that the user cannot change.
        managed_settings "managedSettings": Json,
    }

    /// What we want to be told of.
    pub struct HookMatcher {
        /// Which tools, as in settings files.
        matcher: Str,
        /// The ids by which we know it.
        hook_callback_ids "hookCallbackIds": [Str],
        /// How long we may take, in seconds.
        timeout: f64,
        /// What to do if we fail: `continue` or `block`.
        on_failure "onFailure": Str,
    }

    /// Settings of an MCP server that runs with us.
    pub struct SdkMcpServerConfig {
        /// How long it may take, in milliseconds.
        timeout: f64,
        /// What its tools may do.
        tools: [ToolPolicy],
        /// Its calls stay in the foreground.
        disable_auto_background "disableAutoBackground": bool,
        /// The connector it stands for.
        connector_id "connectorId": Str,
        /// Its tools that decide in auto mode.
        auto_mode_verdict_tools "autoModeVerdictTools": Json,
        /// Whether data flows through it.
        data_flow_server "dataFlowServer": Json,
    }

    /// What a tool may do.
    pub struct ToolPolicy {
        /// The tool.
        name: Str,
        /// `always_allow`, `always_ask` or `always_deny`.
        permission_policy: Str,
        /// The most that the organisation allows: `allow`, `ask` or `blocked`.
        org_max_permission: Str,
    }

    /// What an MCP server would answer to the first questions.
    pub struct SdkMcpServerManifest {
        /// To `initialize`.
        initialize_result "initializeResult": Json,
        /// To `tools/list`.
        tools_list_result "toolsListResult": Json,
    }

    /// A plugin to load.
    pub struct LocalPlugin {
        /// `local`.
        kind "type": Str,
        /// Where it is.
        path: Str,
        /// Its MCP servers are left out.
        skip_mcp_discovery "skipMcpDiscovery": bool,
    }

    /// A kind of sub-agent.
    pub struct AgentDefinition {
        /// What it is good for.
        description: Str,
        /// Its prompt.
        prompt: Str,
        /// The tools it may use.
        tools: [Str],
        /// The tools it may not use.
        disallowed_tools "disallowedTools": [Str],
        /// Its model, or `inherit`.
        model: Str,
        /// Its MCP servers.
        mcp_servers "mcpServers": Json,
        /// Its skills.
        skills: [Str],
        /// What it is asked first.
        initial_prompt "initialPrompt": Str,
        /// Most round trips to the model.
        max_turns "maxTurns": u64,
        /// Tokens at which it is compacted.
        auto_compact_window "autoCompactWindow": u64,
        /// It runs in the background.
        background: bool,
        /// Instructions in files are left out.
        omit_claude_md "omitClaudeMd": bool,
        /// Whose memory it has: `user`, `project` or `local`.
        memory: Str,
        /// How hard it is to try: a word or a number.
        effort: Json,
        /// What it may do without asking.
        permission_mode "permissionMode": (PermissionMode),
        /// Who watches it.
        observer: Json,
        /// What the observer is told.
        observer_message "observerMessage": Str,
        /// What it is to be reminded of.
        critical_system_reminder "criticalSystemReminder_EXPERIMENTAL": Str,
    }
}

wire! {
    /// What Claude Code has.
    pub struct InitializeReply {
        /// The slash commands.
        commands: [SlashCommand],
        /// The kinds of sub-agents.
        agents: [AgentInfo],
        /// The models.
        models: [ModelInfo],
        /// Who pays.
        account: Account,
        /// The style of output.
        output_style: Str,
        /// The styles there are.
        available_output_styles: [Str],
        /// Our hooks are in place.
        hooks_applied: bool,
        /// `onFailure` has an effect.
        hook_on_failure_supported: bool,
        /// Our plugins are in place.
        plugins_applied: Json,
        /// What became of each manifest.
        sdk_mcp_manifests_parked: {Str},
        /// The version of Claude Code.
        claude_code_version: Str,
        /// Whether fast mode is on.
        fast_mode_state: (FastModeState),
        /// Why it is not.
        fast_mode_disabled_reason: (FastModeDisabledReason),
        /// Where the user's styles are.
        user_output_styles_dir: Str,
        /// The process.
        pid: u64,
        /// What may be done without asking.
        current_permission_mode: (PermissionMode),
        /// A hook that asks counts more than we do.
        other_hook_ask_outranks_host: bool,
        /// How feedback is given.
        feedback_mode: FeedbackMode,
        /// No analytics are sent.
        analytics_disabled: bool,
        /// Remote control begins by itself.
        remote_control_auto_enable: bool,
        /// Whether it does so unless told otherwise.
        remote_control_auto_connect_default: bool,
        /// Remote control can be used.
        remote_control_available: bool,
        /// It is on unless told otherwise.
        remote_control_auto_on_by_default: bool,
        /// Editors may begin remote control.
        ide_rc_auto_enable_gate: bool,
        /// Whether the session works.
        session_state: Str,
        /// What this version of the protocol can do.
        capabilities: [Str],
        /// The settings that cannot be changed are in place.
        managed_settings_applied: Json,
        /// Our list of such tools is in place.
        code_running_mcp_tools_applied: Json,
        /// Whether messages that were read are confirmed.
        inbound_read_receipts: Json,
    }

    /// A slash command or skill.
    pub struct SlashCommand {
        /// Its name.
        name: Str,
        /// What it does.
        description: Str,
        /// What may stand behind it.
        argument_hint "argumentHint": Str,
        /// Its other names.
        aliases: [Str],
        /// It belongs to Claude Code.
        builtin: bool,
    }

    /// A kind of sub-agent.
    pub struct AgentInfo {
        /// Its name.
        name: Str,
        /// What it is good for.
        description: Str,
        /// Its model.
        model: Str,
    }

    /// A model.
    pub struct ModelInfo {
        /// What to ask for.
        value: Str,
        /// What that stands for.
        resolved_model "resolvedModel": Str,
        /// Its name for people.
        display_name "displayName": Str,
        /// What it is good for.
        description: Str,
        /// Its effort can be set.
        supports_effort "supportsEffort": bool,
        /// To which levels.
        supported_effort_levels "supportedEffortLevels": [Str],
        /// It decides itself how much to think.
        supports_adaptive_thinking "supportsAdaptiveThinking": bool,
        /// It can do without thinking.
        supports_thinking_off "supportsThinkingOff": bool,
        /// It can be fast.
        supports_fast_mode "supportsFastMode": bool,
        /// It may run in auto mode.
        supports_auto_mode "supportsAutoMode": bool,
    }

    /// Who pays.
    pub struct Account {
        /// Their address.
        email: Str,
        /// Their organisation.
        organization: Str,
        /// What they have subscribed to.
        subscription_type "subscriptionType": Str,
        /// Where the token comes from.
        token_source "tokenSource": Str,
        /// Where the API key comes from.
        api_key_source "apiKeySource": Str,
        /// Who runs the models.
        api_provider "apiProvider": Str,
    }

    /// How feedback is given.
    pub struct FeedbackMode {
        /// In one word.
        kind: Str,
    }
}
