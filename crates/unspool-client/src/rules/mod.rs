//! Lists of what is allowed and what is blocked.

mod glob;
mod handed;
mod launch;
mod name;
mod path;
mod pattern;
mod pieces;
mod plainly;
mod real;
mod rule;
mod shell;
mod site;
#[cfg(test)]
mod tests;
mod tool_name;

pub use rule::{NoRule, Rule};
pub(crate) use site::Whence;

use crate::handlers::not_allowed;
use rule::JudgedCall;
use shell::Command;
use site::{Base, Home, Site};
use std::path::{Path, PathBuf};
use unspool::json::Json;

/// Which calls are allowed and which are blocked, by rules as Claude Code writes them.
///
/// A call that is blocked is never made, whatever else allows it. A call that is allowed is made without
/// asking anybody. All else is as it would be without the rules, except that rules which allow something make Claude Code
/// ask: what it asks about and is in no list goes to the permission handler, and where there is none it is denied. Rules
/// that only block change nothing else.
///
/// Claude Code does not ask about everything: it may read files, say. [`strict`](Rules::strict) rules hold
/// for those calls too.
///
/// # Two judges
///
/// Rules are handed to Claude Code as well (`--allowedTools`, `--disallowedTools`). What either of the two blocks is
/// blocked: a tool that is blocked altogether is not even offered to the model. Without asking, a call is made only if both
/// allow it. Where Claude Code is the stricter one and asks, the permission handler decides; where the rules are, a hook
/// keeps the call back, and asks. Versions before 2.1.325 may not ask when a hook wants them to: there such a call is
/// denied, and what they ask about is allowed by the rules alone.
///
/// The rules alone judge what Claude Code does not read as they do: `Write(src/**)`, patterns with a `\\` or with
/// parentheses, patterns for files that begin elsewhere than the session ([`within`](Rules::within)), and all of them for
/// a session that was started elsewhere ([`Claude::connect`](crate::Claude::connect)).
///
/// # Files
///
/// What counts is the file that is opened: links are followed, also in the working directory, and `~` is the home of the
/// session. A rule that allows has to fit the path as it is named and as it really is, so a link inside a folder that is
/// allowed leads nowhere else. A rule that blocks does so if it fits either, and it holds for what is behind links in its own
/// plain beginning too. Where a path leads that goes through a process (`/proc/self/cwd`), or that a folder nobody may look
/// into hides, cannot be known.
///
/// Some things remain. Files are looked at when the call is judged: whatever else runs may put a link there before it is
/// opened. A file with several names (hard links, mounts) is blocked only by those that a rule names, and so is one whose
/// name can be written in upper and lower case on a disk that does not tell them apart; on macOS that is looked after. If the
/// program runs elsewhere, in a container for instance, only Claude Code can follow the links there. On Windows no path can
/// be judged.
///
/// # What a pattern cannot do
///
/// A rule that allows commands allows a line only if all of it is understood; a rule that blocks them finds them where a
/// line plainly runs them, and not in a variable, an encoded text or a script. Nor do rules about files hold for
/// commands: `Read(.env)` does not block `cat .env`. What exactly can be promised is written in `docs/rules.md`. Who must be
/// sure blocks the tool, or allows by list with [`strict`](Rules::strict), or lets Claude Code run in a sandbox.
///
/// What cannot be judged is not allowed, but blocked: `WebFetch(domain:example.com)` blocks an address without a
/// plain host, and `Read(.env)` a `Grep` in a folder where such a file may be, unless its glob leaves out files of
/// that name. A name with an extension, or `.env`, is taken for that of a file; behind any other name there may be a
/// folder.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    allowed: Vec<Rule>,
    blocked: Vec<Rule>,
    strict: bool,
    place: Base,
    /// Claude Code has the rules too.
    handed: bool,
}

/// Rules as Claude Code is given them.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct HandedRules {
    pub(crate) allowed: Vec<String>,
    pub(crate) blocked: Vec<String>,
}

/// What rules say to a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ruling {
    /// It is in the list of what is allowed, and not blocked.
    Allowed,
    /// It is in the list of what is blocked.
    Blocked,
    /// It is in neither list.
    Unlisted,
}

impl Rules {
    /// Nothing is blocked, and nothing in particular allowed.
    #[must_use]
    pub fn new() -> Self {
        Rules::default()
    }

    /// Allows calls that fit one of these.
    pub fn allow<R: AsRef<str>>(mut self, rules: impl IntoIterator<Item = R>) -> Result<Self, NoRule> {
        for rule in rules {
            self.allowed.push(rule.as_ref().parse()?);
        }
        Ok(self)
    }

    /// Blocks calls that fit one of these.
    pub fn block<R: AsRef<str>>(mut self, rules: impl IntoIterator<Item = R>) -> Result<Self, NoRule> {
        for rule in rules {
            self.blocked.push(rule.as_ref().parse()?);
        }
        Ok(self)
    }

    /// The rules decide about every call, not only those that Claude Code asks about.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Where patterns for files begin; the working directory of the session unless said otherwise
    /// ([`Options::cwd`](crate::Options::cwd)), and that of this process where there is no session. A relative path
    /// is in the directory of this process.
    #[must_use]
    pub fn within(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.place.cwd = Some(cwd.into());
        self
    }

    /// What the rules say to a call.
    #[must_use]
    pub fn judge(&self, tool: &str, input: Json<'_>) -> Ruling {
        self.judge_from(Whence::Place, tool, input)
    }

