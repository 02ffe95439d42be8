//! The unsafe code of the core, run by an interpreter that knows what is undefined.

use crate::step::Done;
use crate::workspace::{Workspace, answers, run, run_beside};
use std::process::Command;

/// What the interpreter is told of the machine: nothing, so that it has what every machine has; or that it has the wide
/// instructions.
const MACHINES: [&str; 2] = ["", "-Ctarget-feature=+avx2,+bmi1,+pclmulqdq"];

/// All unsafe code is in `json::masks`. Its tests are run once for each machine, side by side: an interpreter has one
/// thread. They are built once; the flags are for the interpreter, which compiles the tests itself.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    if !answers(Command::new("cargo").args(["+nightly", "miri", "--version"])) {
        let how = "rustup toolchain install nightly --component miri";
        return Ok(Done::Skipped(format!("Miri is not installed ({how})")));
    }
    let tests = |words: &[&str]| {
        let mut tests = Command::new("cargo");
        tests.args(["+nightly", "miri", "test", "-p", "unspool", "--lib", "--locked", "json::masks"]);
        tests.args(words).current_dir(&workspace.root).arg("--target-dir").arg(workspace.target.join("miri"));
        tests
    };
    run(&mut tests(&["--no-run"]))?;
    run_beside(MACHINES.map(|flags| {
        let mut tests = tests(&[]);
        tests.env("MIRIFLAGS", flags);
        tests
    }))?;
    Ok(Done::Passed)
}
