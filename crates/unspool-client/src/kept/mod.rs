//! The sessions that Claude Code keeps on disk: to list and read them, to name, fork and delete them.
//!
//! No program runs for it. All of it blocks for as long as the disk takes.

mod about;
mod agent;
mod clock;
mod fork;
mod listing;
mod message;
mod page;
mod session;
mod worktrees;

pub use about::About;
pub(crate) use about::entries_in;
pub use agent::KeptAgent;
pub(crate) use clock::now;
pub use fork::Fork;
pub use listing::Listing;
pub use message::{AboutAgent, Excerpt, KeptMessage, Speaker};
pub use session::KeptSession;
pub(crate) use session::{tag_entry, title_entry};

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs, io};
use unspool::transcript::{LONGEST_PROJECT, project_name};
use uuid::Uuid;

/// All sessions that Claude Code keeps on disk.
///
/// ```no_run
/// use unspool_client::kept::KeptSessions;
///
/// for session in KeptSessions::new()?.of(".")? {
///     let about = session.about()?;
///     println!("{} {}", session.id(), about.best().unwrap_or("nothing said"));
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeptSessions {
    projects: Vec<PathBuf>,
}

impl KeptSessions {
    /// The sessions in Claude Code's own folders: `CLAUDE_CONFIG_DIR`, which may name several with commas between them;
    /// else `.claude` in the user's, and `claude` where the user's programs keep their settings (`XDG_CONFIG_HOME`, or
    /// `.config`), if it is there.
    pub fn new() -> io::Result<Self> {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(named) = set("CLAUDE_CONFIG_DIR") {
            return Ok(KeptSessions::in_each(folders_in(&named)));
        }
        let home = set("HOME").or_else(|| set("USERPROFILE"));
        let none = || io::Error::new(io::ErrorKind::NotFound, "neither CLAUDE_CONFIG_DIR nor HOME is set");
        let home = home.ok_or_else(none)?;
        let other = set("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config")).join("claude");
        let other = Some(other).filter(|other| other.join("projects").is_dir());
        Ok(KeptSessions::in_each([home.join(".claude")].into_iter().chain(other)))
    }

    /// The sessions in a folder that Claude Code takes for its own.
    pub fn at(config: impl AsRef<Path>) -> Self {
        KeptSessions::in_each([config])
    }

    /// The sessions in several folders that Claude Code takes for its own.
    pub fn in_each(configs: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        KeptSessions {
            projects: configs.into_iter().map(|config| config.as_ref().join("projects")).collect(),
        }
    }

    /// Where they are: folders, with one for each project in them.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        &self.projects
    }

    /// Where those of a project are, which is the folder that Claude Code worked in, here or on another machine. That is one
    /// folder in each of [`folders`](KeptSessions::folders), there or not; if the project has a long path, whose name Claude Code cuts,
    /// any that it may be.
    pub fn folders_of(&self, project: impl AsRef<Path>) -> io::Result<Vec<PathBuf>> {
        let name = project_name(&real(project.as_ref())?.to_string_lossy());
        let Some(cut) = name.get(..LONGEST_PROJECT).filter(|_| name.len() > LONGEST_PROJECT) else {
            return Ok(self.projects.iter().map(|projects| projects.join(&name)).collect());
        };
        let fits =
            |name: &OsStr| name.to_string_lossy().strip_prefix(cut).is_some_and(|rest| rest.starts_with('-'));
        let mut folders = Vec::new();
        for projects in &self.projects {
            let found = entries(projects)?.into_iter().filter(|entry| fits(&entry.file_name()));
            folders.extend(found.map(|folder| folder.path()));
        }
        Ok(folders)
    }

    /// All sessions, the one that was written to last first.
    pub fn all(&self) -> io::Result<Vec<KeptSession>> {
        let mut projects = Vec::new();
        for folder in &self.projects {
            projects.extend(entries(folder)?.iter().map(fs::DirEntry::path));
        }
        Ok(sessions_in(projects))
    }

    /// The sessions of a project, the one that was written to last first.
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

    /// The sessions that are wanted, the one that was written to last first. Nothing is read of them, so those in which
    /// nothing was said are among them.
    pub fn list(&self, listing: &Listing) -> io::Result<Vec<KeptSession>> {
        let mut sessions = match &listing.project {
            None => self.all()?,
            Some(project) if listing.worktrees => {
                let folder = real(project)?;
                let mut folders: Vec<PathBuf> = worktrees::worktrees_of(&folder);
                if folders.len() < 2 {
                    // The repository as a whole is meant only where there is more than one of it.
                    folders.clear();
                }
                if !folders.contains(&folder) {
                    folders.push(folder);
                }
                let mut sessions = Vec::new();
                for folder in folders {
                    sessions.extend(self.of(folder)?);
                }
                newest_first(&mut sessions);
                sessions
            }
            Some(project) => self.of(project)?,
        };
        let mut seen = HashSet::new();
        sessions.retain(|session| seen.insert(session.id().to_owned()));
        Ok(listing.page(sessions))
    }

    /// The one with this id. If it is kept in two projects, the one that was written to last.
    pub fn find(&self, id: &str) -> io::Result<Option<KeptSession>> {
        Ok(self.all()?.into_iter().find(|session| session.id() == id))
    }
}

/// The folders that a list names. One whose own name has a comma is meant if it is there.
fn folders_in(list: &Path) -> Vec<PathBuf> {
    let Some(names) = list.to_str().filter(|names| names.contains(',') && !list.exists()) else {
        return vec![list.to_owned()];
    };
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(PathBuf::from).collect()
}

fn sessions_in(projects: impl IntoIterator<Item = PathBuf>) -> Vec<KeptSession> {
    // What is no folder has no sessions.
    let files = projects.into_iter().flat_map(|project| entries(&project).unwrap_or_default());
    let mut sessions: Vec<KeptSession> = files.filter_map(|file| KeptSession::of(file.path())).collect();
    newest_first(&mut sessions);
    sessions
}

/// Those of the same time always in the same order, so that pages of them fit together.
fn newest_first(sessions: &mut [KeptSession]) {
    sessions.sort_by_cached_key(|session| Reverse((session.modified(), session.id().to_owned())));
}

/// The path by which Claude Code knows a folder. One that is not here has no other.
pub(crate) fn real(folder: &Path) -> io::Result<PathBuf> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_folders_has_commas() {
        let here = env!("CARGO_MANIFEST_DIR");
        assert_eq!(folders_in(Path::new("/a, /b/c,")), [Path::new("/a"), Path::new("/b/c")]);
        assert_eq!(folders_in(Path::new(here)), [Path::new(here)]);
        let with_comma = env::temp_dir().join(format!("unspool, {}", std::process::id()));
        fs::create_dir_all(&with_comma).unwrap();
        assert_eq!(folders_in(&with_comma), std::slice::from_ref(&with_comma));
        fs::remove_dir(&with_comma).unwrap();
    }
}
