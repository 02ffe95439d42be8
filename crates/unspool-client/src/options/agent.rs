//! Kinds of sub-agents.

use super::choice::{AgentEffort, Memory};
use super::mcp::McpServer;
use super::object::object;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use unspool::wire::PermissionMode;

object! {
    /// A kind of sub-agent.
    ///
    /// ```
    /// use unspool_client::Options;
    /// use unspool_client::options::{AgentDefinition, Effort};
    ///
    /// let reviewer = AgentDefinition::new("Reviews code.", "You review code.").tools(["Read"]).effort(Effort::Low);
    /// let options = Options::new().agent_definition("reviewer", reviewer);
    /// ```
    pub struct AgentDefinition {
        /// What it is good for; the main agent chooses by this.
        text description,
        /// Its system prompt.
        text prompt,
        /// The tools it may use; all, if not set.
        list tools,
        /// The tools it may not use.
        list disallowed_tools,
        /// Its model: an alias, a full name or `inherit`.
        text model,
        /// Its MCP servers.
        each(AgentMcpServer) mcp_servers as mcp_server,
        /// Its skills.
        list skills,
        /// What it is asked first, if it is the main agent.
        text initial_prompt,
        /// Most round trips to the model.
        number max_turns,
        /// Tokens at which its conversation is compacted.
        number auto_compact_window,
        /// It runs in the background.
        maybe background,
        /// Instructions in files are left out.
        maybe omit_claude_md,
        /// Whose memory it has.
        value(Memory) memory,
        /// How hard it tries.
        value(AgentEffort) effort,
        /// What it may do without asking.
        value(PermissionMode<'static>) permission_mode,
        /// Who watches it.
        value(Value) observer,
        /// What the observer is told.
        text observer_message,
        /// What it is reminded of again and again.
        text critical_system_reminder = "criticalSystemReminder_EXPERIMENTAL",
    }
}

/// An MCP server of an agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum AgentMcpServer {
    /// One that the session has, by its name.
    Named(String),
    /// Its own, by their names.
    Own(BTreeMap<String, McpServer>),
}

impl AgentDefinition {
    /// An agent that is good for something, and its system prompt.
    pub fn new(description: impl Into<String>, prompt: impl Into<String>) -> Self {
        AgentDefinition::default().description(description).prompt(prompt)
    }
}

impl From<&str> for AgentMcpServer {
    fn from(name: &str) -> Self {
        AgentMcpServer::Named(name.to_owned())
    }
}

impl<N: Into<String>> From<(N, McpServer)> for AgentMcpServer {
    fn from((name, server): (N, McpServer)) -> Self {
        AgentMcpServer::Own(BTreeMap::from([(name.into(), server)]))
    }
}
