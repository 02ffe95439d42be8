//! What `unspool events` printed is read by every command that reads a stream, and tells them the same.

use crate::program::run;
use crate::sources::kept;
use std::fs;
use std::path::{Path, PathBuf};

/// What each command says of a session.
const COMMANDS: &[&[&str]] = &[
    &["view", "--width", "90"],
    &["check"],
    &["check", "--fail-on", "denied,empty"],
    &["html"],
    &["summary"],
    &["stats"],
    &["cost", "--by", "model,agent"],
    &["cost", "--by", "turn"],
    &["events"],
    &["events", "--grain", "deltas"],
];

/// Sessions of which events hold all that the commands show: agents, partial messages, failures, denials, odd lines.
const STREAMS: &[&str] = &[
    "agents/bgagent-2.1.325.ndjson",
    "agents/interrupt_subagents-2.1.325.ndjson",
    "agents/perm_sub-2.1.112.ndjson",
    "agents/sub2_partial-2.1.112.ndjson",
    "errors/resume_missing-2.1.325.ndjson",
];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// Keeps what `unspool events` says of a session in a file of the same name elsewhere.
fn written(session: &Path, grain: &str) -> PathBuf {
    let told = run(&["events", "--grain", grain, session.to_str().unwrap()], "");
    assert_eq!(told.code, Some(0), "{}", told.err);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("retold").join(grain);
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(session.file_name().unwrap());
    fs::write(&file, told.out).unwrap();
    file
}

const NO_TOTALS: &str = "these are events of a transcript, which do not say where its totals stood: a turn whose cost came with a \
                         later one counts as not reported";

fn said(file: &Path, what: &str) -> String {
    format!("unspool: {}: {what}\n", file.display())
}

/// Events of a transcript do not say that they are of one, so the notes below a bill differ.
fn without_notes(out: &str) -> String {
    out.lines().filter(|line| !line.starts_with("* ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_file_of_events_tells_every_command_what_its_stream_tells() {
    let streams = STREAMS.iter().map(|name| fixture(name));
    let transcript =
        kept("2.1.112-subnest/projects/-home-user-project/a8f817fe-384d-4164-b1b7-74501f61687b.jsonl");
    for session in streams.chain([transcript]) {
        let is_transcript = session.extension().is_some_and(|extension| extension == "jsonl");
        for grain in ["deltas", "blocks"] {
            let events = written(&session, grain);
            for command in COMMANDS {
                let of = |file: &Path| run(&[command, &[file.to_str().unwrap()][..]].concat(), "");
                let (stream, retold) = (of(&session), of(&events));
                // Whole blocks do not say in which pieces they came.
                if grain == "blocks" && *command == ["events", "--grain", "deltas"] {
                    let whole = "its parts were written whole: how they grew is not in it";
                    let has_parts = fs::read_to_string(&events).unwrap().contains("\"part\":");
                    assert_eq!(retold.err, if has_parts { said(&events, whole) } else { String::new() });
                    continue;
                }
                if is_transcript && command[0] == "cost" {
                    assert_eq!(retold.err, said(&events, NO_TOTALS), "{command:?}");
                    assert_eq!(without_notes(&retold.out), without_notes(&stream.out), "{command:?}");
                    continue;
                }
                assert_eq!(
                    without_notes(&retold.out),
                    without_notes(&stream.out),
                    "{command:?} of {} from {grain}",
                    session.display()
                );
                assert_eq!((retold.code, &retold.err), (stream.code, &stream.err), "{command:?}");
            }
        }
    }
}

#[test]
fn events_that_stop_are_truncated_and_what_is_none_is_told() {
    let events = fs::read_to_string(written(&fixture(STREAMS[0]), "blocks")).unwrap();
    let lines: Vec<&str> = events.lines().collect();
    let stops = lines[..lines.len() - 1].join("\n") + "\n";
    let ran = run(&["check"], &stops);
    assert_eq!(
        (ran.code, &*ran.out),
        (Some(21), "truncated: the events end before their stream does\n"),
        "{}",
        ran.err
    );
    let cut = &stops[..stops.len() - 20];
    assert_eq!(run(&["check"], cut).out, "truncated: the last line is cut\n");
    let odd = format!("{}\nnot an event\n{}\n", lines[0], lines[1..].join("\n"));
    let told = run(&["events"], &odd).out;
    assert!(told.contains(r#""reason":"no event: no JSON"#), "{told}");
    assert!(told.lines().last().unwrap().contains(r#""malformed":1"#), "{told}");
    assert_eq!(run(&["check"], &odd).code, Some(0));
}
