//! `cargo xtask chaos`: real sessions that are killed, stopped and starved at random, and hosts that are killed.

use crate::bench;
use crate::cli;
use crate::workspace::{Workspace, show};
use std::process::ExitCode;

/// Harm many sessions at once for some minutes: nothing may hang, be lost or be left.
#[derive(clap::Args)]
pub(crate) struct Chaos {
    /// How long.
    #[arg(long, default_value = "10")]
    minutes: String,
    /// So many at once.
    #[arg(long, default_value = "20")]
    sessions: String,
    /// For the same plans and harms again.
    #[arg(long)]
    seed: Option<String>,
}

impl Chaos {
    pub(crate) fn run(self, workspace: &Workspace) -> anyhow::Result<ExitCode> {
        let claude = cli::newest()?;
        bench::build(workspace, &["chaos", "copying"])?;
        let mut chaos = bench::program(workspace, "chaos");
        chaos.arg(claude).args(["--minutes", &self.minutes, "--sessions", &self.sessions]);
        chaos.args(self.seed.iter().flat_map(|seed| ["--seed", seed]));
        show(&chaos);
        Ok(if chaos.status()?.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
