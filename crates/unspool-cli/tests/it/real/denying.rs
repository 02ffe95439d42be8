//! Rules that deny: what they say is not run, and is told once.

use super::stage::{FREELY, TWO_CALLS, all, on};
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
