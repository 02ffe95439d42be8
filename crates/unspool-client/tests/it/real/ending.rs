//! How it ends, when it does not end well.

use super::stage::{Stage, on_all};
use std::time::Duration;
use unspool::Verdict;
use unspool::event::What;
use unspool_client::{Claude, Error, Patience};

const HANGS: &str = r#"
    [[turn]]
    call.Bash = { command = "echo $$ > shell.txt; sleep 300 & echo $! > sleep.txt; wait", timeout = 600000 }
"#;

/// What was killed may take a moment to die.
async fn nothing_lives(stage: &Stage) -> bool {
    let gone = async {
        while lives(stage, "shell.txt") || lives(stage, "sleep.txt") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone).await.is_ok()
}

/// The process with the id in a file is there.
fn lives(stage: &Stage, file: &str) -> bool {
    let id = std::fs::read_to_string(stage.folder.join(file)).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

async fn until_there(stage: &Stage, file: &str) {
    while !stage.has(file) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn silence_has_an_end_and_nothing_survives() {
    on_all(HANGS, async |stage| {
        let mut patience = Patience::default();
        // Long enough for the tool to begin on a busy machine.
        patience.silence = Some(Duration::from_secs(8));
        let claude = stage.claude().patience(patience);
        let error = claude.ask("hang").await.expect_err(&stage.version);
        let Error::Hung(failed) = &error else { panic!("{} {error:?}", stage.version) };
        assert!(failed.text.starts_with("no line for 8 s; last: Bash `echo $$"), "{} {error}", stage.version);
        assert!(nothing_lives(&stage).await, "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn whoever_drops_a_session_ends_everything_it_started() {
    on_all(HANGS, async |stage| {
        let mut session = stage.claude().session().await.expect(&stage.version);
        let mut turn = session.turn("hang").await.expect(&stage.version);
        while let Some(event) = turn.next().await {
            if matches!(event.what, What::ToolUse { .. }) {
                break;
            }
        }
        until_there(&stage, "sleep.txt").await;
        drop(turn);
        drop(session);
        // Interrupting, closing, telling and killing take up to ten seconds each.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let mut gone = nothing_lives(&stage).await;
        for _ in 0..3 {
            gone = gone || nothing_lives(&stage).await;
        }
        assert!(gone, "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_program_that_is_killed_leaves_nothing_behind() {
    on_all(HANGS, async |stage| {
        let mut run = stage.claude().run("hang").await.expect(&stage.version);
        while let Some(event) = run.next().await {
            if matches!(event.what, What::ToolUse { .. }) {
                until_there(&stage, "sleep.txt").await;
                let id = run.process_id().expect(&stage.version).to_string();
                std::process::Command::new("kill").args(["-9", &id]).status().unwrap();
            }
        }
        let ending = run.ending().expect(&stage.version);
        assert_eq!((ending.verdict, ending.exit.signal), (Verdict::Truncated, Some(9)), "{}", stage.version);
        assert!(nothing_lives(&stage).await, "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn errors_of_the_api_have_their_kind() {
    let script = r#"
        [[conversation]]
        when.prompt = "error 401"
        then = "repeat"
        turn = [{ fail = { status = 401, headers = { x-should-retry = "false" } } }]
        [[conversation]]
        when.prompt = "error 400"
        then = "repeat"
        turn = [{ fail = { status = 400, message = "prompt is too long: 210000 tokens > 200000 maximum" } }]
        [[conversation]]
        when.prompt = "error 404"
        then = "repeat"
        turn = [{ fail = { status = 404, message = "model: no-such-model" } }]
    "#;
    on_all(script, async |stage| {
        // It is about kinds, not about patience.
        let options = stage.options().skip_permissions(true).env("CLAUDE_CODE_MAX_RETRIES", "1");
        let claude = Claude::new(options);
        let ask = async |status: u32| claude.ask(format!("error {status}")).await.expect_err(&stage.version);
        let full = ask(400).await;
        assert!(matches!(full, Error::ContextFull(_)), "{} {full:?}", stage.version);
        let login = ask(401).await;
        // 1.0.128 gives nothing but words.
        let is_login = matches!(login, Error::NotLoggedIn(_)) || stage.version.starts_with("1.0");
        assert!(is_login, "{} {login:?}", stage.version);
        let other = ask(404).await;
        assert!(matches!(other, Error::Api(_)), "{} {other:?}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_cannot_start_says_why() {
    on_all(r#"turn = [{ say = "hello" }]"#, async |stage| {
        let claude = Claude::new(stage.options().extra_args(["--no-such-flag"]));
        let error = claude.ask("hello").await.expect_err(&stage.version);
        assert!(matches!(error, Error::NotStarted(_)), "{} {error:?}", stage.version);
        assert!(error.to_string().contains("--no-such-flag"), "{} {error}", stage.version);
    })
    .await;
}
