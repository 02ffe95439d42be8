//! Which events really reach hooks, and when: one session that has a hook at every event there is.

use super::stage::{Stage, on_some};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unspool::control::Payload;
use unspool::json::Json;
use unspool::wire::hook::WorktreeCreateOutput;
use unspool::wire::{Extra, HookEvent};
use unspool_client::handlers::ElicitationReply;
use unspool_client::hooks::{Hook, HookReply};
use unspool_client::options::McpServer;
use unspool_client::{Claude, Decision, Handlers, Options};

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/asking.py");

const SCRIPT: &str = r#"
    [[turn]]
    say = "Hello!"

    [[conversation]]
    when.prompt = "run-what-fails"
    turn = [{ call.Bash.command = "exit 3" }, { say = "It failed." }]

    [[conversation]]
    when.prompt = "run-what-is-denied"
    turn = [{ call.Bash.command = "touch denied" }, { say = "It was denied." }]

    [[conversation]]
    when.prompt = "start-an-agent"
    turn = [{ agent = { prompt = "look-around", description = "Look" } }, { say = "It has looked." }]
    [[conversation]]
    when.prompt = "look-around"
    turn = [{ say = "Nothing there." }]

    [[conversation]]
    when.prompt = "note-and-do"
    turn = [
        { call.TaskCreate = { subject = "Wash", description = "Wash up" } },
        { call.TaskUpdate = { taskId = "1", status = "completed" } },
        { say = "Done." },
    ]

    [[conversation]]
    when.prompt = "read-in-a-folder"
    turn = [{ call.Read.file_path = "${cwd}/sub/a.txt" }, { say = "Read." }]

    [[conversation]]
    when.prompt = "let-a-server-ask"
    turn = [{ call.mcp__asking__name = {} }, { say = "Asked." }]

    [[conversation]]
    when.prompt = "break"
    then = "repeat"
    turn = [{ fail = { status = 400, message = "no" } }]

    [[conversation]]
    when.prompt = "words-of-a-command"
    turn = [{ say = "Expanded." }]

    [[conversation]]
    when.prompt = "work-in-a-tree"
    turn = [
        { call.EnterWorktree.name = "tree" },
        { call.ExitWorktree = { action = "remove", discard_changes = true } },
        { say = "Back." },
    ]

    [[conversation]]
    when.prompt = "go-to-a-folder"
    turn = [{ call.Bash.command = "cd sub && pwd" }, { say = "There." }]
"#;

/// What there is before the session begins. `CwdChanged` reaches our hooks only where the settings have a hook at it.
const FILES: [(&str, &str); 5] = [
    ("sub/CLAUDE.md", "Be kind."),
    ("sub/a.txt", "a"),
    ("tree/a.txt", "a"),
    (".claude/commands/expand.md", "words-of-a-command $ARGUMENTS"),
    (
        ".claude/settings.json",
        r#"{"hooks": {"CwdChanged": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#,
    ),
];

