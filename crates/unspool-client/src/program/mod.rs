//! Finds the program: the path that was given, an override, PATH, the places where installers put it.

#[cfg(feature = "process")]
mod asked;
mod installed;
mod places;
mod version;

pub use version::{Support, TESTED, Version, VersionError};

use crate::Options;
use places::Surroundings;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

/// Names the program to run, where it is not to be looked for.
pub const OVERRIDE: &str = "UNSPOOL_CLAUDE";

/// Claude Code, found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Program {
    path: PathBuf,
    /// What runs it, if it cannot run alone.
    runtime: Option<PathBuf>,
    /// What stands before its arguments.
    args: Vec<OsString>,
}

/// Claude Code was not found. Printed, it says where it was looked for and what to do.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotFound {
    /// It is not where it was said to be.
    #[error("{} ({why}) is no program that can be run; correct the path, or leave it out to look for Claude Code", .path.display())]
    NotThere {
        /// Where that is.
        path: PathBuf,
        /// Who said so.
        why: &'static str,
    },
    /// It is nowhere.
    #[error("Claude Code is not installed, or not where it is looked for. Install it (`npm install -g \
             @anthropic-ai/claude-code`), put it on PATH, or name it in {OVERRIDE}. Looked for:{}", Listed(.looked))]
    Nowhere {
        /// Where it was looked for.
        looked: Vec<PathBuf>,
    },
    /// It is a script, and there is nothing to run it.
    #[error("{} is a script, and there is no {} on PATH to run it; install node", .script.display(), .runtimes.join(", "))]
    NoRuntime {
        /// The script.
        script: PathBuf,
        /// What could run it.
        runtimes: &'static [&'static str],
    },
}

struct Listed<'a>(&'a [PathBuf]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|path| write!(f, "\n  {}", path.display()))
    }
}

impl Program {
    /// Looks for Claude Code: what [`OVERRIDE`] names, then PATH, then where installers put it.
    pub fn find() -> Result<Self, NotFound> {
        Self::find_in(&Surroundings::ours(), None)
    }

    /// Where Claude Code is looked for unless the application names it, best first.
    #[must_use]
    pub fn places() -> Vec<PathBuf> {
        Surroundings::ours().places()
    }

    /// The program at a path. A script (`.js`, `.mjs`, `.cjs` and such) is run by node, bun or deno.
    pub fn at(path: impl AsRef<Path>) -> Result<Self, NotFound> {
        Self::find_in(&Surroundings::ours(), Some(path.as_ref()))
    }

    /// The program at a path, as it is: nothing is looked at.
    pub fn exactly(path: impl Into<PathBuf>) -> Self {
        Program { path: path.into(), runtime: None, args: Vec::new() }
    }

    /// The program at a path, run by something of one's own, with arguments of its own: a container, another
    /// user, a debugger.
    ///
    /// Where our files are not there, as in a container, set
    /// [`Options::config_on_command_line`], or the program does not find its MCP servers, settings and system prompt.
    pub fn run_by(
        runtime: impl Into<PathBuf>,
        args: impl IntoIterator<Item: Into<OsString>>,
        path: impl Into<PathBuf>,
    ) -> Self {
        let path = path.into();
        let mut args: Vec<OsString> = args.into_iter().map(Into::into).collect();
        args.push(path.clone().into());
        Program { path, runtime: Some(runtime.into()), args }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is started: the program, or what runs it.
    #[must_use]
    pub fn command(&self) -> &Path {
        self.runtime.as_deref().unwrap_or(&self.path)
    }

    /// What stands before its own arguments.
    #[must_use]
    pub fn args(&self) -> &[OsString] {
        &self.args
    }

    fn find_in(surroundings: &Surroundings, explicit: Option<&Path>) -> Result<Self, NotFound> {
        let named = surroundings.variable(OVERRIDE).map(|path| (PathBuf::from(path), "from UNSPOOL_CLAUDE"));
        let named = explicit.map(|path| (path.to_owned(), "as given")).or(named);
        if let Some((path, why)) = named {
            // One word is a name for PATH, as in a shell.
            let found = if path.components().count() == 1 && !path.is_file() {
                surroundings.on_path(&path)
            } else {
                Some(path.clone()).filter(|path| can_run(path))
            };
            return Self::of(found.ok_or(NotFound::NotThere { path, why })?, surroundings);
        }
        let places = surroundings.places();
        match places.iter().find(|place| can_run(place)) {
            Some(found) => Self::of(found.clone(), surroundings),
            None => Err(NotFound::Nowhere { looked: places }),
        }
    }

    fn of(path: PathBuf, surroundings: &Surroundings) -> Result<Self, NotFound> {
        // It is started in another folder than ours, perhaps.
        let path = std::path::absolute(&path).unwrap_or(path);
        // What npm installs is a link to a script. The link alone needs a node on PATH, and the node that it
        // was installed with may stand beside it rather than there.
        let script = path.canonicalize().unwrap_or_else(|_| path.clone());
        let Some(runtimes) = runtimes(&script) else {
            return Ok(Program::exactly(path));
        };
        let beside = |name: &&str| Some(path.with_file_name(name)).filter(|it| can_run(it));
        let found = runtimes.iter().find_map(|name| surroundings.on_path(name.as_ref()));
        let runtime = found.or_else(|| runtimes.iter().find_map(beside));
        let Some(runtime) = runtime else { return Err(NotFound::NoRuntime { script, runtimes }) };
        // deno asks for permission to do anything, and wants a word for "run".
        let deno = runtime.file_stem() == Some(OsStr::new("deno"));
        let words: &[&str] = if deno { &["run", "--allow-all"] } else { &[] };
        Ok(Program { path, ..Self::run_by(runtime, words.iter().copied(), script) })
    }
}

impl Options {
    /// The program that these options name, or the one that is found.
    pub fn find_program(&self) -> Result<Program, NotFound> {
        self.program.as_ref().map_or_else(Program::find, Program::at)
    }
}

/// What could run a script, best first; nothing, if it is no script.
fn runtimes(path: &Path) -> Option<&'static [&'static str]> {
    match path.extension()?.to_str()? {
        "js" | "mjs" | "cjs" => Some(&["node", "bun", "deno"]),
        "ts" | "tsx" | "jsx" | "mts" => Some(&["bun", "deno"]),
        _ => None,
    }
}

/// Whether it can be run, by itself or by something that runs scripts.
fn can_run(path: &Path) -> bool {
    path.is_file() && (runtimes(path).is_some() || is_executable(path))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests;
