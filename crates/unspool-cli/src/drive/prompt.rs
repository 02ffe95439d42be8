//! What is asked: an argument, a file, or standard input.

use crate::wrong_call::WrongCall;
use anyhow::Context;
use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;

/// What is asked.
#[derive(clap::Args)]
pub(crate) struct PromptArgs {
    /// What to ask; `-`, or nothing where something is piped in, for standard input.
    prompt: Option<String>,
    /// A file with what to ask.
    #[arg(long, value_name = "FILE", conflicts_with = "prompt")]
    prompt_file: Option<PathBuf>,
}

impl PromptArgs {
    /// The prompt. Standard input is read only if there is no other: in CI it may be open for ever.
    pub(crate) fn read(&self) -> anyhow::Result<String> {
        let prompt = match (&self.prompt_file, self.prompt.as_deref()) {
            (Some(file), _) => {
                fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?
            }
            (None, Some(words)) if words != "-" => words.to_owned(),
            (None, None) if io::stdin().is_terminal() => {
                return Err(WrongCall::new("there is no prompt").into());
            }
            (None, _) => {
                let mut text = String::new();
                io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
                text
            }
        };
        if prompt.trim().is_empty() {
            return Err(WrongCall::new("the prompt is empty").into());
        }
        Ok(prompt)
    }
}
