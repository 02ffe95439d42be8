//! Rules about commands, as a whole.

use crate::rules::{Rules, Ruling};
use serde_json::json;
use unspool::json::Json;

fn judge(rules: &Rules, line: &str) -> Ruling {
    rules.judge("Bash", Json::new(&json!({ "command": line }).to_string()).unwrap())
}

#[test]
fn everyday_forms_of_a_command_are_that_command() {
    let rules = Rules::new().allow(["Bash(cargo *)", "Bash(tail:*)", "Bash(echo *)"]).unwrap();
    for line in [
        "cargo",
        "cargo\ttest",
        "\"cargo\" test",
        "RUST_BACKTRACE=1 cargo test",
        "RUST_LOG=unspool=debug,info cargo test -- --nocapture",
        "cargo test &>/dev/null",
        "cargo test < /dev/null",
        "cargo test 2>&1 | tail -n 20",
        "cargo test 3>&1 1>&2 2>&3",
        "! cargo test",
        "(cargo test)",
        "{ cargo test; }",
        "time cargo test",
        "timeout 60 cargo test",
        "nice -n 10 cargo test",
        "command cargo test",
        "env RUST_BACKTRACE=1 cargo test",
        "cargo test; echo \"exit: $?\"",
        "cargo run -- \"a b\" 'c $(d)' \\; *.rs ~/x HEAD~1",
        "# all of them\ncargo test &&\n  cargo clippy # and this\n",
    ] {
        assert_eq!(judge(&rules, line), Ruling::Allowed, "{line}");
    }
}

#[test]
fn nothing_else_passes_for_it() {
    let rules = Rules::new().allow(["Bash(cargo *)", "Bash(printf *)", "Bash(git log *)"]).unwrap();
    for line in [
        "cargo --version \"$\\\n(touch x)\"",
        "cargo --version \"$\\\n\\\n{x@P}\"",
        "cargo --version $\"$\\\n[1]\"",
        "cargo --version \"$(touch x)\"",
        "printf -v 'a[$(touch x)]' y",
        "git 'log x'",
        "'git log' x",
        "PATH=. cargo test",
        "LD_PRELOAD=./x.so cargo test",
        "RUSTC_WRAPPER=./x cargo test",
        "RUST_LOG='a[$(x)]' cargo test",
        "env -S 'touch x' cargo test",
        "time -o x cargo test",
        "nice -n cargo test",
        "timeout x cargo test",
        "command -v cargo",
        "cargo &>/dev/null rm x",
        "cargo test > x",
        "$CARGO test",
        "*/cargo test",
        "if cargo test; then cargo fmt; fi",
    ] {
        assert_eq!(judge(&rules, line), Ruling::Unlisted, "{line}");
    }
}

/// After it, nothing on the line would mean what it says: `PATH` is another one, or a variable holds what a later command
/// computes.
#[test]
fn no_pattern_allows_what_alters_the_shell() {
    let own = ["alias", "command", "echo", "eval", "export", "hash", "printf", "read", "set", "test", "trap"];
    let patterns = own.iter().map(|name| format!("Bash({name} *)"));
    let rules = Rules::new().allow(patterns).unwrap().allow(["Bash(cargo *)"]).unwrap();
    for line in [
        r"printf -v x 'a[\044(touch y)]'; printf -v 'a[x]' z",
        "printf -v PATH .; cargo test",
        "time printf -v PATH .; cargo test",
        "printf '%s%n' x PATH; cargo test",
        "echo 'a[$(touch y)]'; test -v 'b[_]'",
        "cargo 'a[$(touch y)]'; printf %d _",
        "export PATH=.; cargo test",
        "command export PATH=.; cargo test",
        "alias cargo=x; cargo test",
        "hash -p ./cargo cargo; cargo test",
        "set -k; cargo PATH=.",
        "trap 'touch y' EXIT",
        "echo x | read PATH; cargo test",
        "eval x",
    ] {
        assert_eq!(judge(&rules, line), Ruling::Unlisted, "{line}");
    }
}

