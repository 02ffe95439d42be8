//! `unspool run --record`: a recording is every byte that came, and tells what was told live.

use crate::packed::plain;
use crate::program::{Ran, SESSION};
use crate::stand_in::StandIn;
use std::fs;
use std::path::Path;
use std::process::Command;
use unspool::journal::{Reader, Way};

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
const RESULT: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}"#;
const TASK: &str =
    r#"{"type":"system","subtype":"task_started","task_id":"a","task_type":"local_agent","session_id":"s"}"#;
const ASKS: &str = r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t"}}"#;

/// Records a run as a journal, and another as a bare stream; what is told of the recording, and its verdict, must be what was told
/// live.
fn recorded(stand_in: &StandIn, flags: &[&str]) -> Ran {
    recorded_as("run.rec", stand_in, flags);
    recorded_as("run.ndjson", stand_in, flags)
}

fn recorded_as(file: &str, stand_in: &StandIn, flags: &[&str]) -> Ran {
    let mut args = vec!["run", "say \"zebra\"\nto\tall", "--format", "events", "--record", file];
    args.extend(flags);
    agrees(file, stand_in, stand_in.run(&args))
}

fn agrees(file: &str, stand_in: &StandIn, live: Ran) -> Ran {
    let again = stand_in.run(&["events", file]);
    assert_eq!(again.out, live.out, "{live:?}");
    let check = stand_in.run(&["check", file]);
    assert_eq!((check.code, &*check.err), (live.code, ""), "{check:?} {live:?}");
    live
}

/// What went one way, by the entries of a recording.
pub(crate) fn went(file: &Path, way: Way) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut reader = Reader::new();
    reader.feed(&plain(file), |entry| {
        let entry = entry.unwrap_or_else(|fault| panic!("{}: {fault}", file.display()));
        if entry.way == way {
            entry.write_bytes(&mut bytes);
        }
    });
    bytes
}

#[test]
fn a_recording_is_every_byte_that_came() {
    let (init, result) = (INIT.as_bytes(), RESULT.as_bytes());
    let odd: [&[u8]; 8] = [
        b"",
        SESSION.as_bytes(),
        // Blanks at the ends, carriage returns, bytes that are no text, and half a line behind the result.
        &[b"  ", init, b"  \r\n\xff\xfe {\"a\":\n\t", result, b" \r\n{\"type\":\"assis"].concat(),
        &[init, b"\n\n\r\n", result].concat(),
        &[init, b"\n", result, b"\n\xef\xbb\xbf"].concat(),
        &[b"\xef\xbb\xbf", init, b"\n{\n  \"type\": \"keep_alive\"\n}\n{\n", result, b"\n\0\n"].concat(),
        &[init, b"\n", result, b"\n\n\n   "].concat(),
        b"\xff\n\n{}\n[]\nno JSON at all",
    ];
    for (number, stream) in odd.iter().enumerate() {
        for ends in ["exec cat > /dev/null", "exit 3"] {
            let stand_in = StandIn::acts(&format!("hear; cat stream.bin; {ends}"));
            fs::write(stand_in.folder.join("stream.bin"), stream).unwrap();
            // What says nothing that is known is not waited for until somebody has had enough.
            let flags: &[&str] = if number % 7 == 0 { &["--timeout=1s"] } else { &[] };
            recorded(&stand_in, flags);
            let bytes = fs::read(stand_in.folder.join("run.ndjson")).unwrap();
            assert_eq!(bytes, *stream, "{number}: {}", String::from_utf8_lossy(stream));
            let journal = stand_in.folder.join("run.rec");
            assert_eq!(went(&journal, Way::Out), *stream, "{number}: {}", String::from_utf8_lossy(stream));
            assert!(went(&journal, Way::In).ends_with(b"}\n"), "the prompt");
        }
    }
}

