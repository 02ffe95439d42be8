//! Prompts that mean more than they say, and what surrounds them.

use super::stage::{Stage, on_all};
use std::fs;
use std::sync::{Arc, Mutex};
use unspool::wire::input;
use unspool_client::Claude;
use unspool_client::controls::Prompt;

const SCRIPT: &str = r#"
    then = "repeat"
    turn = [{ say = "I see." }]
"#;

/// A span of somebody else.
const SPAN: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// A command, and a file to look at.
fn furnish(stage: &Stage) {
    fs::create_dir_all(stage.folder.join(".claude/commands")).unwrap();
    fs::write(stage.folder.join(".claude/commands/expand.md"), "words-of-a-command $ARGUMENTS").unwrap();
    fs::write(stage.folder.join("a.txt"), "words-of-a-file").unwrap();
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn prompts_are_taken_as_they_are_if_they_are_to() {
    let plain = |words: &str| Prompt::from(words);
    let composed = |words: &str| Prompt::from(input::user(words).client_composed());
    for (verbatim, prompt, expands) in
        [(false, &plain as &dyn Fn(&str) -> Prompt, true), (true, &plain, false), (false, &composed, false)]
    {
        let stage = Stage::newest(SCRIPT).await;
        furnish(&stage);
        let claude = Claude::new(stage.options().skip_permissions(true).verbatim_prompts(verbatim));
        let mut session = claude.session().await.unwrap();
        session.ask(prompt("/expand now")).await.unwrap();
        assert_eq!(stage.heard("words-of-a-command now"), expands, "verbatim: {verbatim}");
        assert_eq!(stage.heard("\"/expand now\""), !expands, "verbatim: {verbatim}");
        session.ask(prompt("look at @a.txt")).await.unwrap();
        assert_eq!(stage.heard("words-of-a-file"), expands, "verbatim: {verbatim}");
        assert!(stage.heard("look at @a.txt"), "verbatim: {verbatim}");
        session.close().await;
    }
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_trace_goes_on_in_what_is_run() {
    let script =
        r#"turn = [{ call.Bash.command = 'echo "$TRACEPARENT $TRACESTATE" > trace.txt' }, { say = "Run." }]"#;
    on_all(script, async |stage| {
        let options = stage.options().skip_permissions(true).trace_parent(SPAN).trace_state("rojo=1");
        Claude::new(options.client_app("tests/1")).ask("run").await.expect(&stage.version);
        let trace = fs::read_to_string(stage.folder.join("trace.txt")).expect(&stage.version);
        assert_eq!(trace, format!("{SPAN} rojo=1\n"), "{}", stage.version);
        let requests = stage.model.requests();
        let agent =
            &requests.iter().rfind(|asked| asked.turn.is_some()).expect(&stage.version).headers["user-agent"];
        // Older ones do not say who uses them.
        let says = stage.version.starts_with("2.1");
        assert_eq!(agent.contains("client-app/tests/1"), says, "{} {agent}", stage.version);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_it_says_beside_is_heard_and_kept() {
    on_all(SCRIPT, async |stage| {
        let heard = Arc::new(Mutex::new(String::new()));
        let listener = Arc::clone(&heard);
        let options = stage.options().extra_args(["--debug-to-stderr"]);
        let claude = Claude::new(options).on_stderr(move |piece| listener.lock().unwrap().push_str(piece));
        let mut run = claude.run("hello").await.expect(&stage.version);
        while run.next().await.is_some() {}
        let kept = run.ending().expect(&stage.version).stderr.clone();
        let heard = heard.lock().unwrap().clone();
        assert!(heard.lines().count() > 10 && heard.contains("[DEBUG]"), "{}: {heard}", stage.version);
        assert_eq!(heard.lines().next_back(), kept.lines().next_back(), "{}", stage.version);
        assert!(kept.lines().count() > 10, "{}: {kept}", stage.version);
    })
    .await;
}
