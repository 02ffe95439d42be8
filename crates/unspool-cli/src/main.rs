//! The `unspool` program.

mod command;
mod input;
mod output;
mod view;

use clap::Parser;
use std::process::ExitCode;

/// Reads what Claude Code writes with `--output-format stream-json`, and tells it once.
#[derive(Parser)]
#[command(name = "unspool", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: command::Command,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.command.run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("unspool: {error:#}");
            ExitCode::from(1)
        }
    }
}
