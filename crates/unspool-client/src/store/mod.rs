//! Sessions that are kept elsewhere than in Claude Code's own folder, and brought back from there.
//!
//! Claude Code writes transcripts, and says what it has written if it is asked to. That goes to a [`SessionStore`], by the
//! mirror. To go on with a session, what the store has of it is laid into a folder that
//! lives as long as the program, on whatever machine that runs.

mod ability;
mod check;
mod file;
mod folder;
mod gather;
mod give;
mod memory;
mod mirror;
mod session;
mod sessions;
mod summary;

pub use ability::Unable;
pub use check::check_store;
pub use file::TranscriptFile;
pub(crate) use folder::Folder;
pub(crate) use gather::entries_of;
pub(crate) use give::give;
pub use memory::MemoryStore;
pub use mirror::Flush;
pub(crate) use mirror::Mirror;
pub use session::{StoredAgent, StoredSession};
pub use sessions::StoredSessions;
pub use summary::{Listed, Summary};

use crate::handlers::BoxFuture;
use std::sync::Arc;
use std::time::Duration;
use unspool::control::Payload;
use unspool::wire::{EntryHead, EntryKind, Wire as _};

/// Why a store has failed.
pub type StoreError = Box<dyn std::error::Error + Send + Sync>;

/// The entry that says what kind of agent a transcript is of. On disk that stands in a file beside it.
pub(crate) const METADATA: &str = EntryKind::AgentMetadata.name();

/// The name of an entry, by which one that comes again is known.
fn uuid_of(entry: &Payload) -> Option<String> {
    EntryHead::of(entry.json())?.uuid.map(|uuid| uuid.to_string())
}

/// How long a store may take for one thing, unless said otherwise.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// Where sessions are kept: a database, a bucket, another machine. [`MemoryStore`] is the simplest, and [`check_store`] tests
/// another one.
///
/// [`append`](Self::append) and [`load`](Self::load) are enough to keep sessions and to go on with them ([`Claude::store`]). The other
/// abilities are for [`StoredSessions`], which lists what is there; what a store does not offer is an error ([`Unable`]).
///
/// A store is asked for one thing of a file at a time, in order. What fails is tried again, twice; what takes longer than a
/// minute is given up.
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::{Arc, Mutex};
/// use unspool_client::unspool::control::Payload;
/// use unspool_client::handlers::BoxFuture;
/// use unspool_client::store::{SessionStore, StoreError, StoredTranscript, TranscriptFile, check_store};
///
/// #[derive(Default)]
/// struct Shelf(Arc<Mutex<HashMap<TranscriptFile, Vec<Payload>>>>);
///
/// impl SessionStore for Shelf {
///     fn append(&self, file: TranscriptFile, entries: Vec<Payload>) -> BoxFuture<Result<(), StoreError>> {
///         let mut files = self.0.lock().unwrap();
///         let kept = files.entry(file).or_default();
///         for entry in entries {
///             let is_it = |kept: &Payload| kept.json().get("uuid") == entry.json().get("uuid");
///             if entry.json().get("uuid").is_none() || !kept.iter().any(is_it) {
///                 kept.push(entry);
///             }
///         }
///         Box::pin(async { Ok(()) })
///     }
///
///     fn load(&self, session: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
///         let files = self.0.lock().unwrap();
///         let own = files.iter().filter(|(file, _)| file.session == session);
///         let loaded = own
///             .map(|(file, entries)| StoredTranscript { file: file.clone(), entries: entries.clone() })
///             .collect();
///         Box::pin(async { Ok(loaded) })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), StoreError> {
/// check_store(&Shelf::default()).await
/// # }
/// ```
///
/// [`Claude::store`]: crate::Claude::store
pub trait SessionStore: Send + Sync + 'static {
    /// Adds entries to a transcript. An entry may come twice in a file; it is the same if it has the same `uuid`, and stays where it
    /// came first. Entries without one are never the same.
    fn append(&self, file: TranscriptFile, entries: Vec<Payload>) -> BoxFuture<Result<(), StoreError>>;

    /// All transcripts of a session, its own and those of its agents, in any order; none if it is not known.
    fn load(&self, session: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>>;

    /// The sessions of a project, or of all, in any order: those with a transcript of their own, once for each project that has it.
    fn list(&self, project: Option<&str>) -> BoxFuture<Result<Vec<Listed>, StoreError>> {
        let _ = project;
        Unable::to("list sessions")
    }

    /// The summaries of those sessions, in any order, if the store has kept them while it appended ([`Summary::step`]). Without them, what
    /// is known of a session is read from its transcript.
    fn summaries(&self, project: Option<&str>) -> BoxFuture<Result<Vec<Summary>, StoreError>> {
        let _ = project;
        Unable::to("give summaries of sessions")
    }

    /// The transcripts of a session that are not its own ([`TranscriptFile::part`]), each once, in any order; none if it is not known.
    fn parts(&self, session: &str) -> BoxFuture<Result<Vec<String>, StoreError>> {
        let _ = session;
        Unable::to("list the parts of a session")
    }

    /// Deletes a session, with its agents and its summary. One that is not there is deleted already.
    fn delete(&self, session: &str) -> BoxFuture<Result<(), StoreError>> {
        let _ = session;
        Unable::to("delete sessions")
    }
}

/// A store that several share.
impl<S: SessionStore + ?Sized> SessionStore for Arc<S> {
    fn append(&self, file: TranscriptFile, entries: Vec<Payload>) -> BoxFuture<Result<(), StoreError>> {
        (**self).append(file, entries)
    }

    fn load(&self, session: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
        (**self).load(session)
    }

    fn list(&self, project: Option<&str>) -> BoxFuture<Result<Vec<Listed>, StoreError>> {
        (**self).list(project)
    }

    fn summaries(&self, project: Option<&str>) -> BoxFuture<Result<Vec<Summary>, StoreError>> {
        (**self).summaries(project)
    }

    fn parts(&self, session: &str) -> BoxFuture<Result<Vec<String>, StoreError>> {
        (**self).parts(session)
    }

    fn delete(&self, session: &str) -> BoxFuture<Result<(), StoreError>> {
        (**self).delete(session)
    }
}

/// A transcript as a store has it.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "stores make them")]
pub struct StoredTranscript {
    /// Which one it is.
    pub file: TranscriptFile,
    /// All of its entries, in order.
    pub entries: Vec<Payload>,
}
