//! The sub-agents of a session on disk.

use super::{AboutAgent, Excerpt, KeptMessage, entries};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use unspool::json::Json;
use unspool::wire::{EntryHead, Wire as _};

/// A sub-agent of a session on disk.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct KeptAgent {
    /// The agent.
    pub id: String,
    /// Its transcript.
    pub path: PathBuf,
}

impl KeptAgent {
    /// The agent with this transcript; none if it is not named as one.
    pub fn at(path: impl Into<PathBuf>) -> Option<Self> {
        let path = path.into();
        let id = path.file_name()?.to_str()?.strip_prefix("agent-")?.strip_suffix(".jsonl")?.to_owned();
        Some(KeptAgent { id, path })
    }

    /// The agents of the session with this main file, those of workflows too. Versions up to 1.0 keep what they say in that file.
    pub fn of(main: impl AsRef<Path>) -> io::Result<Vec<Self>> {
        let main = main.as_ref();
        let mut found = Vec::new();
        collect(&main.with_extension("").join("subagents"), &mut found)?;
        // Versions up to 2.0 keep them beside the session.
        let folder = main.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let session = main.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let beside = entries(folder)?.into_iter().filter_map(|file| KeptAgent::at(file.path()));
        found.extend(beside.filter(|agent| agent.session().as_deref() == Some(session)));
        found.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(found)
    }

    /// What was said to it and by it.
    pub fn messages(&self, excerpt: &Excerpt) -> io::Result<Vec<KeptMessage>> {
        let text = String::from_utf8_lossy(&fs::read(&self.path)?).into_owned();
        Ok(excerpt.of(&text, &self.about()))
    }

    /// What is known of it: nothing, if nothing stands beside its transcript.
    pub fn about(&self) -> AboutAgent {
        let text = fs::read_to_string(self.path.with_extension("meta.json")).unwrap_or_default();
        Json::new(text.trim()).map(AboutAgent::beside).unwrap_or_default()
    }

    /// The session that its transcript says it is of: the one in which it answered. What it was asked may bear an id that was
    /// thrown away when the session was resumed (2.0.77).
    pub fn session(&self) -> Option<String> {
        let lines = BufReader::new(File::open(&self.path).ok()?).split(b'\n');
        let mut asked = None;
        for line in lines.map_while(Result::ok) {
            let Ok(line) = str::from_utf8(&line) else { continue };
            let Ok(entry) = Json::new(line.trim()) else { continue };
            let Some(head) = EntryHead::of(entry) else { continue };
            let session = head.session_id.map(|id| id.to_string());
            if head.is_assistant() && session.is_some() {
                return session;
            }
            asked = asked.or(session);
        }
        asked
    }
}

/// All agents in a folder and the folders in it.
fn collect(folder: &Path, found: &mut Vec<KeptAgent>) -> io::Result<()> {
    for entry in entries(folder)? {
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), found)?;
        } else {
            found.extend(KeptAgent::at(entry.path()));
        }
    }
    Ok(())
}
