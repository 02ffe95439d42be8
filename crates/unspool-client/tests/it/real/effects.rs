//! Commands that must have an effect, and not only an answer.

use super::stage::on_some;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use unspool::event::What;
use unspool::json::Json;
use unspool::wire::PermissionMode;
use unspool_client::{Claude, Decision, Handlers, Permission};

/// What older versions answer is in the recordings; which of these they do, nobody promises.
fn is_new(version: &str) -> bool {
    version == "2.1.325"
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
        let mut turn = session.turn("start").await.unwrap();
        let mut task = None;
        while let Some(event) = turn.next().await {
            if let What::Task { kind, data } = &event.what
                && kind == "task_started"
            {
                task = data.json().get("task_id").and_then(Json::as_str).map(|id| id.to_string());
            }
        }
        assert_eq!(turn.answer().await.unwrap().text, "Started.");
        let until = async |holds: &dyn Fn() -> bool| {
            while !holds() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let written = || fs::read_to_string(stage.folder.join("shell.txt")).unwrap_or_default();
        until(&|| written().ends_with('\n')).await;
        let shell = Path::new("/proc").join(written().trim());
        assert!(shell.exists());
        session.controls().stop_task(&task.unwrap()).await.unwrap();
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
