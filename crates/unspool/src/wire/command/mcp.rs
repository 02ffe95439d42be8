//! Commands about MCP servers.

use super::super::declare::{wire, writable};
use super::super::system::McpStatus as Connection;

writable! {
    /// How the MCP servers are.
    pub struct McpStatus: subtype "mcp_status" {
        /// Not for the record.
        live_reply "liveReply": bool,
    }
}

wire! {
    /// How the MCP servers are.
    pub struct McpStatusReply {
        /// Each of them.
        mcp_servers "mcpServers": [McpServerStatus],
    }

    /// How an MCP server is.
    pub struct McpServerStatus {
        /// Its name.
        name: Str,
        /// Whether it can be used.
        status: (Connection),
        /// What it says of itself.
        server_info "serverInfo": McpServerInfo,
        /// What went wrong.
        error: Str,
        /// Its settings; may hold secrets.
        config: (Json as McpServerConfig),
        /// Whose it is.
        scope: Str,
        /// Where it is configured.
        source: Str,
        /// Its tools.
        tools: [McpTool],
        /// How it is reached.
        transport: Str,
    }

    /// What an MCP server says of itself.
    pub struct McpServerInfo {
        /// Its name.
        name: Str,
        /// Its version.
        version: Str,
    }

    /// A tool of an MCP server.
    pub struct McpTool {
        /// Its name.
        name: Str,
        /// What it does.
        description: Str,
        /// How dangerous it is.
        annotations: McpToolAnnotations,
        /// Anything else.
        meta "_meta": Json,
    }

    /// How dangerous a tool is.
    pub struct McpToolAnnotations {
        /// It changes nothing.
        read_only "readOnly": bool,
        /// It may destroy something.
        destructive: bool,
        /// It reaches beyond this computer.
        open_world "openWorld": bool,
    }
}

writable! {
    /// Settings of an MCP server. Always send `args` for a `stdio` one.
    pub struct McpServerConfig {
        /// How it is reached: `stdio`, `sse`, `http`, `sdk` or `claudeai-proxy`.
        kind "type": Str,
        /// The program.
        command: Str,
        /// Its arguments.
        args: [Str],
        /// Its environment.
        env: {Str},
        /// Where it is.
        url: Str,
        /// What to send along.
        headers: {Str},
        /// Its name, if it runs with us.
        name: Str,
        /// Its id at the proxy.
        id: Str,
        /// What its tools may do.
        tools: Json,
        /// How long it may take, in milliseconds.
        timeout: f64,
        /// How long one request may take.
        request_timeout_ms: f64,
        /// Its tools are always at hand.
        always_load "alwaysLoad": bool,
    }

    /// Other MCP servers in place of those set before.
    pub struct McpSetServers: subtype "mcp_set_servers" {
        /// The servers.
        servers: {McpServerConfig},
        /// Why the servers are set.
        hint: Json,
    }
}

wire! {
    /// What has changed.
    pub struct McpSetServersReply {
        /// Servers that are new.
        added: [Str],
        /// Servers that are gone.
        removed: [Str],
        /// Servers that do not work, and why.
        errors: {Str},
    }
}

writable! {
    /// Connect again.
    pub struct McpReconnect: subtype "mcp_reconnect" {
        /// The server.
        server_name "serverName": Str,
    }

    /// Switch a server on or off.
    pub struct McpToggle: subtype "mcp_toggle" {
        /// The server.
        server_name "serverName": Str,
        /// On or off.
        enabled: bool,
    }

    /// Call an MCP tool ourselves.
    pub struct McpCall: subtype "mcp_call" {
        /// The tool.
        tool: Str,
        /// What it is given.
        arguments: Json,
        /// Until when.
        expires_at: Json,
        /// For how long.
        timeout_ms: f64,
        /// The model does not see the answer.
        result_not_for_model: bool,
        /// Only if it is allowed.
        check_permissions: bool,
        /// Files it needs.
        input_files: [Json],
        /// Files it makes.
        output_files: [Json],
    }
}

wire! {
    /// What the tool answered.
    pub struct McpCallReply {
        /// Words; a list of blocks if they are not for the model.
        content: Json,
        /// The answer for programs.
        structured_content "structuredContent": Json,
        /// Anything else.
        meta "_meta": Json,
        /// What became of the files.
        staging: Staging,
    }

    /// What became of the files of a call.
    pub struct Staging {
        /// They are in place.
        ok: bool,
        /// The files it made.
        outputs: Json,
        /// The files it used.
        inputs_used: Json,
        /// Why they are not.
        error_code: Str,
        /// Why they are not, at length.
        detail: Json,
    }
}

writable! {
    /// Read something from a server.
    pub struct McpReadResource: subtype "mcp_read_resource" {
        /// The server.
        server_name "serverName": Str,
        /// What to read.
        uri: Str,
    }
}

wire! {
    /// What it says.
    pub struct McpReadResourceReply {
        /// The parts.
        contents: [McpResource],
    }

    /// A part of it.
    pub struct McpResource {
        /// What it is.
        uri: Str,
        /// What kind.
        mime_type "mimeType": Str,
        /// What it says.
        text: Str,
        /// What it says, in base 64, if it is not text.
        blob: Str,
        /// Anything else.
        meta "_meta": Json,
    }
}

writable! {
    /// Another mode for one server.
    pub struct SetMcpPermissionModeOverride: subtype "set_mcp_permission_mode_override" {
        /// The server.
        server_name "serverName": Str,
        /// `default` or `auto`.
        mode: Str,
    }
}

wire! {
    /// Whether all is well.
    pub struct SetMcpPermissionModeOverrideReply {
        /// What is not.
        warning: Str,
    }
}

writable! {
    /// Let a server send messages.
    pub struct ChannelEnable: subtype "channel_enable" {
        /// The server.
        server_name "serverName": Str,
    }

    /// Sign in to a server.
    pub struct McpAuthenticate: subtype "mcp_authenticate" {
        /// The server.
        server_name "serverName": Str,
        /// Where to go afterwards.
        redirect_uri "redirectUri": Str,
        /// Nowhere else.
        redirect_uri_only "redirectUriOnly": bool,
    }

    /// Sign out of a server.
    pub struct McpClearAuth: subtype "mcp_clear_auth" {
        /// The server.
        server_name "serverName": Str,
    }

    /// The page that signing in ended on.
    pub struct McpOauthCallbackUrl: subtype "mcp_oauth_callback_url" {
        /// The server.
        server_name "serverName": Str,
        /// The page.
        callback_url "callbackUrl": Str,
    }
}
