//! `cargo xtask bench`: builds the benchmark, runs its programs and writes down what they have measured.

mod document;
mod machine;
mod report;

use crate::workspace::{Workspace, run, show};
use crate::{ccusage, cli, instructions, sdk};
use anyhow::{Context, ensure};
use report::Report;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Measure how fast everything is, beside the usual readers, and write docs/benchmarks.md.
#[derive(clap::Args)]
pub(crate) struct Bench {
    /// A folder of recordings: what `mixed` and `deltas` are made from.
    #[arg(value_name = "DIR", default_value = "fixtures")]
    recordings: PathBuf,
    /// Only this program of the benchmark; nothing is written then.
    #[arg(long, value_name = "PROGRAM", value_parser = PROGRAMS)]
    only: Option<String>,
    /// Measure nothing; count the translator's instructions and record them as the ones to hold it to.
    #[arg(long, conflicts_with = "only")]
    accept: bool,
}

/// The programs of the benchmark, in the order of their rows. All but two are in `bench/src/bin`.
const PROGRAMS: [&str; 10] =
    ["speed", "allocations", "pieces", "pipe", PEERS, "program", "view", "recordings", "reports", CLIENT];

/// A workspace of its own: other crates, which nobody wants to build for anything else.
const PEERS: &str = "peers";

/// The client, beside the official ones.
const CLIENT: &str = "client";

/// The profile that all but the other crates are built with.
const MEASURED: &str = "measured";

impl Bench {
    pub(crate) fn run(self, workspace: &Workspace) -> anyhow::Result<ExitCode> {
        if self.accept {
            instructions::accept(workspace)?;
            return Ok(ExitCode::SUCCESS);
        }
        let recordings = fs::canonicalize(&self.recordings)
            .with_context(|| format!("recordings in {}", self.recordings.display()))?;
        let programs: Vec<&str> = PROGRAMS
            .into_iter()
            .filter(|name| self.only.as_deref().is_none_or(|only| only == *name))
            .collect();
        fs::create_dir_all(target(workspace))?;
        build(workspace, &programs)?;
        if programs.contains(&CLIENT) {
            build(workspace, &["host", "stand_in"])?;
        }
        let mut report = Report::default();
        for name in programs {
            let mut command = program(workspace, name);
            if name == CLIENT {
                let sdks = sdk::installed()?;
                command.arg(cli::newest()?).arg(sdks.node).arg(sdks.python);
            } else {
                command.arg(&recordings);
            }
            if matches!(name, "program" | "view" | "recordings" | "reports") {
                run(&mut workspace.cargo(["build", "--release", "--package=unspool-cli", "--locked"]))?;
                let unspool = format!("release/unspool{}", std::env::consts::EXE_SUFFIX);
                command.arg(workspace.target.join(unspool));
            }
            match name {
                "program" | "view" => drop(command.arg(target(workspace).join("long.ndjson"))),
                "recordings" => drop(command.arg(target(workspace).join("recordings"))),
                "reports" => drop(command.arg(ccusage::installed()?).arg(target(workspace).join("kept"))),
                _ => {}
            }
            report.add(measure(&mut command)?);
        }
        println!("\n{}", report.summary());
        if self.only.is_none() {
            let path = workspace.root.join("docs/benchmarks.md");
            fs::write(&path, document::write(workspace, &recordings, &report)?)?;
            println!("{} is written", path.display());
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Where the inputs of the benchmark are kept, and the other crates are built.
fn target(workspace: &Workspace) -> PathBuf {
    workspace.target.join("bench")
}

/// The package that a program of the benchmark belongs to.
fn package(name: &str) -> &'static str {
    match name {
        PEERS => "unspool-peers",
        CLIENT | "host" | "stand_in" | "chaos" | "copying" => "unspool-client-bench",
        _ => "unspool-bench",
    }
}

/// Builds programs of the benchmark.
pub(crate) fn build(workspace: &Workspace, names: &[&str]) -> anyhow::Result<()> {
    for names in names.chunk_by(|one, next| package(one) == package(next)) {
        let mut command = workspace.cargo(["build", "--locked", "--package", package(names[0])]);
        if names == [PEERS] {
            command.args(["--release", "--manifest-path=bench/peers/Cargo.toml"]);
            command.arg("--target-dir").arg(target(workspace));
        } else {
            command.args(["--profile", MEASURED]);
        }
        run(command.args(names.iter().flat_map(|name| ["--bin", name])))?;
    }
    Ok(())
}

/// A program of the benchmark, ready to be started in the root folder.
pub(crate) fn program(workspace: &Workspace, name: &str) -> Command {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folder =
        if name == PEERS { target(workspace).join("release") } else { workspace.target.join(MEASURED) };
    let mut command = Command::new(folder.join(file));
    command.current_dir(&workspace.root);
    command
}

/// Runs a program and takes its report; it tells on its standard error how far it is.
fn measure(command: &mut Command) -> anyhow::Result<Report> {
    show(command);
    let output = command.stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "{:?}: {}", Path::new(command.get_program()), output.status);
    serde_json::from_slice(&output.stdout).context("no report")
}
