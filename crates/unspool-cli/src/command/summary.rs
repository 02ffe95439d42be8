//! `unspool summary`: a session in short, for a job.

use crate::output::Lines;
use crate::redact::RedactArgs;
use crate::source::Sources;
use anyhow::Context;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use unspool::Grain;
use unspool_report::summary::{Errors, markdown, outputs};
use unspool_report::totals::Totals;

/// Sum up a session as Markdown, for people and for GitHub Actions.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Summary {
    /// A recorded stream, a transcript, or the id of a session; `-` or nothing for standard input.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Append the Markdown to the file that $GITHUB_STEP_SUMMARY names, and values to that of $GITHUB_OUTPUT.
    #[arg(long)]
    github: bool,
    #[command(flatten)]
    redact: RedactArgs,
}

const EXAMPLES: &str = "\
Examples:
  unspool summary run.ndjson
  unspool summary run.ndjson --github
  claude -p 'fix the tests' --output-format stream-json --verbose | tee run.ndjson | unspool summary

The Markdown has the verdict, the answer, what went wrong, and tables of figures, models,
tools and files. Nothing in a session can leave its place in it.

With --github the values are, a line each: verdict, code, reason, session_id, model, turns,
agents, cost_usd, duration_ms, tokens, input_tokens, output_tokens, cache_read_tokens,
cache_creation_tokens, tool_calls, tool_failures, files_changed, denials. What the session does
not say is empty. Where $GITHUB_STEP_SUMMARY is not set the Markdown goes to standard output,
where $GITHUB_OUTPUT is not set the values go nowhere. docs/ci.md has a whole workflow.

Exit code: 0, whatever the session came to (`unspool check` judges it); 1 if it cannot be read
or a file cannot be written.";

impl Summary {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        self.redact.apply()?;
        let (mut totals, mut errors) = (Totals::default(), Errors::default());
        Sources::of(vec![self.file]).find()?.one()?.quiet().tell(Grain::Blocks, |event| {
            totals.step(event);
            errors.step(event);
        })?;
        let told = markdown(&totals, &errors);
        let summary = named("GITHUB_STEP_SUMMARY").filter(|_| self.github);
        match summary {
            Some(file) => append(&file, &told)?,
            None => {
                let mut lines = Lines::new(out);
                lines.piece(|held| held.push_str(&told))?;
                lines.flush()?;
            }
        }
        if let Some(file) = named("GITHUB_OUTPUT").filter(|_| self.github) {
            append(&file, &outputs(&totals))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|file| !file.is_empty()).map(PathBuf::from)
}

fn append(file: &Path, text: &str) -> anyhow::Result<()> {
    let open = OpenOptions::new().append(true).create(true).open(file);
    let written = open.and_then(|mut open| open.write_all(text.as_bytes()));
    written.with_context(|| format!("cannot write {}", file.display()))
}
