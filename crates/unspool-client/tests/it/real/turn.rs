//! One prompt, one answer.

use super::stage::{on_all, on_some};
use unspool::Grain;
use unspool::Verdict;
use unspool::event::What;

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_question_has_an_answer() {
    on_all(r#"turn = [{ say = "4" }]"#, async |stage| {
        let answer = stage.claude().ask("What is 2 + 2?").await.expect(&stage.version);
        assert_eq!(answer.text, "4", "{}", stage.version);
        assert_eq!(answer.parts, ["4"], "{}", stage.version);
        assert!(answer.session.is_some(), "{}", stage.version);
        assert!(answer.cost_usd.is_some_and(|cost| cost > 0.0), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_run_tells_its_events_and_ends_with_finished() {
    let script = r#"
        [[turn]]
        say = "I look."
        call.Bash.command = "echo hello > seen.txt; echo hello-from-bash"
        [[turn]]
        say = "Seen."
    "#;
    on_all(script, async |stage| {
        let mut run = stage.claude().grain(Grain::Deltas).run("look").await.expect(&stage.version);
        let (mut names, mut output, mut words) = (Vec::new(), String::new(), String::new());
        while let Some(event) = run.next().await {
            names.push(event.what.name());
            match event.what {
                What::ToolResult { output: said, .. } => output.push_str(&said),
                What::TextDelta { content, .. } => words.push_str(&content),
                _ => {}
            }
        }
        assert!(names.contains(&"session_meta"), "{} {names:?}", stage.version);
        assert_eq!(names.last(), Some(&"finished"), "{}", stage.version);
        assert_eq!(
            (words.as_str(), output.as_str()),
            ("I look.Seen.", "hello-from-bash"),
            "{}",
            stage.version
        );
        assert!(stage.has("seen.txt"), "{}", stage.version);
        let ending = run.ending().expect(&stage.version);
        assert_eq!((ending.verdict, ending.exit.code), (Verdict::Ok, Some(0)), "{}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_background_agent_is_waited_for() {
    let script = r#"
        [[turn]]
        say = "Started."
        agent = { description = "Kitchen", prompt = "Look at the kitchen", background = true }
        [[turn]]
        say = "It is at work."
        [[turn]]
        say = "It has looked."

        [[conversation]]
        when.prompt = "kitchen"
        [[conversation.turn]]
        call.Bash.command = "sleep 1.5; echo clean > kitchen.txt"
        [[conversation.turn]]
        say = "Clean."
    "#;
    on_some(
        script,
        |version| version.starts_with("2.1"),
        async |stage| {
            let answer = stage.claude().ask("go").await.expect(&stage.version);
            assert!(stage.has("kitchen.txt"), "{}", stage.version);
            assert_eq!(answer.text, "It has looked.", "{}", stage.version);
            assert_eq!(answer.turn, Some(2), "{}", stage.version);
        },
    )
    .await;
}
