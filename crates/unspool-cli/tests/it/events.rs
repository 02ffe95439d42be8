//! `unspool events`.

use crate::program::{SESSION, ended, run, start, types};
use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, path, thread};

/// More than any machine needs to pass on one line.
const PATIENCE: Duration = Duration::from_secs(30);

#[test]
fn a_file_and_standard_input_are_told_alike() {
    let file = path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("session.ndjson");
    fs::write(&file, SESSION).unwrap();
    let told = run(&["events", file.to_str().unwrap()], "");
    assert_eq!(told.code, Some(0), "{}", told.err);
    assert_eq!(
        types(&told.out),
        ["session_meta", "turn_start", "text", "usage", "turn_complete", "finished"]
    );
    for args in [&["events"][..], &["events", "-"], &["events", "--grain", "blocks"]] {
        let ran = run(args, SESSION);
        assert_eq!((ran.code, &ran.out), (Some(0), &told.out), "{args:?}");
    }
}

#[test]
fn deltas_are_told_in_their_own_grain() {
    let told = run(&["events", "--grain", "deltas"], SESSION);
    assert_eq!(told.code, Some(0), "{}", told.err);
    let expected =
        ["session_meta", "turn_start", "text_delta", "block_end", "usage", "turn_complete", "finished"];
    assert_eq!(types(&told.out), expected);
}

#[test]
fn an_event_comes_as_soon_as_its_line_is_there() {
    let mut child = start(&["events"]);
    let mut input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, told) = mpsc::channel();
    thread::spawn(move || output.lines().try_for_each(|line| sender.send(line.unwrap())));
    for (line, expected) in SESSION.lines().zip([2, 2, 1]) {
        writeln!(input, "{line}").unwrap();
        for _ in 0..expected {
            told.recv_timeout(PATIENCE).expect(line);
        }
    }
    drop(input);
    let last = told.recv_timeout(PATIENCE).unwrap();
    assert_eq!(types(&last), ["finished"]);
    assert_eq!(ended(child).code, Some(0));
}

#[test]
fn a_bad_stream_is_no_failure_of_ours() {
    let told = run(&["events"], "\u{0}\n{\"type\":\"new\"}\n{\"type\":");
    assert_eq!((told.code, &*told.err), (Some(0), ""));
    assert_eq!(types(&told.out), ["malformed", "unknown", "malformed", "finished"]);
}

#[test]
fn what_cannot_be_read_is_named() {
    let empty = path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty");
    fs::create_dir_all(&empty).unwrap();
    for command in ["events", "check"] {
        for file in ["there/is/no/such.ndjson", empty.to_str().unwrap()] {
            let ran = run(&[command, file], "");
            assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{command} {file}");
            assert!(ran.err.starts_with("unspool: cannot read ") && ran.err.contains(file), "{}", ran.err);
        }
    }
}
