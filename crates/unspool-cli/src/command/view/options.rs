//! What is shown, and how: flags of `view`, of `unspool` alone, and of what else shows a session.

use crate::choice::{FailOnArg, fail_on};
use crate::paper;
use crate::redact::RedactArgs;
use crate::stage::Stage;
use std::path::PathBuf;
use std::process::ExitCode;
use unspool::Verdict;
use unspool::verdict::FailOn;
use unspool_report::view::{AgentsArg, ColorChoice, NARROWEST, Settings, ThinkingArg, ToolsArg};

/// What is shown, and how.
#[derive(clap::Args, Default)]
pub(crate) struct ViewOptions {
    /// What the model thinks.
    #[arg(long, value_enum, default_value_t)]
    thinking: ThinkingArg,
    /// Sub-agents.
    #[arg(long, value_enum, default_value_t)]
    agents: AgentsArg,
    /// Calls of tools.
    #[arg(long, value_enum, default_value_t)]
    tools: ToolsArg,
    /// How wide lines may be; else as wide as the screen, also behind a pager, or as COLUMNS says, or 100.
    #[arg(long, value_name = "N", value_parser = columns)]
    width: Option<usize>,
    /// Colours.
    #[arg(long, value_enum, default_value_t)]
    color: ColorChoice,
    /// Only the answer; as it came, where there is no terminal.
    #[arg(long, short)]
    quiet: bool,
    /// Keep what comes as a recording, compressed by a name such as `run.rec.zst`; by one such as `run.ndjson` as the bare stream, with its times.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// What else counts as a failure.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    fail_on: Vec<FailOnArg>,
    #[command(flatten)]
    pub(crate) redact: RedactArgs,
}

impl ViewOptions {
    pub(crate) fn settings(&self, is_terminal: bool) -> Settings {
        let mut settings = Settings::new(self.width.unwrap_or_else(paper::columns));
        settings.thinking = self.thinking;
        settings.agents = self.agents;
        settings.tools = self.tools;
        settings.quiet = self.quiet;
        settings.verbatim = !is_terminal;
        settings.colors = self.color.on(is_terminal, |name| std::env::var(name).ok());
        settings.zone = crate::zone::local();
        settings
    }

    /// Whether a width was asked for.
    pub(crate) fn is_fixed(&self) -> bool {
        self.width.is_some()
    }

    /// Whether the terminal cannot move its cursor.
    pub(crate) fn is_dumb(&self) -> bool {
        std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty())
    }

    pub(crate) fn fail_on(&self) -> FailOn {
        fail_on(&self.fail_on)
    }

    /// The exit code; a reader that has gone away got all it wanted.
    pub(crate) fn conclude(&self, stage: &Stage<'_>) -> ExitCode {
        let Some(end) = stage.view().totals().end.as_ref().filter(|_| !stage.is_closed()) else {
            return ExitCode::SUCCESS;
        };
        if self.quiet && end.verdict != Verdict::Ok {
            eprintln!("unspool: {}: {}", end.verdict, unspool_report::words::clean_line(&end.reason));
        }
        ExitCode::from(end.verdict.code())
    }
}

fn columns(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|columns| (NARROWEST..=10_000).contains(columns));
    number.ok_or_else(|| format!("`{text}` is not a width of {NARROWEST} to 10000 columns"))
}
