//! The sessions that Claude Code keeps on disk: to list and read them, to name, fork and delete them.
//!
//! No program runs for it. All of it blocks for as long as the disk takes.

mod about;
mod agent;
mod clock;
mod fork;
mod session;

pub use about::About;
pub use agent::KeptAgent;
pub use session::KeptSession;

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

    /// Where they are: a folder, with one for each project in it.
    pub fn folder(&self) -> &Path {
        &self.projects
    }

    /// Where those of a project are, which is the folder that Claude Code worked in, here or on another machine. That is one
    /// folder, there or not; if the project has a long path, whose name Claude Code cuts, any that it may be.
    pub fn folders_of(&self, project: impl AsRef<Path>) -> io::Result<Vec<PathBuf>> {
        let name = project_name(&real(project.as_ref())?.to_string_lossy());
        let Some(cut) = name.get(..LONGEST_PROJECT).filter(|_| name.len() > LONGEST_PROJECT) else {
            return Ok(vec![self.projects.join(name)]);
        };
        let fits =
            |name: &OsStr| name.to_string_lossy().strip_prefix(cut).is_some_and(|rest| rest.starts_with('-'));
        let folders = entries(&self.projects)?.into_iter().filter(|entry| fits(&entry.file_name()));
        Ok(folders.map(|folder| folder.path()).collect())
    }

    /// All of them, the one that was written to last first.
    pub fn all(&self) -> io::Result<Vec<KeptSession>> {
        Ok(sessions_in(entries(&self.projects)?.iter().map(fs::DirEntry::path)))
    }

    /// Those of a project, in the same order.
    pub fn of(&self, project: impl AsRef<Path>) -> io::Result<Vec<KeptSession>> {
        let real = real(project.as_ref())?;
        let mut sessions = sessions_in(self.folders_of(&real)?);
        if project_name(&real.to_string_lossy()).len() > LONGEST_PROJECT {
            // Other projects may have the same name, as far as it goes.
            let is_its_own = |session: &KeptSession| {
                let cwd = session.about().ok().and_then(|about| about.cwd);
                cwd.is_some_and(|cwd| Path::new(&cwd) == real)
            };
            sessions.retain(is_its_own);
        }
        Ok(sessions)
    }

    /// The one with this id. If it is kept in two projects, the one that was written to last.
    pub fn find(&self, id: &str) -> io::Result<Option<KeptSession>> {
        Ok(self.all()?.into_iter().find(|session| session.id() == id))
    }
}

fn sessions_in(projects: impl IntoIterator<Item = PathBuf>) -> Vec<KeptSession> {
    // What is no folder has no sessions.
    let files = projects.into_iter().flat_map(|project| entries(&project).unwrap_or_default());
    let mut sessions: Vec<KeptSession> = files.filter_map(|file| KeptSession::of(file.path())).collect();
    sessions.sort_by_cached_key(|session| Reverse(session.modified()));
    sessions
}

/// The path by which Claude Code knows a folder. One that is not here has no other.
fn real(folder: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => std::path::absolute(folder),
        other => other,
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
