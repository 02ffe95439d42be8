//! `cargo xtask corpus`: builds the corpus checker, optimised but with its assertions, and runs it.

use crate::workspace::{Workspace, run};
use std::ffi::OsString;
use std::process::ExitCode;

/// Check what must hold for any stream, on a folder of streams.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Corpus {
    /// The checker's own arguments; `--help` tells them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

impl Corpus {
    pub(crate) fn run(self, workspace: &Workspace) -> anyhow::Result<ExitCode> {
        let mut command = workspace.cargo(["run", "--profile=corpus", "--locked", "--package=corpus", "--"]);
        run(command.args(self.args))?;
        Ok(ExitCode::SUCCESS)
    }
}
