//! What nobody wants any more, before it has begun.

use super::stage::on_all;
use crate::soon::until;
use std::path::Path;
use std::time::Duration;
use unspool::event::What;

/// The program is still starting when the answer is no longer wanted: the turn that begins then does not go on.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_prompt_that_is_dropped_before_its_turn_begins_comes_to_nothing() {
    let script = r#"
        turn = [
            { call.Bash.command = "sleep 3; touch one.txt" },
            { call.Bash.command = "sleep 3; touch two.txt" },
            { say = "Done." },
        ]
    "#;
    on_all(script, async |stage| {
        let mut run = stage.claude().run("go").await.expect(&stage.version);
        let asked = tokio::time::timeout(Duration::from_millis(50), run.next()).await;
        assert!(asked.is_err(), "{}", stage.version);
        let id = run.process_id().expect("a process");
        drop(run);
        // Whoever is gone, with all that it has started, does nothing more.
        until(|| !Path::new("/proc").join(id.to_string()).exists()).await;
        assert!(!stage.has("two.txt"), "{}", stage.version);
    })
    .await;
}

/// A turn that is dropped while another one is running does not harm the other, and is not answered.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_prompt_that_is_dropped_while_another_runs_is_never_answered() {
    let script = r#"
        [[conversation]]
        when.prompt = "the-first"
        turn = [{ wait = 2, say = "One." }]
        [[conversation]]
        when.prompt = "the-second"
        turn = [{ call.Bash.command = "sleep 1; touch second.txt" }, { say = "Two." }]
        [[conversation]]
        when.prompt = "the-third"
        turn = [{ say = "Three." }]
    "#;
    on_all(script, async |stage| {
        let mut session = stage.claude().session().await.expect(&stage.version);
        session.controls().send("the-first").expect(&stage.version);
        while !matches!(session.next().await.expect(&stage.version).what, What::TurnStart { .. }) {}
        drop(session.turn("the-second").await.expect(&stage.version));
        let answer = session.ask("the-third").await.expect(&stage.version);
        assert_eq!(answer.text, "Three.", "{}", stage.version);
        assert!(!stage.has("second.txt"), "{}", stage.version);
        session.close().await;
    })
    .await;
}
