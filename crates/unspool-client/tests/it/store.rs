//! Sessions that are kept in a store, played in virtual time.

use crate::peer::play;
use crate::script::in_virtual_time;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unspool::control::Payload;
use unspool_client::handlers::BoxFuture;
use unspool_client::store::{Flush, MemoryStore, SessionStore, StoreError, StoredTranscript, TranscriptFile};
use unspool_client::{Claude, Error, Options};

/// What is played: two entries, one of them twice, in a session that goes well.
fn script(path: &str) -> String {
    let mirror = |entries: &str| {
        format!(r#"< {{"type":"transcript_mirror","filePath":"{path}","entries":[{entries}]}}"#)
    };
    format!(
        "! ask hello\n! finish\n< init\n{}\n{}\n< result done\nx 0\n@ 200\n",
        mirror(r#"{"uuid":"1","type":"user"}"#),
        mirror(r#"{"uuid":"1","type":"user"},{"uuid":"2","type":"assistant"},{"type":"summary"}"#)
    )
}

const PATH: &str = "/home/me/.claude/projects/-work/s/subagents/agent-7.jsonl";

fn story(store: impl SessionStore, path: &str) -> String {
    let claude = Claude::new(Options::new()).store(store);
    in_virtual_time(play(&claude, &script(path)))
}

/// How it ends, whatever the store does.
const ENDING: &str = "\n. ok: the last turn completed (exit code 0)\n";

#[test]
fn what_was_written_is_kept_once() {
    let store = MemoryStore::new();
    let played = story(store.clone(), PATH);
    assert!(played.contains(ENDING), "{played}");
    assert!(!played.contains("\n? "), "{played}");
    let loaded = in_virtual_time(store.load("s")).unwrap();
    let [StoredTranscript { file, entries }] = loaded.as_slice() else { panic!("{loaded:?}") };
    assert_eq!((&*file.project, file.part.as_deref()), ("-work", Some("subagents/agent-7.jsonl")));
    let entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
    let meant =
        [r#"{"uuid":"1","type":"user"}"#, r#"{"uuid":"2","type":"assistant"}"#, r#"{"type":"summary"}"#];
    assert_eq!(entries, meant);
    assert!(in_virtual_time(store.load("another")).unwrap().is_empty());
}

/// What waits because the application reads nothing is kept too, though the program has ended long before it is read.
#[test]
fn what_waits_to_be_read_is_kept() {
    let store = MemoryStore::new();
    let claude = Claude::new(Options::new()).store(store.clone());
    let (begun, rest) =
        script(PATH).split_once("< init\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let script = format!("{begun}< init\n! away\n< flood\n{rest}! back\n@ 200\n");
    let played = in_virtual_time(play(&claude, &script));
    assert!(played.contains(ENDING) && !played.contains("\n? "), "{played}");
    let loaded = in_virtual_time(store.load("s")).unwrap();
    assert_eq!(loaded.first().map(|transcript| transcript.entries.len()), Some(3), "{played}");
}

/// Does each thing as its closure says, and counts.
struct Odd<F>(Arc<AtomicUsize>, F);

impl<F> SessionStore for Odd<F>
where
    F: Fn(usize) -> BoxFuture<Result<(), StoreError>> + Send + Sync + 'static,
{
    fn append(&self, _: TranscriptFile, _: Vec<Payload>) -> BoxFuture<Result<(), StoreError>> {
        (self.1)(self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn load(&self, _: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// How often it was asked, and what was warned of.
fn odd(
    path: &str,
    does: impl Fn(usize) -> BoxFuture<Result<(), StoreError>> + Send + Sync + 'static,
) -> (usize, String) {
    let asked = Arc::new(AtomicUsize::new(0));
    let played = story(Odd(Arc::clone(&asked), does), path);
    assert!(played.contains(ENDING), "{played}");
    let warnings: Vec<&str> = played.lines().filter(|line| line.starts_with("? ")).collect();
    (asked.load(Ordering::Relaxed), warnings.join("\n"))
}

#[test]
fn what_a_store_does_not_take_is_tried_again_and_told() {
    let refuse = || Box::pin(async { Err("full".into()) }) as BoxFuture<_>;
    let take = || Box::pin(async { Ok(()) }) as BoxFuture<_>;
    assert_eq!(odd(PATH, move |time| if time < 2 { refuse() } else { take() }), (4, String::new()));
    let warned = format!("? the store does not have all of {PATH}: full");
    assert_eq!(odd(PATH, move |_| refuse()), (6, format!("{warned}\n{warned}")));
    // What is done twice must not come twice, so what may have been done is not tried again.
    let never = |_| Box::pin(std::future::pending()) as BoxFuture<_>;
    let (asked, warned) = odd(PATH, never);
    assert!(asked <= 2 && warned.contains("no answer in 60 s"), "{asked} {warned}");
    // The end waits for it, as long as it comes in time.
    let slow = |_| {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(20)).await;
            Ok(())
        }) as BoxFuture<_>
    };
    assert_eq!(odd(PATH, slow), (2, String::new()));
    let (asked, warned) = odd(PATH, |_| panic!("a store with a fault"));
    assert_eq!(
        (asked, &*warned),
        (1, "? the store does not have all of the session's transcripts: it has panicked")
    );
    let (asked, warned) = odd("/elsewhere/s.jsonl", move |_| take());
    assert_eq!((asked, warned.contains("of /elsewhere/s.jsonl: it is no transcript")), (0, true), "{warned}");
}

/// Remembers how many entries it was given at once.
#[derive(Clone, Default)]
struct Portions(Arc<Mutex<Vec<(String, usize)>>>);

impl SessionStore for Portions {
    fn append(&self, file: TranscriptFile, entries: Vec<Payload>) -> BoxFuture<Result<(), StoreError>> {
        self.0.lock().unwrap().push((file.session, entries.len()));
        Box::pin(async { Ok(()) })
    }

    fn load(&self, _: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
        Box::pin(std::future::pending())
    }
}

/// What a store is given at once, while two turns write to two transcripts and the program some more when it ends.
#[test]
fn a_store_is_given_what_was_written_at_once_or_a_turn_at_a_time() {
    let wrote = |session: &str, entries: usize| {
        let entries = vec![r#"{"type":"user"}"#; entries].join(",");
        let path = format!("/home/me/.claude/projects/-work/{session}.jsonl");
        format!("< {{\"type\":\"transcript_mirror\",\"filePath\":\"{path}\",\"entries\":[{entries}]}}\n")
    };
    let script = [
        "! ask hello\n< init\n",
        &wrote("s", 1),
        &wrote("t", 2),
        &wrote("s", 3),
        "< result done\n! ask more\n! finish\n< init\n",
        &wrote("s", 499),
        &wrote("t", 1),
        &wrote("s", 1),
        "< result done\n",
        &wrote("s", 2),
        "x 0\n@ 200\n",
    ]
    .concat();
    let portions = |flush| {
        let store = Portions::default();
        let claude = Claude::new(Options::new()).store(store.clone()).store_flush(flush);
        let played = in_virtual_time(play(&claude, &script));
        assert!(played.contains(ENDING) && !played.contains("\n? "), "{played}");
        let given = store.0.lock().unwrap();
        given.iter().map(|(session, entries)| format!("{session} {entries}")).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(portions(Flush::Eager), "s 1, t 2, s 3, s 499, t 1, s 1, s 2");
    // The second turn is more than a store is given at once.
    assert_eq!(portions(Flush::Batched), "s 4, t 2, s 499, t 1, s 1, s 2");
}

#[tokio::test(start_paused = true)]
async fn a_store_that_does_not_load_in_time_is_an_error() {
    let claude = |limit: Option<Duration>| {
        let claude = Claude::new(Options::new().resume("s")).store(Portions::default());
        limit.into_iter().fold(claude, Claude::load_timeout)
    };
    for (limit, said) in [(None, "60s"), (Some(Duration::from_millis(250)), "250ms")] {
        let error = claude(limit).session().await.unwrap_err();
        let Error::Store(error) = error else { panic!("{error}") };
        assert_eq!(error.to_string(), format!("the store has not loaded session s in {said}"));
    }
}

#[tokio::test]
async fn a_store_does_not_know_which_session_was_the_last() {
    let claude = Claude::new(Options::new().continue_session(true)).store(MemoryStore::default());
    let error = claude.session().await.unwrap_err();
    assert_eq!(error.to_string(), "`continue_session` and `store` exclude each other");
}
