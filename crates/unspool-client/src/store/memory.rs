//! A store that forgets everything when the program ends.

use super::{Listed, SessionStore, StoreError, StoredTranscript, Summary, TranscriptFile, uuid_of};
use crate::handlers::BoxFuture;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use unspool::control::Payload;

/// Keeps sessions in memory: for tests, and to see how a store works. Clones have the same sessions.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore(Arc<Mutex<Shelf>>);

#[derive(Debug, Default)]
struct Shelf {
    files: BTreeMap<TranscriptFile, Kept>,
    /// One for each session's own transcript.
    summaries: BTreeMap<TranscriptFile, Summary>,
    /// When something was last added.
    modified: Option<SystemTime>,
}

#[derive(Debug, Default)]
struct Kept {
    entries: Vec<Payload>,
    uuids: HashSet<String>,
}

impl MemoryStore {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        MemoryStore::default()
    }

    /// The transcripts that it has.
    #[must_use]
    pub fn files(&self) -> Vec<TranscriptFile> {
        self.shelf().files.keys().cloned().collect()
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn append(&mut self, file: TranscriptFile, entries: Vec<Payload>) {
        let kept = self.files.entry(file.clone()).or_default();
        let is_new = |entry: &Payload| uuid_of(entry).is_none_or(|uuid| kept.uuids.insert(uuid));
        let new: Vec<Payload> = entries.into_iter().filter(is_new).collect();
        kept.entries.extend(new.iter().cloned());
        if file.part.is_none() {
            let now = self.now();
            let summary = self.summaries.entry(file.clone()).or_insert_with(|| Summary::new(&file));
            summary.step(&file, &new, now);
        }
    }

    /// Never the same time twice, so that what was written to last is known.
    fn now(&mut self) -> SystemTime {
        let (now, last) = (SystemTime::now(), self.modified);
        let now = last.map_or(now, |last| now.max(last + Duration::from_millis(1)));
        self.modified = Some(now);
        now
    }

    fn summaries(&self, project: Option<&str>) -> Vec<Summary> {
        let of_project = |it: &&Summary| project.is_none_or(|project| it.project == project);
        self.summaries.values().filter(of_project).cloned().collect()
    }
}

impl SessionStore for MemoryStore {
    fn append(&self, file: TranscriptFile, entries: Vec<Payload>) -> BoxFuture<Result<(), StoreError>> {
        self.shelf().append(file, entries);
        ready(())
    }

    fn load(&self, session: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
        let shelf = self.shelf();
        let of_session = shelf.files.iter().filter(|(file, _)| file.session == session);
        let whole = |(file, kept): (&TranscriptFile, &Kept)| {
            let (file, entries) = (file.clone(), kept.entries.clone());
            StoredTranscript { file, entries }
        };
        ready(of_session.map(whole).collect())
    }

    fn list(&self, project: Option<&str>) -> BoxFuture<Result<Vec<Listed>, StoreError>> {
        ready(self.shelf().summaries(project).iter().map(Listed::of).collect())
    }

    fn summaries(&self, project: Option<&str>) -> BoxFuture<Result<Vec<Summary>, StoreError>> {
        ready(self.shelf().summaries(project))
    }

    fn parts(&self, session: &str) -> BoxFuture<Result<Vec<String>, StoreError>> {
        let shelf = self.shelf();
        let parts =
            shelf.files.keys().filter(|file| file.session == session).filter_map(|it| it.part.clone());
        // A session may stand under two projects.
        let parts: BTreeSet<String> = parts.collect();
        ready(parts.into_iter().collect())
    }

    fn delete(&self, session: &str) -> BoxFuture<Result<(), StoreError>> {
        let mut shelf = self.shelf();
        shelf.files.retain(|file, _| file.session != session);
        shelf.summaries.retain(|file, _| file.session != session);
        ready(())
    }
}

fn ready<T: Send + 'static>(value: T) -> BoxFuture<Result<T, StoreError>> {
    Box::pin(std::future::ready(Ok(value)))
}
