//! One session that a store has.

use super::{SessionStore, StoreError, StoredTranscript, TranscriptFile, Unable, entries_of, give};
use crate::kept::{About, AboutAgent, Excerpt, Fork, KeptMessage, entries_in, now, tag_entry, title_entry};
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::io;
use std::sync::Arc;
use std::time::SystemTime;
use unspool::control::Payload;
use unspool::wire::input::Draft;
use unspool::wire::{Entry, Wire as _};
use uuid::Uuid;

/// A session that a [store](SessionStore) has, as a [`KeptSession`](crate::kept::KeptSession) is one on disk. It cannot be put away: that is
/// a mark beside a transcript, and a store has transcripts.
#[derive(Clone)]
pub struct StoredSession {
    store: Arc<dyn SessionStore>,
    project: String,
    id: String,
    modified: Option<SystemTime>,
    /// As far as the store has said.
    about: Option<About>,
}

impl fmt::Debug for StoredSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredSession")
            .field("project", &self.project)
            .field("id", &self.id)
            .field("modified", &self.modified)
            .finish_non_exhaustive()
    }
}

impl StoredSession {
    pub(super) fn new(
        store: Arc<dyn SessionStore>,
        project: String,
        id: String,
        modified: Option<SystemTime>,
        about: Option<About>,
    ) -> Self {
        StoredSession { store, project, id, modified, about }
    }

    /// Its id, to [resume](crate::Options::resume) it with the [store](crate::Claude::store).
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The folder of its project, as Claude Code names it. If it went on in another one, the one that was written to last.
    #[must_use]
    pub fn project(&self) -> &str {
        &self.project
    }

    /// When it was last written to, by the clock of the store, if it was listed.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.modified
    }

    /// All of its own transcript, a line for each entry, for [`conversation`](unspool::transcript::conversation) or
    /// [`Transcript`](unspool::transcript::Transcript).
    pub async fn read(&self) -> Result<String, StoreError> {
        let loaded = self.load().await?;
        Ok(lines(&entries_of(&loaded, None)))
    }

    /// What is known of it, without what was said. If the store has a [summary](crate::store::Summary) of it, nothing is loaded for that, and it is
    /// what was known when it was listed.
    pub async fn about(&self) -> Result<About, StoreError> {
        if let Some(about) = &self.about {
            return Ok(about.clone());
        }
        let loaded = self.load().await?;
        Ok(About::of(entries_of(&loaded, None).into_iter().map(Payload::json)))
    }

    /// What was said in it, without the branches that were left; see [`conversation`](unspool::transcript::conversation).
    pub async fn messages(&self, excerpt: &Excerpt) -> Result<Vec<KeptMessage>, StoreError> {
        Ok(excerpt.of(&self.read().await?, &AboutAgent::default()))
    }

    /// Its sub-agents, those of workflows too. If the store cannot list them, it is all loaded.
    pub async fn agents(&self) -> Result<Vec<StoredAgent>, StoreError> {
        let parts: BTreeSet<String> = match Unable::or_none(self.store.parts(&self.id).await)? {
            Some(parts) => parts.into_iter().collect(),
            None => self.load().await?.into_iter().filter_map(|it| it.file.part).collect(),
        };
        Ok(parts.into_iter().filter_map(|part| StoredAgent::of(self, part)).collect())
    }

    /// Gives it a name.
    pub async fn rename(&mut self, title: &str) -> Result<(), StoreError> {
        self.append(title_entry(title)?).await
    }

    /// Puts a mark on it, or takes it away.
    pub async fn tag(&mut self, tag: Option<&str>) -> Result<(), StoreError> {
        self.append(tag_entry(tag)?).await
    }

    /// Copies it, in the same store, to a session that can go on by itself. The copy has no tag. Sub-agents are not copied, and what it has
    /// cost is not counted again. A call that is the last entry has no answer; Claude Code goes on without.
    pub async fn fork(&self, fork: &Fork) -> Result<StoredSession, StoreError> {
        let (id, lines) = fork.of(&self.id, &self.read().await?)?;
        let entries = entries_in(&lines).map(Payload::from).collect();
        let copy = StoredSession { id, modified: None, about: None, ..self.clone() };
        let given = give(&*self.store, &copy.file(), entries).await;
        if given.is_err() {
            // Half a copy is none. What went wrong before is what counts.
            let _ = self.store.delete(&copy.id).await;
        }
        given.map(|()| copy)
    }

    /// Deletes it, with its sub-agents.
    pub async fn delete(self) -> Result<(), StoreError> {
        self.store.delete(&self.id).await
    }

    /// What was known of it no longer holds.
    pub(super) fn forget_about(&mut self) {
        self.about = None;
    }

    async fn load(&self) -> Result<Vec<StoredTranscript>, StoreError> {
        let loaded = self.store.load(&self.id).await?;
        if loaded.iter().all(|it| it.file.part.is_some() || it.entries.is_empty()) {
            let what = format!("the store has no session {}", self.id);
            return Err(io::Error::new(io::ErrorKind::NotFound, what).into());
        }
        Ok(loaded)
    }

    /// Adds an entry, which bears a name and a time: so it comes once though it be tried twice, and behind what came before it.
    async fn append(&mut self, entry: Draft) -> Result<(), StoreError> {
        let entry = entry
            .with("sessionId", &*self.id)
            .with("uuid", &*Uuid::new_v4().to_string())
            .with("timestamp", &*now());
        self.store.append(self.file(), vec![Payload::from(entry.json())]).await?;
        if let Some(about) = &mut self.about {
            about.step(entry.json());
        }
        Ok(())
    }

    fn file(&self) -> TranscriptFile {
        TranscriptFile { project: self.project.clone(), session: self.id.clone(), part: None }
    }
}

/// A sub-agent of a session that a store has.
#[derive(Clone, Debug)]
pub struct StoredAgent {
    session: StoredSession,
    id: String,
    part: String,
}

impl StoredAgent {
    /// The agent whose transcript this part of a session is; none if it is none.
    fn of(session: &StoredSession, part: String) -> Option<Self> {
        let name = part.rsplit('/').next()?.strip_suffix(".jsonl")?;
        let id = name.strip_prefix("agent-")?.to_owned();
        Some(StoredAgent { session: session.clone(), id, part })
    }

    /// The agent.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its transcript, below the session's folder: `subagents/agent-1.jsonl`.
    #[must_use]
    pub fn part(&self) -> &str {
        &self.part
    }

    /// What is known of it.
    pub async fn about(&self) -> Result<AboutAgent, StoreError> {
        let loaded = self.session.store.load(&self.session.id).await?;
        Ok(about(&entries_of(&loaded, Some(&self.part))))
    }

    /// What was said to it and by it.
    pub async fn messages(&self, excerpt: &Excerpt) -> Result<Vec<KeptMessage>, StoreError> {
        let loaded = self.session.store.load(&self.session.id).await?;
        let entries = entries_of(&loaded, Some(&self.part));
        Ok(excerpt.of(&lines(&entries), &about(&entries)))
    }
}

fn about(entries: &[&Payload]) -> AboutAgent {
    let about = entries.iter().rev().find_map(|entry| match Entry::of(entry.json())? {
        Entry::AgentMetadata(about) => Some(AboutAgent::of(&about)),
        _ => None,
    });
    about.unwrap_or_default()
}

fn lines(entries: &[&Payload]) -> String {
    entries.iter().fold(String::new(), |mut lines, entry| {
        let _ = writeln!(lines, "{entry}");
        lines
    })
}
