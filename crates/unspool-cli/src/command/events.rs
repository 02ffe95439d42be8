//! `unspool events`: each event as one line of JSON.

use crate::choice::GrainArg;
use crate::output::Lines;
use crate::redact::RedactArgs;
use crate::source::{Listener, Sources};
use std::io::{self, Write};
use std::process::ExitCode;
use unspool::Event;

/// Tell streams and transcripts as events, one line of JSON each.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Events {
    #[command(flatten)]
    sources: Sources,
    /// How finely parts are told.
    #[arg(long, value_enum, default_value_t = GrainArg::Blocks)]
    grain: GrainArg,
    #[command(flatten)]
    redact: RedactArgs,
}

const EXAMPLES: &str = "\
Examples:
  claude -p 'fix the tests' --output-format stream-json --verbose | unspool events
  unspool events run.ndjson --grain deltas
  unspool events ~/.claude/projects/-home-me-project/4f1c….jsonl
  unspool events run.ndjson | jq -r 'select(.type == \"text\") | .content'

What Claude Code keeps of its sessions under ~/.claude/projects is told as the stream would
be, with the files of the sub-agents; a session's id, or the beginning of it, will do instead
of its file. Several sessions, or a folder, are told one after the other.

Each event is written as soon as its line is there. Everything that was said and done is
told exactly once, for the main agent and for each sub-agent (the field `agent`), whatever
version of Claude Code wrote the stream. The last event is always `finished`. What each
event means: docs/events.md, or `unspool schema events`.

Exit code: 0, whatever the stream says (`unspool check` judges it); 1 if something cannot be
read (the rest is told).";

impl Events {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        self.redact.apply()?;
        let found = self.sources.find()?;
        let mut writer = Writer { lines: Lines::new(out), written: Ok(()), had_whole_parts: false };
        let mut failed = found.missing > 0;
        let several = found.sources.len() > 1;
        for source in found.sources {
            let told = source.clone().quiet().tell_to(self.grain.into(), &mut writer);
            if std::mem::take(&mut writer.had_whole_parts) {
                eprintln!(
                    "unspool: {}: its parts were written whole: how they grew is not in it",
                    source.name()
                );
            }
            match told {
                Err(error) if several => {
                    eprintln!("unspool: {error:#}");
                    failed = true;
                }
                told => told?,
            }
            if writer.lines.is_closed() {
                return Ok(ExitCode::SUCCESS);
            }
        }
        Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// Writes each event as it is told.
struct Writer<'o, W: Write> {
    lines: Lines<'o, W>,
    written: io::Result<()>,
    had_whole_parts: bool,
}

impl<W: Write> Listener for Writer<'_, W> {
    fn event(&mut self, event: &Event<'_>) {
        if self.written.is_ok() && !self.lines.is_closed() {
            self.written = self.lines.line(|line| event.write(line));
        }
    }

    fn had_whole_parts(&mut self) {
        self.had_whole_parts = true;
    }

    fn pause(&mut self) -> anyhow::Result<bool> {
        std::mem::replace(&mut self.written, Ok(()))?;
        self.lines.flush()?;
        Ok(!self.lines.is_closed())
    }
}
