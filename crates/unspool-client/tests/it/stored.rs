//! Sessions in a store: listed, read, named, forked, deleted, as those on disk are.

use crate::desk::{A1, Desk, U1, said};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use unspool::control::Payload;
use unspool_client::handlers::BoxFuture;
use unspool_client::kept::{Excerpt, Fork, KeptMessage, Listing};
use unspool_client::store::{
    Listed, MemoryStore, SessionStore, StoreError, StoredSession, StoredSessions, StoredTranscript, Summary,
    TranscriptFile, Unable,
};

/// A session of a store and the same one on disk.
async fn both() -> (Desk, MemoryStore, StoredSession) {
    let (desk, store) = (Desk::new(), MemoryStore::new());
    desk.session().keep_in(&store).await.unwrap();
    let session = StoredSessions::new(store.clone()).find(&desk.id).await.unwrap().unwrap();
    (desk, store, session)
}

async fn add(store: &MemoryStore, place: &str, entries: &[Value]) {
    let entries = entries.iter().cloned().map(Payload::from).collect();
    store.append(TranscriptFile::at(place).unwrap(), entries).await.unwrap();
}

#[tokio::test]
async fn a_session_in_a_store_is_what_it_is_on_disk() {
    let (desk, _store, stored) = both().await;
    let kept = desk.session();
    assert_eq!((stored.id(), stored.project()), (kept.id(), "-work"));
    assert_eq!(stored.about().await.unwrap(), kept.about().unwrap());
    assert_eq!(stored.read().await.unwrap(), kept.read().unwrap());
    for excerpt in [Excerpt::new(), Excerpt::new().offset(1).limit(2), Excerpt::new().system(true)] {
        assert_eq!(stored.messages(&excerpt).await.unwrap(), kept.messages(&excerpt).unwrap());
    }
    let (theirs, ours) = (stored.agents().await.unwrap(), kept.agents().unwrap());
    assert_eq!((theirs.len(), ours.len()), (1, 1));
    assert_eq!((theirs[0].id(), theirs[0].part()), (&*ours[0].id, "subagents/agent-a.jsonl"));
    assert_eq!(theirs[0].about().await.unwrap(), ours[0].about());
    let said = theirs[0].messages(&Excerpt::new()).await.unwrap();
    assert_eq!(said, ours[0].messages(&Excerpt::new()).unwrap());
    assert_eq!(said.len(), 1);
}

