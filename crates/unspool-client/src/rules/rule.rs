//! A rule as Claude Code writes it: `Read`, `Bash(cargo *)`, `WebFetch(domain:example.com)`, `mcp__github`.
//!
//! A rule that allows must never fit too much, and one that blocks never too little. So the two are asked
//! differently, and what cannot be judged is not allowed, but blocked.

use super::glob::wild;
use super::path;
use super::pattern::Pattern;
use super::plainly;
use super::shell::{Command, Shell};
use super::site::Site;
use super::tool_name;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;
use unspool::json::Json;
use unspool::wire::tool::{
    AgentInput, BashInput, GlobInput, GrepInput, LsInput, NotebookEditInput, ReadInput, SkillInput,
    WebFetchInput,
};

/// A rule about a tool: all its calls, or those that fit a pattern.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Rule {
    tool: String,
    pattern: Option<String>,
}

/// Why a text is no rule.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoRule {
    /// It is not written as one.
    #[error("`{0}` is no rule: write a tool, or a tool with a pattern, such as `Bash(cargo *)`")]
    Form(String),
    /// It names no tool, but nearly does. Tools that are not known here are none of these: a session
    /// [warns](crate::Warning::UnknownTool) of them.
    #[error("`{rule}` is no rule: there is no tool of that name; did you mean `{tool}`?")]
    Tool {
        /// The text.
        rule: String,
        /// The tool that may be meant.
        tool: &'static str,
    },
}

/// A call that rules are held against.
#[derive(Debug)]
pub(super) struct JudgedCall<'a> {
    pub(super) tool: &'a str,
    pub(super) input: Json<'a>,
    /// What its line runs, read for the first rule that asks.
    commands: OnceCell<Option<Vec<Command>>>,
}

impl<'a> JudgedCall<'a> {
    pub(super) fn new(tool: &'a str, input: Json<'a>) -> Self {
        JudgedCall { tool, input, commands: OnceCell::new() }
    }

    /// The commands of its line, if it has one and it is certain that it runs no others.
    pub(super) fn commands(&self) -> Option<&[Command]> {
        let read = || {
            let line = self.input.get(BashInput::NAMES.command)?.as_str()?.decode();
            Shell::of(self.tool).commands(&line)
        };
        self.commands.get_or_init(read).as_deref()
    }
}

impl Rule {
    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Which calls of it; all of them if there is none.
    #[must_use]
    pub fn pattern(&self) -> Option<&str> {
        self.pattern.as_deref()
    }

    /// Whether this rule alone allows the whole call.
    pub(super) fn allows(&self, call: &JudgedCall<'_>, site: &Site) -> bool {
        let Some(pattern) = self.pattern() else { return self.names(call.tool) };
        match Subject::of(call, &self.tool) {
            Some(Subject::Command(command)) => command == pattern,
            Some(other) => other.fits(pattern, site) == Some(true),
            None => false,
        }
    }

    /// Whether this rule allows a command of a line. One that alters the shell is allowed only by a rule that is this command,
    /// word by word: no pattern can tell what the commands behind it are then.
    pub(super) fn allows_command(&self, call: &JudgedCall<'_>, command: &Command) -> bool {
        let is_one_command = self.pattern().is_some_and(|pattern| !pattern.contains('*'));
        (is_one_command || !command.alters_shell()) && self.fits_command(call, command)
    }

    /// Whether this rule is about a command of a line.
    fn fits_command(&self, call: &JudgedCall<'_>, command: &Command) -> bool {
        let Some(pattern) = self.pattern().filter(|_| self.tool == call.tool) else { return false };
        let pattern = Pattern::for_meaning(pattern, Shell::of(call.tool));
        command.readings().any(|reading| pattern.fits(&reading))
    }

    /// Whether this rule blocks the call, or a part of it.
    pub(super) fn blocks(&self, call: &JudgedCall<'_>, site: &Site) -> bool {
        let Some(pattern) = self.pattern() else { return self.blocks_all(call.tool) };
        match Subject::of(call, &self.tool) {
            Some(Subject::Command(line)) => {
                let mut understood = call.commands().unwrap_or_default().iter();
                line_runs(pattern, &line, Shell::of(call.tool))
                    || understood.any(|it| self.fits_command(call, it))
            }
            Some(Subject::Search { folder, glob }) => {
                path::reaches(pattern, &folder, glob.as_deref(), site) != Some(false)
            }
            Some(Subject::Path(path)) => path::lies_in(pattern, &path, site) != Some(false),
            Some(other) => other.fits(pattern, site) != Some(false),
            None => self.names(call.tool) || about_files(&self.tool, call.tool),
        }
    }

