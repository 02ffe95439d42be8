//! From what somebody named to the sessions that are meant: files, folders, ids.

use super::Source;
use super::unpack::plain_name;
use anyhow::{Context, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use unspool_client::kept::{KeptAgent, KeptSessions};

/// Sessions that were found.
pub(crate) struct Found {
    pub(crate) sources: Vec<Source>,
    /// How many of the things that were named could not be found; they were named on standard error.
    pub(crate) missing: u64,
}

impl Found {
    pub(super) fn of(source: Source) -> Self {
        Found { sources: vec![source], missing: 0 }
    }

    /// The only one.
    pub(crate) fn one(mut self) -> anyhow::Result<Source> {
        let count = self.sources.len();
        match self.sources.pop() {
            Some(source) if count == 1 => Ok(source),
            _ => bail!("there are {count} sessions in it; name one of them (`unspool sessions` lists them)"),
        }
    }
}

/// The sessions of all these, in order. Each of them has some.
pub(super) fn all(named: &[PathBuf]) -> anyhow::Result<Found> {
    find(named, |path| {
        let sources = sessions_of(path)?;
        if sources.is_empty() {
            bail!("there is no transcript, no recording and no recorded stream in this folder");
        }
        Ok(sources)
    })
}

/// The sessions of all these by now, in order.
pub(super) fn so_far(named: &[PathBuf]) -> anyhow::Result<Found> {
    find(named, sessions_of)
}

fn find(named: &[PathBuf], sessions_of: fn(&Path) -> anyhow::Result<Vec<Source>>) -> anyhow::Result<Found> {
    let mut found = Found { sources: Vec::new(), missing: 0 };
    for path in named {
        match sessions_of(path).with_context(|| format!("cannot read {}", path.display())) {
            Ok(sources) => found.sources.extend(sources),
            Err(error) if named.len() == 1 => return Err(error),
            Err(error) => {
                eprintln!("unspool: {error:#}");
                found.missing += 1;
            }
        }
    }
    if found.missing == named.len() as u64 {
        bail!("nothing of it can be read");
    }
    Ok(found)
}

fn sessions_of(path: &Path) -> anyhow::Result<Vec<Source>> {
    if path.as_os_str() == "-" {
        return Ok(vec![Source::of(path.to_owned())]);
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => in_folder(path),
        Ok(metadata) => {
            Ok(vec![Source { modified: metadata.modified().ok(), ..Source::of(path.to_owned()) }])
        }
        Err(error) => match path.to_str().filter(|name| has_letters_of_id(name)) {
            Some(id) if id.len() >= ENOUGH => by_id(id),
            Some(_) => {
                bail!("there is no such file, and the beginning of an id has at least {ENOUGH} characters")
            }
            None => Err(error.into()),
        },
    }
}

/// The session with this id, or the only one whose id begins so.
fn by_id(id: &str) -> anyhow::Result<Vec<Source>> {
    let kept = KeptSessions::new()?;
    let mut found = Vec::new();
    for folder in kept.folders().iter().flat_map(|projects| folders(projects)) {
        let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let fits = |path: &PathBuf| {
            let plain = plain_name(path);
            let name = plain.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with(id) && is_session_id(name) && is_transcript(&plain)
        };
        found.extend(files.filter(fits));
    }
    match &*found {
        [path] => Ok(vec![Source::of(path.clone())]),
        [] => {
            let folders: Vec<_> = kept.folders().iter().map(|folder| folder.display().to_string()).collect();
            bail!("there is no such file, and no session whose id begins so in {}", folders.join(", "))
        }
        several => bail!("{} sessions have an id that begins so: give more of it", several.len()),
    }
}

/// All sessions in a folder and the folders in it.
pub(super) fn in_folder(folder: &Path) -> anyhow::Result<Vec<Source>> {
    let mut files = BTreeMap::new();
    walk(folder, &mut files).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut agents = BTreeMap::<PathBuf, Vec<PathBuf>>::new();
    let mut mains = Vec::new();
    for (path, modified) in files {
        match main_of(&path) {
            Some(main) => agents.entry(main).or_default().push(path),
            None => mains.push((path, modified)),
        }
    }
    let mut sources = Vec::new();
    for (path, modified) in mains {
        let agents = agents.remove(&plain_name(&path)).unwrap_or_default();
        sources.push(Source::found(path, Some(agents), modified));
    }
    // Agents whose session is not there are told by themselves.
    for mut orphans in agents.into_values() {
        let path = orphans.remove(0);
        sources.push(Source::found(path, Some(orphans), None));
    }
    Ok(sources)
}

/// The main file of the session to which an agent's file belongs.
fn main_of(path: &Path) -> Option<PathBuf> {
    let agent = KeptAgent::at(plain_name(path))?;
    let mut above = path.ancestors().skip(1);
    if let Some(folder) = above.find(|folder| folder.file_name().is_some_and(|name| name == "subagents")) {
        return Some(folder.parent()?.with_extension("jsonl"));
    }
    Some(path.with_file_name(format!("{}.jsonl", agent.session()?)))
}

fn walk(folder: &Path, files: &mut BTreeMap<PathBuf, Option<SystemTime>>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        let plain = plain_name(&path);
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            // A folder in it that cannot be read must not hide the others.
            if let Err(error) = walk(&path, files) {
                eprintln!("unspool: cannot read {}: {error}", path.display());
            }
        } else if is_transcript(&plain)
            || plain.extension().is_some_and(|name| name == "ndjson" || name == "rec")
        {
            let Ok(metadata) = fs::metadata(&path) else { continue };
            if metadata.is_file() && metadata.len() > 0 {
                files.insert(path, metadata.modified().ok());
            }
        }
    }
    Ok(())
}

