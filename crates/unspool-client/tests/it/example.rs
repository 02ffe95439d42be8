//! Examples, run as they are: beside the test, where cargo puts them, with a program that stands in for Claude Code.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Begins as all of them do; `hear` goes on behind the first line that has this in it.
const BEGINS: &str = r#"#!/bin/sh
case "$1" in --version) echo "2.1.325 (Claude Code)"; exit;; esac
hear() { while read -r line; do case "$line" in *"$1"*) return;; esac; done; exit 1; }
say() { printf '%s\n' "$1"; }
"#;

/// An example, which `cargo test` builds before it runs this; with `--test it`, so does `--examples`.
fn example(name: &str) -> Command {
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(program.exists(), "{} is not built", program.display());
    Command::new(program)
}

/// What an example prints, with a program that does this in place of Claude Code.
pub(crate) fn run(name: &str, claude: &str, arguments: &[&str]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("claude-{name}-{}", std::process::id()));
    fs::write(&path, [BEGINS, claude].concat()).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let output = example(name).env("UNSPOOL_CLAUDE", &path).args(arguments).output().unwrap();
    fs::remove_file(path).unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}
