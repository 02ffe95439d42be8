//! The unsafe code of the core, run by an interpreter that knows what is undefined.

use crate::step::Done;
use crate::workspace::{Workspace, answers, run};
use std::process::Command;

/// All unsafe code is in `json::masks`. Its tests are run twice: with the instructions that every machine
/// has, and with the wide ones, which the interpreter has only if it is told so.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    if !answers(Command::new("cargo").args(["+nightly", "miri", "--version"])) {
        let how = "rustup toolchain install nightly --component miri";
        return Ok(Done::Skipped(format!("Miri is not installed ({how})")));
    }
    for features in ["", "-Ctarget-feature=+avx2,+bmi1,+pclmulqdq"] {
        let mut test = Command::new("cargo");
        test.args(["+nightly", "miri", "test", "-p", "unspool", "--lib", "--locked", "json::masks"]);
        test.current_dir(&workspace.root).env("RUSTFLAGS", features);
        run(test.arg("--target-dir").arg(workspace.target.join("miri")))?;
    }
    Ok(Done::Passed)
}
