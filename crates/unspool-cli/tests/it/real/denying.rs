//! Rules that deny: what they say is not run, and is told once.

use super::stage::{FREELY, TWO_CALLS, all, on};
use serde_json::Value;
use std::collections::HashSet;
use std::process::Command;

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_denied_tool_does_not_run_and_an_allowed_one_does() {
    on(all, TWO_CALLS, |stage| {
        let ran = stage.run(&["run", "go", "--allow", "Bash(mkdir one*)", "--fail-on", "denied"]);
        assert_eq!(ran.code, Some(12), "{} {ran:?}", stage.version);
        assert_eq!(ran.out, "One.\nTwo.\nDone.\n", "{}", stage.version);
        let denied = "! denied: Bash mkdir two.dir: No rule allows this call of Bash.\ndenied: ";
        let told = format!("> Bash mkdir one.dir\n> Bash mkdir two.dir\n{denied}");
        assert!(ran.err.starts_with(&told), "{} {ran:?}", stage.version);
        assert!(stage.has("one.dir") && !stage.has("two.dir"), "{} {ran:?}", stage.version);
    });
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn what_is_denied_is_denied_whatever_allows_it() {
    on(all, TWO_CALLS, |stage| {
        let deny = ["run", "go", "--allow", "Bash", "--deny", "Bash(mkdir two*)", "--fail-on", "denied"];
        let ran = stage.run(&[&deny[..], &["--", "--dangerously-skip-permissions"]].concat());
        assert_eq!(ran.code, Some(12), "{} {ran:?}", stage.version);
        assert!(stage.has("one.dir") && !stage.has("two.dir"), "{} {ran:?}", stage.version);
    });
}

/// Some are made without asking, some are denied because nobody is there to ask, and some are made because the mode says so.
#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn deny_alone_leaves_other_calls_as_they_were() {
    let script = r#"
        [[turn]]
        call.Bash.command = "echo harmless"
        [[turn]]
        call.Bash.command = "mkdir one.dir"
        [[turn]]
        call.Write = { file_path = "two.txt", content = "x" }
        [[turn]]
        call.Read.file_path = "three.txt"
        [[turn]]
        call.Grep = { pattern = "x", path = "." }
        [[turn]]
        say = "Done."
    "#;
    on(all, script, |stage| {
        std::fs::write(stage.folder.join("three.txt"), "x").unwrap();
        let mut outcomes = HashSet::new();
        for mode in ["default", "acceptEdits"] {
            let outcome = |deny: &[&str]| {
                let flags = ["--", "--permission-mode", mode];
                let ran = stage.run(&[&["run", "go", "--format", "events"], deny, &flags].concat());
                assert_eq!(ran.code, Some(0), "{} {mode} {ran:?}", stage.version);
                let events = ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
                let answers = events.filter(|event| event["type"] == "tool_result");
                let answers: Vec<_> =
                    answers.map(|it| (it["name"].to_string(), it["is_error"].to_string())).collect();
                assert_eq!(answers.len(), 5, "{} {mode} {ran:?}", stage.version);
                let made = ["one.dir", "two.txt"].map(|file| stage.has(file));
                let _ = std::fs::remove_dir(stage.folder.join("one.dir"));
                let _ = std::fs::remove_file(stage.folder.join("two.txt"));
                (answers, made)
            };
            let without = outcome(&[]);
            let deny = ["--deny", "Bash(rm *)", "--deny", "Read(~/.ssh/**)", "--deny", "WebFetch"];
            assert_eq!(outcome(&deny), without, "{} {mode}", stage.version);
            outcomes.insert(without);
        }
        assert!(outcomes.len() > 1, "{}: both modes are the same: {outcomes:?}", stage.version);
    });
}

/// The line of a call says it, with the rule, and nothing is said of how it is held. The recording ends as the run did.
#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn a_call_that_is_denied_is_told_once() {
    let rule = "Bash(mkdir two*)";
    on(all, TWO_CALLS, |stage| {
        let args = ["run", "go", "--deny", rule, "--fail-on", "denied", "--record", "run.ndjson"];
        let ran = stage.run(&[&args[..], &FREELY].concat());
        assert_eq!(ran.code, Some(12), "{} {ran:?}", stage.version);
        let denied: Vec<&str> = ran.err.lines().filter(|line| line.contains("mkdir two.dir: ")).collect();
        let by_rule = format!("This call of Bash is not allowed: it is blocked by the rule {rule}.");
        assert_eq!(denied, [format!("! denied: Bash mkdir two.dir: {by_rule}")], "{} {ran:?}", stage.version);
        assert!(!ran.err.contains("hook"), "{} {ran:?}", stage.version);
        assert!(!stage.has("two.dir"), "{}", stage.version);
        let mut check = Command::new(env!("CARGO_BIN_EXE_unspool"));
        check.args(["check", "run.ndjson", "--fail-on", "denied"]).current_dir(&stage.folder);
        assert_eq!(check.status().unwrap().code(), Some(12), "{} {rule}", stage.version);
    });
}

/// A tool that was taken away is denied in the words of some versions, and in ours by others.
#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn the_calls_of_a_tool_that_is_taken_away_are_seen_to_be_denied() {
    on(all, TWO_CALLS, |stage| {
        let args = ["run", "go", "--deny", "Bash", "--fail-on", "denied", "--format", "view"];
        let ran = stage.run(&[&args[..], &FREELY].concat());
        assert_eq!(ran.code, Some(12), "{} {ran:?}", stage.version);
        let of_calls = ran.out.lines().filter(|line| line.starts_with("  ✗"));
        let of_calls: Vec<&str> = of_calls.map(|line| line.split(" · ").next().unwrap()).collect();
        assert_eq!(of_calls, ["  ✗ denied"; 2], "{} {ran:?}", stage.version);
        assert!(!ran.out.contains("hook"), "{} {ran:?}", stage.version);
        assert!(!stage.has("one.dir") && !stage.has("two.dir"), "{}", stage.version);
    });
}