/// What provokes events.
enum Step {
    Ask(&'static str),
    Command(Value),
    /// Another text, again and again until it is noticed.
    Change(&'static str, &'static str),
}

/// What is done, and all the events that hooks are then told of.
fn rows(stage: &Stage) -> Vec<(Step, &'static str)> {
    use Step::{Ask, Change, Command};
    let mode = |mode: &str| Command(json!({"subtype": "set_permission_mode", "mode": mode}));
    vec![
        (Ask("hello"), "UserPromptSubmit MessageDisplay Stop"),
        (
            Ask("run-what-fails"),
            "UserPromptSubmit PreToolUse PermissionRequest PostToolUseFailure PostToolBatch MessageDisplay Stop",
        ),
        (
            Ask("run-what-is-denied"),
            "UserPromptSubmit PreToolUse PermissionRequest PostToolBatch MessageDisplay Stop",
        ),
        // Nobody is asked there but a model, and what this one says is no permission.
        (mode("auto"), ""),
        (
            Ask("run-what-fails"),
            "UserPromptSubmit PreToolUse PermissionDenied PostToolBatch MessageDisplay Stop",
        ),
        (mode("default"), ""),
        (
            Ask("start-an-agent"),
            "UserPromptSubmit PreToolUse SubagentStart SubagentStop PostToolUse PostToolBatch MessageDisplay Stop",
        ),
        (
            Ask("note-and-do"),
            "UserPromptSubmit PreToolUse TaskCreated TaskCompleted PostToolUse PostToolBatch MessageDisplay Stop",
        ),
        (
            Ask("read-in-a-folder"),
            "UserPromptSubmit PreToolUse PostToolUse PostToolBatch InstructionsLoaded MessageDisplay Stop",
        ),
        (
            Ask("let-a-server-ask"),
            "UserPromptSubmit PreToolUse PermissionRequest Elicitation ElicitationResult Notification PostToolUse \
             PostToolBatch MessageDisplay Stop",
        ),
        (Ask("break"), "UserPromptSubmit MessageDisplay StopFailure"),
        (Ask("/expand now"), "UserPromptSubmit UserPromptExpansion MessageDisplay Stop"),
        (
            Ask("work-in-a-tree"),
            "UserPromptSubmit PreToolUse WorktreeCreate WorktreeRemove PostToolUse PostToolBatch MessageDisplay Stop",
        ),
        (
            Command(json!({"subtype": "set_model", "model": "claude-haiku-4-5"})),
            "PreModelSwitch PostModelSwitch",
        ),
        (Ask("/model claude-sonnet-5"), "PreModelSwitch PostModelSwitch"),
        (
            Command(json!({"subtype": "register_repo_root", "directory": stage.folder.join("sub")})),
            "DirectoryAdded",
        ),
        (
            Ask("go-to-a-folder"),
            "UserPromptSubmit PreToolUse PostToolUse CwdChanged PostToolBatch MessageDisplay Stop",
        ),
        (Change(".claude/settings.json", "{}"), "ConfigChange"),
        (Ask("/compact"), "PreCompact SubagentStop SessionStart PostCompact"),
        (Ask("/clear"), "SessionEnd SessionStart"),
    ]
}

/// Events that reach no hook here, and why.
const NEVER: [(&str, &str); 3] = [
    ("FileChanged", "it watches no files, not even those that a hook names, where nobody sits before it"),
    ("Setup", "it is over before hooks are known"),
    ("TeammateIdle", "there is no tool that makes a team"),
];

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn hooks_are_told_of_every_event() {
    on_some(
        SCRIPT,
        |version| version == "2.1.325",
        async |stage| {
            for (file, text) in FILES {
                let path = stage.folder.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            let notes = Notes::default();
            let mut session =
                Claude::new(options(&stage)).handlers(handlers(&stage, &notes)).session().await.unwrap();
            let mut all = BTreeSet::new();
            for (step, events) in rows(&stage) {
                let what = match step {
                    Step::Ask(prompt) => {
                        let outcome = session.ask(prompt).await;
                        assert_eq!(outcome.is_err(), prompt == "break", "{prompt}: {outcome:?}");
                        prompt.to_owned()
                    }
                    Step::Command(request) => {
                        session.controls().command(Payload::from(request.clone())).await.unwrap();
                        request.to_string()
                    }
                    Step::Change(file, text) => {
                        let mut text = text.to_owned();
                        while notes.names().is_empty() {
                            fs::write(stage.folder.join(file), &text).unwrap();
                            text.push('\n');
                            // It waits until a file has not changed for half a second.
                            tokio::time::sleep(Duration::from_secs(2)).await;
                        }
                        file.to_owned()
                    }
                };
                let events: BTreeSet<String> = events.split_whitespace().map(str::to_owned).collect();
                // Some come a little later than the answer.
                let all_told = async {
                    while !notes.names().is_superset(&events) {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                };
                let _ = tokio::time::timeout(Duration::from_secs(30), all_told).await;
                assert_eq!(notes.take(), events, "{what}");
                all.extend(events);
            }
            session.close().await;
            // Nobody can answer any more when it ends.
            assert_eq!(notes.take(), BTreeSet::new());
            all.extend(NEVER.map(|(event, _)| event.to_owned()));
            assert_eq!(all, HookEvent::ALL.iter().map(|event| event.name().to_owned()).collect());
        },
    )
    .await;
}

fn options(stage: &Stage) -> Options {
    let server = McpServer::stdio("python3").args([SERVER]);
    let options = stage.options().mcp_server("asking", server).env("CLAUDE_CODE_MAX_RETRIES", "0");
    options.env("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1")
}

/// A hook at each of these events that notes it and has no opinion.
macro_rules! noting {
    ($notes:expr, $($function:ident)*) => {
        [$({
            let notes = $notes.clone();
            Hook::$function(move |told| {
                notes.add(&told.read().extra, told.json());
                async {}
            })
        }),*]
    };
}

fn handlers(stage: &Stage, notes: &Notes) -> Handlers {
    let hooks = noting! { notes,
        pre_tool_use post_tool_use post_tool_use_failure post_tool_batch permission_request permission_denied
        user_prompt_submit user_prompt_expansion session_start session_end setup stop stop_failure subagent_start
        subagent_stop pre_compact post_compact pre_model_switch post_model_switch notification teammate_idle
        task_created task_completed elicitation elicitation_result config_change worktree_remove
        instructions_loaded cwd_changed file_changed directory_added message_display
    };
    let (seen, tree) = (notes.clone(), stage.folder.join("tree"));
    let planted = Hook::worktree_create(move |told| {
        seen.add(&told.read().extra, told.json());
        let tree = tree.to_str().unwrap();
        std::future::ready(HookReply::specific(WorktreeCreateOutput::default().worktree_path(tree)))
    });
    hooks
        .into_iter()
        .chain([planted])
        .fold(Handlers::new(), Handlers::hook)
        .permission(|asked| {
            let denied = asked.input().text().contains("denied");
            async move { if denied { Decision::deny("no") } else { Decision::allow() } }
        })
        .elicitation(|_| async { ElicitationReply::accept(json!({"name": "Ada"})) })
}

/// What hooks were told of.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<BTreeSet<String>>>);

impl Notes {
    /// There is a field for all that is told.
    fn add(&self, extra: &Extra<'_>, input: Json<'_>) {
        let name = input.get("hook_event_name").and_then(Json::as_str).unwrap().to_string();
        let name = if extra.is_empty() { name } else { format!("{name} with {extra:?}") };
        self.0.lock().unwrap().insert(name);
    }

    fn names(&self) -> BTreeSet<String> {
        self.0.lock().unwrap().clone()
    }

    fn take(&self) -> BTreeSet<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}
