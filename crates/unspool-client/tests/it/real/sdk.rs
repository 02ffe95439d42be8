//! What is told of sessions, beside the official SDK: the same sessions, in the same order, with the same messages.

use super::stage::{Stage, on_some};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use unspool::transcript::project_name;
use unspool_client::Claude;
use unspool_client::kept::{About, Excerpt, Fork, KeptMessage, KeptSession, Listing, Speaker};
use unspool_client::store::{MemoryStore, StoredSessions};

const SCRIPT: &str = r#"
    [[conversation]]
    when.prompt = "look-around"
    turn = [{ call.Bash = { command = "echo seen", description = "look" } }, { say = "Nothing there." }]
    [[conversation]]
    when.prompt = "begin"
    turn = [{ call.Task = { description = "look", prompt = "look-around", subagent_type = "general-purpose" } }, { say = "Noted." }]
    [[conversation]]
    when.prompt = "other"
    turn = [{ say = "Well." }]
"#;

/// `UNSPOOL_SDK` names the module; `cargo xtask test real-cli` does, where npm can install it.
#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn what_is_told_of_sessions_is_what_the_official_sdk_tells() {
    let Some(module) = std::env::var_os("UNSPOOL_SDK").map(PathBuf::from) else {
        eprintln!("not compared with the official SDK: UNSPOOL_SDK is not set");
        return;
    };
    on_some(
        SCRIPT,
        |version| version == "2.1.325",
        move |stage| {
            let module = module.clone();
            async move { compare(&stage, &module).await }
        },
    )
    .await;
}

async fn compare(stage: &Stage, module: &Path) {
    let worktree = worktrees(stage);
    let claude = |options| Claude::new(stage.here(options).skip_permissions(true));
    let options = unspool_client::Options::new;
    let id = claude(options()).ask("begin with it").await.unwrap().session.unwrap();
    claude(options().resume(&id)).ask("other words").await.unwrap();
    claude(options()).ask("other things").await.unwrap();
    let kept = stage.kept();
    let session = kept.find(&id).unwrap().unwrap();
    session.rename("A name").unwrap();
    session.tag(Some("mark")).unwrap();
    let [agent] = &*session.agents().unwrap() else { panic!() };

    let theirs =
        ask_sdk(stage, module, &[stage.folder.to_str().unwrap(), &id, &agent.id, worktree.to_str().unwrap()]);
    let read = |excerpt: Excerpt| ids(&session.messages(&excerpt).unwrap());
    let list = |listing: Listing| rows(&kept.list(&listing).unwrap());
    let by_hand = kept.of(&worktree).unwrap().remove(0);
    let store = MemoryStore::new();
    session.keep_in(&store).await.unwrap();
    let stored = StoredSessions::new(store).of(&stage.folder).await.unwrap().remove(0);
    let fork = stored.fork(&Fork::new()).await.unwrap();
    let named = stored.fork(&Fork::new().title("Named")).await.unwrap();
    let forked = fork.messages(&Excerpt::new()).await.unwrap();
    let ours = json!({
        "messages": read(Excerpt::new()),
        "page": read(Excerpt::new().offset(1).limit(2)),
        "system": read(Excerpt::new().system(true)),
        "agents": [agent.id],
        "agent": ids(&agent.messages(&Excerpt::new()).unwrap()),
        "sessions": list(Listing::new().project(&stage.folder)),
        "second": list(Listing::new().project(&stage.folder).offset(1).limit(1)),
        "worktrees": list(Listing::new().project(&worktree)),
        "by_hand": ids(&by_hand.messages(&Excerpt::new()).unwrap()),
        "by_hand_system": ids(&by_hand.messages(&Excerpt::new().system(true)).unwrap()),
        "alone": list(Listing::new().project(&worktree).worktrees(false)),
        "fork": row(&fork.about().await.unwrap()),
        "named": row(&named.about().await.unwrap()),
        "forked": forked.iter().map(|it| kind(it.by)).collect::<Vec<_>>(),
        "stored": ids(&stored.messages(&Excerpt::new()).await.unwrap()),
    });
    for (name, theirs) in theirs.as_object().unwrap() {
        assert_eq!(&ours[name], theirs, "{name}");
    }
    assert_eq!(ours["worktrees"].as_array().unwrap().len(), 3);
    assert_eq!(ours["by_hand_system"].as_array().unwrap().len(), 5);
    assert!(ours["messages"].as_array().unwrap().len() >= 6, "{}", ours["messages"]);
}

