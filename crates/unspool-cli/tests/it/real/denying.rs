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
    let calls = TWO_CALLS.replace("mkdir one.dir", "mkdir -p one.dir");
    on(all, &calls, |stage| {
        for rule in ["Bash(mkdir two*)", "Bash"] {
            let args = |format| {
                let run = [
                    "run",
                    "go",
                    "--deny",
                    rule,
                    "--fail-on",
                    "denied",
                    "--record",
                    "run.ndjson",
                    "--format",
                    format,
                ];
                [&run[..], &FREELY].concat()
            };
            let ran = stage.run(&args("text"));
            assert_eq!(ran.code, Some(12), "{} {ran:?}", stage.version);
            let denied: Vec<&str> = ran.err.lines().filter(|line| line.contains("mkdir two.dir: ")).collect();
            assert_eq!(denied.len(), 1, "{} {ran:?}", stage.version);
            assert!(denied[0].starts_with("! denied: Bash mkdir two.dir: "), "{} {ran:?}", stage.version);
            // A tool that was taken away is denied in Claude Code's own words.
            let by_rule = format!("This call of Bash is not allowed: it is blocked by the rule {rule}.");
            let taken_away = rule == "Bash" && stage.version.starts_with("2.1");
            assert!(denied[0].ends_with(&by_rule) || taken_away, "{} {ran:?}", stage.version);
            assert!(!ran.err.contains("hook"), "{} {ran:?}", stage.version);
            let mut check = Command::new(env!("CARGO_BIN_EXE_unspool"));
            check.args(["check", "run.ndjson", "--fail-on", "denied"]).current_dir(&stage.folder);
            assert_eq!(check.status().unwrap().code(), Some(12), "{} {rule}", stage.version);
            let ran = stage.run(&args("view"));
            let of_calls = ran.out.lines().filter(|line| line.starts_with("  ✗"));
            let of_calls: Vec<&str> = of_calls.map(|line| line.split(" · ").next().unwrap()).collect();
            let denied = if rule == "Bash" { 2 } else { 1 };
            assert_eq!(of_calls, vec!["  ✗ denied"; denied], "{} {ran:?}", stage.version);
            assert!(!ran.out.contains("hook"), "{} {ran:?}", stage.version);
        }
        assert!(!stage.has("two.dir"), "{}", stage.version);
    });
}
