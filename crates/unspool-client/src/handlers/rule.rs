//! A rule as Claude Code writes it: `Read`, `Bash(cargo *)`, `WebFetch(domain:example.com)`, `mcp__github`.
//!
//! A rule that allows must never fit too much, and one that blocks never too little. So the two are asked
//! differently, and what cannot be judged is not allowed, but blocked.

use super::glob::wild;
use super::path::{self, Place};
use super::pieces;
use super::shell::Shell;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use unspool::json::Json;

/// A rule about a tool: all its calls, or those that fit a pattern.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Rule {
    tool: String,
    pattern: Option<String>,
}

/// The text is no rule.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{0}` is no rule: write a tool, or a tool with a pattern, such as `Bash(cargo *)`")]
pub struct NoRule(String);

/// A call that rules are held against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) tool: &'a str,
    pub(super) input: Json<'a>,
}

impl Rule {
    /// The tool.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Which calls of it; all of them if there is none.
    pub fn pattern(&self) -> Option<&str> {
        self.pattern.as_deref()
    }

    /// Whether this rule alone allows the whole call.
    pub(super) fn allows(&self, call: Call<'_>, place: &Place) -> bool {
        let Some(pattern) = self.pattern() else { return self.names(call.tool) };
        match Subject::of(call, &self.tool) {
            Some(Subject::Command(command)) => command == pattern,
            Some(other) => other.fits(pattern, place),
            None => false,
        }
    }

    /// Whether this rule allows one command out of several.
    pub(super) fn allows_command(&self, call: Call<'_>, command: &str) -> bool {
        self.tool == call.tool && self.pattern().is_some_and(|pattern| command_fits(pattern, command))
    }

    /// Whether this rule blocks the call, or a part of it.
    pub(super) fn blocks(&self, call: Call<'_>, place: &Place) -> bool {
        let Some(pattern) = self.pattern() else { return self.names(call.tool) };
        match Subject::of(call, &self.tool) {
            Some(Subject::Command(command)) => line_runs(pattern, &command, Shell::of(call.tool)),
            Some(other) => other.fits(pattern, place),
            None => self.names(call.tool),
        }
    }

    /// `mcp__server` stands for all tools of a server.
    fn names(&self, tool: &str) -> bool {
        let server = self.tool.starts_with("mcp__")
            && tool.strip_prefix(&*self.tool).is_some_and(|rest| rest.starts_with("__"));
        server || wild(&self.tool, tool) || same_tool(&self.tool, tool)
    }
}

/// What of a call a pattern is held against.
enum Subject<'a> {
    Command(Cow<'a, str>),
    Path(Cow<'a, str>),
    Url(Cow<'a, str>),
    Word(Cow<'a, str>),
}

impl<'a> Subject<'a> {
    /// `None` if rules about that tool say nothing of such a call.
    fn of(call: Call<'a>, rule: &str) -> Option<Self> {
        let text = |key: &str| Some(call.input.get(key)?.as_str()?.decode());
        match rule {
            "Bash" | "PowerShell" if call.tool == rule => text("command").map(Subject::Command),
            "WebFetch" if call.tool == rule => text("url").map(Subject::Url),
            "Skill" if call.tool == rule => text("skill").or_else(|| text("command")).map(Subject::Word),
            "Task" | "Agent" if same_tool(rule, call.tool) => text("subagent_type").map(Subject::Word),
            _ if about_files(rule, call.tool) => {
                let path = text("file_path").or_else(|| text("notebook_path")).or_else(|| text("path"));
                path.map(Subject::Path)
            }
            _ => None,
        }
    }

    fn fits(&self, pattern: &str, place: &Place) -> bool {
        match self {
            Subject::Command(command) => command_fits(pattern, command),
            Subject::Path(path) => path::fits(pattern, path, place),
            Subject::Url(url) => {
                let domain = pattern.strip_prefix("domain:");
                domain.zip(host(url)).is_some_and(|(domain, host)| wild(&domain.to_lowercase(), &host))
            }
            Subject::Word(word) => wild(pattern, word),
        }
    }
}

/// Versions name the tool that starts sub-agents differently.
fn same_tool(rule: &str, tool: &str) -> bool {
    rule == tool || matches!((rule, tool), ("Task", "Agent") | ("Agent", "Task"))
}

/// Whether a rule with a pattern for files speaks of this tool: `Edit` does of all that change files.
fn about_files(rule: &str, tool: &str) -> bool {
    const EDIT: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
    const READ: [&str; 5] = ["Read", "Grep", "Glob", "LS", "NotebookRead"];
    match rule {
        "Edit" => EDIT.contains(&tool),
        "Read" => READ.contains(&tool),
        _ => rule == tool && (EDIT.contains(&tool) || READ.contains(&tool)),
    }
}

/// `cargo *` and `cargo:*` fit `cargo` and `cargo test`, but not `cargoes`; `cargo*` fits all three.
fn command_fits(pattern: &str, command: &str) -> bool {
    let command = command.trim();
    let whole = pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(" *"));
    match whole {
        Some(prefix) => wild(prefix, command) || wild(&format!("{prefix} *"), command),
        None => wild(pattern.trim(), command),
    }
}

/// Whether a line, or something in it, is a command that fits. Names of commands have no case in PowerShell.
fn line_runs(pattern: &str, line: &str, shell: Shell) -> bool {
    let runs = |pattern: &str, line: &str| {
        command_fits(pattern, line) || pieces::any(line, shell, |piece| command_fits(pattern, piece))
    };
    match shell {
        Shell::Posix => runs(pattern, line),
        Shell::Power => runs(&pattern.to_lowercase(), &line.to_lowercase()),
    }
}

/// The host of an address, as browsers read it: a backslash is a slash, and what stands before `@` is a name.
fn host(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let place = rest.split(['/', '\\', '?', '#']).next()?;
    let host = place.rsplit('@').next()?;
    let host = host.split(':').next()?.trim_end_matches('.');
    (!host.is_empty()).then(|| host.to_lowercase())
}

impl FromStr for Rule {
    type Err = NoRule;

    fn from_str(text: &str) -> Result<Self, NoRule> {
        let text = text.trim();
        let (tool, pattern) = match text.split_once('(') {
            Some((tool, rest)) => (tool, Some(rest.strip_suffix(')').ok_or_else(|| NoRule(text.into()))?)),
            None => (text, None),
        };
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '*' | '.' | ':');
        if tool.is_empty() || !tool.chars().all(is_name) {
            return Err(NoRule(text.into()));
        }
        let pattern = pattern.map(|pattern| pattern.replace("\\(", "(").replace("\\)", ")"));
        let pattern = pattern.filter(|pattern| !matches!(&**pattern, "" | "*"));
        Ok(Rule { tool: tool.into(), pattern })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pattern() {
            Some(pattern) => write!(f, "{}({pattern})", self.tool),
            None => f.write_str(&self.tool),
        }
    }
}