/// Where the sessions of all projects are kept: of several folders those that are there.
pub(crate) fn kept_folders() -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = KeptSessions::new()?.folders().to_vec();
    if folders.iter().any(|folder| folder.is_dir()) {
        folders.retain(|folder| folder.is_dir());
    }
    Ok(folders)
}

/// Where the sessions of a project are kept.
pub(crate) fn project_folders(project: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let folders = KeptSessions::new()?.folders_of(project);
    let mut folders = folders.with_context(|| format!("cannot read {}", project.display()))?;
    folders.retain(|folder| folder.is_dir());
    if folders.is_empty() {
        bail!("no sessions of {} are kept", project.display());
    }
    Ok(folders)
}

fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir())
}

fn is_transcript(path: &Path) -> bool {
    path.extension().is_some_and(|name| name == "jsonl")
}

/// Whether it is the id of a session: 8-4-4-4-12 hexadecimal digits.
pub(crate) fn is_session_id(name: &str) -> bool {
    let parts: Vec<_> = name.split('-').map(str::len).collect();
    parts == [8, 4, 4, 4, 12] && has_letters_of_id(name)
}

/// With fewer characters of an id, nobody means a session.
const ENOUGH: usize = 4;

/// Whether it may be the beginning of one.
fn has_letters_of_id(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_known() {
        assert!(is_session_id("b837353a-cbb2-42ae-8e45-3716e025b6d3"));
        assert!(!is_session_id("b837353a") && !is_session_id("agent-a7a7617"));
        assert!(
            has_letters_of_id("b837353a-c") && !has_letters_of_id("run.ndjson") && !has_letters_of_id("")
        );
    }

    #[test]
    fn agents_belong_to_a_session() {
        let main = main_of(Path::new("/p/s/subagents/workflows/w/agent-a1.jsonl"));
        assert_eq!(main.as_deref(), Some(Path::new("/p/s.jsonl")));
        assert_eq!(
            main_of(Path::new("/p/s/subagents/agent-a1.jsonl.gz")).as_deref(),
            Some(Path::new("/p/s.jsonl"))
        );
        assert_eq!(main_of(Path::new("/p/s.jsonl")), None);
    }
}
