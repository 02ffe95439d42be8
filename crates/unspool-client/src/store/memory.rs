//! A store that forgets everything when the program ends.

use super::{SessionStore, StoreError, StoredTranscript, TranscriptFile};
use crate::BoxFuture;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use unspool::control::Payload;
use unspool::json::Json;

/// Keeps sessions in memory: for tests, and to see how a store works. Clones have the same sessions.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore(Arc<Mutex<BTreeMap<TranscriptFile, Kept>>>);

#[derive(Debug, Default)]
struct Kept {
    entries: Vec<Payload>,
    uuids: HashSet<String>,
}

impl MemoryStore {
    /// An empty one.
    pub fn new() -> Self {
        MemoryStore::default()
    }

    /// The transcripts that it has.
    pub fn files(&self) -> Vec<TranscriptFile> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }
}

impl SessionStore for MemoryStore {
    fn append(&self, file: TranscriptFile, entries: Vec<Payload>) -> BoxFuture<Result<(), StoreError>> {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = files.entry(file).or_default();
        for entry in entries {
            let uuid = entry.json().get("uuid").and_then(Json::as_str).map(|uuid| uuid.to_string());
            if uuid.is_none_or(|uuid| kept.uuids.insert(uuid)) {
                kept.entries.push(entry);
            }
        }
        Box::pin(std::future::ready(Ok(())))
    }

    fn load(&self, session: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_session = files.iter().filter(|(file, _)| file.session == session);
        let whole = |(file, kept): (&TranscriptFile, &Kept)| {
            let (file, entries) = (file.clone(), kept.entries.clone());
            StoredTranscript { file, entries }
        };
        let loaded = of_session.map(whole).collect();
        Box::pin(std::future::ready(Ok(loaded)))
    }
}
