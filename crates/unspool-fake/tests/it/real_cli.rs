//! The real CLI against the scripted model: what the real program does is the last word.
//!
//! Ignored unless asked for, because it needs versions of Claude Code. `cargo xtask cli` installs some, and
//! `cargo xtask test real-cli` names them in UNSPOOL_CLI and runs this.

use serde_json::Value;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::process::Command;
use tokio::task::JoinSet;
use tokio::time::timeout;
use unspool::{Grain, Spool};
use unspool_fake::{FakeModel, Script};

/// A run of the CLI.
struct Run {
    /// The program, to name it when something is wrong.
    program: String,
    model: FakeModel,
    /// Where it worked.
    folder: PathBuf,
    /// What `unspool` says happened.
    events: Vec<Value>,
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn a_tour_of_text_thinking_a_tool_an_error_and_an_agent() {
    for program in programs() {
        let run = Run::of(&program, "tour", "please fix the tests").await;
        let agent = "toolu_fake_main_3_2";
        assert_eq!(
            run.story(),
            [
                "main thinking I should look first.",
                "main text Let me look.",
                "main tool_use toolu_fake_main_2_3",
                "main tool_result hello-from-bash",
                "main text An agent will do the rest.",
                "main tool_use toolu_fake_main_3_2",
                &format!("{agent} tool_use toolu_fake_kitchen_1_2"),
                &format!("{agent} tool_result from-the-kitchen"),
                "main tool_result (There is nothing to see.)",
                "main text It is all done.",
            ],
            "{}",
            run.program
        );
        assert_eq!(run.verdict(), "ok", "{}", run.program);
        run.was_played_to_the_end();
    }
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn two_agents_side_by_side() {
    for program in programs() {
        let run = Run::of(&program, "agents", "look everywhere").await;
        let mut calls: Vec<_> = run.of_type("tool_use").into_iter().map(|it| it["agent"].clone()).collect();
        calls.sort_by_key(ToString::to_string);
        let (kitchen, garden) = ("toolu_fake_main_1_2", "toolu_fake_main_1_3");
        assert_eq!(calls, ["main", "main", kitchen, garden], "{}", run.program);
        assert_eq!(run.result(), "Both have looked.", "{}", run.program);
        run.was_played_to_the_end();
    }
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn files_are_written_where_the_cli_works() {
    for program in programs() {
        let run = Run::of(&program, "files", "write a file").await;
        let file = fs::read_to_string(run.folder.join("notes.txt")).expect(&run.program);
        assert_eq!(file.trim(), "line one\nLINE 2", "{}", run.program);
        assert_eq!(run.result(), "The file is as it should be.", "{}", run.program);
        // Each turn has tokens of its own, so the sums tell that all five were counted once.
        let usage = &run.of_type("turn_complete")[0]["usage"];
        assert_eq!(usage["input"], 101 + 102 + 103 + 104 + 105, "{}: {usage}", run.program);
        assert_eq!(usage["output"], 21 + 22 + 23 + 24 + 25, "{}: {usage}", run.program);
        run.was_played_to_the_end();
    }
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn broken_streams_are_asked_for_again() {
    for program in programs() {
        for (prompt, says) in [
            ("break the connection", "Recovered from a broken connection."),
            ("overload", "Recovered from an error in mid-stream."),
        ] {
            let run = Run::of(&program, "broken", prompt).await;
            assert_eq!(run.result(), says, "{}", run.program);
            assert!(run.model.failures().is_empty(), "{}", run.program);
        }
    }
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn errors_of_the_api_are_told_or_got_over() {
    // Side by side, as some wait for seconds before they ask again.
    let mut all = JoinSet::new();
    for program in programs() {
        all.spawn(async move {
            for (status, got_over) in [
                (400, false),
                (401, false),
                (403, false),
                (404, false),
                (413, false),
                (429, true),
                (500, true),
                (529, true),
            ] {
                let run = Run::of(&program, "errors", &format!("error {status}")).await;
                assert_eq!(run.verdict() == "ok", got_over, "{} {status}: {}", run.program, run.verdict());
                assert_eq!(run.model.requests()[0].status, status, "{}", run.program);
            }
        });
    }
    all.join_all().await;
}

#[tokio::test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
async fn odd_messages_arrive_as_they_were_sent() {
    for program in programs() {
        let run = Run::of(&program, "odd", "halves").await;
        assert_eq!(run.said(), ["pre 😀 post \u{fffd} alone"], "{}", run.program);
        let run = Run::of(&program, "odd", "search").await;
        assert_eq!(run.said(), ["I search.", "It is fine."], "{}", run.program);
        let run = Run::of(&program, "odd", "future").await;
        assert_eq!(run.said(), ["Before.", "After."], "{}", run.program);
    }
}

impl Run {
    async fn of(program: &Path, script: &str, prompt: &str) -> Self {
        let script = format!("{}/scripts/{script}.toml", env!("CARGO_MANIFEST_DIR"));
        let script = Script::open(script).unwrap_or_else(|error| panic!("{error}"));
        let model = FakeModel::start(script).await.unwrap();
        let (home, folder) = folders();
        let mut command = if program.extension().is_some_and(|it| it == "js") {
            let mut command = Command::new("node");
            command.arg(program);
            command
        } else {
            Command::new(program)
        };
        command.args(["-p", prompt, "--output-format", "stream-json", "--verbose"]);
        command.args(["--dangerously-skip-permissions"]).current_dir(&folder);
        // Nothing of whoever runs this may get in, no login least of all.
        command.env_clear().env("PATH", env::var_os("PATH").unwrap_or_default()).env("HOME", home);
        command.env("ANTHROPIC_BASE_URL", model.url()).env("ANTHROPIC_API_KEY", "sk-ant-fake");
        for switch in ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER"]
        {
            command.env(switch, "1");
        }
        // Without this it refuses to skip permissions where tests run as root.
        command.env("IS_SANDBOX", "1");
        command.stdin(Stdio::null()).stderr(Stdio::inherit()).kill_on_drop(true);
        let output = timeout(Duration::from_secs(90), command.output()).await;
        let output = output.unwrap_or_else(|_| panic!("{} hangs", program.display())).unwrap();
        Run { program: program.display().to_string(), model, folder, events: events(&output.stdout) }
    }

    fn of_type(&self, kind: &str) -> Vec<&Value> {
        self.events.iter().filter(|event| event["type"] == kind).collect()
    }

    /// Who said or did what. Of what a sub-agent says, newer versions tell more than older ones.
    fn story(&self) -> Vec<String> {
        let told = self.events.iter().filter_map(|event| {
            let agent = event["agent"].as_str()?;
            let kind = event["type"].as_str()?;
            let what = match kind {
                "text" | "thinking" if agent == "main" => event["content"].as_str()?.to_owned(),
                "tool_use" => event["id"].as_str()?.to_owned(),
                "tool_result" => match event["output"].as_str()? {
                    report if report.contains("nothing to see") => "(There is nothing to see.)".to_owned(),
                    output => output.to_owned(),
                },
                _ => return None,
            };
            Some(format!("{agent} {kind} {what}"))
        });
        told.collect()
    }

    fn said(&self) -> Vec<&str> {
        self.of_type("text").into_iter().filter_map(|event| event["content"].as_str()).collect()
    }

    fn result(&self) -> &str {
        let last = self.of_type("turn_complete").pop();
        last.and_then(|event| event["result"].as_str()).unwrap_or_default()
    }

    fn verdict(&self) -> &str {
        self.events.last().and_then(|event| event["verdict"].as_str()).unwrap_or_default()
    }

    fn was_played_to_the_end(&self) {
        assert_eq!(self.model.failures(), [""; 0], "{}", self.program);
        assert_eq!(self.model.unplayed(), [""; 0], "{}", self.program);
    }
}

fn programs() -> Vec<PathBuf> {
    let named = env::var_os("UNSPOOL_CLI").expect("UNSPOOL_CLI, with the programs to try");
    env::split_paths(&named).collect()
}

/// A home and a place to work in, both new.
fn folders() -> (PathBuf, PathBuf) {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("real-cli").join(number.to_string());
    let _ = fs::remove_dir_all(&root);
    let folders = [root.join("home"), root.join("work")];
    for folder in &folders {
        fs::create_dir_all(folder).unwrap();
    }
    folders.into()
}

fn events(stream: &[u8]) -> Vec<Value> {
    let mut events = Vec::new();
    let mut tell = |event: unspool::Event<'_>| events.push(serde_json::from_str(&event.to_json()).unwrap());
    let mut spool = Spool::new(Grain::Blocks);
    spool.feed(stream, &mut tell);
    spool.finish(&mut tell);
    events
}
