//! One session on disk.

use super::{About, clock, entries, fork, id_of};
use crate::store::{SessionStore, StoreError, TranscriptFile};
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use unspool::control::Payload;
use unspool::json::Json;

/// So many entries are given to a store at once.
const BATCH: usize = 500;

/// A session that Claude Code keeps on disk.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeptSession {
    id: String,
    path: PathBuf,
}

/// A sub-agent of such a session.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct KeptAgent {
    /// The agent.
    pub id: String,
    /// Its transcript.
    pub path: PathBuf,
}

impl KeptSession {
    /// The session with this main file; none if it is no such file, or nothing is in it.
    pub fn of(path: PathBuf) -> Option<Self> {
        let id = id_of(&path)?.to_owned();
        let is_there = fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() > 0);
        is_there.then_some(KeptSession { id, path })
    }

    /// Its id, to [resume](crate::Options::resume) it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its main file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// When it was last written to.
    pub fn modified(&self) -> Option<SystemTime> {
        fs::metadata(&self.path).and_then(|file| file.modified()).ok()
    }

    /// All of its main file, for [`conversation`](unspool::transcript::conversation) or
    /// [`Transcript`](unspool::transcript::Transcript). What is no UTF-8 is replaced.
    pub fn read(&self) -> io::Result<String> {
        Ok(String::from_utf8_lossy(&fs::read(&self.path)?).into_owned())
    }

    /// What is known of it, without what was said.
    pub fn about(&self) -> io::Result<About> {
        About::of(&self.read()?, &self.archived())
    }

    /// Its sub-agents, those of workflows too.
    pub fn agents(&self) -> io::Result<Vec<KeptAgent>> {
        let mut found = Vec::new();
        collect(&self.folder().join("subagents"), &mut found)?;
        // Versions up to 2.0 keep them beside the session.
        let beside = self.path.parent().map(entries).transpose()?.unwrap_or_default();
        let beside = beside.iter().filter_map(|file| agent_at(&file.path()));
        found.extend(beside.filter(|agent| session_of(&agent.path).as_deref() == Some(&*self.id)));
        found.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(found)
    }

    /// Gives it a name.
    pub fn rename(&self, title: &str) -> io::Result<()> {
        let title = some(title, "a title has letters")?;
        self.append(&json!({ "type": "custom-title", "customTitle": title, "sessionId": self.id }))
    }

    /// Puts a mark on it, or takes it away.
    pub fn tag(&self, tag: Option<&str>) -> io::Result<()> {
        let tag = tag.map(|tag| some(tag, "a tag has letters")).transpose()?;
        self.append(&json!({ "type": "tag", "tag": tag.unwrap_or_default(), "sessionId": self.id }))
    }

    /// Puts it away, or back. One that goes on is put back by that.
    pub fn archive(&self, archived: bool) -> io::Result<()> {
        fs::create_dir_all(self.folder())?;
        let mark = json!({ "archived": archived, "at": clock::now(), "by": "sdk" });
        fs::write(self.archived(), mark.to_string())
    }

    /// Copies it as far as an entry, or whole, to a session that can go on by itself. Sub-agents are not copied, and what it has
    /// cost is not counted again.
    pub fn fork(&self, up_to: Option<&str>) -> io::Result<KeptSession> {
        let text = self.read()?;
        let title = About::of(&text, &self.archived())?.best().map(str::to_owned);
        let fork = fork::Fork::new(&self.id, title.as_deref());
        let path = self.path.with_file_name(format!("{}.jsonl", fork.id));
        let lines = fork.of(&text, up_to)?;
        fs::write(&path, lines)?;
        Ok(KeptSession { id: fork.id, path })
    }

    /// Deletes it and all that belongs to it.
    pub fn delete(self) -> io::Result<()> {
        for agent in self.agents()? {
            fs::remove_file(agent.path)?;
        }
        fs::remove_file(&self.path)?;
        match fs::remove_dir_all(self.folder()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Puts it and its sub-agents into a store, to go on from there.
    pub async fn keep_in(&self, store: &dyn SessionStore) -> Result<(), StoreError> {
        let project = self.path.parent().and_then(Path::file_name).unwrap_or_default();
        let project = project.to_string_lossy().into_owned();
        let file = |part| TranscriptFile { project: project.clone(), session: self.id.clone(), part };
        give(store, file(None), &self.path).await?;
        for KeptAgent { id, path } in self.agents()? {
            let part = path.strip_prefix(self.folder()).map(|part| part.to_string_lossy().replace('\\', "/"));
            let part = part.unwrap_or_else(|_| format!("subagents/agent-{id}.jsonl"));
            give(store, file(Some(part)), &path).await?;
        }
        Ok(())
    }

    /// Adds an entry. A line that was cut stays one.
    fn append(&self, entry: &Value) -> io::Result<()> {
        let mut file = OpenOptions::new().read(true).append(true).open(&self.path)?;
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(-1)).is_ok() {
            file.read_exact(&mut last)?;
        }
        let newline = if last == [b'\n'] { "" } else { "\n" };
        // At once, as the program may be writing too.
        file.write_all(format!("{newline}{entry}\n").as_bytes())
    }

    /// What belongs to it and is not its main file.
    fn folder(&self) -> PathBuf {
        self.path.with_extension("")
    }

    fn archived(&self) -> PathBuf {
        self.folder().join("archived.json")
    }
}

async fn give(store: &dyn SessionStore, file: TranscriptFile, path: &Path) -> Result<(), StoreError> {
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    let entries: Vec<Payload> =
        text.lines().filter_map(|line| Json::new(line).ok()).map(Payload::from).collect();
    for batch in entries.chunks(BATCH) {
        store.append(file.clone(), batch.to_vec()).await?;
    }
    Ok(())
}

fn collect(folder: &Path, found: &mut Vec<KeptAgent>) -> io::Result<()> {
    for entry in entries(folder)? {
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), found)?;
        } else {
            found.extend(agent_at(&entry.path()));
        }
    }
    Ok(())
}

fn agent_at(path: &Path) -> Option<KeptAgent> {
    let id = path.file_name()?.to_str()?.strip_prefix("agent-")?.strip_suffix(".jsonl")?;
    Some(KeptAgent { id: id.to_owned(), path: path.to_owned() })
}

/// The session that a transcript says it is of.
fn session_of(path: &Path) -> Option<String> {
    let text = fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&text);
    let first = Json::new(text.lines().next()?).ok()?;
    Some(first.get("sessionId")?.as_str()?.to_string())
}

fn some<'t>(text: &'t str, why: &str) -> io::Result<&'t str> {
    let text = text.trim();
    if text.is_empty() { Err(io::Error::new(io::ErrorKind::InvalidInput, why)) } else { Ok(text) }
}
