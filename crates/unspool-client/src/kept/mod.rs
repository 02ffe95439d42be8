//! The sessions that Claude Code keeps on disk: to list and read them, to name, fork and delete them.
//!
//! No program runs for it. All of it blocks for as long as the disk takes.

mod about;
mod clock;
mod fork;
mod session;

pub use about::About;
pub use session::{KeptAgent, KeptSession};

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs, io};
use unspool::transcript::{LONGEST_PROJECT, project_name};
use uuid::Uuid;

/// All sessions that Claude Code keeps on disk.
///
/// ```no_run
/// use unspool_client::KeptSessions;
///
/// for session in KeptSessions::new()?.of(".")? {
///     let about = session.about()?;
///     println!("{} {}", session.id(), about.best().unwrap_or("nothing said"));
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeptSessions {
    projects: PathBuf,
}

impl KeptSessions {
    /// Those in Claude Code's own folder: `CLAUDE_CONFIG_DIR`, or `.claude` in the user's.
    pub fn new() -> io::Result<Self> {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || set("HOME").or_else(|| set("USERPROFILE")).map(|home| home.join(".claude"));
        let config = set("CLAUDE_CONFIG_DIR").or_else(home);
        let none = || io::Error::new(io::ErrorKind::NotFound, "neither CLAUDE_CONFIG_DIR nor HOME is set");
        config.map(KeptSessions::at).ok_or_else(none)
    }

    /// Those in a folder that Claude Code takes for its own.
    pub fn at(config: impl AsRef<Path>) -> Self {
        KeptSessions { projects: config.as_ref().join("projects") }
    }

    /// All of them, the one that was written to last first.
    pub fn all(&self) -> io::Result<Vec<KeptSession>> {
        self.in_projects(|_| true)
    }

    /// Those of a project, which is the folder that Claude Code worked in.
    pub fn of(&self, project: impl AsRef<Path>) -> io::Result<Vec<KeptSession>> {
        let real = fs::canonicalize(project)?;
        let name = project_name(&real.to_string_lossy());
        // A long name is cut, and has a number behind it that only Claude Code knows.
        let cut = name.get(..LONGEST_PROJECT).filter(|_| name.len() > LONGEST_PROJECT);
        let cut = cut.map(|cut| format!("{cut}-"));
        self.in_projects(|folder| match &cut {
            None => folder == &*name,
            Some(cut) => folder.to_string_lossy().starts_with(cut),
        })
    }

    /// The one with this id. If it is kept in two projects, the one that was written to last.
    pub fn find(&self, id: &str) -> io::Result<Option<KeptSession>> {
        let mut all = self.all()?;
        all.retain(|session| session.id() == id);
        Ok(all.into_iter().next())
    }

    fn in_projects(&self, wanted: impl Fn(&OsStr) -> bool) -> io::Result<Vec<KeptSession>> {
        let mut found = Vec::new();
        for project in entries(&self.projects)?.into_iter().filter(|entry| wanted(&entry.file_name())) {
            // What is no folder has no sessions.
            for file in entries(&project.path()).unwrap_or_default() {
                found.extend(KeptSession::of(file.path()));
            }
        }
        found.sort_by_cached_key(|session| Reverse(session.modified()));
        Ok(found)
    }
}

/// What is in a folder; nothing if there is none.
fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The session with this main file. Other files are named otherwise.
fn id_of(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
    Uuid::try_parse(name).is_ok().then_some(name)
}
