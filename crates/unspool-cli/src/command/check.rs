//! `unspool check`: how a stream ended, as an exit code.

use crate::choice::{FailOnArg, fail_on};
use crate::output::Lines;
use crate::redact::RedactArgs;
use crate::source::{Source, Sources};
use std::io::Write;
use std::process::ExitCode;
use unspool::Grain;
use unspool::event::{Event, What};

/// Say how a session ended; the exit code is the verdict's.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    #[command(flatten)]
    sources: Sources,
    /// Print the `finished` event instead of a sentence.
    #[arg(long)]
    json: bool,
    /// What else counts as a failure.
    #[arg(long, value_enum, value_delimiter = ',')]
    fail_on: Vec<FailOnArg>,
    #[command(flatten)]
    redact: RedactArgs,
}

const EXAMPLES: &str = "\
Examples:
  unspool check run.ndjson || echo \"it did not end well: $?\"
  unspool check run.ndjson --json --fail-on denied,empty
  claude -p 'fix the tests' --output-format stream-json --verbose | tee run.ndjson | unspool check

A transcript has no results: the last turn completed if its last message asks for no tool.
Of several sessions each gets a line, and the exit code is that of the worst.

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
        self.redact.apply()?;
        let found = self.sources.find()?;
        let several = found.sources.len() + found.missing as usize > 1;
        let mut lines = Lines::new(out);
        let mut worst = u8::from(found.missing > 0);
        for source in found.sources {
            let (code, line) = match self.judge(source, several) {
                Ok(judged) => judged,
                Err(error) if several => {
                    eprintln!("unspool: {error:#}");
                    worst = worst.max(1);
                    continue;
                }
                Err(error) => return Err(error),
            };
            worst = worst.max(code);
            lines.line(|out| out.push_str(&line))?;
        }
        lines.flush()?;
        Ok(ExitCode::from(worst))
    }

    /// The exit code of a session, and the line that says it.
    fn judge(&self, source: Source, several: bool) -> anyhow::Result<(u8, String)> {
        let source = source.fail_on(fail_on(&self.fail_on)).quiet();
        let mut last = None;
        source.tell(Grain::Blocks, |event| {
            if let What::Finished { .. } = event.what {
                last = Some(event.clone().into_owned());
            }
        })?;
        let Some(Event { what: What::Finished { verdict, code, reason, .. }, .. }) = &last else {
            anyhow::bail!("the stream did not finish");
        };
        let line = match &last {
            Some(event) if self.json => event.to_json(),
            _ if several => format!("{}: {verdict}: {reason}", source.path().display()),
            _ => format!("{verdict}: {reason}"),
        };
        Ok((*code, line))
    }
}
