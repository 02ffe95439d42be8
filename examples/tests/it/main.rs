//! The examples, run as they are: beside this test, where cargo puts them, with a program that stands in for Claude Code.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Says one thing, does one thing, and is done.
const CLAUDE: &str = r#"#!/bin/sh
case "$1" in --version) echo "2.1.325 (Claude Code)"; exit;; esac
read -r prompt
printf '%s\n' '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
printf '%s\n' '{"type":"assistant","message":{"id":"a","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]},"session_id":"s"}'
printf '%s\n' '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"a.txt"}]},"session_id":"s"}'
printf '%s\n' '{"type":"assistant","message":{"id":"b","content":[{"type":"text","text":"One file."}]},"session_id":"s"}'
printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"result":"One file.","session_id":"s"}'
cat > /dev/null
"#;

/// An example, which `cargo test` builds before it runs this; with `--test it`, so does `--examples`.
fn example(name: &str) -> Command {
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(program.exists(), "{} is not built", program.display());
    Command::new(program)
}

fn stand_in() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("claude-{}", std::process::id()));
    fs::write(&path, CLAUDE).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn five_watch_the_state_of_a_live_session() {
    let claude = stand_in();
    let output = example("states").env("UNSPOOL_CLAUDE", &claude).arg("How many files?").output().unwrap();
    fs::remove_file(claude).unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for watcher in 1..=5 {
        let name = format!("{watcher}: ");
        let states: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix(&name)).collect();
        assert_eq!(states, ["starting", "working", "idle", "done"], "{said}");
    }
    assert!(said.ends_with("\nOne file.\n"), "{said}");
}
