//! The list of prices that ships with the program, made of what Claude Code itself reports.

use crate::cli;
use crate::workspace::{Workspace, run};
use std::process::ExitCode;

/// Write the builtin prices anew, by asking the newest Claude Code what tokens of each kind cost with each model it knows.
#[derive(clap::Args)]
pub(crate) struct Prices {}

impl Prices {
    pub(crate) fn run(self, workspace: &Workspace) -> anyhow::Result<ExitCode> {
        let mut test = workspace.cargo(["test", "--package=unspool-cli", "--test=it", "--locked"]);
        test.args(["--", "--ignored", "--exact", "--nocapture", TEST]);
        test.env("UNSPOOL_CLI", cli::newest()?).env("UNSPOOL_PRICES", "write");
        run(&mut test)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The test that measures some of them, and here all.
const TEST: &str = "real::prices::the_builtin_prices_are_those_of_claude_code";
