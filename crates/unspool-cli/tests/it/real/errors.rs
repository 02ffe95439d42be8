//! What goes wrong has its exit code and its words.

use super::recorded::recorded;
use super::stage::{TWO_CALLS, all, on};
use crate::program::ended;
use std::fs;

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn each_error_of_the_api_has_its_exit_code() {
    // What older versions are tried with is what they say in other words than the newest does.
    let older = [401, 429, 500];
    let newest = [400, 401, 403, 404, 413, 429, 500, 529];
    let conversation = |status: u32| {
        format!(
            "[[conversation]]\nwhen.prompt = \"error {status}\"\nthen = \"repeat\"\n\
             turn = [{{ fail = {{ status = {status}, headers = {{ x-should-retry = \"false\" }} }} }}]\n"
        )
    };
    let script: String = newest.into_iter().map(conversation).collect();
    on(all, &script, |stage| {
        let run = |status: u32| {
            let prompt = format!("error {status}");
            let mut command = stage.command(&["run", &prompt, "--timeout", "100s"]);
            // Some are tried again all the same.
            ended(command.env("CLAUDE_CODE_MAX_RETRIES", "0").spawn().unwrap())
        };
        // 1.0.128 gives nothing but words, and those do not say that it was the API.
        let code = |status| if status == 401 && stage.version.starts_with("1.") { 10 } else { 11 };
        let statuses = if stage.version == "2.1.325" { &newest[..] } else { &older };
        let ran: Vec<_> = statuses.iter().map(|&status| (status, run(status))).collect();
        let wrong: Vec<_> = ran.iter().filter(|(status, ran)| ran.code != Some(code(*status))).collect();
        assert!(wrong.is_empty(), "{} {wrong:#?}", stage.version);
    });
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn an_unknown_flag_is_not_started() {
    on(all, "turn = [{ say = \"hello\" }]", |stage| {
        let ran = stage.run(&["run", "go", "--", "--no-such-flag"]);
        assert_eq!(ran.code, Some(30), "{} {ran:?}", stage.version);
        assert!(ran.err.contains("--no-such-flag"), "{} {ran:?}", stage.version);
    });
}

/// 2.0.77 and 1.0.128 try again for minutes too, but say nothing of it.
#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_refused_login_is_not_tried_again_for_minutes() {
    let refuses = "[[turn]]\nfail = 401\ntimes = 100\n";
    on(
        |version| version == "2.1.325",
        refuses,
        |stage| {
            let began = std::time::Instant::now();
            let live = recorded(stage, &["go"]);
            assert_eq!(live.code, Some(11), "{live:?}");
            assert!(live.err.contains("api_error: auth: the login is refused (401"), "{live:?}");
            let schema = r#"{"type":"object","properties":{"a":{"type":"integer"}}}"#;
            fs::write(stage.folder.join("schema.json"), schema).unwrap();
            let ran = stage.run(&["ask-json", "--schema", "schema.json", "go"]);
            assert_eq!(ran.code, Some(11), "{ran:?}");
            assert!(began.elapsed().as_secs() < 40, "{:?}", began.elapsed());
            let patient = recorded(stage, &["go", "--retry-login", "--timeout", "25s"]);
            assert_eq!(patient.code, Some(20), "{patient:?}");
            let retries = patient.out.matches(r#""type":"api_retry""#).count();
            assert!(retries > 1, "{patient:?}");
        },
    );
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_session_that_does_not_exist_is_no_interruption() {
    on(all, TWO_CALLS, |stage| {
        let live = recorded(stage, &["go", "--resume", "00000000-0000-4000-8000-000000000000"]);
        // Older versions say it on standard error alone.
        let (code, words) = match &*stage.version {
            "2.1.325" => (10, "failed: startup: No conversation found with session ID: 00000000-"),
            _ => (30, "not_started: "),
        };
        assert_eq!(live.code, Some(code), "{} {live:?}", stage.version);
        assert!(live.err.starts_with(words), "{} {live:?}", stage.version);
        assert!(live.err.contains("No conversation found"), "{} {live:?}", stage.version);
    });
}
