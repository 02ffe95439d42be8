//! Plugins, skills and MCP servers, as words on the command line.

use super::Options;
use super::word::{join, json, pair};
use crate::rules::HandedRules;
use serde_json::json;
use std::ffi::OsString;
use std::path::PathBuf;

/// A plugin to load, by its folder.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Plugin {
    /// Where it is.
    pub path: PathBuf,
    /// Its MCP servers are left out.
    pub without_mcp: bool,
}

impl Plugin {
    /// The plugin in a folder.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Plugin { path: path.into(), without_mcp: false }
    }

    /// Leaves its MCP servers out.
    #[must_use]
    pub fn without_mcp(self) -> Self {
        Plugin { without_mcp: true, ..self }
    }
}

impl<P: Into<PathBuf>> From<P> for Plugin {
    fn from(path: P) -> Self {
        Plugin::at(path)
    }
}

/// The skills that may be used without asking.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Skills {
    /// All there are.
    All,
    /// These, and the main agent sees no others.
    Only(Vec<String>),
}

impl<S: Into<String>, const N: usize> From<[S; N]> for Skills {
    fn from(skills: [S; N]) -> Self {
        Skills::Only(skills.into_iter().map(Into::into).collect())
    }
}

impl From<Vec<String>> for Skills {
    fn from(skills: Vec<String>) -> Self {
        Skills::Only(skills)
    }
}

impl Skills {
    /// The permissions they need.
    fn rules(&self) -> Vec<String> {
        match self {
            Skills::All => vec!["Skill".to_owned()],
            Skills::Only(skills) => skills.iter().map(|skill| format!("Skill({skill})")).collect(),
        }
    }
}

impl Options {
    /// What was allowed, and the skills.
    pub(super) fn allowed_args(&self, args: &mut Vec<OsString>) {
        let mut rules = self.allowed_tools.clone().unwrap_or_default();
        let skills = self.skills.as_ref().map(Skills::rules).unwrap_or_default();
        rules.extend(
            skills.into_iter().filter(|rule| !self.allowed_tools.iter().flatten().any(|it| it == rule)),
        );
        if !rules.is_empty() {
            join("--allowedTools", rules.join(","), args);
        }
    }

    /// Adds what rules allow and block.
    pub(crate) fn hand_over(&mut self, rules: HandedRules) {
        for (list, rules) in
            [(&mut self.allowed_tools, rules.allowed), (&mut self.disallowed_tools, rules.blocked)]
        {
            if !rules.is_empty() {
                list.get_or_insert_default().extend(rules);
            }
        }
    }

    pub(super) fn plugin_args(&self, args: &mut Vec<OsString>) {
        for plugin in self.plugins.iter().filter(|_| !self.await_initialize) {
            let flag = if plugin.without_mcp { "--plugin-dir-no-mcp" } else { "--plugin-dir" };
            join(flag, &plugin.path, args);
        }
    }

    pub(super) fn plugin_fields(&self) -> Option<serde_json::Value> {
        let plugin = |plugin: &Plugin| {
            let mut told = json!({"type": "local", "path": plugin.path.to_string_lossy()});
            if plugin.without_mcp {
                told["skipMcpDiscovery"] = true.into();
            }
            told
        };
        let any = self.await_initialize && !self.plugins.is_empty();
        any.then(|| self.plugins.iter().map(plugin).collect())
    }

    pub(super) fn mcp_args(&self, args: &mut Vec<OsString>) {
        for config in self.own_mcp_config().iter().chain(&self.mcp_configs) {
            pair("--mcp-config", config, args);
        }
    }

    /// The servers that are declared here, as a configuration.
    pub(super) fn own_mcp_config(&self) -> Option<String> {
        let servers = (!self.mcp_servers.is_empty()).then(|| json(&self.mcp_servers))?;
        Some(json!({"mcpServers": servers}).to_string())
    }
}
