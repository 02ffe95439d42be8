//! `unspool view`, and `unspool` at the end of a pipe.

use crate::program::{Ran, SESSION, ended, run, start};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A stream with colours to be had in it.
const FAILED: &str = r#"{"type":"system","subtype":"init","session_id":"s","model":"opus"}
{"type":"result","subtype":"error_max_turns","is_error":true,"result":"","session_id":"s"}
"#;

fn with_variables(args: &[&str], variables: &[(&str, &str)], input: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
        command.env_remove(name);
    }
    let mut child = command.env("COLUMNS", "100").envs(variables.iter().copied()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    ended(child)
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("view");
    fs::create_dir_all(&folder).unwrap();
    folder.join(format!("{}-{name}", std::process::id()))
}

#[test]
fn a_pipe_gets_plain_lines_and_the_verdict() {
    for args in [&[][..], &["view"], &["view", "-"], &["--width", "60"]] {
        let ran = with_variables(args, &[], SESSION);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{args:?}");
        assert!(ran.out.starts_with("opus\n\nHello\n\n───"), "{}", ran.out);
        assert!(
            ran.out.contains("✓ ok · the last turn completed") && !ran.out.contains('\u{1b}'),
            "{}",
            ran.out
        );
    }
    for (stream, code) in [(FAILED, 10), ("", 30), ("{\"type\":\"system\",\"subtype\":\"init\"}\n", 21)] {
        let ran = run(&["view"], stream);
        assert_eq!((ran.code, &*ran.err), (Some(code), ""), "{stream}");
    }
    assert_eq!(
        run(
            &["view", "--fail-on", "empty"],
            FAILED.replace("error_max_turns", "success").replace("true", "false").as_str()
        )
        .code,
        Some(13)
    );
}

#[test]
fn a_file_is_shown_whole() {
    let file = scratch("run.ndjson");
    fs::write(&file, SESSION).unwrap();
    let ran = run(&["view", file.to_str().unwrap()], "");
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert!(ran.out.contains("\nHello\n"), "{}", ran.out);
    let ran = run(&["view", "there-is-no-such-file"], "");
    assert_eq!((ran.code, &*ran.out), (Some(1), ""));
    assert!(ran.err.starts_with("unspool: cannot read there-is-no-such-file: "), "{}", ran.err);
}

#[test]
fn what_a_transcript_keeps_for_programs_is_not_shown() {
    let session = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/transcripts/2.1.325-bgagent");
    let ran = with_variables(&["view", session], &[], "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("It runs in the background."), "{}", ran.out);
    assert!(!ran.out.contains("parentUuid") && !ran.out.contains("queue"), "{}", ran.out);
}

#[test]
fn a_transcript_may_be_piped_in() {
    let main = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/transcripts/2.1.325-rwe/projects/-home-user-project/aff214ca-b098-4cbe-873b-1e81fcfba479.jsonl"
    );
    let ran = run(&["view"], &fs::read_to_string(main).unwrap());
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{}", ran.out);
    assert_eq!(ran.out, run(&["view", main], "").out);
}

