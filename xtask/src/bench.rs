//! `cargo xtask bench`: builds the benchmark, a workspace of its own, and runs it.

use crate::workspace::{Workspace, run};
use std::path::PathBuf;
use std::process::ExitCode;

/// Measure megabytes per second, beside the usual readers, in one run.
#[derive(clap::Args)]
pub(crate) struct Bench {
    /// Streams, or folders of streams, to repeat until there is enough to read.
    #[arg(default_value = "fixtures")]
    streams: Vec<PathBuf>,
}

impl Bench {
    pub(crate) fn run(self, workspace: &Workspace) -> anyhow::Result<ExitCode> {
        let mut command =
            workspace.cargo(["run", "--release", "--locked", "--manifest-path=bench/Cargo.toml"]);
        command.arg("--target-dir").arg(workspace.target.join("bench"));
        run(command.arg("--").args(self.streams))?;
        Ok(ExitCode::SUCCESS)
    }
}
