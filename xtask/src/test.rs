//! `cargo xtask test`: all that CI runs, and nothing that CI does not.

use crate::beside::Beside;
use crate::step::{Done, Step, Summary};
use crate::workspace::{Workspace, answers, run};
use crate::{
    arm, cli, compute, deps, fuzz, instructions, memory, miri, package, page, platforms, terminal, typescript,
};
use clap::builder::PossibleValuesParser;
use std::process::{Command, ExitCode};

/// Check everything, as CI does.
#[derive(clap::Args)]
pub(crate) struct Test {
    /// Only these steps.
    #[arg(value_name = "STEP", value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    only: Vec<String>,
    /// Leave out what takes long: real programs, a browser, fuzzing, Miri, memory, ARM, other platforms, documentation, clippy, and
    /// the tests once more with a terminal or without.
    #[arg(long, conflicts_with = "only")]
    quick: bool,
}

/// The steps that `--quick` leaves out.
const SLOW: [&str; 10] =
    ["terminal", "clippy", "doc", "page", "memory", "instructions", "real-cli", "fuzz", "miri", "platforms"];

/// The steps that are run only if they are named: what they look at changes hardly ever.
const NAMED: [&str; 1] = ["arm"];

/// The step that waits part of the time, for programs to answer and for pauses to pass; so it runs beside those behind
/// it, which build. It begins when what it needs is built.
const WAITING: &str = "real-cli";

/// In this order, because the quick ones find most mistakes.
const STEPS: &[Step] = &[
    Step { name: "format", run: format },
    Step { name: "clippy", run: clippy },
    Step { name: "doc", run: doc },
    Step { name: "test", run: test },
    Step { name: WAITING, run: cli::check },
    Step { name: "terminal", run: terminal::check },
    Step { name: "dependencies", run: deps::check },
    Step { name: "package", run: package::check },
    Step { name: "advisories", run: deps::advisories },
    Step { name: "compute-only", run: compute::check },
    Step { name: "typos", run: typos },
    Step { name: "typescript", run: typescript::check },
    Step { name: "page", run: page::check },
    Step { name: "memory", run: memory::check },
    Step { name: "instructions", run: instructions::check },
    Step { name: "fuzz", run: fuzz::smoke },
    Step { name: "miri", run: miri::check },
    Step { name: "arm", run: arm::check },
    Step { name: "platforms", run: platforms::check },
];

impl Test {
    pub(crate) fn run(self, workspace: &Workspace) -> ExitCode {
        let mut summary = Summary::default();
        let mut beside = None;
        for step in STEPS.iter().filter(|step| self.wants(step)) {
            let alone = self.only.len() == 1;
            // If it cannot be started beside the others, it takes its turn.
            match Some(step)
                .filter(|step| step.name == WAITING && !alone)
                .map(|step| Beside::start(step, workspace))
            {
                Some(Ok(running)) => beside = Some(running),
                _ => summary.run(step, workspace),
            }
        }
        beside.into_iter().for_each(|beside| summary.join(beside));
        println!("{summary}");
        if summary.good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn wants(&self, step: &Step) -> bool {
        let by_itself = self.only.is_empty() && !NAMED.contains(&step.name);
        let named = self.only.iter().any(|name| name == step.name);
        named || by_itself && !(self.quick && SLOW.contains(&step.name))
    }
}

/// The workspaces that live beside the main one, so that nobody else has to build them.
const BESIDE: [&str; 2] = ["bench/peers/Cargo.toml", "fuzz/Cargo.toml"];

fn format(workspace: &Workspace) -> anyhow::Result<Done> {
    run(&mut workspace.cargo(["fmt", "--all", "--check"]))?;
    for manifest in BESIDE {
        run(&mut workspace.cargo(["fmt", "--manifest-path", manifest, "--check"]))?;
    }
    Ok(Done::Passed)
}

fn clippy(workspace: &Workspace) -> anyhow::Result<Done> {
    run(&mut workspace.cargo(["clippy", "--workspace", "--all-targets", "--locked", "--", "-Dwarnings"]))?;
    Ok(Done::Passed)
}

fn doc(workspace: &Workspace) -> anyhow::Result<Done> {
    run(workspace.cargo(["doc", "--workspace", "--no-deps", "--locked"]).env("RUSTDOCFLAGS", "-Dwarnings"))?;
    Ok(Done::Passed)
}

/// The tests that need nothing but the tree.
fn test(workspace: &Workspace) -> anyhow::Result<Done> {
    run(&mut workspace.cargo(["test", "--workspace", "--locked", "--no-fail-fast"]))?;
    Ok(Done::Passed)
}

fn typos(workspace: &Workspace) -> anyhow::Result<Done> {
    if !answers(Command::new("typos").arg("--version")) {
        return Ok(Done::Skipped("the program `typos` is not installed".into()));
    }
    run(Command::new("typos").current_dir(&workspace.root))?;
    Ok(Done::Passed)
}
