//! The tests once more: with a terminal if they had none, without if they had one. Who types the command has a terminal
//! and CI has none; neither may matter.

use crate::step::Done;
use crate::workspace::{Workspace, answers, run, run_beside};
use std::env;
use std::io::{IsTerminal, stdout};
use std::process::{Command, Stdio};

/// The tests of what may see a terminal. Libraries that only compute cannot, and documentation is not tried twice. The
/// other packages stay, for with less of them features differ and all would be built again.
const TESTS: [&str; 8] = [
    "test",
    "--workspace",
    "--exclude=unspool",
    "--exclude=unspool-redact",
    "--exclude=unspool-report",
    "--tests",
    "--locked",
    "--no-fail-fast",
];

pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    let has_one = stdout().is_terminal();
    let program = if has_one { "setsid" } else { "script" };
    // Both are of util-linux; programs of these names on other systems take other options.
    if !cfg!(target_os = "linux") || !answers(Command::new(program).arg("--version")) {
        return Ok(Done::Skipped(format!("the program `{program}` of util-linux is not installed")));
    }
    if has_one { without(workspace) } else { within(workspace) }?;
    Ok(Done::Passed)
}

/// In a session of its own there is no terminal to be asked, not even as `/dev/tty`.
fn without(workspace: &Workspace) -> anyhow::Result<()> {
    let mut command = Command::new("setsid");
    command.arg("--wait").arg(cargo()).args(TESTS).current_dir(&workspace.root).stdin(Stdio::null());
    run_beside([command])
}

/// In a terminal of the usual size.
fn within(workspace: &Workspace) -> anyhow::Result<()> {
    let line = format!("stty cols 80 rows 24; exec \"$CARGO\" {} -- --color never", TESTS.join(" "));
    let mut command = Command::new("script");
    command.args(["-qefc", &line, "/dev/null"]).current_dir(&workspace.root).stdin(Stdio::null());
    run(command.env("CARGO", cargo()).env("CARGO_TERM_COLOR", "never").env("TERM", "xterm-256color"))
}

fn cargo() -> std::ffi::OsString {
    env::var_os("CARGO").unwrap_or("cargo".into())
}