#[test]
fn what_the_shell_does_without_altering_itself_is_allowed_by_patterns() {
    let own = ["cd", "command", "echo", "exit", "printf", "set", "test", "wait"];
    let patterns = own.iter().map(|name| format!("Bash({name} *)"));
    let rules = Rules::new().allow(patterns).unwrap().allow(["Bash(cargo *)"]).unwrap();
    for line in [
        "cd sub && cargo test",
        "(cd sub && cargo test)",
        "set -euo pipefail; cargo test; echo done",
        "test -f Cargo.toml && cargo test || exit 1",
        "cargo test; exit $?",
        "cargo test & wait",
        r"printf '%s\n' 'a b' && cargo test",
        "command -v cargo >/dev/null && cargo test",
    ] {
        assert_eq!(judge(&rules, line), Ruling::Allowed, "{line}");
    }
}

#[test]
fn what_alters_the_shell_is_allowed_by_its_own_words() {
    let rules = ["Bash(source .venv/bin/activate)", "Bash(export A=1)", "Bash(pytest *)"];
    let rules = Rules::new().allow(rules).unwrap();
    for line in ["source .venv/bin/activate && pytest -q", "export \"A=1\"; pytest"] {
        assert_eq!(judge(&rules, line), Ruling::Allowed, "{line}");
    }
    for line in ["source x && pytest", "source .venv/bin/activate x", "export A=1 B=2; pytest", "export A"] {
        assert_eq!(judge(&rules, line), Ruling::Unlisted, "{line}");
    }
    let blocking = Rules::new().allow(["Bash"]).unwrap().block(["Bash(export *)"]).unwrap();
    assert_eq!(judge(&blocking, "cargo test; export A=1"), Ruling::Blocked);
}

#[test]
fn a_line_that_is_too_long_is_not_allowed_but_blocked() {
    let long = format!("cargo {}", "a".repeat(64 * 1024));
    assert_eq!(judge(&Rules::new().allow(["Bash(cargo *)"]).unwrap(), &long), Ruling::Unlisted);
    assert_eq!(judge(&Rules::new().block(["Bash(rm *)"]).unwrap(), &long), Ruling::Blocked);
    assert_eq!(judge(&Rules::new().block(["PowerShell(rm *)"]).unwrap(), &long), Ruling::Unlisted);
}

/// A line that is eight times as long takes about eight times as long; 64 times would be a square.
#[cfg(unix)]
#[test]
fn judging_takes_as_long_as_the_line_is() {
    let blocked = ["Bash(* --force*)", "Bash(*a*a*a*b)"];
    let rules = Rules::new().allow(["Bash(cargo *)", "Bash(*a*a*b)"]).unwrap().block(blocked).unwrap();
    for (start, part) in [
        ("sudo", " a"),
        ("sudo ", "a.exe "),
        ("cargo", " a"),
        ("x run", " /a/b"),
        ("", "a;"),
        ("", "$(a)"),
        ("", "'a' "),
        ("", "\"a "),
        ("", "{a,"),
        ("", "$@a"),
        ("", "\\\n"),
        ("", "A=1 "),
        ("", "a | sh | "),
        ("cargo # ", "a"),
        ("", "time "),
        ("", "env "),
        ("", "nohup "),
        ("", "nice -n 1 "),
        ("env ", "LANG=C "),
    ] {
        let time = |length: usize| {
            let line = start.to_owned() + &part.repeat(length / part.len());
            (0..3).map(|_| took(|| _ = judge(&rules, &line))).min().unwrap()
        };
        let (short, long) = (time(1024), time(8 * 1024));
        assert!(long < short * 24, "{start}{part}: {short:?}, then {long:?}");
    }
}

/// How long this thread has worked on it, however busy the machine is.
#[cfg(unix)]
fn took(work: impl FnOnce()) -> std::time::Duration {
    let now = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        std::time::Duration::try_from(now).expect("no thread has worked for less than no time")
    };
    let began = now();
    work();
    now() - began
}
