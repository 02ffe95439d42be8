//! What the real program did is played again as it was told live, whoever recorded it.

use super::stage::{FREELY, Stage, TWO_CALLS, all, on};
use crate::program::{Ran, ended};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn program(stage: &Stage, args: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_unspool"));
    program.args(args).current_dir(&stage.folder).env("COLUMNS", "100");
    program
}

/// Runs the program on something that is there.
fn unspool(stage: &Stage, args: &[&str]) -> Ran {
    let mut program = program(stage, args);
    ended(program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// A run of `unspool run` that was recorded: what is told of the recording, and played of it, is what was told live.
pub(super) fn tells_what_was_told(stage: &Stage, recording: &Path, args: &[&str], live: &Ran) {
    // What was a wrong call was never begun.
    if matches!(live.code, Some(1 | 2)) || !recording.exists() {
        return;
    }
    let about = || format!("{} {args:?} {live:?}", stage.version);
    let check = unspool(stage, &["check", text(recording)]);
    let judges_otherwise = args.contains(&"--fail-on");
    assert!(check.code == live.code || judges_otherwise, "{check:?} {}", about());
    let replay = |form: &str| {
        let ran = unspool(stage, &["replay", text(recording), "--speed", "max", "--as", form]);
        // Of a program that wrote nothing there is nothing to play.
        let is_empty = ran.out.is_empty() && ran.err.ends_with("there is nothing in it\n");
        assert!(ran.err.is_empty() || is_empty, "{ran:?} {}", about());
        ran.out
    };
    let events = replay("events");
    assert_eq!(unspool(stage, &["events", text(recording)]).out, events, "{}", about());
    // The stream, without all that went the other way and without times, is one that says how it ended.
    let beside = |ending: &str| PathBuf::from(format!("{}.{ending}", text(recording)));
    let stream = beside("out.ndjson");
    fs::write(&stream, replay("stream")).unwrap();
    assert!(unspool(stage, &["events", text(&stream)]).out.ends_with("}\n"), "{}", about());
    if !args.windows(2).any(|two| two == ["--format", "events"]) {
        return;
    }
    assert_eq!(events, live.out, "{}", about());
    // Whatever is made of the events that were told live is made of the recording.
    let told = beside("events");
    fs::write(&told, &live.out).unwrap();
    for command in [&["html"][..], &["cost"], &["check", "--json"], &["summary"]] {
        let of = |file: &Path| {
            let ran = unspool(stage, &[command, &[text(file)]].concat());
            (ran.code, ran.out.replace(".events", ""))
        };
        assert_eq!(of(recording), of(&told), "{command:?} {}", about());
    }
    // In a pipe nothing is known beforehand either, such as which calls the result will say were denied.
    let mut program = program(stage, &["view"]);
    program.stdin(fs::File::open(&told).unwrap());
    let view = ended(program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let replayed = unspool(stage, &["replay", text(recording), "--speed", "max"]);
    assert_eq!((view.code, view.out), (replayed.code, replayed.out), "{}", about());
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_call_that_was_recorded_from_outside_is_played_again() {
    on(all, TWO_CALLS, |stage| {
        for (file, name) in [("whole.rec", "a journal"), ("bare.ndjson", "a stream with its times")] {
            let mut program = Command::new(env!("CARGO_BIN_EXE_unspool"));
            program.args(["record", file, "--"]).arg(&stage.program).current_dir(&stage.folder);
            program.args(["-p", "go", "--output-format", "stream-json", "--verbose"]).args(&FREELY[1..]);
            stage.clean(&mut program);
            program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let live = ended(program.spawn().unwrap());
            assert_eq!(live.code, Some(0), "{name} {} {live:?}", stage.version);
            let replay = |form: &str| unspool(stage, &["replay", file, "--speed", "max", "--as", form]);
            assert_eq!(replay("stream").out, live.out, "{name} {}", stage.version);
            // But for the times, which the pipe did not have, it is what the pipe would have told.
            fs::write(stage.folder.join("live.ndjson"), &live.out).unwrap();
            let told = untimed(&unspool(stage, &["events", "live.ndjson"]).out);
            assert!(told.len() > 10, "{told:?}");
            assert_eq!(untimed(&replay("events").out), told, "{name} {}", stage.version);
            let view = replay("view");
            assert!(view.out.contains("● Bash mkdir one.dir"), "{view:?}");
            assert_eq!(view.code, Some(0), "{name} {}", stage.version);
        }
    });
}

/// Events without what a clock says.
fn untimed(events: &str) -> Vec<Value> {
    let untimed = |line: &str| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        for field in ["at", "duration_ms"] {
            event.as_object_mut().unwrap().remove(field);
        }
        event
    };
    events.lines().map(untimed).collect()
}
