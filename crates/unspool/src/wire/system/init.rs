//! A turn begins, and what the session then has: tools, servers, commands.

use super::super::declare::{open, wire};
use super::super::{FastModeDisabledReason, FastModeState, PermissionMode};
use super::system;

system! {
    /// A turn begins.
    pub struct Init {
        /// The working directory.
        cwd: Str,
        /// The model.
        model: Str,
        /// What may be done without asking.
        permission_mode "permissionMode": (PermissionMode),
        /// Where the API key comes from.
        api_key_source "apiKeySource": Str,
        /// The version of Claude Code; since 2.0.77.
        claude_code_version: Str,
        /// The tools; the tool `Agent` is told as `Task`.
        tools: [Str],
        /// The MCP servers, which may still be connecting.
        mcp_servers: [McpServer],
        /// The MCP servers, as CLI 0.2.118 writes them.
        mcp_servers_old "mcpServers": [McpServer],
        /// What is wrong with their configuration.
        mcp_server_errors: [Json],
        /// The slash commands.
        slash_commands: [Str],
        /// The slash commands that need a terminal.
        terminal_slash_commands: [Str],
        /// The style of output.
        output_style: Str,
        /// The kinds of sub-agents.
        agents: [Str],
        /// The skills.
        skills: [Str],
        /// The plugins.
        plugins: [Plugin],
        /// The plugins that could not be loaded.
        plugin_errors: [PluginError],
        /// Features of the API that are switched on.
        betas: [Str],
        /// Whether fast mode is on.
        fast_mode_state: (FastModeState),
        /// Why it is not.
        fast_mode_disabled_reason: (FastModeDisabledReason),
        /// How hard the model is to try.
        effort: Str,
        /// `focus` or `default`.
        view_mode: Str,
        /// What this version of the protocol can do.
        capabilities: [Capability],
        /// No analytics are sent.
        analytics_disabled: bool,
        /// No feedback is asked for.
        product_feedback_disabled: bool,
        /// Where memory is kept.
        memory_paths: MemoryPaths,
        /// The directory the session began in.
        original_cwd: Str,
        /// Other directories that may be used.
        additional_directories: [Str],
        /// Where other sessions can reach this one.
        messaging_socket_path: Str,
        /// The effort is set for this turn only.
        per_turn_effort_active: bool,
        /// More thinking can be asked for.
        ultrathink_available: bool,
        /// Asking for it in words has an effect.
        ultrathink_typed_raises: bool,
        /// The user messages that the turn takes.
        user_message_uuids: [Str],
        /// Where the time of the start went.
        startup_timing: Json,
    }
}

wire! {
    /// An MCP server, in short.
    pub struct McpServer {
        /// Its name.
        name: Str,
        /// Whether it can be used.
        status: (McpStatus),
        /// Where it is configured.
        source: Str,
    }

    /// A plugin.
    pub struct Plugin {
        /// Its name.
        name: Str,
        /// Where it is.
        path: Str,
        /// Its version.
        version: Str,
        /// Where it comes from.
        source: Str,
    }

    /// A plugin that could not be loaded.
    pub struct PluginError {
        /// The plugin.
        plugin: Str,
        /// What kind of error.
        kind "type": Str,
        /// The error in words.
        message: Str,
        /// Where it is.
        path: Str,
        /// The policy that keeps it as it is.
        managed_lock: ManagedLock,
    }

    /// A policy on a plugin.
    pub struct ManagedLock {
        /// Whether the plugin has to be on.
        plugin_enabled: bool,
        /// The plugin.
        name: Str,
        /// Where it comes from.
        marketplace: Str,
    }

    /// Where memory is kept.
    pub struct MemoryPaths {
        /// What Claude Code remembers by itself.
        auto: Str,
    }
}

open! {
    /// Whether an MCP server can be used.
    pub enum McpStatus {
        Connected = "connected",
        Failed = "failed",
        NeedsAuth = "needs-auth",
        Pending = "pending",
        Disabled = "disabled",
    }

    /// Something that a version of the protocol can do.
    pub enum Capability {
        InterruptReceiptV1 = "interrupt_receipt_v1",
        InterruptCancelQueuedV1 = "interrupt_cancel_queued_v1",
        InterruptSendNowV1 = "interrupt_send_now_v1",
        InterruptRequeueTakenV1 = "interrupt_requeue_taken_v1",
        MsgLifecycleV1 = "msg_lifecycle_v1",
        RequestMarkerListsV1 = "request_marker_lists_v1",
        AskUserQuestionUnansweredV1 = "ask_user_question_unanswered_v1",
        LifecycleWakeupSourceV1 = "lifecycle_wakeup_source_v1",
        SdkMcpToolsListChanged = "sdk_mcp_tools_list_changed",
        SdkMcpManifests = "sdk_mcp_manifests",
        McpReadResourceV1 = "mcp_read_resource_v1",
        McpToolUiMetaV1 = "mcp_tool_ui_meta_v1",
        UiSurfaceV1 = "ui_surface_v1",
        McpCallResultNotForModelV1 = "mcp_call_result_not_for_model_v1",
        McpCallCheckPermissionsV1 = "mcp_call_check_permissions_v1",
        VoiceCallTalkLineV1 = "voice_call_talk_line_v1",
        WithdrawnFilesNoteV2 = "withdrawn_files_note_v2",
        UiPaneWidgetV1 = "ui_pane_widget_v1",
        ReloadPluginsRefuseIfBusyV1 = "reload_plugins_refuse_if_busy_v1",
        QueuedNotifications = "queued_notifications",
        McpStatusNoConfigV1 = "mcp_status_no_config_v1",
    }
}