    /// What the rules say to a call that is made there.
    pub(crate) fn judge_from(&self, whence: Whence<'_>, tool: &str, input: Json<'_>) -> Ruling {
        let (call, site) = (&JudgedCall::new(tool, input), Site::of(&self.place, whence));
        if self.blocked.iter().any(|rule| rule.blocks(call, &site)) {
            Ruling::Blocked
        } else if self.allows(call, &site) {
            Ruling::Allowed
        } else {
            Ruling::Unlisted
        }
    }

    /// Whether the call may be made, by the lists alone: if nothing in particular is allowed, all is that is not blocked.
    #[must_use]
    pub fn permits(&self, tool: &str, input: Json<'_>) -> bool {
        match self.judge(tool, input) {
            Ruling::Allowed => true,
            Ruling::Blocked => false,
            Ruling::Unlisted => self.allowed.is_empty(),
        }
    }

    /// These rules for a session in this directory, if it was not said where patterns begin, and of a user with this home.
    pub(crate) fn in_session(&self, cwd: Option<&Path>, home: Option<PathBuf>) -> Self {
        let mut rules = self.clone();
        rules.place = Base { home: Home::Of(home), ..rules.place.in_session(cwd) };
        rules
    }

    /// These rules for a session whose program is started with what [`handed`](Self::handed) has.
    pub(crate) fn handed_over(mut self) -> Self {
        self.handed = true;
        self
    }

    /// What Claude Code is given of them.
    pub(crate) fn handed(&self) -> HandedRules {
        HandedRules {
            allowed: self.both_allow().filter_map(Rule::handed_to_allow).collect(),
            blocked: self
                .blocked
                .iter()
                .filter(|rule| self.begins_with_session(rule))
                .filter_map(Rule::handed_to_block)
                .collect(),
        }
    }

    /// What is allowed only if Claude Code finds so too.
    fn both_allow(&self) -> impl Iterator<Item = &Rule> {
        self.allowed.iter().filter(|rule| rule.handed_to_allow().is_some() && self.begins_with_session(rule))
    }

    /// Claude Code reads patterns for files from its working directory on.
    fn begins_with_session(&self, rule: &Rule) -> bool {
        let is_file = matches!(rule.tool(), "Edit" | "Read") && rule.pattern().is_some();
        let is_whole =
            rule.pattern().is_some_and(|pattern| pattern.starts_with("//") || pattern.starts_with('~'));
        self.place.is_of_session || !is_file || is_whole
    }

    /// Whether a call that is allowed here is so without Claude Code, which was not given the rules that allow it.
    pub(crate) fn allow_alone(&self, tool: &str, input: Json<'_>) -> bool {
        let alone = |rule: &&Rule| !self.handed || self.both_allow().all(|both| both != *rule);
        let alone = Rules { allowed: self.allowed.iter().filter(alone).cloned().collect(), ..self.clone() };
        alone.judge_from(Whence::Unknown, tool, input) == Ruling::Allowed
    }

    /// Whether Claude Code might allow the call by its own reading of what it was given.
    pub(crate) fn may_be_read_to_allow(&self, whence: Whence<'_>, tool: &str, input: Json<'_>) -> bool {
        let (call, site) = (&JudgedCall::new(tool, input), Site::of(&self.place, whence));
        self.handed && self.both_allow().any(|rule| rule.touches(call, &site))
    }

    /// What the model is told of a call that is blocked.
    pub(crate) fn denial(&self, whence: Whence<'_>, tool: &str, input: Json<'_>) -> String {
        let (call, site) = (&JudgedCall::new(tool, input), Site::of(&self.place, whence));
        let rule = self.blocked.iter().find(|rule| rule.blocks(call, &site));
        let denial = match rule {
            Some(rule) => format!("This call of {tool} is not allowed: it is blocked by the rule {rule}."),
            None => not_allowed(tool),
        };
        let by_files = tool == "Grep" && self.blocked.iter().all(|rule| !rule.blocks_all(tool));
        if by_files && self.blocked.iter().any(|rule| rule.is_about_files_of(tool)) {
            return denial + " Search in a folder, or with a glob, that leaves the blocked files out.";
        }
        denial
    }

    /// Whether Claude Code has to ask about calls, so that they can be allowed.
    pub(crate) fn decide(&self) -> bool {
        !self.allowed.is_empty()
    }

    /// Tools of rules that no tool is known by.
    pub(crate) fn unknown_tools(&self) -> impl Iterator<Item = &str> {
        let tools = self.allowed.iter().chain(&self.blocked).map(Rule::tool);
        tools.filter(|tool| !tool_name::is_known(tool))
    }

    /// Whether calls have to be looked at that Claude Code does not ask about.
    pub(crate) fn watch_all(&self) -> bool {
        !self.blocked.is_empty() || self.is_strict() || self.handed && self.both_allow().next().is_some()
    }

    /// Whether calls that are in no list have to be looked at too.
    pub(crate) fn is_strict(&self) -> bool {
        self.strict && !self.allowed.is_empty()
    }

    /// A line of several commands is allowed if each of them is, by whichever rule.
    fn allows(&self, call: &JudgedCall<'_>, site: &Site) -> bool {
        if self.allowed.iter().any(|rule| rule.allows(call, site)) {
            return true;
        }
        let allowed = |command: &Command| self.allowed.iter().any(|rule| rule.allows_command(call, command));
        call.commands().is_some_and(|commands| commands.iter().all(allowed))
    }
}
