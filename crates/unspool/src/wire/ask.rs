//! What Claude Code asks us, and what it expects as an answer.
//!
//! Answers to questions about a call are in [`permission`](super::PermissionAnswer), to hooks in
//! [`hook`](super::hook::HookOutput).

use super::declare::{choice, open, wire, writable};
use super::hook::{HookInput, HookOutput};
use super::{DecisionReasonType, PermissionAnswer, PermissionUpdate, Type};

choice! {
    /// What Claude Code asks us.
    pub enum Ask as AskKind by "subtype" {
        "can_use_tool" => CanUseTool,
        "hook_callback" => HookCallback,
        "mcp_message" => McpMessage,
        "elicitation" => Elicitation,
        "request_user_dialog" => RequestUserDialog,
        "oauth_token_refresh" => OauthTokenRefresh,
        "host_auth_token_refresh" => HostAuthTokenRefresh,
        "remote_control_work_secret" => RemoteControlWorkSecret,
        "ui_copy" => UiCopy,
        "ui_prompt_read" => UiPromptRead,
        "ui_prompt_fill" => UiPromptFill,
        "ui_prompt_paint" => UiPromptPaint,
        "ui_prompt_suggest" => UiPromptSuggest,
        "ui_read_selection" => UiReadSelection,
        "remote_tool_call" => RemoteToolCall,
        "remote_plumbing_call" => RemotePlumbingCall,
        "remote_tools_probe" => RemoteToolsProbe,
        "remote_tools_reannounce" => RemoteToolsReannounce,
    }
}

wire! {
    /// May this call be made?
    pub struct CanUseTool: subtype "can_use_tool" {
        /// The tool.
        tool_name: Str,
        /// What it is to be given.
        input: Json,
        /// The call.
        tool_use_id: Str,
        /// What to change so that Claude Code does not ask again.
        permission_suggestions: [PermissionUpdate],
        /// The path that made it ask.
        blocked_path: Str,
        /// The tool's server; trust it only if its source is `sdk`.
        mcp_server: McpOrigin,
        /// Why it asks, in words; may hold colours for terminals.
        decision_reason: Str,
        /// Why it asks.
        decision_reason_type: (DecisionReasonType),
        /// Why it asks, for programs.
        decision_reason_code: Str,
        /// A model may decide.
        classifier_approvable: bool,
        /// Do not offer to allow it for good.
        suppress_always_allow_rule: bool,
        /// The safe answer should be at hand.
        default_to_no: bool,
        /// A person has to answer, such as for `AskUserQuestion`.
        requires_user_interaction: bool,
        /// The rule that made it ask.
        matched_ask_rule: MatchedRule,
        /// What to show as a title.
        title: Str,
        /// What to show as the tool's name.
        display_name: Str,
        /// What to show as an explanation.
        description: Str,
        /// The sub-agent that calls.
        agent_id: Str,
        /// The server's policy is to ask each time.
        server_policy_ask_only: bool,
        /// The plugin that the tool comes from.
        plugin: Json,
        /// What the server wants to be shown.
        server_prompt: Json,
        /// The folder on another computer.
        computer_folder: ComputerFolder,
    }

    /// Where an MCP tool comes from.
    pub struct McpOrigin {
        /// The server.
        name: Str,
        /// Where it is configured.
        source: Str,
    }

    /// A rule that made Claude Code ask.
    pub struct MatchedRule {
        /// Where it is kept.
        source: Str,
        /// The tool.
        tool_name: Str,
        /// Which calls of it.
        rule_content: Str,
    }

    /// A folder on another computer.
    pub struct ComputerFolder {
        /// Where it is.
        path: Str,
        /// On which computer.
        computer_name: Str,
    }

    /// Something happened that we wanted to know of.
    pub struct HookCallback: subtype "hook_callback" {
        /// The id that we gave.
        callback_id: Str,
        /// What happened.
        input: HookInput,
        /// The call; made up where there is none. The input has the real one.
        tool_use_id: Str,
    }
}

writable! {
    /// A message from or to an MCP server that runs with us.
    pub struct McpMessage: subtype "mcp_message" {
        /// The server.
        server_name: Str,
        /// The message, as JSON-RPC.
        message: Json,
    }

    /// The server's reply. Notifications want one too.
    pub struct McpMessageAnswer {
        /// The reply, as JSON-RPC.
        mcp_response: Json,
    }
}

