//! Commands that must have an effect, and not only an answer.

use super::stage::{Stage, on_line, on_some};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use unspool::Verdict;
use unspool::event::What;
use unspool::json::Json;
use unspool::wire::PermissionMode;
use unspool::wire::command::SetCwd;
use unspool_client::handlers::Permission;
use unspool_client::{Claude, Decision, Handlers, Session};

/// What older versions answer is in the recordings; which of these they do, nobody promises.
fn is_new(version: &str) -> bool {
    version == "2.1.325"
}

/// Starts a task in the background, and returns its id.
async fn task_of(session: &mut Session) -> String {
    let mut turn = session.turn("start").await.unwrap();
    let mut task = None;
    while let Some(event) = turn.next().await {
        if let What::Task { kind, data, .. } = &event.what
            && kind == "task_started"
        {
            task = data.json().get("task_id").and_then(Json::as_str).map(|id| id.to_string());
        }
    }
    assert_eq!(turn.answer().await.unwrap().text, "Started.");
    task.unwrap()
}

/// The last request that the model has answered by its script.
fn last_request(stage: &Stage) -> Value {
    let requests = stage.model.requests();
    let body = &requests.iter().rfind(|request| request.turn.is_some()).unwrap().body;
    serde_json::from_str(body).unwrap()
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_task_that_is_stopped_does_not_go_on() {
    let script = r#"turn = [
        { call.Bash = { command = "echo $$ > shell.txt; sleep 300; true", run_in_background = true } },
        { say = "Started." },
    ]"#;
    on_some(script, is_new, async |stage| {
        let mut session = stage.claude().session().await.unwrap();
        let task = task_of(&mut session).await;
        let until = async |holds: &dyn Fn() -> bool| {
            while !holds() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let written = || fs::read_to_string(stage.folder.join("shell.txt")).unwrap_or_default();
        until(&|| written().ends_with('\n')).await;
        let shell = Path::new("/proc").join(written().trim());
        assert!(shell.exists());
        session.controls().stop_task(&task).await.unwrap();
        until(&|| !shell.exists()).await;
        session.close().await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn files_are_as_they_were_before_the_prompt() {
    let script = r#"turn = [
        { call.Read.file_path = "${cwd}/a.txt" },
        { call.Write = { file_path = "${cwd}/a.txt", content = "new" } },
        { say = "Written." },
    ]"#;
    on_some(script, is_new, async |stage| {
        let file = stage.folder.join("a.txt");
        fs::write(&file, "old").unwrap();
        let options = stage.options().skip_permissions(true).file_checkpointing(true);
        let mut session = Claude::new(options).session().await.unwrap();
        let turn = session.turn("change it").await.unwrap();
        let prompt = turn.prompt().to_owned();
        turn.answer().await.unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        session.controls().rewind_files(&prompt, false).await.unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        session.close().await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn another_permission_mode_asks_less() {
    let script = r#"
        [[conversation]]
        when.prompt = "first"
        turn = [{ call.Write = { file_path = "${cwd}/first.txt", content = "x" } }, { say = "Tried." }]
        [[conversation]]
        when.prompt = "second"
        turn = [{ call.Write = { file_path = "${cwd}/second.txt", content = "x" } }, { say = "Tried." }]
    "#;
    on_some(script, is_new, async |stage| {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let handlers = Handlers::new().permission(move |_: Permission| {
            count.fetch_add(1, Ordering::Relaxed);
            async { Decision::deny("not now") }
        });
        let mut session = Claude::new(stage.options()).handlers(handlers).session().await.unwrap();
        session.ask("first").await.unwrap();
        assert_eq!((asked.load(Ordering::Relaxed), stage.has("first.txt")), (1, false));
        session.controls().set_permission_mode(PermissionMode::AcceptEdits).await.unwrap();
        session.ask("second").await.unwrap();
        assert_eq!((asked.load(Ordering::Relaxed), stage.has("second.txt")), (1, true));
        session.close().await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_a_task_has_printed_can_be_read_while_it_runs() {
    let script = r#"turn = [
        { call.Bash = { command = "echo first words; sleep 300", run_in_background = true } },
        { say = "Started." },
    ]"#;
    on_some(script, is_new, async |stage| {
        let mut session = stage.claude().session().await.unwrap();
        let task = task_of(&mut session).await;
        loop {
            let printed = session.controls().get_task_output(&task).await.unwrap();
            if printed.read().total_bytes != Some(0) {
                assert_eq!(printed.read().output.unwrap(), "first words\n");
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // It would be waited for.
        session.controls().stop_task(&task).await.unwrap();
        session.close().await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn the_model_thinks_as_much_as_it_may() {
    let script = "then = 'repeat'\nturn = [{ say = 'Hello!' }]";
    on_some(script, is_new, async |stage| {
        let mut session = stage.claude().session().await.unwrap();
        let controls = session.controls();
        // Newer models know themselves how much to think, and take no limit.
        controls.set_model("claude-haiku-4-5").await.unwrap();
        session.ask("hello").await.unwrap();
        let usual = last_request(&stage)["thinking"].clone();
        let limited = json!({"type": "enabled", "display": usual["display"], "budget_tokens": 5000});
        for (limit, thinking) in
            [(Some(5000), limited), (Some(0), json!({"type": "disabled"})), (None, usual)]
        {
            controls.set_max_thinking_tokens(limit).await.unwrap();
            session.ask("hello").await.unwrap();
            assert_eq!(last_request(&stage)["thinking"], thinking, "{limit:?}");
        }
        session.close().await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn settings_hold_until_they_are_taken_back() {
    let script = "then = 'repeat'\nturn = [{ say = 'Hello!' }]";
    on_some(script, is_new, async |stage| {
        let mut session = stage.claude().session().await.unwrap();
        let controls = session.controls();
        session.ask("hello").await.unwrap();
        let before = last_request(&stage);
        for (setting, value, pointer, effect) in [
            ("effortLevel", json!("low"), "/output_config/effort", json!("low")),
            ("model", json!("claude-haiku-4-5"), "/model", json!("claude-haiku-4-5")),
            ("env", json!({"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "7000"}), "/max_tokens", json!(7000)),
        ] {
            assert_ne!(before.pointer(pointer), Some(&effect), "{setting}");
            controls.apply_flag_settings(json!({setting: value})).await.unwrap();
            session.ask("hello").await.unwrap();
            assert_eq!(last_request(&stage).pointer(pointer), Some(&effect), "{setting}");
            controls.apply_flag_settings(json!({setting: null})).await.unwrap();
            session.ask("hello").await.unwrap();
            // A variable that was set once stays in the process.
            let after = if setting == "env" { Some(&effect) } else { before.pointer(pointer) };
            assert_eq!(last_request(&stage).pointer(pointer), after, "{setting}");
        }
        session.close().await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_prompt_that_was_cancelled_is_never_seen() {
    let script = r#"
        [[conversation]]
        when.prompt = "first"
        turn = [{ call.Bash.command = "until [ -e go.txt ]; do sleep 0.05; done" }, { say = "Gone." }]
        [[conversation]]
        when.prompt = "third"
        turn = [{ say = "Third." }]
    "#;
    on_some(script, is_new, async |stage| {
        let mut session = stage.claude().session().await.unwrap();
        let controls = session.controls();
        let mut turn = session.turn("first").await.unwrap();
        while let Some(event) = turn.next().await {
            if matches!(event.what, What::ToolUse { .. }) {
                let second = controls.send("words nobody hears").unwrap();
                assert_eq!(
                    controls.cancel_async_message(&second).await.unwrap().read().cancelled,
                    Some(true)
                );
                assert_eq!(
                    controls.cancel_async_message(&second).await.unwrap().read().cancelled,
                    Some(false)
                );
                fs::write(stage.folder.join("go.txt"), "").unwrap();
            }
        }
        assert_eq!(turn.answer().await.unwrap().text, "Gone.");
        assert_eq!(session.ask("third").await.unwrap().text, "Third.");
        assert!(!stage.heard("words nobody hears"));
        // Nothing is owed for it.
        assert_eq!(session.finish().await.verdict, Verdict::Ok);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_session_moves_to_a_directory_that_is_trusted() {
    let script =
        r#"turn = [{ say = "Hello!" }, { call.Bash.command = "touch here.txt" }, { say = "Touched." }]"#;
    on_some(script, is_new, async |stage| {
        let there = stage.folder.join("there");
        fs::create_dir(&there).unwrap();
        let there = there.to_str().unwrap();
        let results = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&results);
        let claude = on_line(stage.claude(), move |line| {
            let line: Value = serde_json::from_str(line).unwrap();
            count.fetch_add(usize::from(line["type"] == "result"), Ordering::Relaxed);
        });
        let mut session = claude.session().await.unwrap();
        let controls = session.controls();
        session.ask("hello").await.unwrap();
        let reply = controls.set_cwd(there).await.unwrap();
        assert_eq!(reply.read().status.unwrap(), "needs_trust");
        let trusted = SetCwd::default().path(there).trust_accepted(true).trusted_directory(there);
        let reply = controls.request(trusted).await.unwrap();
        assert_eq!((reply.read().status.unwrap().decode(), reply.read().changed), ("ok".into(), Some(true)));
        // Where there was a turn already, moving is one too.
        while results.load(Ordering::Relaxed) < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(session.ask("touch").await.unwrap().text, "Touched.");
        assert!(stage.has("there/here.txt"));
        session.close().await;
    })
    .await;
}
