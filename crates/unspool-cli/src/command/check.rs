//! `unspool check`: how a stream ended, as an exit code.

use crate::choice::{FailOnArg, fail_on};
use crate::input::Input;
use crate::output::Lines;
use std::io::Write;
use std::process::ExitCode;
use unspool::event::{Event, What};
use unspool::{Grain, Spool};

/// Say how a stream ended; the exit code is the verdict's.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    #[command(flatten)]
    input: Input,
    /// Print the `finished` event instead of a sentence.
    #[arg(long)]
    json: bool,
    /// What else counts as a failure.
    #[arg(long, value_enum, value_delimiter = ',')]
    fail_on: Vec<FailOnArg>,
}

const EXAMPLES: &str = "\
Examples:
  unspool check run.ndjson || echo \"it did not end well: $?\"
  unspool check run.ndjson --json --fail-on denied,empty
  claude -p 'fix the tests' --output-format stream-json --verbose | tee run.ndjson | unspool check

Exit codes:
   0  ok           the last turn completed
  10  failed       the last turn failed: too many turns or tokens, refused, interrupted, other
  11  api_error    the API failed: rate limit, overload, authentication, billing, other
  12  denied       with --fail-on denied: a tool was not allowed
  13  empty        with --fail-on empty: no model said or did anything
  21  truncated    the stream ends in the middle of a line or of a turn
  22  over_budget  a limit on cost was reached
  30  not_started  there is no turn in it at all
   1  the stream cannot be read
   2  wrong call";

impl Check {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let mut spool = Spool::new(Grain::Blocks).fail_on(fail_on(&self.fail_on));
        self.input.read(|bytes| {
            spool.feed(bytes, |_| {});
            Ok(true)
        })?;
        let mut last = None;
        spool.finish(|event| last = Some(event.into_owned()));
        let Some(Event { what: What::Finished { verdict, code, reason, .. }, .. }) = &last else {
            anyhow::bail!("the stream did not finish");
        };
        let mut lines = Lines::new(out);
        match &last {
            Some(event) if self.json => lines.line(|line| event.write(line))?,
            _ => lines.line(|line| line.push_str(&format!("{verdict}: {reason}")))?,
        }
        lines.flush()?;
        Ok(ExitCode::from(*code))
    }
}
