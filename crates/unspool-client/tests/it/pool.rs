//! Many sessions from one pool, with programs that are shell scripts.

#![cfg(unix)]

use crate::lasting::{claude, folder};
use crate::soon::{soon, until};
use std::path::Path;
use unspool_client::{Error, Pool};

/// Whoever wants one session more than there may be waits until one is given back.
#[tokio::test]
async fn a_pool_has_its_places() {
    let script = r#"echo x >> programs; while read -r line; do init; done_for "$(wc -l < programs)" 0; done"#;
    let pool = Pool::new(claude(script, "2.1.325", &folder("pool")), 1);
    let mut first = pool.session().await.unwrap();
    assert_eq!(pool.free(), 0);
    let waiting = pool.clone();
    let second = tokio::spawn(async move { waiting.ask("hello").await });
    // While the first is at work, there is no second program.
    for _ in 0..10 {
        assert_eq!(first.ask("hello").await.unwrap().text.trim(), "1");
    }
    assert!(!second.is_finished());
    drop(first);
    assert_eq!(soon(second).await.unwrap().unwrap().text.trim(), "2");
}

/// However many want a session at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn a_pool_keeps_so_many_programs_ready_and_no_more() {
    let script = r#"echo x >> programs; while read -r line; do init; done_for ok 0; done"#;
    let folder = folder("warm");
    let pool = Pool::new(claude(script, "2.1.325", &folder), 8).warm(2);
    let wanted = (0..8).map(|_| {
        let pool = pool.clone();
        tokio::spawn(async move { pool.session().await.unwrap() })
    });
    let mut sessions = Vec::new();
    for session in wanted.collect::<Vec<_>>() {
        sessions.push(session.await.unwrap());
    }
    for session in &mut sessions {
        assert_eq!(session.ask("hello").await.unwrap().text, "ok");
    }
    pool.prepare().await.unwrap();
    // A program says so when it has begun; those that wait to be asked may not have yet.
    let started = || std::fs::read_to_string(folder.join("programs")).unwrap_or_default().lines().count();
    until(|| started() >= 10).await;
    // When all are gone, none is about to begin.
    drop(sessions);
    soon(pool.close()).await;
    assert_eq!(started(), 10);
}

/// A program that waits for its first prompt is killed, and another takes its place.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_pool_hands_out_no_dead_program() {
    let script = r#"echo $$ >> programs; while read -r line; do init; done_for $$ 0; done"#;
    let folder = folder("dead");
    let pool = Pool::new(claude(script, "2.1.325", &folder), 2).warm(1);
    for round in 1..=5 {
        pool.prepare().await.unwrap();
        let programs = || std::fs::read_to_string(folder.join("programs")).unwrap_or_default();
        until(|| programs().ends_with('\n') && programs().lines().count() >= 2 * round - 1).await;
        let is_there = |id: &&str| Path::new("/proc").join(id).exists();
        let program = programs().lines().find(is_there).expect("one that is ready").to_owned();
        assert!(std::process::Command::new("kill").args(["-9", &program]).status().unwrap().success());
        assert_ne!(pool.ask("hello").await.expect("another program").text, program, "{round}");
        until(|| programs().lines().count() > 2 * round).await;
    }
}

/// A program that answers until it is asked to `wait`, and writes down that it runs and that it has ended.
#[cfg(target_os = "linux")]
const WRITES_DOWN: &str = r#"
    echo $$ >> programs
    while read -r line; do
        case "$line" in
            *interrupt*) printf '{"type":"result","subtype":"error_during_execution","is_error":true,"session_id":"s"}\n';;
            *wait*) init;;
            *) init; done_for ok 0;;
        esac
    done
"#;

