//! Whether the JSON reader says the same on 64-bit ARM, on a machine that is none: its vector instructions are others there.

use crate::platforms::rustup;
use crate::step::Done;
use crate::workspace::{Workspace, answers, run};
use std::process::Command;

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";

/// The tests of `json`, in an emulator.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    for (program, package) in [(EMULATOR, "qemu-user"), (LINKER, "gcc-aarch64-linux-gnu")] {
        if !answers(Command::new(program).arg("--version")) {
            return Ok(Done::Skipped(format!("the program `{program}` is not installed (apt: {package})")));
        }
    }
    if !rustup(workspace, &["target", "add", TARGET]) {
        return Ok(Done::Skipped(format!("`rustup target add {TARGET}` does not work here")));
    }
    let mut tests = workspace.cargo(["test", "--locked", "--package=unspool", "--lib", "--target", TARGET]);
    tests.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    tests.env(
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
        format!("{EMULATOR} -L /usr/aarch64-linux-gnu"),
    );
    run(tests.arg("json::"))?;
    Ok(Done::Passed)
}
