//! What can be asked of the program besides prompts.

use super::stage::{on_all, on_some};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;
use unspool::control::Payload;
use unspool::wire::command::GetPlan;

/// A line each: a request, and what 2.1.325 answered. Another model can do less, so that comes last.
const RECORDED: &str = include_str!("../../data/commands.ndjson");

const SCRIPT: &str = "then = 'repeat'\nturn = [{ say = 'Hello!' }]";

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn every_command_is_answered_as_in_the_recording() {
    on_some(
        SCRIPT,
        |version| version == "2.1.325",
        async |stage| {
            fs::write(stage.folder.join("seed.txt"), "seed line 1\nseed line 2\n").unwrap();
            fs::create_dir(stage.folder.join("sub")).unwrap();
            let mut session = stage.claude().session().await.unwrap();
            session.ask("hi").await.unwrap();
            let controls = session.controls();
            for row in RECORDED.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
                // It needs the name of a prompt that was sent, or ends everything, or needs a login.
                if ["rewind_conversation", "end_session"]
                    .map(Value::from)
                    .contains(&row["request"]["subtype"])
                    || row["answer"].is_null()
                {
                    continue;
                }
                let outcome = controls.command(Payload::from(row["request"].clone())).await;
                let success = row["answer"]["subtype"] == "success";
                assert_eq!(outcome.is_ok(), success, "{}: {outcome:?}", row["request"]);
                if let Ok(payload) = outcome {
                    assert_eq!(keys(payload), keys_of(&row["answer"]["response"]), "{}", row["request"]);
                }
            }
            session.close().await;
        },
    )
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn it_says_what_it_is_before_a_turn_and_after_it() {
    on_all(SCRIPT, async |stage| {
        let mut session = stage.claude().session().await.expect(&stage.version);
        let controls = session.controls();
        let before = controls.about().await.expect(&stage.version);
        assert!(before.read().commands.unwrap().iter().count() > 0, "{}", stage.version);
        assert!(before.read().models.unwrap().iter().count() > 0, "{}", stage.version);
        session.ask("hi").await.expect(&stage.version);
        let after = controls.about().await.expect(&stage.version);
        assert_eq!(before.json().unwrap().text(), after.json().unwrap().text(), "{}", stage.version);
        session.close().await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn commands_have_an_effect() {
    on_some(
        SCRIPT,
        |version| version == "2.1.325",
        async |stage| {
            fs::write(stage.folder.join("seed.txt"), "seed line 1\n").unwrap();
            let mut session = stage.claude().session().await.unwrap();
            session.ask("hi").await.unwrap();
            let controls = session.controls();
            let version = controls.get_binary_version().await.unwrap();
            assert_eq!(version.read().version.unwrap(), stage.version.as_str());
            let file = controls.read_file("seed.txt").await.unwrap();
            assert_eq!(file.read().contents.unwrap(), "seed line 1\n");
            let receipt = controls.interrupt().await.unwrap();
            assert!(receipt.read().still_queued.unwrap().is_empty());
            let aside = controls.side_question("why?").await.unwrap();
            assert_eq!(aside.read().response.unwrap(), "Hello!");

            let model = controls.set_model("claude-haiku-4-5").await.unwrap();
            assert_eq!(model.read().model.unwrap(), "claude-haiku-4-5");
            session.ask("and now?").await.unwrap();
            let is_asked =
                |body: &str| body.contains(r#""model":"claude-haiku-4-5""#) && body.contains("and now?");
            assert!(stage.model.requests().iter().any(|request| is_asked(&request.body)));

            controls.end_session().await.unwrap();
            let ending = session.finish().await;
            assert_eq!((ending.verdict, ending.exit.code), (unspool::Verdict::Ok, Some(0)), "{ending:?}");
        },
    )
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_an_older_version_does_not_know_times_out_and_harms_nothing() {
    on_some(
        SCRIPT,
        |version| version != "2.1.325",
        async |stage| {
            let mut session = stage.claude().session().await.expect(&stage.version);
            let controls = session.controls();
            let outcome = controls.request_within(Some(Duration::from_secs(1)), GetPlan::default()).await;
            let words = outcome.err().map(|refusal| refusal.to_string());
            assert_eq!(words.as_deref(), Some("no answer to `get_plan` in time"), "{}", stage.version);
            let model = controls.set_model("claude-haiku-4-5").await.expect(&stage.version);
            assert!(model.json().is_none(), "{}", stage.version);
            assert_eq!(session.ask("hi").await.expect(&stage.version).text, "Hello!");
            session.close().await;
        },
    )
    .await;
}

fn keys(payload: Option<Payload>) -> BTreeSet<String> {
    payload.map(|payload| keys_of(&serde_json::from_str(payload.json().text()).unwrap())).unwrap_or_default()
}

fn keys_of(value: &Value) -> BTreeSet<String> {
    value.as_object().map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
}
