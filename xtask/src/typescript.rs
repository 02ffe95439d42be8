//! The TypeScript that `unspool schema` prints is tried with the real compiler.

use crate::cli;
use crate::step::Done;
use crate::workspace::{Workspace, answers, run};
use anyhow::{Context, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The compiler: the last version that needs nothing but node.
const VERSION: &str = "5.9.3";

/// A program that uses the declarations, and shows by `@ts-expect-error` what they do not allow.
const SAMPLE: &str = include_str!("../typescript/sample.ts");

pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    let folder = workspace.target.join("typescript");
    fs::create_dir_all(&folder)?;
    if let Err(why) = install(&folder) {
        return Ok(Done::Skipped(why));
    }
    // As the step `test` has built it: by itself, the program's dependencies would be built again.
    run(&mut workspace.cargo(["test", "--workspace", "--no-run", "--locked"]))?;
    for subject in ["events", "wire"] {
        fs::write(folder.join(format!("{subject}.d.ts")), declarations(workspace, subject)?)?;
    }
    fs::write(folder.join("sample.ts"), SAMPLE)?;
    let mut compiler = Command::new("node");
    compiler.current_dir(&folder).args(["node_modules/typescript/bin/tsc", "--noEmit", "--strict"]);
    run(compiler.args(["--target", "es2022", "--lib", "es2022", "events.d.ts", "wire.d.ts", "sample.ts"]))?;
    Ok(Done::Passed)
}

/// Sees to it that the compiler is in the folder; if that cannot be, says why.
fn install(folder: &Path) -> Result<(), String> {
    if !answers(Command::new("node").arg("--version")) {
        return Err("the program `node` is not installed".into());
    }
    let manifest = fs::read_to_string(folder.join("node_modules/typescript/package.json"));
    if manifest.is_ok_and(|text| text.contains(&format!("\"version\": \"{VERSION}\""))) {
        return Ok(());
    }
    let npm = cli::npm();
    if !answers(Command::new(npm).arg("--version")) {
        return Err("the program `npm` is not installed".into());
    }
    let mut command = Command::new(npm);
    command.args(["install", "--no-save", "--no-audit", "--no-fund", "--fetch-retries=1", "--prefix"]);
    run(command.arg(folder).arg(format!("typescript@{VERSION}")))
        .map_err(|error| format!("the compiler cannot be installed: {error:#}"))
}

/// What `unspool schema` prints.
fn declarations(workspace: &Workspace, subject: &str) -> anyhow::Result<Vec<u8>> {
    let program = workspace.target.join("debug").join(format!("unspool{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(&program);
    let output = command.args(["schema", subject, "--format", "typescript"]).output();
    let output = output.with_context(|| format!("{} does not start", program.display()))?;
    ensure!(output.status.success(), "unspool schema {subject}: {}", output.status);
    Ok(output.stdout)
}
