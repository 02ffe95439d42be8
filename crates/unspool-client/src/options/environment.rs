//! What is different in the environment of Claude Code.

use super::Options;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::process::Command;

/// Environment variables that are set or removed.
///
/// Only names are printed: the values are secrets as often as not.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Env(BTreeMap<OsString, Option<OsString>>);

impl Env {
    /// What becomes of each variable: its value, or nothing if it is removed.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, Option<&OsStr>)> {
        self.0.iter().map(|(name, value)| (name.as_os_str(), value.as_deref()))
    }

    /// What becomes of a variable, if anything.
    pub fn get(&self, name: impl AsRef<OsStr>) -> Option<Option<&OsStr>> {
        self.0.get(name.as_ref()).map(Option::as_deref)
    }

    /// Does it to a process that is to be started.
    pub fn apply(&self, command: &mut Command) {
        for (name, value) in self.iter() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = self.iter().map(|(name, value)| (name, if value.is_some() { "set" } else { "removed" }));
        f.debug_map().entries(told).finish()
    }
}

impl Options {
    /// Sets an environment variable. All others are inherited, unless [`clear_env`](Self::clear_env) is set.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.0.insert(name.into(), Some(value.into()));
        self
    }

    /// Removes an environment variable that would be inherited.
    #[must_use]
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.env.0.insert(name.into(), None);
        self
    }

    /// The value that a variable has for the program.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        match self.env.0.get(OsStr::new(name)) {
            Some(value) => value.clone(),
            None if self.clear_env => None,
            None => std::env::var_os(name),
        }
    }

    /// The folder that the program takes for its own.
    pub(crate) fn config_folder(&self) -> Option<PathBuf> {
        let config = self.variable("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty());
        config.map(PathBuf::from).or_else(|| Some(self.home()?.join(".claude")))
    }

    /// The home of the program, if its environment names one.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.variable("HOME").or_else(|| self.variable("USERPROFILE")).map(PathBuf::from)
    }

    /// What is different, given the environment that would be inherited. What the user says counts most.
    pub(super) fn environment(&self, inherited: impl Fn(&str) -> Option<OsString>) -> Env {
        let mut env: BTreeMap<OsString, Option<OsString>> = BTreeMap::new();
        let mut set = |name: &str, value: Option<OsString>| drop(env.insert(name.into(), value));
        // Flags for other programs of node, such as a debugger that waits, and debug output that nobody reads.
        set("NODE_OPTIONS", None);
        set("DEBUG", None);
        // Where Claude Code has started us, its child would take itself for a part of it. The name under which
        // it runs is then its own, too; unless told, the child calls itself `sdk-cli`, as a program of no known
        // SDK should: other names are treated as if a person sat before them.
        set("CLAUDECODE", None);
        if !self.clear_env && inherited("CLAUDECODE").is_some() {
            set("CLAUDE_CODE_ENTRYPOINT", None);
        }
        // Tell when it is at work and when it waits: without, the end of a run is a guess.
        set("CLAUDE_CODE_SDK_READS_SESSION_STATE", Some("1".into()));
        // Tell on stdout why it could not start.
        set("CLAUDE_CODE_STARTUP_FAILURE_RESULTS", Some("1".into()));
        if let Some(cwd) = self.cwd.as_ref().filter(|cwd| cwd.is_absolute()) {
            set("PWD", Some(cwd.into()));
        }
        for (name, value) in self.variables() {
            set(name, Some(value));
        }
        env.extend(self.env.0.clone());
        Env(env)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_of_claude_code_does_not_take_itself_for_a_part_of_it() {
        let inside =
            |name: &str| ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"].contains(&name).then(|| "1".into());
        let entrypoint = |options: Options, inherited: fn(&str) -> Option<OsString>| {
            options.environment(inherited).get("CLAUDE_CODE_ENTRYPOINT").map(|it| it.map(OsStr::to_owned))
        };
        assert_eq!(entrypoint(Options::new(), inside), Some(None));
        // Whoever has set it on purpose, keeps it; and where nothing is inherited, nothing is removed.
        assert_eq!(entrypoint(Options::new(), |_| None), None);
        assert_eq!(entrypoint(Options::new().clear_env(true), inside), None);
        let named = Options::new().env("CLAUDE_CODE_ENTRYPOINT", "mine");
        assert_eq!(entrypoint(named, inside), Some(Some("mine".into())));
    }
}
