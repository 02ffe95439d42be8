//! Sessions that outlive their program, and pools of them.

use super::stage::{on_all, on_line, on_some};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unspool_client::lasting::{Incident, Retry};
use unspool_client::{Error, Lasting, Limits, Pool};

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_session_whose_program_is_killed_goes_on_and_no_prompt_is_sent_twice() {
    let script = r#"
        [[conversation]]
        when.prompt = "first"
        turn = [{ say = "One." }]
        [[conversation]]
        when.prompt = "the-second-step"
        turn = [{ call.Bash.command = "echo $PPID > parent.txt; sleep 60" }]
        [[conversation]]
        when.prompt = "Continue where"
        turn = [{ say = "Resumed." }]
    "#;
    on_all(script, async |stage| {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let note = Arc::clone(&seen);
        let session = Lasting::new(stage.claude()).retry(Retry::new().first(Duration::from_millis(10)));
        let session = session.observe(move |incident| {
            note.lock().unwrap().push(match incident {
                Incident::Retry { attempt, .. } => format!("retry {attempt}"),
                Incident::Resume { .. } => "resume".to_owned(),
                other => format!("{other:?}"),
            });
        });
        assert_eq!(session.ask("first").await.expect(&stage.version).text, "One.", "{}", stage.version);
        let id = session.id();
        let asking = session.clone();
        let second = tokio::spawn(async move { asking.ask("Do the-second-step").await });
        while !stage.has("parent.txt") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        let parent = std::fs::read_to_string(stage.folder.join("parent.txt")).unwrap();
        assert!(Command::new("kill").args(["-9", parent.trim()]).status().unwrap().success());
        let answer = second.await.unwrap().expect(&stage.version);
        assert_eq!(answer.text, "Resumed.", "{}", stage.version);
        assert_eq!(*seen.lock().unwrap(), ["retry 1", "resume"], "{}", stage.version);
        assert_eq!(session.id(), id, "{}", stage.version);
        session.close().await;
        let asked = stage.model.requests();
        let last = &asked.iter().rfind(|asked| asked.turn.is_some()).expect(&stage.version).body;
        assert_eq!(last.matches("Do the-second-step").count(), 1, "{}", stage.version);
    })
    .await;
}