wire! {
    /// An MCP server wants to know something from the user.
    pub struct Elicitation: subtype "elicitation" {
        /// The server.
        mcp_server_name: Str,
        /// What it wants, in words.
        message: Str,
        /// `form` or `url`.
        mode: Str,
        /// The page to go to.
        url: Str,
        /// Its own name for the question.
        elicitation_id: Str,
        /// What it wants, as JSON Schema.
        requested_schema: Json,
        /// In which order to ask.
        property_order: [Str],
        /// What to show as a title.
        title: Str,
        /// What to show as the server's name.
        display_name: Str,
        /// What to show as an explanation.
        description: Str,
    }
}

writable! {
    /// What the user said to it.
    pub struct ElicitationAnswer {
        /// Whether the user answered.
        action: (ElicitationAction),
        /// The answer.
        content: Json,
    }
}

wire! {
    /// A dialog for the user. Kinds we did not announce stay unanswered.
    pub struct RequestUserDialog: subtype "request_user_dialog" {
        /// Which dialog.
        dialog_kind: Str,
        /// What to show.
        payload: Json,
        /// The call it is about.
        tool_use_id: Str,
    }
}

writable! {
    /// What became of the dialog.
    pub struct UserDialogAnswer {
        /// `completed` or `cancelled`.
        behavior: Str,
        /// What the user chose.
        result: Json,
    }
}

wire! {
    /// The token has run out; is there a new one?
    pub struct OauthTokenRefresh: subtype "oauth_token_refresh" {
        /// Which token.
        kind: Str,
        /// `refused` or `not_refused`.
        token_state: Str,
        /// Where it was refused: `model`, `connector` or `other`.
        refused_call: Str,
    }
}

writable! {
    /// A new token.
    pub struct OauthTokenRefreshAnswer {
        /// The token.
        access_token "accessToken": Str,
        /// Why there is none.
        reason: Str,
    }
}

wire! {
    /// The host's own token has run out.
    pub struct HostAuthTokenRefresh: subtype "host_auth_token_refresh" {
        /// How it was refused.
        status: Json,
    }
}

writable! {
    /// A new token of the host.
    pub struct HostAuthTokenRefreshAnswer {
        /// The token.
        auth_token "authToken": Str,
    }
}

wire! {
    /// The secret of a remote session.
    pub struct RemoteControlWorkSecret: subtype "remote_control_work_secret" {
        /// The session.
        session_id: Str,
    }
}

writable! {
    /// The secret of a remote session.
    pub struct RemoteControlWorkSecretAnswer {
        /// The secret.
        work_secret: Str,
    }
}

wire! {
    /// Copy something; its shape is not known.
    pub struct UiCopy: subtype "ui_copy" {}

    /// Read the prompt line; its shape is not known.
    pub struct UiPromptRead: subtype "ui_prompt_read" {}

    /// Fill the prompt line; its shape is not known.
    pub struct UiPromptFill: subtype "ui_prompt_fill" {}

    /// Paint the prompt line; its shape is not known.
    pub struct UiPromptPaint: subtype "ui_prompt_paint" {}

    /// Suggest a prompt; its shape is not known.
    pub struct UiPromptSuggest: subtype "ui_prompt_suggest" {}

    /// Read what is selected; its shape is not known.
    pub struct UiReadSelection: subtype "ui_read_selection" {}

    /// For remote hosts; leave it unanswered.
    pub struct RemoteToolCall: subtype "remote_tool_call" {}

    /// For remote hosts; leave it unanswered.
    pub struct RemotePlumbingCall: subtype "remote_plumbing_call" {}

    /// For remote hosts; leave it unanswered.
    pub struct RemoteToolsProbe: subtype "remote_tools_probe" {}

    /// For remote hosts; leave it unanswered.
    pub struct RemoteToolsReannounce: subtype "remote_tools_reannounce" {}
}

open! {
    /// What the user did with a question of an MCP server.
    pub enum ElicitationAction {
        Accept = "accept",
        Decline = "decline",
        Cancel = "cancel",
    }
}

/// What is known of the answer to a question, by its subtype.
pub const ANSWERS: &[(&str, &Type)] = &[
    ("can_use_tool", PermissionAnswer::TYPE),
    ("hook_callback", HookOutput::TYPE),
    ("mcp_message", McpMessageAnswer::TYPE),
    ("elicitation", ElicitationAnswer::TYPE),
    ("request_user_dialog", UserDialogAnswer::TYPE),
    ("oauth_token_refresh", OauthTokenRefreshAnswer::TYPE),
    ("host_auth_token_refresh", HostAuthTokenRefreshAnswer::TYPE),
    ("remote_control_work_secret", RemoteControlWorkSecretAnswer::TYPE),
];
