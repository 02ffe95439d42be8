//! Runs the program.

use std::io::{self, ErrorKind, Write};
use std::process::{Child, Command, Output, Stdio};

/// A session of one turn, in which the model said one thing.
pub(crate) const SESSION: &str = r#"{"type":"system","subtype":"init","session_id":"s","model":"opus"}
{"type":"assistant","session_id":"s","uuid":"u","message":{"id":"m","usage":{"input_tokens":1},"content":[{"type":"text","text":"Hello"}]}}
{"type":"result","subtype":"success","is_error":false,"result":"Hello","session_id":"s"}
"#;

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Starts the program with pipes on all sides.
pub(crate) fn start(args: &[&str]) -> Child {
    start_with(args, &[])
}

/// The same, with these variables.
pub(crate) fn start_with(args: &[&str], variables: &[(&str, &str)]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_unspool"))
        .args(args)
        // As wide as where there is no screen, whoever runs the tests.
        .env("COLUMNS", "100")
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the program on a short input.
pub(crate) fn run(args: &[&str], input: &str) -> Ran {
    run_with(args, input, &[])
}

/// The same, with these variables.
pub(crate) fn run_with(args: &[&str], input: &str, variables: &[(&str, &str)]) -> Ran {
    let mut child = start_with(args, variables);
    // The pipe is closed at the end of this statement; not every command reads it.
    let written = child.stdin.take().unwrap().write_all(input.as_bytes());
    let gone = |error: io::Error| assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    written.unwrap_or_else(gone);
    ended(child)
}

/// Waits for the end.
pub(crate) fn ended(child: Child) -> Ran {
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let [out, err] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
    Ran { code: status.code(), out, err }
}

/// The types of the events that were told.
pub(crate) fn types(out: &str) -> Vec<String> {
    let read = |line| serde_json::from_str::<serde_json::Value>(line).unwrap();
    out.lines().map(|line| read(line)["type"].as_str().unwrap().to_owned()).collect()
}
