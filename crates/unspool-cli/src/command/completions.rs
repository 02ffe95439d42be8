//! `unspool completions`: what a shell needs to complete our words.

use crate::Cli;
use crate::output::Lines;
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use std::io::Write;
use std::process::ExitCode;

/// Print what a shell needs to complete commands and options.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  unspool completions bash > ~/.local/share/bash-completion/completions/unspool
  unspool completions zsh > ~/.zfunc/_unspool
  unspool completions fish > ~/.config/fish/completions/unspool.fish

bash needs the package bash-completion, or `source <(unspool completions bash)` in ~/.bashrc.
For zsh the folder must be in $fpath before compinit runs.";

impl Completions {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let mut text = Vec::new();
        generate(self.shell, &mut Cli::command(), "unspool", &mut text);
        let mut lines = Lines::new(out);
        lines.piece(|held| held.push_str(&String::from_utf8_lossy(&text)))?;
        lines.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