/// The programs of [`WRITES_DOWN`] that still run, once so many have begun.
#[cfg(target_os = "linux")]
async fn running(folder: &Path, begun: usize) -> usize {
    let programs = || std::fs::read_to_string(folder.join("programs")).unwrap_or_default();
    until(|| programs().ends_with('\n') && programs().lines().count() >= begun).await;
    assert_eq!(programs().lines().count(), begun);
    programs().lines().filter(|id| Path::new("/proc").join(id).exists()).count()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_pool_that_is_closed_interrupts_what_is_at_work_and_waits_until_all_is_gone() {
    let folder = folder("closed");
    let pool = Pool::new(claude(WRITES_DOWN, "2.1.325", &folder), 3).warm(1);
    let mut idle = pool.session().await.unwrap();
    let mut asking = pool.session().await.unwrap();
    let mut unread = pool.session().await.unwrap();
    assert_eq!(idle.ask("hello").await.unwrap().text, "ok");
    unread.controls().send("hello").unwrap();
    let (begins, begun) = tokio::sync::oneshot::channel();
    let asked = tokio::spawn(async move {
        let mut turn = asking.turn("wait").await.unwrap();
        while turn.next().await.is_some_and(|event| event.what.name() != "turn_start") {}
        begins.send(()).unwrap();
        turn.answer().await.unwrap_err().to_string()
    });
    begun.await.unwrap();
    let waiting = pool.clone();
    let waits = tokio::spawn(async move { waiting.ask("hello").await });
    assert_eq!(running(&folder, 4).await, 4);

    pool.close().await;
    assert_eq!(running(&folder, 4).await, 0);
    assert!(matches!(waits.await.unwrap(), Err(Error::PoolClosed)));
    assert_eq!(asked.await.unwrap(), "interrupted: the pool was closed");
    let error = idle.ask("more").await.unwrap_err();
    assert!(matches!(&error, Error::Interrupted(why) if why.text.contains("the pool was closed")), "{error}");
    // What was said before can still be read.
    let mut told = Vec::new();
    while let Some(event) = unread.next().await {
        told.push(event.what.name());
    }
    assert!(told.contains(&"turn_complete") && told.last() == Some(&"finished"), "{told:?}");

    // Nothing more is begun, and closing once more does no harm.
    assert!(matches!(pool.ask("hello").await, Err(Error::PoolClosed)));
    assert!(matches!(pool.session().await, Err(Error::PoolClosed)));
    assert!(matches!(pool.prepare().await, Err(Error::PoolClosed)));
    pool.close().await;
    pool.finish().await;
    assert_eq!(running(&folder, 4).await, 0);
}

/// Some are waiting for a place, some are being started, some are at work.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_pool_that_is_closed_while_programs_start_leaves_none() {
    let folder = folder("closed-early");
    for _ in 0..10 {
        let pool = Pool::new(claude(WRITES_DOWN, "2.1.325", &folder), 4).warm(2);
        let asks: Vec<_> = (0..8)
            .map(|_| {
                let pool = pool.clone();
                tokio::spawn(async move { pool.ask("hello").await })
            })
            .collect();
        pool.close().await;
        for asked in asks {
            let answer = asked.await.unwrap();
            let fits = matches!(answer, Ok(_) | Err(Error::PoolClosed | Error::Interrupted(_)));
            assert!(fits, "{answer:?}");
        }
        let programs = std::fs::read_to_string(folder.join("programs")).unwrap_or_default();
        let left = programs.lines().filter(|id| Path::new("/proc").join(id).exists());
        assert_eq!(left.count(), 0);
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_pool_that_is_finished_waits_for_those_who_have_a_session() {
    let folder = folder("finished");
    let pool = Pool::new(claude(WRITES_DOWN, "2.1.325", &folder), 1).warm(1);
    let mut session = pool.session().await.unwrap();
    assert_eq!(session.ask("hello").await.unwrap().text, "ok");
    let finishing = pool.clone();
    let finished = tokio::spawn(async move { finishing.finish().await });
    // The only place is taken; it is waited for until there is no hope.
    assert!(matches!(pool.session().await, Err(Error::PoolClosed)));
    // The session is as it was.
    assert_eq!(session.ask("more").await.unwrap().text, "ok");
    assert!(!finished.is_finished());
    drop(session);
    finished.await.unwrap();
    assert_eq!(running(&folder, 2).await, 0);
}