/// When the program is killed in a turn: so many milliseconds after such a line.
const MOMENTS: [(&str, u64); 9] = [
    ("", 0),
    ("", 60),
    ("", 150),
    (r#""subtype":"init""#, 0),
    (r#""subtype":"init""#, 20),
    (r#""type":"assistant""#, 0),
    (r#""type":"assistant""#, 300),
    (r#""type":"tool_result""#, 0),
    (r#""type":"result""#, 0),
];

/// It says that it has begun before it has written the prompt down.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_program_may_be_killed_at_any_moment_and_each_prompt_is_there_once() {
    let script = r#"
        then = "repeat"
        turn = [{ say = "One." }]
        [[conversation]]
        when.prompt = "the-step"
        then = "repeat"
        turn = [{ call.Bash.command = "sleep 0.4" }, { say = "Two." }]
    "#;
    on_all(script, async |stage| {
        let stage = Arc::new(stage);
        let moment = Arc::new(Mutex::new(None::<(&str, u64)>));
        let (due, killer) = (Arc::clone(&moment), Arc::clone(&stage));
        let claude = on_line(stage.claude(), move |text| {
            let now = due.lock().unwrap().take_if(|(line, _)| text.contains(*line));
            if let Some((_, delay)) = now {
                let killer = Arc::clone(&killer);
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(delay));
                    killer.kill_all();
                });
            }
        });
        let retry = Retry::new().attempts(5).first(Duration::from_millis(300)).jitter(0.0);
        let session = Lasting::new(claude).retry(retry);
        session.ask("first").await.expect(&stage.version);
        let prompt = |number: usize| format!("Do the-step number {number}.");
        for (number, (line, delay)) in MOMENTS.into_iter().enumerate() {
            let what = format!("{} is killed {delay} ms after {line}", stage.version);
            *moment.lock().unwrap() = Some((line, delay));
            session.ask(prompt(number)).await.expect(&what);
            assert_eq!(*moment.lock().unwrap(), None, "{what}: it was not");
            let asked = stage.model.requests();
            let last = &asked.iter().rfind(|asked| asked.turn.is_some()).expect(&what).body;
            for number in 0..=number {
                assert_eq!(last.matches(&prompt(number)).count(), 1, "{what}: {number}");
            }
        }
        session.close().await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_session_that_was_never_written_down_begins_anew() {
    on_all("turn = [{ wait = 1, say = 'Hello!' }]", async |stage| {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let note = Arc::clone(&seen);
        let retry = Retry::new().first(Duration::from_secs(1)).jitter(0.0);
        let session = Lasting::new(stage.claude()).retry(retry).observe(move |incident| {
            let word = format!("{incident:?}").split(' ').next().map(str::to_owned);
            note.lock().unwrap().extend(word);
        });
        let asking = session.clone();
        let asked = tokio::spawn(async move { asking.ask("hi").await });
        while !stage.model.requests().iter().any(|request| request.turn.is_some()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        stage.kill_all();
        stage.forget_sessions();
        let answer = asked.await.unwrap().expect(&stage.version);
        assert_eq!(answer.text, "Hello!", "{}", stage.version);
        assert_eq!(*seen.lock().unwrap(), ["Retry", "Resume", "Lost"], "{}", stage.version);
        session.close().await;
        let last = stage.model.requests().into_iter().rfind(|asked| asked.turn.is_some()).unwrap().body;
        assert!(last.contains("hi") && !last.contains("Continue where"), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_program_is_recycled_after_so_many_turns_and_remembers() {
    let script = r#"turn = [{ say = "one" }, { say = "two" }, { say = "three" }]"#;
    on_all(script, async |stage| {
        let session = Lasting::new(stage.claude()).recycle_after(1);
        for words in ["one", "two", "three"] {
            let answer = session.ask("next").await.expect(&stage.version);
            assert_eq!(answer.text, words, "{}", stage.version);
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_pool_keeps_programs_ready_and_sessions_apart() {
    on_some(
        r#"turn = [{ say = "one" }, { say = "two" }]"#,
        |version| version == "2.1.325",
        async |stage| {
            let pool = Pool::new(stage.claude(), 2).warm(1);
            pool.prepare().await.unwrap();
            let [mut one, mut two] = [pool.session().await.unwrap(), pool.session().await.unwrap()];
            assert_eq!(pool.free(), 0);
            assert_eq!(one.ask("hello").await.unwrap().text, "one");
            assert_eq!(two.ask("hello").await.unwrap().text, "one");
            assert_eq!(one.ask("again").await.unwrap().text, "two");
            drop(one);
            assert_eq!(pool.free(), 1);
            assert_eq!(pool.ask("hello").await.unwrap().text, "one");
        },
    )
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_budget_ends_a_run_and_keeps_what_was_paid_for() {
    let script = r#"
        [[turn]]
        say = "I begin."
        call.Bash.command = "sleep 20"
        usage.input = 5000
        [[turn]]
        say = "Never."
    "#;
    on_all(script, async |stage| {
        let claude = stage.claude().limits(Limits::new().tokens(1000));
        let error = claude.ask("go").await.expect_err(&stage.version);
        let Error::OverBudget(failed) = &error else { panic!("{} {error:?}", stage.version) };
        assert!(failed.text.contains("tokens"), "{} {error}", stage.version);
        let answer = failed.answer.as_ref().expect(&stage.version);
        assert_eq!(answer.parts, ["I begin."], "{}", stage.version);
        assert_eq!(stage.model.requests().iter().filter(|asked| asked.turn == Some(2)).count(), 0);
    })
    .await;
}