    /// Whether this rule blocks every call of the tool.
    pub(super) fn blocks_all(&self, tool: &str) -> bool {
        self.pattern().is_none() && (self.names(tool) || runs_commands(&self.tool, tool))
    }

    /// Whether this rule is about some files that the tool may use.
    pub(super) fn is_about_files_of(&self, tool: &str) -> bool {
        self.pattern().is_some() && about_files(&self.tool, tool)
    }

    /// `mcp__server` stands for all tools of a server.
    fn names(&self, tool: &str) -> bool {
        let server = self.tool.starts_with("mcp__")
            && tool.strip_prefix(&*self.tool).is_some_and(|rest| rest.starts_with("__"));
        server || wild(&self.tool, tool) || same_tool(&self.tool, tool)
    }
}

/// What of a call a pattern is held against.
pub(super) enum Subject<'a> {
    Command(Cow<'a, str>),
    Path(Cow<'a, str>),
    /// All files below the folder are read whose names fit the glob.
    Search {
        folder: Cow<'a, str>,
        glob: Option<Cow<'a, str>>,
    },
    Url(Cow<'a, str>),
    Word(Cow<'a, str>),
}

impl<'a> Subject<'a> {
    /// `None` if rules about that tool say nothing of such a call.
    pub(super) fn of(call: &JudgedCall<'a>, rule: &str) -> Option<Self> {
        let input = call.input;
        let text = |key: &str| Some(input.get(key)?.as_str()?.decode());
        match rule {
            "Bash" | "PowerShell" if call.tool == rule || runs_commands(rule, call.tool) => {
                text(BashInput::NAMES.command).map(Subject::Command)
            }
            "WebFetch" if call.tool == rule => text(WebFetchInput::NAMES.url).map(Subject::Url),
            "Skill" if call.tool == rule => {
                let names = SkillInput::NAMES;
                text(names.skill).or_else(|| text(names.command)).map(Subject::Word)
            }
            "Task" | "Agent" if same_tool(rule, call.tool) => {
                text(AgentInput::NAMES.subagent_type).map(Subject::Word)
            }
            _ if about_files(rule, call.tool) => match call.tool {
                "Grep" => {
                    let names = GrepInput::NAMES;
                    let folder = text(names.path).unwrap_or_default();
                    Some(Subject::Search { folder, glob: text(names.glob) })
                }
                "Glob" => {
                    let names = GlobInput::NAMES;
                    let [folder, glob] =
                        [names.path, names.pattern].map(|name| text(name).unwrap_or_default());
                    path::listed(&folder, &glob).map(|folder| Subject::Path(folder.into()))
                }
                "LS" => Some(Subject::Path(text(LsInput::NAMES.path).unwrap_or_default())),
                "NotebookEdit" | "NotebookRead" => {
                    text(NotebookEditInput::NAMES.notebook_path).map(Subject::Path)
                }
                _ => text(ReadInput::NAMES.file_path).map(Subject::Path),
            },
            _ => None,
        }
    }

    /// Nothing, if it cannot be judged.
    pub(super) fn fits(&self, pattern: &str, site: &Site) -> Option<bool> {
        match self {
            Subject::Command(_) => None,
            Subject::Path(path) | Subject::Search { folder: path, .. } => path::fits(pattern, path, site),
            Subject::Url(url) => {
                let domain = pattern.strip_prefix("domain:")?;
                Some(wild(&domain.to_lowercase(), &host(url)?))
            }
            Subject::Word(word) => Some(wild(pattern, word)),
        }
    }
}

/// Versions name the tool that starts sub-agents differently.
fn same_tool(rule: &str, tool: &str) -> bool {
    rule == tool || matches!((rule, tool), ("Task", "Agent") | ("Agent", "Task"))
}

/// `Monitor` runs a command as `Bash` does, and waits for what it says. Claude Code judges it by rules about `Bash`.
fn runs_commands(rule: &str, tool: &str) -> bool {
    rule == "Bash" && tool == "Monitor"
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

/// Whether a line, or something in it, is a command that fits. Names of commands have no case in PowerShell.
fn line_runs(pattern: &str, line: &str, shell: Shell) -> bool {
    match shell {
        Shell::Posix => plainly::runs(line, shell, &Pattern::for_text(pattern, shell)),
        Shell::Power => {
            plainly::runs(&line.to_lowercase(), shell, &Pattern::for_text(&pattern.to_lowercase(), shell))
        }
    }
}

/// The host of an address of the web, as browsers read it, if it is one that is written in one way only.
fn host(url: &str) -> Option<String> {
    let url = url.trim_matches(|c: char| c <= ' ').replace(['\t', '\n', '\r'], "");
    let (scheme, rest) = url.split_once(':')?;
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return None;
    }
    let place = rest.trim_start_matches(['/', '\\']).split(['/', '\\', '?', '#']).next()?;
    let host = place.rsplit('@').next()?;
    let (host, port) = host.split_once(':').unwrap_or((host, ""));
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    let last = host.rsplit('.').next()?;
    let is_plain = host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'));
    let is_known = !is_number(last) || host.parse::<Ipv4Addr>().is_ok_and(|it| it.to_string() == host);
    let port_is_known = port.chars().all(|c| c.is_ascii_digit());
    (!last.is_empty() && is_plain && is_known && port_is_known).then_some(host)
}

/// Browsers take a host that ends in a number for an address, however it is written.
fn is_number(label: &str) -> bool {
    let hex = label.strip_prefix("0x").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_hexdigit()));
    hex || label.chars().all(|c| c.is_ascii_digit())
}

impl FromStr for Rule {
    type Err = NoRule;

    fn from_str(text: &str) -> Result<Self, NoRule> {
        let text = text.trim();
        let no_rule = || NoRule::Form(text.into());
        let (tool, pattern) = match text.split_once('(') {
            Some((tool, rest)) => (tool, Some(rest.strip_suffix(')').ok_or_else(no_rule)?)),
            None => (text, None),
        };
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '*' | '.' | ':');
        if tool.is_empty() || !tool.chars().all(is_name) {
            return Err(no_rule());
        }
        if let Some(tool) = tool_name::meant(tool) {
            return Err(NoRule::Tool { rule: text.into(), tool });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_as_browsers_do() {
        for (url, known) in [
            ("https://example.com/x", Some("example.com")),
            ("HTTP://Example.COM", Some("example.com")),
            (" \u{1}https://example.com\n", Some("example.com")),
            ("ht\ttps://exam\nple.com/", Some("example.com")),
            ("https:evil.org/", Some("evil.org")),
            ("https:evil.org/?://example.com/", Some("evil.org")),
            ("https:/evil.org", Some("evil.org")),
            (r"https:\\evil.org\@example.com/", Some("evil.org")),
            ("https:////evil.org", Some("evil.org")),
            ("https://example.com@evil.org/", Some("evil.org")),
            ("https://a@example.com@evil.org:443/", Some("evil.org")),
            ("https://evil.org?@example.com", Some("evil.org")),
            ("https://evil.org#@example.com", Some("evil.org")),
            ("https://example.com./", Some("example.com")),
            ("https://127.0.0.1:8080/", Some("127.0.0.1")),
            ("https://0x7f.1/", None),
            ("https://2130706433/", None),
            ("https://127.1/", None),
            ("https://0x7f000001/", None),
            ("https://127.0.0.01/", None),
            ("https://example.com../", None),
            ("https://ex%61mple.com/", None),
            ("https://ｅxample.com/", None),
            ("https://exa\u{ad}mple.com/", None),
            ("https://[::1]/", None),
            ("https://example.com:x/", None),
            ("https://", None),
            ("//example.com/", None),
            ("/x", None),
            ("example.com", None),
            ("ftp://example.com/", None),
            ("file:///etc/passwd", None),
        ] {
            assert_eq!(host(url).as_deref(), known, "{url}");
        }
    }
}
