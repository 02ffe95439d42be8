//! The examples, run as they are: beside this test, where cargo puts them, with a program that stands in for Claude Code.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Begins as all of them do; `hear` goes on behind the first line that has this in it.
const BEGINS: &str = r#"#!/bin/sh
case "$1" in --version) echo "2.1.325 (Claude Code)"; exit;; esac
hear() { while read -r line; do case "$line" in *"$1"*) return;; esac; done; exit 1; }
say() { printf '%s\n' "$1"; }
"#;

/// Says one thing, does one thing, and is done.
const ONE_FILE: &str = r#"
hear 'How many files?'
say '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
say '{"type":"assistant","message":{"id":"a","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]},"session_id":"s"}'
say '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"a.txt"}]},"session_id":"s"}'
say '{"type":"assistant","message":{"id":"b","content":[{"type":"text","text":"One file."}]},"session_id":"s"}'
say '{"type":"result","subtype":"success","is_error":false,"result":"One file.","session_id":"s"}'
cat > /dev/null
"#;

/// Answers with a value.
const REVIEW: &str = r#"
hear 'Review the last commit.'
say '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
say '{"type":"result","subtype":"success","is_error":false,"result":"","structured_output":{"grade":7,"faults":["No test.","No reason."]},"session_id":"s"}'
cat > /dev/null
"#;

/// Asks whether it may use another tool and that of the application, uses the latter, and is asked a second time.
const SUM: &str = r#"
hear '"subtype":"initialize"'
id=$(say "$line" | sed 's/.*"request_id":"\([^"]*\)".*/\1/')
say '{"type":"control_response","response":{"subtype":"success","request_id":"'"$id"'","response":{}}}'
hear 'Add 2 and 3 with your tool.'
say '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
say '{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"bc"},"tool_use_id":"t0"}}'
hear '"only sums"'
say '{"type":"assistant","message":{"id":"a","content":[{"type":"tool_use","id":"t","name":"mcp__calc__add","input":{"a":2,"b":3}}]},"session_id":"s"}'
say '{"type":"control_request","request_id":"2","request":{"subtype":"can_use_tool","tool_name":"mcp__calc__add","input":{"a":2,"b":3},"tool_use_id":"t"}}'
hear '"behavior":"allow"'
say '{"type":"control_request","request_id":"3","request":{"subtype":"mcp_message","server_name":"calc","message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}}}'
hear '"text":"5"'
say '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"5"}]},"session_id":"s"}'
say '{"type":"assistant","message":{"id":"b","content":[{"type":"text","text":"That is 5."}]},"session_id":"s"}'
say '{"type":"result","subtype":"success","is_error":false,"result":"That is 5.","session_id":"s"}'
hear 'And 4 to that.'
say '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
say '{"type":"assistant","message":{"id":"c","content":[{"type":"text","text":"That is 9."}]},"session_id":"s"}'
say '{"type":"result","subtype":"success","is_error":false,"result":"That is 9.","session_id":"s"}'
cat > /dev/null
"#;

/// An example, which `cargo test` builds before it runs this; with `--test it`, so does `--examples`.
fn example(name: &str) -> Command {
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(program.exists(), "{} is not built", program.display());
    Command::new(program)
}

/// What an example prints, with a program that does this in place of Claude Code.
fn run(name: &str, claude: &str, arguments: &[&str]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("claude-{name}-{}", std::process::id()));
    fs::write(&path, [BEGINS, claude].concat()).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let output = example(name).env("UNSPOOL_CLAUDE", &path).args(arguments).output().unwrap();
    fs::remove_file(path).unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

#[test]
fn five_watch_the_state_of_a_live_session() {
    let said = run("states", ONE_FILE, &["How many files?"]);
    for watcher in 1..=5 {
        let name = format!("{watcher}: ");
        let states: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix(&name)).collect();
        assert_eq!(states, ["starting", "working", "idle", "done"], "{said}");
    }
    assert!(said.ends_with("\nOne file.\n"), "{said}");
}

#[test]
fn an_answer_is_a_value() {
    assert_eq!(run("ask_json", REVIEW, &[]), "7 of 10\n- No test.\n- No reason.\n");
}

#[test]
fn a_session_uses_a_tool_of_ours_and_no_other() {
    let said = run("session", SUM, &[]);
    // Who is asked does not wait for who reads.
    let (asked, told): (Vec<&str>, Vec<&str>) = said.lines().partition(|line| line.starts_with('?'));
    assert_eq!(asked, [r#"? Bash {"command":"bc"}"#, r#"? mcp__calc__add {"a":2,"b":3}"#]);
    assert_eq!(told, [r#"> mcp__calc__add {"a":2,"b":3}"#, "That is 5.", "That is 9.", "ok"]);
}
