//! A recording tells what was told live.

use super::replayed::tells_what_was_told;
use super::stage::{Stage, TWO_CALLS, all, on};
use crate::program::{Ran, ended};
use std::process::{Command, Stdio};

/// Reads the recording.
fn again(stage: &Stage, args: &[&str]) -> Ran {
    let mut program = Command::new(env!("CARGO_BIN_EXE_unspool"));
    program.args(args).arg("run.ndjson").current_dir(&stage.folder);
    ended(program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// Records a run; what is told of the recording, and its verdict, must be what was told live.
pub(super) fn recorded(stage: &Stage, args: &[&str]) -> Ran {
    let args = [&["run", "--format", "events", "--record", "run.ndjson"][..], args].concat();
    let live = stage.run(&args);
    tells_what_was_told(stage, &stage.folder.join("run.ndjson"), &args, &live);
    assert_eq!(again(stage, &["events"]).out, live.out, "{}", stage.version);
    let check = again(stage, &["check"]);
    assert_eq!(check.code, live.code, "{} {check:?} {live:?}", stage.version);
    live
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_recording_tells_what_was_told_live() {
    on(all, TWO_CALLS, |stage| {
        let live = recorded(stage, &["go and make them", "--allow", "Bash(mkdir one*)"]);
        assert_eq!(live.code, Some(0), "{} {live:?}", stage.version);
        assert!(live.out.contains(r#""prompt":"go and make them""#), "{} {live:?}", stage.version);
        assert!(live.out.contains(r#""type":"permission_resolved""#), "{} {live:?}", stage.version);
        let denied = again(stage, &["check", "--fail-on=denied"]);
        assert_eq!(denied.code, Some(12), "{} {denied:?}", stage.version);
        // A journal does, too, of which every run on this stage makes one.
        let live = stage.run(&["run", "--format", "events", "go on", "--allow", "Bash(mkdir one*)"]);
        assert_eq!(live.code, Some(0), "{} {live:?}", stage.version);
        // Too much is spent in the middle of a turn.
        let live = recorded(stage, &["again", "--max-tokens", "5"]);
        assert_eq!(live.code, Some(22), "{} {live:?}", stage.version);
    });
}
