//! However a run ends, nothing of it is left.

use super::stage::{FREELY, Stage, all, on};
use crate::program::{Ran, ended, types};
use std::io::{BufRead, BufReader, Read};
use std::process::Command;
use std::thread;

const HANGS: &str = r#"
    [[turn]]
    call.Bash = { command = "echo $$ > shell.txt; sleep 300 & echo $! > sleep.txt; wait", timeout = 600000 }
    [[turn]]
    say = "Done."
"#;

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_time_limit_ends_everything() {
    on(all, HANGS, |stage| {
        let ran = stage.run(&[&["run", "go", "--idle-timeout", "12s"][..], &FREELY].concat());
        assert_eq!(ran.code, Some(20), "{} {ran:?}", stage.version);
        assert!(ran.err.contains("hung: no line for 12 s; last: Bash `echo $$"), "{} {ran:?}", stage.version);
        assert!(!stage.lives("shell.txt") && !stage.lives("sleep.txt"), "{}", stage.version);
    });
}

/// Starts a run that hangs in a tool, and sends it a signal there; what it told.
fn signalled(stage: &Stage, signal: &str) -> (Ran, String) {
    let args = [&["run", "go", "--format", "events", "--timeout", "100s"][..], &FREELY].concat();
    let mut child = stage.start(&args);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut told = String::new();
    while !told.contains(r#""type":"tool_use""#) {
        assert!(out.read_line(&mut told).unwrap() > 0, "{} {told}", stage.version);
    }
    while !stage.has("sleep.txt") {
        thread::yield_now();
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    out.read_to_string(&mut told).unwrap();
    (ended(child), told)
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn ctrl_c_gives_an_interrupted_result() {
    on(all, HANGS, |stage| {
        let (ran, told) = signalled(stage, "-INT");
        assert_eq!(ran.code, Some(10), "{} {ran:?}", stage.version);
        assert!(ran.err.contains("failed: interrupted"), "{} {ran:?}", stage.version);
        assert!(types(&told).contains(&"turn_complete".to_owned()), "{} {told}", stage.version);
        assert!(!stage.lives("shell.txt") && !stage.lives("sleep.txt"), "{}", stage.version);
    });
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn sigterm_leaves_no_process() {
    on(all, HANGS, |stage| {
        let (ran, told) = signalled(stage, "-TERM");
        assert_eq!(ran.code, Some(10), "{} {ran:?}", stage.version);
        assert!(ran.err.contains("failed: interrupted: ended by SIGTERM"), "{} {ran:?}", stage.version);
        assert_eq!(types(&told).last().map(String::as_str), Some("finished"), "{}", stage.version);
        assert!(!stage.lives("shell.txt") && !stage.lives("sleep.txt"), "{}", stage.version);
    });
}