#[test]
fn the_prompt_and_the_answers_are_recorded() {
    let takes = r#"{"type":"control_response","response":{"subtype":"success","request_id":"u-1"}}"#;
    // A line is cut in the middle while the answer is written.
    let script = format!(
        "hear; echo '{takes}'; hear; echo '{INIT}'; echo '{ASKS}'; printf '%s' '{{\"type\":\"keep_'; hear; printf '%s\\n' 'alive\"}}' '{RESULT}'; cat > /dev/null"
    );
    let stand_in = StandIn::acts(&script);
    let live = recorded(&stand_in, &["--allow", "Bash(ls)"]);
    assert_eq!(live.code, Some(0), "{live:?}");
    assert!(live.out.contains(r#""prompt":"say \"zebra\"\nto\tall""#), "{live:?}");
    assert!(live.out.contains(r#""type":"permission_resolved""#), "{live:?}");
    // Without what is kept beside it, it is a stream like any other.
    fs::remove_file(stand_in.folder.join("run.ndjson.times")).unwrap();
    let bare = stand_in.run(&["events", "run.ndjson"]).out;
    assert!(!bare.contains("prompt\":") && !bare.contains("permission_resolved"), "{bare}");
    assert_eq!(stand_in.run(&["check", "run.ndjson"]).code, Some(0));
}

/// A schema that is too long for the command line travels in `initialize`, as settings and headers would.
#[test]
fn what_only_claude_code_was_to_know_is_not_recorded() {
    let schema = format!(r#"{{"type":"object","description":"{}"}}"#, "hunter2 ".repeat(20_000));
    let takes = r#"{"type":"control_response","response":{"subtype":"success","request_id":"u-1"}}"#;
    let stand_in = StandIn::acts(&format!(
        "hear; echo '{takes}'; hear; echo '{INIT}'; echo '{RESULT}'; cat > /dev/null"
    ));
    stand_in.file("schema.json", &schema);
    recorded(&stand_in, &["--json-schema", "schema.json"]);
    let rows = fs::read_to_string(stand_in.folder.join("run.ndjson.times")).unwrap();
    assert!(rows.contains("initialize") && rows.contains("zebra"), "{rows}");
    assert!(!rows.contains("hunter2"), "{rows}");
}

#[test]
fn every_command_knows_the_prompt_of_a_recording() {
    let stand_in = StandIn::plays(SESSION);
    assert_eq!(recorded(&stand_in, &[]).code, Some(0));
    for file in ["run.ndjson", "run.rec"] {
        for command in ["view", "html", "events"] {
            let ran = stand_in.run(&[command, file]);
            assert!(ran.out.contains("zebra"), "{command}: {ran:?}");
        }
    }
}

#[test]
fn a_recording_ends_as_the_run_did() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}"#;
    let says = |lines: &[&str]| format!("hear; printf '%s\\n' '{}'", lines.join("' '"));
    let usage = r#"{"type":"assistant","message":{"id":"m","content":[],"usage":{"input_tokens":9}}}"#;
    let refused =
        r#"{"type":"system","subtype":"api_retry","error_status":401,"error":"authentication_failed"}"#;
    let aborted = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming"}"#;
    let waits = "; exec cat > /dev/null";
    let polite = format!("; hear; echo '{aborted}'; cat > /dev/null");
    for (script, flags, code) in [
        (says(&[INIT, RESULT]) + waits, vec![], 0),
        (says(&[INIT]) + &polite, vec!["--timeout=1s"], 20),
        (says(&[INIT, usage]) + &polite, vec!["--max-tokens=5"], 22),
        (says(&[INIT, refused, refused]) + &polite, vec![], 11),
        (says(&[INIT, RESULT]) + waits, vec!["--json-schema=schema.json"], 10),
        (says(&[INIT, TASK, RESULT]) + "; kill -9 $$", vec![], 21),
        (says(&[INIT]) + "; exit 1", vec![], 21),
        ("exit 1".to_owned(), vec![], 30),
        (String::new(), vec!["--claude=/no/such/claude"], 30),
    ] {
        let stand_in = StandIn::acts(&script);
        stand_in.file("schema.json", schema);
        let live = recorded(&stand_in, &flags);
        assert_eq!(live.code, Some(code), "{script} {live:?}");
    }
}

#[test]
fn a_recording_of_a_run_that_a_signal_ended_says_so() {
    for file in ["run.ndjson", "run.rec"] {
        let stand_in = StandIn::acts(&format!("hear; echo '{INIT}'; cat > /dev/null"));
        let mut child = stand_in.start(&["run", "go", "--format", "events", "--record", file]);
        let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
        let mut told = String::new();
        std::io::BufRead::read_line(&mut out, &mut told).unwrap();
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        std::io::Read::read_to_string(&mut out, &mut told).unwrap();
        let live = Ran { out: told, ..crate::program::ended(child) };
        assert_eq!(live.code, Some(10), "{live:?}");
        agrees(file, &stand_in, live);
    }
}

#[test]
fn a_recording_that_cannot_be_written_is_named() {
    let ran = StandIn::plays(SESSION).run(&["run", "go", "--record", "no/such/run.ndjson"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("cannot write no/such/run.ndjson:"), "{ran:?}");
}
