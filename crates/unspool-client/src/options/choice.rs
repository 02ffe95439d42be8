//! Options that are a word out of a list.

use super::object::words;
use super::word::Word;
use serde::Serialize;
use std::ffi::OsString;

words! {
    /// How hard the model tries.
    pub enum Effort {
        Low = "low",
        Medium = "medium",
        High = "high",
        XHigh = "xhigh",
        Max = "max",
    }

    /// Who answers when Claude Code asks for permission.
    pub enum PermissionPrompts {
        /// The host: the program that started it.
        Host = "host",
        /// Nobody: what would be asked for is denied.
        None = "none",
    }

    /// A place where settings are kept.
    pub enum SettingSource {
        /// The user's own.
        User = "user",
        /// The project's, shared by all who work on it.
        Project = "project",
        /// The user's own for the project.
        Local = "local",
    }

    /// How a preview beside a question is written.
    pub enum QuestionPreview {
        Markdown = "markdown",
        Html = "html",
    }

    /// Whose memory an agent has.
    pub enum Memory {
        User = "user",
        Project = "project",
        Local = "local",
    }

    /// What may be done with a tool of an MCP server.
    pub enum ToolPermission {
        AlwaysAllow = "always_allow",
        AlwaysAsk = "always_ask",
        AlwaysDeny = "always_deny",
    }

    /// The most that an organisation allows for a tool of an MCP server.
    pub enum OrgPermission {
        Allow = "allow",
        Ask = "ask",
        Blocked = "blocked",
    }
}

/// How hard an agent tries: a word or a number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum AgentEffort {
    /// As for the main agent.
    Level(Effort),
    /// In tokens.
    Number(u64),
}

impl From<Effort> for AgentEffort {
    fn from(effort: Effort) -> Self {
        AgentEffort::Level(effort)
    }
}

impl From<u64> for AgentEffort {
    fn from(tokens: u64) -> Self {
        AgentEffort::Number(tokens)
    }
}

macro_rules! words_on_the_command_line {
    ($($name:ident),*) => { $(
        impl Word for $name {
            fn word(&self) -> OsString {
                self.as_str().into()
            }
        }
    )* };
}

words_on_the_command_line!(Effort, PermissionPrompts, QuestionPreview);
