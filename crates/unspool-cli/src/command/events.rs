//! `unspool events`: each event as one line of JSON.

use crate::choice::GrainArg;
use crate::input::Input;
use crate::output::Lines;
use std::io::Write;
use std::process::ExitCode;
use unspool::Spool;

/// Tell a stream as events, one line of JSON each.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Events {
    #[command(flatten)]
    input: Input,
    /// How finely parts are told.
    #[arg(long, value_enum, default_value_t = GrainArg::Blocks)]
    grain: GrainArg,
}

const EXAMPLES: &str = "\
Examples:
  claude -p 'fix the tests' --output-format stream-json --verbose | unspool events
  unspool events run.ndjson --grain deltas
  unspool events run.ndjson | jq -r 'select(.type == \"text\") | .content'

Each event is written as soon as its line is there. Everything that was said and done is
told exactly once, for the main agent and for each sub-agent (the field `agent`), whatever
version of Claude Code wrote the stream. The last event is always `finished`. What each
event means: docs/events.md, or `unspool schema events`.

Exit code: 0, whatever the stream says (`unspool check` judges it); 1 if the stream cannot
be read.";

impl Events {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let mut spool = Spool::new(self.grain.into());
        let mut lines = Lines::new(out);
        let mut written = Ok(());
        self.input.read(|bytes| {
            spool.feed(bytes, |event| {
                if written.is_ok() {
                    written = lines.line(|line| event.write(line));
                }
            });
            std::mem::replace(&mut written, Ok(()))?;
            lines.flush()?;
            Ok(!lines.is_closed())
        })?;
        if lines.is_closed() {
            return Ok(ExitCode::SUCCESS);
        }
        spool.finish(|event| {
            if written.is_ok() {
                written = lines.line(|line| event.write(line));
            }
        });
        written?;
        lines.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
