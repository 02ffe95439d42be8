//! Many turns.

use super::stage::{Stage, on_all, on_some};
use crate::soon::until;
use unspool::event::What;
use unspool_client::Error;

/// The tool ends with `&&`, because 1.0.128 may kill what a shell waits for before the shell.
const SLOW: &str = r#"
    [[conversation]]
    when.prompt = "slowly"
    [[conversation.turn]]
    say = ["One,", { pause = 1 }, " two,", { pause = 60 }, " three."]

    [[conversation]]
    when.prompt = "in a tool"
    [[conversation.turn]]
    call.Bash.command = "echo begun > begun.txt; sleep 60 && echo ended > ended.txt"

    [[conversation]]
    when.prompt = "Delegate"
    [[conversation.turn]]
    agent.prompt = "Sleep in a tool"
    agent.description = "Sleep"

    [[conversation]]
    when.prompt = "hello"
    [[conversation.turn]]
    say = "Hello!"
"#;

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn turns_follow_one_another() {
    let script = r#"turn = [{ say = "one" }, { say = "two" }, { say = "three" }]"#;
    on_all(script, async |stage| {
        let mut session = stage.claude().session().await.expect(&stage.version);
        for (number, words) in [(1, "one"), (2, "two"), (3, "three")] {
            let answer = session.ask(format!("prompt {number}")).await.expect(&stage.version);
            assert_eq!((answer.turn, answer.text.as_str()), (Some(number), words), "{}", stage.version);
        }
        let ending = session.finish().await;
        assert_eq!(ending.verdict, unspool::Verdict::Ok, "{} {ending:?}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_turn_that_is_dropped_is_interrupted_and_the_session_lives_on() {
    on_all(SLOW, async |stage| {
        let mut session = stage.claude().session().await.expect(&stage.version);
        let mut turn = session.turn("Count slowly").await.expect(&stage.version);
        while let Some(event) = turn.next().await {
            if matches!(event.what, What::TurnStart { .. }) {
                break;
            }
        }
        until(|| stage.heard("Count slowly")).await;
        drop(turn);
        let answer = session.ask("hello").await.expect(&stage.version);
        assert_eq!(answer.text, "Hello!", "{}", stage.version);
        session.close().await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_tool_can_be_interrupted() {
    on_all(SLOW, async |stage| interrupt_once_begun(&stage, "Sleep in a tool").await).await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn an_agent_can_be_interrupted() {
    on_all(SLOW, async |stage| interrupt_once_begun(&stage, "Delegate").await).await;
}

/// What runs is ended, and the session goes on.
async fn interrupt_once_begun(stage: &Stage, prompt: &str) {
    let mut session = stage.claude().session().await.expect(&stage.version);
    let controls = session.controls();
    let mut turn = session.turn(prompt).await.expect(&stage.version);
    while let Some(event) = turn.next().await {
        if matches!(event.what, What::ToolUse { .. }) {
            while !stage.has("begun.txt") {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            let interrupt = unspool::control::Payload::from(serde_json::json!({"subtype": "interrupt"}));
            controls.command(interrupt).await.expect(&stage.version);
            break;
        }
    }
    let error = turn.answer().await.expect_err(&stage.version);
    assert!(matches!(error, Error::Interrupted(_)), "{} {error:?}", stage.version);
    assert!(stage.has("begun.txt") && !stage.has("ended.txt"), "{}", stage.version);
    let answer = session.ask("hello").await.expect(&stage.version);
    assert_eq!(answer.text, "Hello!", "{}", stage.version);
    session.close().await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn prompts_that_were_sent_while_a_tool_ran_are_answered_by_its_turn() {
    let script = r#"
        [[turn]]
        call.Bash.command = "sleep 2"
        [[turn]]
        say = "All three."
    "#;
    on_all(script, async |stage| {
        let mut session = stage.claude().session().await.expect(&stage.version);
        let controls = session.controls();
        let mut turn = session.turn("first").await.expect(&stage.version);
        while let Some(event) = turn.next().await {
            if matches!(event.what, What::ToolUse { .. }) {
                controls.send("second").unwrap();
                controls.send("third").unwrap();
            }
        }
        drop(turn);
        let ending = tokio::time::timeout(std::time::Duration::from_secs(30), session.finish()).await;
        let ending = ending.unwrap_or_else(|_| panic!("{} is never over", stage.version));
        assert_eq!(ending.verdict, unspool::Verdict::Ok, "{} {ending:?}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn four_sessions_at_once() {
    let script = r#"
        [[turn]]
        call.Bash.command = "sleep 0.5; echo done"
        [[turn]]
        say = "Done."
    "#;
    on_some(
        script,
        |version| version == "2.1.325",
        async |stage| {
            let claude = stage.claude();
            let mut runs = tokio::task::JoinSet::new();
            for number in 0..4 {
                let claude = claude.clone();
                runs.spawn(async move { claude.ask(format!("run {number}")).await });
            }
            let answers = runs.join_all().await;
            assert_eq!(answers.len(), 4);
            for answer in answers {
                assert_eq!(answer.unwrap().text, "Done.");
            }
        },
    )
    .await;
}