#[tokio::test]
async fn a_session_in_a_store_has_a_name_and_a_tag() {
    let (_desk, store, found) = both().await;
    let [mut listed] = <[_; 1]>::try_from(StoredSessions::new(store).all().await.unwrap()).unwrap();
    listed.rename(" The \"answer\" ").await.unwrap();
    listed.tag(Some("work")).await.unwrap();
    // What the store said before, and what it has now.
    for about in [listed.about().await.unwrap(), found.about().await.unwrap()] {
        assert_eq!((about.best(), about.tag.as_deref()), (Some("The \"answer\""), Some("work")));
    }
    listed.tag(None).await.unwrap();
    assert_eq!(found.about().await.unwrap().tag, None);
    assert!(listed.rename(" ").await.is_err() && listed.tag(Some("")).await.is_err());
    let text = found.read().await.unwrap();
    let title = text.lines().find(|line| line.starts_with(r#"{"type":"custom-title""#)).unwrap();
    let title: Value = serde_json::from_str(title).unwrap();
    assert!(title["uuid"].is_string() && title["timestamp"].is_string(), "{title}");
}

#[tokio::test]
async fn a_fork_in_a_store_says_the_same_under_other_names() {
    let (_desk, store, session) = both().await;
    let words = async |session: &StoredSession| -> Vec<String> {
        let said = session.messages(&Excerpt::new()).await.unwrap();
        said.iter().map(KeptMessage::text).collect()
    };
    let before = session.read().await.unwrap();
    let fork = session.fork(&Fork::new()).await.unwrap();
    assert_eq!(session.read().await.unwrap(), before);
    assert_eq!(words(&fork).await, words(&session).await);
    assert_eq!(fork.about().await.unwrap().best(), Some("first question (fork)"));
    assert_eq!(fork.agents().await.unwrap().len(), 0);
    for line in fork.read().await.unwrap().lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        assert_eq!(entry["sessionId"], fork.id(), "{entry}");
    }
    let short = session.fork(&Fork::new().up_to(A1).title("Short")).await.unwrap();
    assert_eq!(words(&short).await, ["first question", "first answer"]);
    assert_eq!(short.about().await.unwrap().best(), Some("Short"));
    assert!(session.fork(&Fork::new().up_to("gone")).await.is_err());
    let all = StoredSessions::new(store).all().await.unwrap();
    assert_eq!(all.iter().map(StoredSession::id).collect::<Vec<_>>(), [short.id(), fork.id(), session.id()]);
}

#[tokio::test]
async fn nothing_is_left_of_a_session_in_a_store_that_is_deleted() {
    let (desk, store, session) = both().await;
    let gone = session.clone();
    session.delete().await.unwrap();
    assert_eq!(store.files(), []);
    let sessions = StoredSessions::new(store);
    assert!(sessions.find(&desk.id).await.unwrap().is_none());
    assert_eq!(sessions.all().await.unwrap().len(), 0);
    let error = gone.about().await.unwrap_err().to_string();
    assert_eq!(error, format!("the store has no session {}", desk.id));
    assert!(gone.fork(&Fork::new()).await.is_err() && gone.messages(&Excerpt::new()).await.is_err());
}

#[tokio::test]
async fn sessions_in_a_store_come_in_pages_and_by_project() {
    let store = MemoryStore::new();
    for (project, session) in [("-no-where", "a"), ("-no-where", "b"), ("-other", "c"), ("-no-where", "a")] {
        let entry = said(&uuid::Uuid::new_v4().to_string(), None, "user", session);
        add(&store, &format!("{project}/{session}.jsonl"), &[entry]).await;
    }
    let sessions = StoredSessions::new(store);
    let list = async |listing: Listing| -> Vec<String> {
        sessions.list(&listing).await.unwrap().iter().map(|it| it.id().to_owned()).collect()
    };
    assert_eq!(list(Listing::new()).await, ["a", "c", "b"]);
    assert_eq!(list(Listing::new().offset(1).limit(1)).await, ["c"]);
    // A project need not be here.
    assert_eq!(list(Listing::new().project("/no/where")).await, ["a", "b"]);
    assert_eq!(list(Listing::new().project("/no/where").offset(1)).await, ["b"]);
    assert_eq!(list(Listing::new().project("/elsewhere")).await, [""; 0]);
}

/// Claude Code cuts long names, so two projects may have the same.
#[tokio::test]
async fn projects_with_long_paths_are_told_apart_in_a_store() {
    let store = MemoryStore::new();
    let long = format!("/{}", "a".repeat(220));
    for (session, cwd) in [("a", "mine"), ("b", "other")] {
        let entry = said(U1, None, "user", "hello").to_string().replace("/work", &format!("{long}/{cwd}"));
        let place = format!("-{}-x{session}/{session}.jsonl", "a".repeat(199));
        add(&store, &place, &[serde_json::from_str(&entry).unwrap()]).await;
    }
    let own = StoredSessions::new(store).of(format!("{long}/mine")).await.unwrap();
    assert_eq!(own.iter().map(StoredSession::id).collect::<Vec<_>>(), ["a"]);
}

/// Claude Code keeps a session under the folder that it works in, so one that went on elsewhere stands under two.
#[tokio::test]
async fn a_session_under_two_projects_is_one() {
    let store = MemoryStore::new();
    let later = said(A1, Some(U1), "user", "second").to_string().replace("06:48:16", "06:49:16");
    add(&store, "-other/s.jsonl", &[said(U1, None, "user", "first")]).await;
    add(&store, "-an-other/s.jsonl", &[serde_json::from_str(&later).unwrap()]).await;
    let sessions = StoredSessions::new(store);
    let found = sessions.find("s").await.unwrap().unwrap();
    let [listed] = &*sessions.all().await.unwrap() else { panic!() };
    for session in [&found, listed] {
        let about = session.about().await.unwrap();
        assert_eq!(about.first_prompt.as_deref(), Some("first"));
        assert_eq!(about.last_prompt.as_deref(), Some("second"));
        assert_eq!(session.messages(&Excerpt::new()).await.unwrap().len(), 2);
        assert_eq!(session.project(), "-an-other");
    }
}

/// A store that takes so many times what it is given, and then no more.
#[derive(Clone)]
struct Full(MemoryStore, Arc<AtomicUsize>);

impl SessionStore for Full {
    fn append(&self, file: TranscriptFile, entries: Vec<Payload>) -> BoxFuture<Result<(), StoreError>> {
        let room = self.1.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| room.checked_sub(1));
        if room.is_ok() { self.0.append(file, entries) } else { Box::pin(async { Err("full".into()) }) }
    }

    fn load(&self, session: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
        self.0.load(session)
    }

    fn delete(&self, session: &str) -> BoxFuture<Result<(), StoreError>> {
        self.0.delete(session)
    }
}

