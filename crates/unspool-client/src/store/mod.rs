//! Sessions that are kept elsewhere than in Claude Code's own folder, and brought back from there.
//!
//! Claude Code writes transcripts, and says what it has written if it is asked to. That goes to a [`SessionStore`], by the
//! [mirror](mirror::Mirror). To go on with a session, what the store has of it is laid into a [folder](folder::Folder) that
//! lives as long as the program, on whatever machine that runs.

mod check;
mod file;
mod folder;
mod gather;
mod give;
mod memory;
mod mirror;

pub use check::check_store;
pub use file::TranscriptFile;
pub(crate) use folder::Folder;
pub(crate) use gather::entries_of;
pub(crate) use give::give;
pub use memory::MemoryStore;
pub(crate) use mirror::Mirror;

use crate::BoxFuture;
use std::time::Duration;
use unspool::control::Payload;

/// Why a store has failed.
pub type StoreError = Box<dyn std::error::Error + Send + Sync>;

/// The entry that says what kind of agent a transcript is of. On disk that stands in a file beside it.
pub(crate) const METADATA: &str = "agent_metadata";

/// How long a store may take for one thing.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// Where sessions are kept: a database, a bucket, another machine. [`MemoryStore`] is the simplest, and [`check_store`] tests
/// another one.
///
/// A store is asked for one thing of a file at a time, in order. What fails is tried again, twice; what takes longer than a
/// minute is given up.
pub trait SessionStore: Send + Sync + 'static {
    /// Adds entries to a transcript. An entry may come twice in a file; it is the same if it has the same `uuid`, and stays where it
    /// came first. Entries without one are never the same.
    fn append(&self, file: TranscriptFile, entries: Vec<Payload>) -> BoxFuture<Result<(), StoreError>>;

    /// All transcripts of a session, its own and those of its agents, in any order; none if it is not known.
    fn load(&self, session: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>>;
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
