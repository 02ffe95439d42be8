//! What we ask of Claude Code, and what it replies.
//! // Many of these are not documented by its makers; where nothing is known of a shape, there are no fields.

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
