//! MCP servers that Claude Code starts or connects to itself.

use super::choice::{OrgPermission, ToolPermission};
use super::object::object;

object! {
    /// An MCP server that Claude Code starts or connects to itself.
    ///
    /// ```
    /// use unspool_client::Options;
    /// use unspool_client::options::McpServer;
    ///
    /// let files = McpServer::stdio("npx").args(["-y", "files-server"]).env("ROOT", "/srv");
    /// let search = McpServer::http("https://mcp.example").header("Authorization", "Bearer t");
    /// let options = Options::new().mcp_server("files", files).mcp_server("search", search);
    /// ```
    pub struct McpServer {
        /// How it is spoken to: `stdio`, `sse` or `http`.
        text kind = "type",
        /// The program, for `stdio`.
        text command,
        /// Its arguments.
        list args,
        /// Its environment variables.
        secrets env,
        /// Where it is, for `sse` and `http`.
        text url,
        /// What is sent along with every request.
        secrets headers as header,
        /// What may be done with its tools.
        each(ToolPolicy) tools as tool,
        /// How long a call may take, in milliseconds. Less than 1000 is ignored by Claude Code.
        number timeout_ms = "timeout",
        /// Its tools are told to the model from the beginning, rather than found by search.
        maybe always_load,
    }

    /// What may be done with a tool of an MCP server.
    pub struct ToolPolicy {
        /// The tool.
        text name,
        /// What may be done.
        value(ToolPermission) permission = "permission_policy",
        /// The most that the organisation allows.
        value(OrgPermission) org_max = "org_max_permission",
    }
}

impl McpServer {
    /// A program that is started, and spoken to by its stdin and stdout.
    pub fn stdio(command: impl Into<String>) -> Self {
        // Some versions need the arguments, even if there are none.
        McpServer::default().kind("stdio").command(command).args(Vec::<String>::new())
    }

    /// A server on the network, by server-sent events.
    pub fn sse(url: impl Into<String>) -> Self {
        McpServer::default().kind("sse").url(url)
    }

    /// A server on the network, by HTTP.
    pub fn http(url: impl Into<String>) -> Self {
        McpServer::default().kind("http").url(url)
    }
}

impl ToolPolicy {
    /// About the tool of this name.
    pub fn of(name: impl Into<String>) -> Self {
        ToolPolicy::default().name(name)
    }
}
