//! MCP servers: how they are, which there are, and what their tools say.

use super::declare::commands;
use super::reply::{LONG, Reply};
use crate::controls::Controls;
use unspool::control::Refusal;
use unspool::json::Json;
use unspool::wire::Extra;
use unspool::wire::ask::McpMessage;
use unspool::wire::command::*;
use unspool::wire::input::{Draft, Owned, Say};

commands! {
    McpStatus -> McpStatusReply {
        /// How the MCP servers are. Since 1.0.128 or before.
        fn mcp_status();
    }

    McpSetServers -> McpSetServersReply, within LONG {}

    McpReconnect -> (), within LONG {
        /// Connects to a server again. Since 2.1.112 or before; 2.0.77 does not answer.
        fn mcp_reconnect(server_name: &str);
    }

    McpToggle -> (), within LONG {
        /// Switches a server on or off. Since 2.1.112 or before; 2.0.77 does not answer.
        fn mcp_toggle(server_name: &str, enabled: bool);
    }

    McpCall -> McpCallReply, within LONG {}

    McpMessage -> () {}

    McpReadResource -> McpReadResourceReply {
        /// Reads a `ui://` resource of a server.
        fn mcp_read_resource(server_name: &str, uri: &str);
    }

    SetMcpPermissionModeOverride -> SetMcpPermissionModeOverrideReply {}

    ChannelEnable -> () {
        /// Lets a server send messages into the conversation.
        fn channel_enable(server_name: &str);
    }

    McpAuthenticate -> Json {
        /// Begins to sign in to a server; the reply has the page to open.
        fn mcp_authenticate(server_name: &str);
    }

    McpClearAuth -> () {
        /// Signs out of a server.
        fn mcp_clear_auth(server_name: &str);
    }

    McpOauthCallbackUrl -> Json {
        /// The page that signing in to a server ended on.
        fn mcp_oauth_callback_url(server_name: &str, callback_url: &str);
    }
}

impl Controls {
    /// Calls an MCP tool, by its full name (`mcp__server__tool`). That the tool fails is a refusal. 2.1.325 does it,
    /// 2.1.112 refuses.
    pub async fn mcp_call(
        &self,
        tool: &str,
        arguments: impl Say,
    ) -> Result<Reply<McpCallReply<'static>>, Refusal> {
        let arguments = Owned::of(arguments);
        self.request(McpCall::default().tool(tool).arguments(&arguments)).await
    }

    /// Passes on a message of a server that runs with us, as JSON-RPC. Since 2.0.77 or before; 1.0.128 does not answer.
    pub async fn mcp_message(&self, server_name: &str, message: impl Say) -> Result<(), Refusal> {
        let message = Owned::of(message);
        self.request(McpMessage::default().server_name(server_name).message(&message)).await
    }

    /// Another permission mode for the tools of one server, `default` or `auto`; none takes it back.
    pub async fn set_mcp_permission_mode_override(
        &self,
        server_name: &str,
        mode: Option<&str>,
    ) -> Result<Reply<SetMcpPermissionModeOverrideReply<'static>>, Refusal> {
        let mut request = SetMcpPermissionModeOverride::default().server_name(server_name);
        let none = Draft::new().with("mode", Json::NULL);
        self.request(match mode {
            Some(mode) => request.mode(mode),
            None => {
                request.extra = Extra::more(none.json());
                request
            }
        })
        .await
    }
}
