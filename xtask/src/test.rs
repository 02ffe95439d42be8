//! `cargo xtask test`: all that CI runs, and nothing that CI does not.

use crate::step::{Done, Step, Summary};
use crate::workspace::{Workspace, answers, run};
use crate::{cli, compute, deps, fuzz, instructions, memory, miri, typescript};
use clap::builder::PossibleValuesParser;
use std::process::{Command, ExitCode};

/// Check everything, as CI does.
#[derive(clap::Args)]
pub(crate) struct Test {
    /// Only these steps.
    #[arg(value_name = "STEP", value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    only: Vec<String>,
    /// Leave out what takes minutes: real programs, fuzzing, Miri, instruction counts, memory.
    #[arg(long, conflicts_with = "only")]
    quick: bool,
}

/// The steps that `--quick` leaves out.
const SLOW: [&str; 5] = ["memory", "instructions", "real-cli", "fuzz", "miri"];

/// In this order, because the quick ones find most mistakes.
const STEPS: &[Step] = &[
    Step { name: "format", run: format },
    Step { name: "clippy", run: clippy },
    Step { name: "doc", run: doc },
    Step { name: "test", run: test },
    Step { name: "dependencies", run: deps::check },
    Step { name: "advisories", run: deps::advisories },
    Step { name: "compute-only", run: compute::check },
    Step { name: "typos", run: typos },
    Step { name: "typescript", run: typescript::check },
    Step { name: "memory", run: memory::check },
    Step { name: "instructions", run: instructions::check },
    Step { name: "real-cli", run: cli::check },
    Step { name: "fuzz", run: fuzz::smoke },
    Step { name: "miri", run: miri::check },
];

impl Test {
    pub(crate) fn run(self, workspace: &Workspace) -> ExitCode {
        let mut summary = Summary::default();
        for step in STEPS {
            let wanted = self.only.is_empty() || self.only.iter().any(|name| name == step.name);
            if wanted && !(self.quick && SLOW.contains(&step.name)) {
                summary.run(step, workspace);
            }
        }
        println!("{summary}");
        if summary.good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// The workspaces that live beside the main one, so that nobody else has to build them.
const BESIDE: [&str; 4] =
    ["bench/Cargo.toml", "bench/peers/Cargo.toml", "bench/client/Cargo.toml", "fuzz/Cargo.toml"];

fn format(workspace: &Workspace) -> anyhow::Result<Done> {
    run(&mut workspace.cargo(["fmt", "--all", "--check"]))?;
    for manifest in BESIDE {
        run(&mut workspace.cargo(["fmt", "--manifest-path", manifest, "--check"]))?;
    }
    Ok(Done::Passed)
}

fn clippy(workspace: &Workspace) -> anyhow::Result<Done> {
    run(&mut workspace.cargo(["clippy", "--workspace", "--all-targets", "--locked", "--", "-Dwarnings"]))?;
    // The fuzz targets are compiled by their own step: they need a C++ compiler.
    let mut bench = workspace.cargo(["clippy", "--manifest-path=bench/Cargo.toml", "--locked"]);
    run(bench.arg("--target-dir").arg(workspace.target.join("bench")).args(["--", "-Dwarnings"]))?;
    Ok(Done::Passed)
}

fn doc(workspace: &Workspace) -> anyhow::Result<Done> {
    run(workspace.cargo(["doc", "--workspace", "--no-deps", "--locked"]).env("RUSTDOCFLAGS", "-Dwarnings"))?;
    Ok(Done::Passed)
}

fn test(workspace: &Workspace) -> anyhow::Result<Done> {
    run(&mut workspace.cargo(["test", "--workspace", "--locked", "--no-fail-fast"]))?;
    // As it is measured, so that the step `instructions` finds most of it built.
    let mut bench =
        workspace.cargo(["test", "--release", "--lib", "--manifest-path=bench/Cargo.toml", "--locked"]);
    run(bench.arg("--target-dir").arg(workspace.target.join("bench")))?;
    Ok(Done::Passed)
}

fn typos(workspace: &Workspace) -> anyhow::Result<Done> {
    if !answers(Command::new("typos").arg("--version")) {
        return Ok(Done::Skipped("the program `typos` is not installed".into()));
    }
    run(Command::new("typos").current_dir(&workspace.root))?;
    Ok(Done::Passed)
}
