//! One session on disk.

use super::{About, AboutAgent, Excerpt, Fork, KeptAgent, KeptMessage, clock, entries_in, id_of};
use crate::store::{METADATA, SessionStore, StoreError, TranscriptFile, give};
use serde_json::json;
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use unspool::control::Payload;
use unspool::json::{Json, Kind};
use unspool::wire::EntryKind;
use unspool::wire::input::Draft;

/// A session that Claude Code keeps on disk.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeptSession {
    id: String,
    path: PathBuf,
}

impl KeptSession {
    /// The session with this main file; none if it is no such file, or nothing is in it.
    #[must_use]
    pub fn of(path: PathBuf) -> Option<Self> {
        let id = id_of(&path)?.to_owned();
        let is_there = fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() > 0);
        is_there.then_some(KeptSession { id, path })
    }

    /// Its id, to [resume](crate::Options::resume) it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its main file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// When it was last written to.
    #[must_use]
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
        About::on_disk(&self.read()?, &self.archived())
    }

    /// What was said in it, without the branches that were left; see [`conversation`](unspool::transcript::conversation).
    ///
    /// ```no_run
    /// use unspool_client::kept::{Excerpt, KeptSession};
    ///
    /// # fn show(session: KeptSession) -> std::io::Result<()> {
    /// for message in session.messages(&Excerpt::new().limit(50))? {
    ///     println!("{:?}: {}", message.by, message.text());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn messages(&self, excerpt: &Excerpt) -> io::Result<Vec<KeptMessage>> {
        Ok(excerpt.of(&self.read()?, &AboutAgent::default()))
    }

    /// Its sub-agents; see [`KeptAgent::of`].
    pub fn agents(&self) -> io::Result<Vec<KeptAgent>> {
        KeptAgent::of(&self.path)
    }

    /// Gives it a name.
    pub fn rename(&self, title: &str) -> io::Result<()> {
        self.append(&title_entry(title)?)
    }

    /// Puts a mark on it, or takes it away.
    pub fn tag(&self, tag: Option<&str>) -> io::Result<()> {
        self.append(&tag_entry(tag)?)
    }

    /// Puts it away, or back. One that goes on is put back by that.
    pub fn archive(&self, archived: bool) -> io::Result<()> {
        fs::metadata(&self.path)?;
        fs::create_dir_all(self.folder())?;
        let mark = json!({ "archived": archived, "at": clock::now(), "by": "sdk" });
        fs::write(self.archived(), mark.to_string())
    }

    /// Copies it to a session that can go on by itself. The copy has no tag. Sub-agents are not copied, and what it has cost is not
    /// counted again. A call that is the last entry has no answer; Claude Code goes on without.
    pub fn fork(&self, fork: &Fork) -> io::Result<KeptSession> {
        let (id, lines) = fork.of(&self.id, &self.read()?)?;
        let path = self.path.with_file_name(format!("{id}.jsonl"));
        write_new(&path, &lines)?;
        Ok(KeptSession { id, path })
    }

    /// Deletes it, with its sub-agents and all that stands in its folder. Copies of files that Claude Code has made to rewind them
    /// are elsewhere, and stay.
    pub fn delete(self) -> io::Result<()> {
        for agent in self.agents()? {
            fs::remove_file(agent.path)?;
        }
        let main = fs::remove_file(&self.path);
        match fs::remove_dir_all(self.folder()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => main,
        }
    }

    /// Puts it and its sub-agents into a store, to go on from there. Once is enough: entries that have no uuid are there twice then.
    pub async fn keep_in(&self, store: &dyn SessionStore) -> Result<(), StoreError> {
        let project = self.path.parent().and_then(Path::file_name).unwrap_or_default();
        let project = project.to_string_lossy().into_owned();
        let file = |part| TranscriptFile { project: project.clone(), session: self.id.clone(), part };
        give(store, &file(None), entries_of(&self.path)?).await?;
        for KeptAgent { id, path } in self.agents()? {
            let part = path.strip_prefix(self.folder()).map(|part| part.to_string_lossy().replace('\\', "/"));
            let part = part.unwrap_or_else(|_| format!("subagents/agent-{id}.jsonl"));
            // What kind of agent it is stands beside its transcript, and in a store behind it.
            let entries = entries_of(&path)?.into_iter().chain(metadata_of(&path)).collect();
            give(store, &file(Some(part)), entries).await?;
        }
        Ok(())
    }

    /// Adds an entry. A line that was cut stays one.
    fn append(&self, entry: &Draft) -> io::Result<()> {
        let entry = entry.clone().with("sessionId", &*self.id).to_line();
        let mut file = OpenOptions::new().read(true).append(true).open(&self.path)?;
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(-1)).is_ok() {
            file.read_exact(&mut last)?;
        }
        let newline = if last == [b'\n'] { "" } else { "\n" };
        // At once, as the program may be writing too.
        file.write_all(format!("{newline}{entry}").as_bytes())
    }

    /// What belongs to it and is not its main file.
    fn folder(&self) -> PathBuf {
        self.path.with_extension("")
    }

    fn archived(&self) -> PathBuf {
        self.folder().join("archived.json")
    }
}

fn entries_of(path: &Path) -> io::Result<Vec<Payload>> {
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    Ok(entries_in(&text).map(Payload::from).collect())
}

/// The entry that names a session. Those who look for it look at how the line begins.
pub(crate) fn title_entry(title: &str) -> io::Result<Draft> {
    let title = some(title, "a title has letters")?;
    Ok(Draft::new().with("type", EntryKind::CustomTitle.name()).with("customTitle", &*title))
}

/// The entry that puts a mark on a session, or takes it away.
pub(crate) fn tag_entry(tag: Option<&str>) -> io::Result<Draft> {
    let tag = tag.map(|tag| some(tag, "a tag has letters")).transpose()?;
    Ok(Draft::new().with("type", EntryKind::Tag.name()).with("tag", &*tag.unwrap_or_default()))
}

/// A file for nobody else's eyes; all of it or nothing.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path)?.write_all(text.as_bytes());
    if written.is_err() {
        // What went wrong before is what counts.
        let _ = fs::remove_file(path);
    }
    written
}

/// What stands beside the transcript of an agent, as an entry of it.
fn metadata_of(path: &Path) -> Option<Payload> {
    let text = fs::read_to_string(path.with_extension("meta.json")).ok()?;
    let fields = Json::new(text.trim()).ok().filter(|json| json.kind() == Kind::Object)?.fields();
    let entry = Draft::new().with("type", METADATA);
    Some(fields.fold(entry, |entry, (name, value)| entry.with(&name.decode(), value)).json().into())
}

/// Words that can be shown; an error if there are none.
pub(super) fn some(text: &str, why: &str) -> io::Result<String> {
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    let text = text.trim();
    if text.is_empty() { Err(io::Error::new(io::ErrorKind::InvalidInput, why)) } else { Ok(text.to_owned()) }
}
