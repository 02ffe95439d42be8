//! How it ends, when it does not end well.

use super::stage::{Stage, on_all, on_some};
use std::time::Duration;
use unspool::Verdict;
use unspool::event::What;
use unspool_client::error::Failed;
use unspool_client::limits::Patience;
use unspool_client::{Claude, Error, Lasting, Pool};

const HANGS: &str = r#"
    [[turn]]
    call.Bash = { command = "echo $$ > shell.txt; sleep 300 & echo $! > sleep.txt; wait", timeout = 600000 }
"#;

/// What was killed may take a moment to die.
async fn nothing_lives(stage: &Stage) -> bool {
    nobody_lives(stage, &["shell.txt", "sleep.txt"]).await
}

async fn nobody_lives(stage: &Stage, files: &[&str]) -> bool {
    let gone = async {
        while files.iter().any(|file| lives(stage, file)) {
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
        // Long enough for the tool to begin on a busy machine.
        let patience = Patience::new().silence(Duration::from_secs(8));
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

/// We are killed ourselves, with a tool at work that has started something which has nothing of its environment.
#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_host_that_is_killed_leaves_nothing_behind() {
    let script = r#"
        [[turn]]
        call.Bash.command = "echo $PPID > claude.txt; echo $$ > shell.txt; (env -i setsid sh -c 'echo $$ > daemon.txt; exec sleep 300' > /dev/null 2>&1 &); sh -c 'echo $$ > sleep.txt; exec sleep 300'"
        call.Bash.timeout = 600000
    "#;
    on_all(script, async |stage| {
        let mut host = crate::killed::host_of(&stage.program, &stage.options());
        for file in ["sleep.txt", "daemon.txt"] {
            until_there(&stage, file).await;
        }
        let all = ["claude.txt", "shell.txt", "sleep.txt", "daemon.txt"];
        for file in all {
            assert!(lives(&stage, file), "{} {file}", stage.version);
        }
        host.kill();
        assert!(nobody_lives(&stage, &all).await, "{}", stage.version);
    })
    .await;
}

/// What the API answers, and what a caller gets from 2.1.325, 2.0.77 and 1.0.128; `?` where it may be tried again.
///
/// 2.0.77 says little more than that the API failed, 1.0.128 nothing but words. When it may be tried again is said in
/// headers, and told by no version to whoever pays by key.
const API_ERRORS: &[(&str, [&str; 3])] = &[
    ("status = 401", ["NotLoggedIn", "NotLoggedIn", "Other"]),
    ("status = 403", ["NotLoggedIn", "NotLoggedIn", "Api?"]),
    ("status = 404, message = 'model: no-such-model'", ["Api", "Api?", "Api?"]),
    ("status = 413", ["Api", "Api?", "Api?"]),
    ("status = 429", ["RateLimited?", "Api?", "Api?"]),
    ("status = 429, retry_after = 1", ["RateLimited?", "Api?", "Api?"]),
    (
        "status = 429, headers = { anthropic-ratelimit-unified-status = 'rejected', \
         anthropic-ratelimit-unified-reset = '4000000000' }",
        ["RateLimited?", "Api?", "Api?"],
    ),
    ("status = 500", ["Api?", "Api?", "Api?"]),
    ("status = 529", ["Overloaded?", "Api?", "Api?"]),
    (
        "status = 400, message = 'prompt is too long: 210000 tokens > 200000 maximum'",
        ["ContextFull", "ContextFull", "ContextFull"],
    ),
];

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn errors_of_the_api_have_their_kind() {
    let conversation = |(number, (fail, _)): (usize, &(&str, _))| {
        format!(
            "[[conversation]]\nwhen.prompt = 'error {number}.'\nthen = 'repeat'\nturn = [{{ fail = {{ {fail} }} }}]\n"
        )
    };
    let script: String = API_ERRORS.iter().enumerate().map(conversation).collect();
    on_all(&script, async |stage| {
        let column = ["2.1.325", "2.0.77", "1.0.128"].iter().position(|version| *version == stage.version);
        // It is about kinds, not about patience.
        let options = stage.options().skip_permissions(true).env("CLAUDE_CODE_MAX_RETRIES", "0");
        let mut session = Claude::new(options).session().await.expect(&stage.version);
        for (number, (fail, kinds)) in API_ERRORS.iter().enumerate() {
            let error = session.ask(format!("error {number}.")).await.expect_err(&stage.version);
            let (kind, failed) = kind_of(&error);
            let again = if failed.retryable { "?" } else { "" };
            if let Some(column) = column {
                assert_eq!(format!("{kind}{again}"), kinds[column], "{} {fail}: {error}", stage.version);
            }
            if let Some(status) = failed.status {
                assert!(
                    fail.starts_with(&format!("status = {status}")),
                    "{} {fail}: {status}",
                    stage.version
                );
            }
            assert_eq!(failed.status.is_some(), stage.version.starts_with("2.1"), "{} {fail}", stage.version);
        }
        session.close().await;
    })
    .await;
}

fn kind_of(error: &Error) -> (&'static str, &Failed) {
    match error {
        Error::NotLoggedIn(failed) => ("NotLoggedIn", failed),
        Error::RateLimited { until: None, failed } => ("RateLimited", failed),
        Error::Overloaded(failed) => ("Overloaded", failed),
        Error::Api(failed) => ("Api", failed),
        Error::ContextFull(failed) => ("ContextFull", failed),
        Error::Other(failed) => ("Other", failed),
        _ => panic!("{error:?}"),
    }
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

/// 2.0.77 and 1.0.128 try again for minutes too, and say nothing of it. All versions can be told not to.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_refused_login_is_tried_again_as_often_as_is_said() {
    on_all("[[turn]]\nfail = 401\ntimes = 100\n", async |stage| {
        let patience = Patience::new().login(None);
        let options = stage.options().env("CLAUDE_CODE_MAX_RETRIES", "1");
        let error = Claude::new(options).patience(patience).ask("go").await.expect_err(&stage.version);
        // 1.0.128 does not say on its wire what kind of failure it is.
        let is_it = matches!(error, Error::NotLoggedIn(_)) || stage.version == "1.0.128";
        assert!(is_it && error.to_string().contains("API key"), "{} {error:?}", stage.version);
        let asked = stage.model.requests().iter().filter(|asked| asked.turn.is_some()).count();
        // 1.0.128 asks once more, without a stream.
        assert!((2..=3).contains(&asked), "{} {asked}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_refused_login_is_given_up_at_once() {
    on_some(
        "[[turn]]\nfail = 401\ntimes = 100\n",
        |version| version == "2.1.325",
        async |stage| {
            let began = std::time::Instant::now();
            let claude = stage.claude();
            claude.ask("go").await.unwrap_err();
            // The key is a given one.
            assert_eq!(stage.model.requests().len(), 1);
            let mut session = claude.session().await.unwrap();
            let errors = [
                claude.ask("go").await.unwrap_err(),
                session.ask("go").await.unwrap_err(),
                Lasting::new(claude.clone()).ask("go").await.unwrap_err(),
                Pool::new(claude.clone(), 1).ask("go").await.unwrap_err(),
            ];
            for error in errors {
                assert!(matches!(error, Error::NotLoggedIn(_)), "{error:?}");
                assert!(error.to_string().starts_with("not logged in: the login is refused (401"), "{error}");
            }
            assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
        },
    )
    .await;
}

/// Versions that say it on standard error alone have not started.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_session_that_does_not_exist_is_an_error_of_its_own() {
    const NONE: &str = "00000000-0000-4000-8000-000000000000";
    on_all("[[turn]]\nsay = \"Never.\"\n", async |stage| {
        let claude = Claude::new(stage.options().resume(NONE));
        let mut session = claude.session().await.expect(&stage.version);
        // The program has said so, and is gone, before anybody asks.
        tokio::time::sleep(Duration::from_secs(3)).await;
        let errors = [
            claude.ask("go").await.expect_err(&stage.version),
            session.ask("go").await.expect_err(&stage.version),
            Lasting::new(claude.clone()).ask("go").await.expect_err(&stage.version),
        ];
        for error in errors {
            let is_it = match &*stage.version {
                "2.1.325" => matches!(&error, Error::NoSession { session, .. } if session == NONE),
                _ => matches!(error, Error::NotStarted(_)),
            };
            assert!(is_it, "{} {error:?}", stage.version);
        }
    })
    .await;
}