#[test]
fn colours_come_when_they_are_wanted() {
    let colored = |args: &[&str], variables: &[(&str, &str)]| {
        with_variables(args, variables, FAILED).out.contains("\u{1b}[")
    };
    assert!(!colored(&["view"], &[]));
    assert!(colored(&["view", "--color", "always"], &[("NO_COLOR", "1")]));
    assert!(colored(&["view"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&["view"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!colored(&["view", "--color", "never"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn quiet_is_the_answer_alone() {
    let stream = SESSION.replace("Hello", "# Hi\\n\\n`code`");
    let ran = run(&["view", "--quiet"], &stream);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "# Hi\n\n`code`\n", ""));
    let ran = run(&["-q"], FAILED);
    assert_eq!(ran.code, Some(10));
    assert!(ran.err.starts_with("unspool: failed: max_turns"), "{}", ran.err);
}

#[test]
fn what_comes_is_recorded_with_its_times() {
    let file = scratch("recorded.ndjson");
    let path = file.to_str().unwrap();
    let stream = format!("{SESSION}{{\"type\":\"cut");
    assert_eq!(run(&["--record", path], &stream).code, Some(21));
    assert_eq!(fs::read_to_string(&file).unwrap(), stream);
    let times = fs::read_to_string(format!("{path}.times")).unwrap();
    let rows: Vec<Vec<&str>> =
        times.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    let expected: Vec<(String, usize)> =
        stream.split_inclusive('\n').zip(1..).map(|(line, at)| (at.to_string(), line.len())).collect();
    let told: Vec<(String, usize)> =
        rows.iter().map(|row| (row[2].to_owned(), row[3].parse().unwrap())).collect();
    assert_eq!(told, expected);
    assert!(rows.iter().all(|row| row[0].parse::<u64>().is_ok() && row[1] == "out"), "{times}");
    assert_eq!(run(&["view", path, "--record", "again"], "").code, Some(2));
}

#[test]
fn a_reader_that_has_gone_away_is_no_failure() {
    for stream in [SESSION, FAILED] {
        let mut child = start(&["view"]);
        drop(child.stdout.take());
        // It may have ended before all of it was written.
        let _ = child.stdin.take().unwrap().write_all(stream.as_bytes());
        let ran = ended(child);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    }
}

#[test]
fn a_disk_that_is_full_is_said() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
    let mut child =
        command.arg("view").stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(SESSION.as_bytes()).unwrap();
    let ran = ended(child);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.starts_with("unspool: cannot write to standard output: "), "{}", ran.err);
}

#[test]
fn what_is_no_stream_is_not_shown_whole() {
    let ran = run(&["view"], &"# A title\n".repeat(500));
    assert_eq!(ran.code, Some(30));
    assert_eq!(ran.out.matches("# A title").count(), 20, "{}", ran.out);
    assert!(ran.out.contains("! 480 more lines without a JSON object\n"), "{}", ran.out);
}

#[test]
fn a_file_in_place_of_a_command_is_no_mystery() {
    let file = scratch("named.ndjson");
    fs::write(&file, SESSION).unwrap();
    let ran = run(&[file.to_str().unwrap()], "");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains(&format!("`unspool view {}` shows it", file.display())), "{}", ran.err);
    assert!(run(&["vieww"], "").err.contains("similar subcommand"));
}

#[test]
fn wrong_calls_are_2() {
    for args in
        [&["view", "--width", "5"][..], &["--tools", "some"], &["view", "a", "b"], &["--quiet", "events"]]
    {
        assert_eq!(run(args, "").code, Some(2), "{args:?}");
    }
}

/// A recording says only at the end of a turn which calls were not allowed.
#[test]
fn what_was_denied_is_denied_in_a_recording() {
    let call = r#"{"type":"assistant","uuid":"1","message":{"id":"m","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"touch a"}},{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"false"}}]}}"#;
    let answer = r#"{"type":"user","uuid":"2","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Host says no"},{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"Exit code 1"}]}}"#;
    let result = r#"{"type":"result","subtype":"success","is_error":false,"result":"x","permission_denials":[{"tool_name":"Bash","tool_use_id":"t1","tool_input":{}}]}"#;
    let file = scratch("denied.ndjson");
    fs::write(&file, format!("{call}\n{answer}\n{result}\n")).unwrap();
    let shown = run(&["view", file.to_str().unwrap()], "").out;
    assert_eq!(shown.matches("✗ denied").count(), 1, "{shown}");
    assert_eq!(shown.matches("✗ failed").count(), 1, "{shown}");
    assert!(shown.contains(" 1 failed 1 denied\n") && shown.contains("✗ 1 call denied: Bash"), "{shown}");
}
