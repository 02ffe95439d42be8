//! What we ask of Claude Code, and what it replies.
//!
//! Many of these are not documented by its makers; where nothing is known of a shape, there are no fields.

mod account;
mod context;
mod conversation;
mod mcp;
mod session;
mod setting;
mod start;
mod view;

pub use account::*;
pub use context::*;
pub use conversation::*;
pub use mcp::*;
pub use session::*;
pub use setting::*;
pub use start::*;
pub use view::*;

use super::Type;
use super::ask::McpMessage;
use super::declare::choice;

choice! {
    /// What we ask of Claude Code.
    pub enum Command as CommandKind by "subtype" {
        "initialize" => Initialize,
        "interrupt" => Interrupt,
        "set_permission_mode" => SetPermissionMode,
        "set_model" => SetModel,
        "set_max_thinking_tokens" => SetMaxThinkingTokens,
        "rename_session" => RenameSession,
        "set_color" => SetColor,
        "mcp_status" => McpStatus,
        "get_context_usage" => GetContextUsage,
        "get_session_cost" => GetSessionCost,
        "list_models" => ListModels,
        "get_usage" => GetUsage,
        "get_binary_version" => GetBinaryVersion,
        "mcp_call" => McpCall,
        "file_suggestions" => FileSuggestions,
        "mcp_message" => McpMessage,
        "rewind_files" => RewindFiles,
        "cancel_async_message" => CancelAsyncMessage,
        "read_file" => ReadFile,
        "seed_read_state" => SeedReadState,
        "mcp_set_servers" => McpSetServers,
        "register_repo_root" => RegisterRepoRoot,
        "reload_plugins" => ReloadPlugins,
        "reload_skills" => ReloadSkills,
        "reload_output_styles" => ReloadOutputStyles,
        "mcp_reconnect" => McpReconnect,
        "mcp_toggle" => McpToggle,
        "set_has_subscribers" => SetHasSubscribers,
        "stop_task" => StopTask,
        "background_tasks" => BackgroundTasks,
        "get_task_output" => GetTaskOutput,
        "apply_flag_settings" => ApplyFlagSettings,
        "get_settings" => GetSettings,
        "get_hooks_listing" => GetHooksListing,
        "update_settings" => UpdateSettings,
        "list_permission_rules" => ListPermissionRules,
        "mcp_read_resource" => McpReadResource,
        "set_mcp_permission_mode_override" => SetMcpPermissionModeOverride,
        "set_cwd" => SetCwd,
        "claim_session" => ClaimSession,
        "remote_control" => RemoteControl,
        "submit_feedback" => SubmitFeedback,
        "submit_survey_feedback" => SubmitSurveyFeedback,
        "generate_session_title" => GenerateSessionTitle,
        "side_question" => SideQuestion,
        "ultrareview_launch" => UltrareviewLaunch,
        "message_rated" => MessageRated,
        "channel_enable" => ChannelEnable,
        "mcp_authenticate" => McpAuthenticate,
        "mcp_clear_auth" => McpClearAuth,
        "mcp_oauth_callback_url" => McpOauthCallbackUrl,
        "claude_authenticate" => ClaudeAuthenticate,
        "claude_oauth_callback" => ClaudeOauthCallback,
        "claude_oauth_wait_for_completion" => ClaudeOauthWaitForCompletion,
        "get_memory_dialog" => GetMemoryDialog,
        "get_skills_dialog" => GetSkillsDialog,
        "get_status" => GetStatus,
        "export_conversation" => ExportConversation,
        "get_chrome_dialog" => GetChromeDialog,
        "get_chrome_browsers" => GetChromeBrowsers,
        "select_chrome_browser" => SelectChromeBrowser,
        "get_sandbox_dialog" => GetSandboxDialog,
        "get_plan" => GetPlan,
        "set_chrome_browser_hints" => SetChromeBrowserHints,
        "set_prompt_suggestions_paused" => SetPromptSuggestionsPaused,
        "get_workspace_diff" => GetWorkspaceDiff,
        "fork_conversation" => ForkConversation,
        "rewind_conversation" => RewindConversation,
        "stage_file" => StageFile,
        "prefetch_attachments" => PrefetchAttachments,
        "end_session" => EndSession,
        "voice_call_talk" => VoiceCallTalk,
    }
}

/// What is known of the reply to a command, by its subtype. Those that are missing reply with nothing, or
/// with something of unknown shape.
pub const REPLIES: &[(&str, &Type)] = &[
    ("initialize", InitializeReply::TYPE),
    ("interrupt", InterruptReply::TYPE),
    ("set_permission_mode", SetPermissionModeReply::TYPE),
    ("set_model", SetModelReply::TYPE),
    ("mcp_status", McpStatusReply::TYPE),
    ("get_context_usage", GetContextUsageReply::TYPE),
    ("get_session_cost", GetSessionCostReply::TYPE),
    ("list_models", ListModelsReply::TYPE),
    ("get_usage", GetUsageReply::TYPE),
    ("get_binary_version", GetBinaryVersionReply::TYPE),
    ("mcp_call", McpCallReply::TYPE),
    ("file_suggestions", FileSuggestionsReply::TYPE),
    ("rewind_files", RewindFilesReply::TYPE),
    ("cancel_async_message", CancelAsyncMessageReply::TYPE),
    ("read_file", ReadFileReply::TYPE),
    ("mcp_set_servers", McpSetServersReply::TYPE),
    ("reload_plugins", ReloadPluginsReply::TYPE),
    ("reload_skills", ReloadSkillsReply::TYPE),
    ("reload_output_styles", ReloadOutputStylesReply::TYPE),
    ("background_tasks", BackgroundTasksReply::TYPE),
    ("get_task_output", GetTaskOutputReply::TYPE),
    ("get_settings", GetSettingsReply::TYPE),
    ("get_hooks_listing", GetHooksListingReply::TYPE),
    ("list_permission_rules", ListPermissionRulesReply::TYPE),
    ("mcp_read_resource", McpReadResourceReply::TYPE),
    ("set_mcp_permission_mode_override", SetMcpPermissionModeOverrideReply::TYPE),
    ("set_cwd", SetCwdReply::TYPE),
    ("claim_session", ClaimSessionReply::TYPE),
    ("remote_control", RemoteControlReply::TYPE),
    ("generate_session_title", GenerateSessionTitleReply::TYPE),
    ("side_question", SideQuestionReply::TYPE),
    ("ultrareview_launch", UltrareviewLaunchReply::TYPE),
    ("get_memory_dialog", GetMemoryDialogReply::TYPE),
    ("get_skills_dialog", GetSkillsDialogReply::TYPE),
    ("get_status", GetStatusReply::TYPE),
    ("export_conversation", ExportConversationReply::TYPE),
    ("get_chrome_dialog", GetChromeDialogReply::TYPE),
    ("get_sandbox_dialog", GetSandboxDialogReply::TYPE),
    ("get_plan", GetPlanReply::TYPE),
    ("get_workspace_diff", GetWorkspaceDiffReply::TYPE),
    ("fork_conversation", ForkConversationReply::TYPE),
];