fn kind(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::Model => "assistant",
        Speaker::System => "system",
        _ => "user",
    }
}

fn ids(messages: &[KeptMessage]) -> Vec<Value> {
    messages.iter().map(|it| json!([kind(it.by), it.uuid, it.call, it.parent_agent])).collect()
}

fn rows(sessions: &[KeptSession]) -> Vec<Value> {
    let with_id = |session: &KeptSession| {
        let mut row = row(&session.about().unwrap());
        row.insert(0, json!(session.id()));
        json!(row)
    };
    sessions.iter().map(with_id).collect()
}

fn row(about: &About) -> Vec<Value> {
    vec![json!(about.custom_title), json!(about.first_prompt), json!(about.tag)]
}

/// A repository with three worktrees, made by git, and a session in each; returns one of them.
fn worktrees(stage: &Stage) -> PathBuf {
    let root = fs::canonicalize(stage.folder.parent().unwrap()).unwrap();
    let git = |folder: &Path, words: &[&str]| {
        let who = ["-c", "user.name=me", "-c", "user.email=me@example.org"];
        let mut git = Command::new("git");
        let status = git.args(who).args(words).current_dir(folder).env("HOME", &root).status().unwrap();
        assert!(status.success(), "{words:?}");
    };
    let repository = root.join("repository");
    fs::create_dir_all(&repository).unwrap();
    git(&repository, &["init", "-q"]);
    git(&repository, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let others = ["one", "two"].map(|name| root.join(name));
    for other in &others {
        git(&repository, &["worktree", "add", "-q", "--detach", other.to_str().unwrap()]);
    }
    for folder in others.iter().chain([&repository]) {
        let project = stage.config().join("projects").join(project_name(folder.to_str().unwrap()));
        fs::create_dir_all(&project).unwrap();
        let id = uuid::Uuid::new_v4().to_string();
        let asked = format!("in {}", folder.display());
        let entry = |fields: Value| {
            let mut entry = json!({
                "sessionId": id, "cwd": folder, "isSidechain": false, "timestamp": "2026-11-15T06:48:16.272Z",
            });
            entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            format!("{entry}\n")
        };
        let said = |uuid: u8, parent: u8, role: &str, words: &str| {
            entry(json!({
                "type": role, "uuid": name(uuid), "parentUuid": name(parent), "message": { "role": role, "content": words },
            }))
        };
        let entries = [
            entry(
                json!({ "type": "system", "subtype": "compact_boundary", "uuid": name(1), "parentUuid": null, "content": "Compacted" }),
            ),
            said(2, 1, "user", &asked),
            said(3, 2, "assistant", "left"),
            said(4, 2, "assistant", "kept"),
            entry(
                json!({ "type": "system", "subtype": "informational", "uuid": name(5), "parentUuid": name(4), "content": "Note" }),
            ),
            said(6, 5, "user", "more"),
            entry(
                json!({ "type": "system", "subtype": "turn_duration", "uuid": name(7), "parentUuid": name(6), "durationMs": 3 }),
            ),
        ];
        fs::write(project.join(format!("{id}.jsonl")), entries.concat()).unwrap();
    }
    others[0].clone()
}

fn name(number: u8) -> String {
    format!("00000000-0000-4000-8000-0000000000{number:02}")
}

fn ask_sdk(stage: &Stage, module: &Path, words: &[&str]) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/real/sdk.mjs");
    let output = Command::new("node")
        .arg(script)
        .arg(module)
        .args(words)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", stage.config().parent().unwrap())
        .env("CLAUDE_CONFIG_DIR", stage.config())
        .output()
        .expect("node");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}
