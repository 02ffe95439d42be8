//! The sessions that a store has: to list and read them, to name, fork and delete them.

use super::{Listed, SessionStore, StoreError, StoredSession, Summary, Unable};
use crate::kept::{Listing, real};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use unspool::control::Payload;
use unspool::transcript::{LONGEST_PROJECT, Merge, project_name};

/// All sessions that a [store](SessionStore) has, as [`KeptSessions`](crate::kept::KeptSessions) are those on disk.
///
/// No program runs for it. What the store cannot do is an error ([`Unable`]); what it does not answer is waited for, so that
/// an application that wants a limit sets one.
///
/// ```
/// use unspool_client::kept::{Excerpt, Fork};
/// use unspool_client::store::{MemoryStore, StoreError, StoredSessions};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), StoreError> {
/// let store = MemoryStore::new();
/// for mut session in StoredSessions::new(store.clone()).of(".").await? {
///     let about = session.about().await?;
///     println!("{} {}", session.id(), about.best().unwrap_or("nothing said"));
///     for message in session.messages(&Excerpt::new().limit(10)).await? {
///         println!("{:?}: {}", message.by, message.text());
///     }
///     session.tag(Some("seen")).await?;
///     let copy = session.fork(&Fork::new().title("The other way")).await?;
///     println!("resume {} to go on with the copy", copy.id());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct StoredSessions {
    store: Arc<dyn SessionStore>,
}

impl fmt::Debug for StoredSessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredSessions").finish_non_exhaustive()
    }
}

impl StoredSessions {
    /// The sessions of this store.
    pub fn new(store: impl SessionStore) -> Self {
        StoredSessions { store: Arc::new(store) }
    }

    /// All sessions, the one that was written to last first.
    pub async fn all(&self) -> Result<Vec<StoredSession>, StoreError> {
        self.list(&Listing::new()).await
    }

    /// The sessions of a project, which is the folder that Claude Code worked in, here or on another machine; the one that
    /// was written to last first.
    pub async fn of(&self, project: impl AsRef<Path>) -> Result<Vec<StoredSession>, StoreError> {
        self.list(&Listing::new().project(project.as_ref())).await
    }

    /// The sessions that are wanted, the one that was written to last first. If the store keeps
    /// [summaries](SessionStore::summaries), nothing is loaded for it, nor for what is [known](StoredSession::about) of each.
    pub async fn list(&self, listing: &Listing) -> Result<Vec<StoredSession>, StoreError> {
        let Some(folder) = &listing.project else {
            return Ok(listing.page(self.listed(None).await?));
        };
        let folder = real(folder)?;
        let name = project_name(&folder.to_string_lossy());
        let Some(cut) = name.get(..LONGEST_PROJECT).filter(|_| name.len() > LONGEST_PROJECT) else {
            return Ok(listing.page(self.listed(Some(&name)).await?));
        };
        // Claude Code cuts long names, so others may begin as this one does.
        let begins = |it: &str| it.strip_prefix(cut).is_some_and(|rest| rest.starts_with('-'));
        let mut own = Vec::new();
        for session in self.listed(None).await?.into_iter().filter(|it| begins(it.project())) {
            if session.about().await?.cwd.is_some_and(|cwd| Path::new(&cwd) == folder) {
                own.push(session);
            }
        }
        Ok(listing.page(own))
    }

    /// The one with this id. It is loaded for that, so a store that cannot list sessions has it all the same; when it was
    /// [written to](StoredSession::modified) is not asked for.
    pub async fn find(&self, id: &str) -> Result<Option<StoredSession>, StoreError> {
        let loaded = self.store.load(id).await?;
        let own = loaded.into_iter().filter(|it| it.file.part.is_none() && !it.entries.is_empty());
        let time_of = |entry: &Payload| Merge::time_of(entry.json().text().as_bytes());
        let last = own.max_by_key(|it| it.entries.iter().filter_map(time_of).max());
        let store = Arc::clone(&self.store);
        Ok(last.map(|it| StoredSession::new(store, it.file.project, id.to_owned(), None, None)))
    }

    /// Each session once, newest first.
    async fn listed(&self, project: Option<&str>) -> Result<Vec<StoredSession>, StoreError> {
        let summaries = Unable::or_none(self.store.summaries(project).await)?;
        let listed = self.store.list(project).await;
        let mut listed = match (Unable::or_none(listed)?, &summaries) {
            (Some(listed), _) => listed,
            (None, Some(summaries)) => summaries.iter().map(Listed::of).collect(),
            (None, None) => return Unable::to("list sessions").await,
        };
        let key = |it: Summary| ((it.project.clone(), it.session.clone()), it);
        let mut summaries: HashMap<_, Summary> = summaries.into_iter().flatten().map(key).collect();
        listed.sort_by(|one, other| {
            let key = |it: &Listed| Reverse((it.modified, it.session.clone(), it.project.clone()));
            key(one).cmp(&key(other))
        });
        let mut sessions: Vec<StoredSession> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for Listed { project, session, modified } in listed {
            if let Some(&at) = places.get(&session) {
                // Only all of it together says what it is about.
                sessions[at].forget_about();
                continue;
            }
            places.insert(session.clone(), sessions.len());
            let summary = summaries.remove(&(project.clone(), session.clone()));
            let about = summary.filter(|summary| summary.modified >= modified).map(|summary| summary.about);
            let store = Arc::clone(&self.store);
            sessions.push(StoredSession::new(store, project, session, Some(modified), about));
        }
        Ok(sessions)
    }
}