#[tokio::test]
async fn half_a_copy_is_not_left_in_a_store() {
    let inner = MemoryStore::new();
    let name = |number: u32| format!("00000000-0000-4000-8000-{number:012}");
    let entries: Vec<Value> =
        (1..=600).map(|number| said(&name(number), Some(&name(number - 1)), "user", "hello")).collect();
    add(&inner, "-work/s.jsonl", &entries).await;
    let before = inner.files();
    // Such a copy is given in two portions.
    for (room, fits) in [(0, false), (1, false), (2, true)] {
        let store = Full(inner.clone(), Arc::new(AtomicUsize::new(room)));
        let session = StoredSessions::new(store).find("s").await.unwrap().unwrap();
        match session.fork(&Fork::new()).await {
            Ok(fork) => assert!(fits && fork.messages(&Excerpt::new()).await.unwrap().len() == 600),
            Err(error) => {
                assert_eq!((&*error.to_string(), fits), ("full", false));
                assert_eq!(inner.files(), before);
            }
        }
    }
}

/// A store that counts how often it loads, and does not offer all.
#[derive(Clone)]
struct Counting {
    inner: MemoryStore,
    loads: Arc<AtomicUsize>,
    lists: bool,
    summaries: Option<fn(&mut Summary)>,
}

impl SessionStore for Counting {
    fn append(&self, file: TranscriptFile, entries: Vec<Payload>) -> BoxFuture<Result<(), StoreError>> {
        self.inner.append(file, entries)
    }

    fn load(&self, session: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
        self.loads.fetch_add(1, Ordering::Relaxed);
        self.inner.load(session)
    }

    fn list(&self, project: Option<&str>) -> BoxFuture<Result<Vec<Listed>, StoreError>> {
        if self.lists { self.inner.list(project) } else { unable() }
    }

    fn summaries(&self, project: Option<&str>) -> BoxFuture<Result<Vec<Summary>, StoreError>> {
        let Some(change) = self.summaries else { return unable() };
        let summaries = self.inner.summaries(project);
        Box::pin(async move {
            let mut summaries = summaries.await?;
            summaries.iter_mut().for_each(change);
            Ok(summaries)
        })
    }
}

/// What a store says that does not offer something.
fn unable<T: Send + 'static>() -> BoxFuture<Result<T, StoreError>> {
    struct Nothing;
    impl SessionStore for Nothing {
        fn append(&self, _: TranscriptFile, _: Vec<Payload>) -> BoxFuture<Result<(), StoreError>> {
            Box::pin(async { Ok(()) })
        }
        fn load(&self, _: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
            Box::pin(async { Ok(Vec::new()) })
        }
    }
    Box::pin(async { Err(Nothing.delete("s").await.unwrap_err()) })
}

#[tokio::test]
async fn nothing_is_loaded_of_what_a_store_has_summaries_of() {
    let inner = MemoryStore::new();
    for session in ["a", "b"] {
        let named = json!({ "type": "custom-title", "customTitle": session });
        add(&inner, &format!("-work/{session}.jsonl"), &[said(U1, None, "user", "hello"), named]).await;
    }
    let old: fn(&mut Summary) = |summary| {
        summary.modified = std::time::SystemTime::UNIX_EPOCH;
        summary.about = Default::default();
    };
    let fresh: fn(&mut Summary) = |_| {};
    // What it offers, and how often two sessions are loaded to know what they are about.
    for (lists, summaries, loads) in
        [(true, Some(fresh), 0), (false, Some(fresh), 0), (true, None, 2), (true, Some(old), 2)]
    {
        let store = Counting { inner: inner.clone(), loads: Arc::default(), lists, summaries };
        let mut titles = Vec::new();
        for session in StoredSessions::new(store.clone()).all().await.unwrap() {
            titles.extend(session.about().await.unwrap().custom_title);
        }
        assert_eq!(titles, ["b", "a"]);
        assert_eq!(store.loads.load(Ordering::Relaxed), loads, "{lists} {}", summaries.is_some());
    }
    let store = Counting { inner, loads: Arc::default(), lists: false, summaries: None };
    let sessions = StoredSessions::new(store);
    let error = sessions.all().await.unwrap_err();
    assert!(Unable::is(&error) && error.to_string() == "the store cannot list sessions", "{error}");
    // It has them all the same.
    let found = sessions.find("a").await.unwrap().unwrap();
    assert_eq!((found.about().await.unwrap().best(), found.modified()), (Some("a"), None));
    assert!(Unable::is(&found.clone().delete().await.unwrap_err()));
    assert_eq!(found.agents().await.unwrap().len(), 0);
}
