//! `unspool run`: Claude Code does something, and the exit code says how it ended.

mod watched;

use crate::choice::GrainArg;
use crate::command::ViewOptions;
use crate::desk;
use crate::drive::{
    ClaudeArgs, Judges, PromptArgs, Recording, obey_signals, read_schema, runtime, tell_not_started,
};
use crate::redact::{MaskedEvents, RedactArgs};
use crate::report::{Format, Outcome, Report};
use crate::stage::Screen;
use crate::wrong_call::WrongCall;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use unspool::Grain;
use unspool_client::Claude;

/// Let Claude Code do something; the exit code says how it ended.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    prompt: PromptArgs,
    #[command(flatten)]
    claude: ClaudeArgs,
    /// Ask on the terminal about calls that nothing else decides.
    #[arg(long)]
    ask: bool,
    /// A JSON Schema that the answer has to fit; one that does not is a failure.
    #[arg(long, value_name = "FILE")]
    json_schema: Option<PathBuf>,
    /// What is printed; `view` on a terminal, `text` elsewhere unless given.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// How finely parts are told.
    #[arg(long, value_enum, default_value_t = GrainArg::Blocks)]
    grain: GrainArg,
    /// Keep all that goes in and out as a recording, compressed by a name such as `run.rec.zst`; by one such as `run.ndjson` as the bare stream, with its times.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    redact: RedactArgs,
}

const EXAMPLES: &str = "\
Examples:
  unspool run 'fix the tests' --allow 'Bash(cargo *)' --allow Edit --timeout 30m --max-cost 2.00
  unspool run --prompt-file review.md --json-schema review.schema.json --format json
  git diff | unspool run --format events | jq -r 'select(.type == \"text\").content'
  unspool run 'tidy up' --ask -- --permission-mode acceptEdits
  unspool run 'tidy up' --record run.rec && unspool html run.rec > run.html

On a terminal it is shown as `unspool view` shows it. Elsewhere, and with --format text, the
words of the main agent go to standard output, calls of tools and the verdict to standard
error. With --allow, whatever is in no rule and Claude Code asks about is denied, or asked
with --ask: y yes, n no, a always, e edit, d all of it. What was edited is shown before it is
done. With --deny alone all else is as without it.

Ctrl-C interrupts the turn, a second one ends the run; SIGTERM and SIGHUP end it, with
everything that it has started.

Exit codes:
   0  ok           the last turn completed
  10  failed       the last turn failed: too many turns or tokens, refused, interrupted, an answer that does not fit its schema, other
  11  api_error    the API failed: rate limit, overload, authentication, billing, other
  12  denied       with --fail-on denied: a tool was not allowed
  13  empty        with --fail-on empty: no model said or did anything
  20  hung         a time limit was reached, or nothing came any more
  21  truncated    Claude Code ended in the middle of a line or of a turn
  22  over_budget  a limit on cost or tokens was reached
  30  not_started  Claude Code is not there, or could not begin
   1  unspool itself failed
   2  wrong call";

impl RunArgs {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        self.redact.apply()?;
        let prompt = self.prompt.read()?;
        let schema = self.json_schema.as_deref().map(read_schema).transpose()?;
        let recording = self.record.as_deref().map(Recording::create).transpose()?;
        let runtime = runtime()?;
        let outcome = runtime.block_on(async {
            let is_terminal = io::stdout().is_terminal() && !ViewOptions::default().is_dumb();
            let format = self.format.unwrap_or(if is_terminal { Format::View } else { Format::Text });
            let screen = (format == Format::View && is_terminal).then(watched::screen);
            let judges = if self.ask {
                Judges::with_terminal(open_desk(screen.clone())?)
            } else {
                Judges::rules_only()
            };
            let handlers = judges.handlers(&self.claude).map_err(WrongCall::new)?;
            let claude = self.claude.client(handlers, schema);
            let claude = recording.iter().fold(claude, |claude, recording| recording.of(claude));
            let shown = screen.clone();
            let claude = claude.on_warning(move |warning| {
                if warning.is_grave() {
                    watched::say(shown.as_deref(), &format!("warning: {warning}"));
                }
            });
            if format == Format::View {
                return watched::tell(&claude.grain(Grain::Deltas), prompt, screen, out).await;
            }
            let watched = io::stderr().is_terminal();
            let report = Report::new(format, out, io::stderr(), watched);
            tell(&claude.grain(self.grain.into()), prompt, report).await
        });
        // A thread may be waiting for the terminal, for ever.
        runtime.shutdown_background();
        let outcome = outcome?;
        recording.map_or(Ok(()), |recording| recording.end(&outcome))?;
        Ok(ExitCode::from(outcome.verdict().code()))
    }
}

fn open_desk(screen: Option<Arc<Mutex<Screen>>>) -> anyhow::Result<desk::Clerk> {
    let colors = ViewOptions::default().settings(true).colors;
    desk::open(screen, colors)
        .map_err(|error| WrongCall::new(format!("--ask needs a terminal: {error}")).into())
}

/// Runs it, and tells it.
async fn tell<O: Write, E: Write>(
    claude: &Claude,
    prompt: String,
    mut report: Report<'_, O, E>,
) -> anyhow::Result<Outcome> {
    let mut run = match claude.run(prompt).await {
        Ok(run) => run,
        Err(error) => {
            tell_not_started(error, |event| report.step(event))?;
            return Ok(report.end(None)?);
        }
    };
    obey_signals(run.controls(), |words| eprintln!("{words}"))?;
    let mut masked = MaskedEvents::new();
    while let Some(event) = run.next().await {
        masked.step(&event, |event| report.step(event));
    }
    masked.finish(|event| report.step(event));
    Ok(report.end(run.ending())?)
}
