//! The examples, run as they are, with a program that stands in for Claude Code.

#![cfg(unix)]

#[path = "../../../crates/unspool-client/tests/it/example.rs"]
mod example;

use example::run;
use std::fs;
use std::path::Path;

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
fn each_example_has_thirty_lines_at_most() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|it| it.unwrap().path());
    let mut count = 0;
    for folder in crates.chain([root.join("examples")]).map(|it| it.join("examples")).filter(|it| it.exists())
    {
        for example in fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
            let text = fs::read_to_string(&example).unwrap();
            let lines =
                text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
            let lines = lines.count();
            assert!(lines <= 30, "{} has {lines}, without comments and blank ones", example.display());
            count += 1;
        }
    }
    assert!(count >= 7, "there are {count}");
}

#[test]
fn an_answer_is_a_value() {
    assert_eq!(run("ask_json", REVIEW, &[]), "7 of 10\n- No test.\n- No reason.\n");
}
