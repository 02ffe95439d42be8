//! Answers of all sizes and shapes.

use super::stage::{on_all, on_line, on_some};
use crate::soon::until;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use unspool::Grain;
use unspool::event::What;
use unspool_client::Error;
use unspool_client::json::schemars;

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_reader_that_sleeps_loses_nothing() {
    let script = format!("turn = [{{ say = '{}', chunk = 1000 }}]", "0123456789".repeat(80_000));
    on_all(&script, async |stage| {
        let all_came = Arc::new(AtomicBool::new(false));
        let came = Arc::clone(&all_came);
        let claude = on_line(stage.claude().grain(Grain::Deltas), move |line| {
            came.fetch_or(line.contains(r#""type":"result""#), Ordering::Relaxed);
        });
        let mut run = claude.run("talk").await.expect(&stage.version);
        let mut letters = 0;
        while let Some(event) = run.next().await {
            if let What::TextDelta { content, .. } = &event.what {
                if letters == 0 {
                    until(|| all_came.load(Ordering::Relaxed)).await;
                }
                letters += content.len();
            }
        }
        assert_eq!(letters, 800_000, "{}", stage.version);
        assert_eq!(run.ending().unwrap().verdict, unspool::Verdict::Ok, "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn ten_megabytes_are_an_answer_like_any_other() {
    let script = format!("turn = [{{ say = '{}', chunk = 1000000 }}]", "0123456789".repeat(1 << 20));
    on_some(
        &script,
        |version| version.starts_with("2.1"),
        async |stage| {
            let answer = stage.claude().ask("talk").await.expect(&stage.version);
            assert_eq!(answer.text.len(), 10 << 20, "{}", stage.version);
        },
    )
    .await;
}

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Review {
    grade: u8,
    faults: Vec<String>,
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn an_answer_can_be_a_rust_value() {
    let script = r#"
        [[turn]]
        call.StructuredOutput = { grade = 7, faults = ["slow"] }
        [[turn]]
        say = "There you are."
    "#;
    on_some(
        script,
        |version| !version.starts_with("1.0"),
        async |stage| {
            let review = stage.claude().ask_json::<Review>("review").await.expect(&stage.version);
            assert_eq!(
                review.value,
                Review { grade: 7, faults: vec!["slow".to_owned()] },
                "{}",
                stage.version
            );
        },
    )
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn an_answer_that_is_no_such_value_is_an_error() {
    on_some(
        "then = 'repeat'\nturn = [{ say = 'No.' }]",
        |version| version == "2.1.325",
        async |stage| {
            let error = stage.claude().ask_json::<Review>("review").await.unwrap_err();
            assert!(matches!(error, Error::Json { .. } | Error::StructuredOutput(_)), "{error:?}");
        },
    )
    .await;
}
