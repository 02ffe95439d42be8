//! `unspool ask-json`: an answer as JSON that really fits its schema.

use crate::drive::{
    ClaudeArgs, Judges, PromptArgs, Recording, obey_signals, read_schema, runtime, tell_not_started,
};
use crate::redact::{self, MaskedEvents, RedactArgs};
use crate::report::Outcome;
use crate::wrong_call::WrongCall;
use serde_json::Value;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use unspool_client::json::Schema;
use unspool_client::{Claude, Session};
use unspool_report::words::clean;

/// Ask for a JSON value that fits a schema, and print it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AskJson {
    /// The JSON Schema, a file. It has to describe an object.
    #[arg(long, value_name = "FILE")]
    schema: PathBuf,
    #[command(flatten)]
    prompt: PromptArgs,
    #[command(flatten)]
    claude: ClaudeArgs,
    /// How often the model may try; each time it is told what was wrong.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    attempts: u32,
    /// Keep all that goes in and out as a recording, compressed by a name such as `run.rec.zst`; by one such as `run.ndjson` as the bare stream, with its times.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    redact: RedactArgs,
}

const EXAMPLES: &str = "\
Examples:
  unspool ask-json --schema review.schema.json 'Review the last commit.'
  git diff | unspool ask-json --schema review.schema.json | jq .grade
  unspool ask-json --schema s.json 'How many files are here?' --allow 'Bash(ls *)' --model haiku

Prints the value, on one line, and nothing else. Nothing is printed that does not fit.

Exit code: the verdict's, as for `unspool run`; 10 if no answer fits. 1 is a failure of unspool
itself, such as a schema that cannot be read, 2 a wrong call.";

impl AskJson {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        self.redact.apply()?;
        let schema = read_schema(&self.schema)?;
        let prompt = self.prompt.read()?;
        let handlers = Judges::rules_only().handlers(&self.claude).map_err(WrongCall::new)?;
        let recording = self.record.as_deref().map(Recording::create).transpose()?;
        let claude = self.claude.client(handlers, Some(schema.clone()));
        let claude = recording.iter().fold(claude, |claude, recording| recording.of(claude));
        let runtime = runtime()?;
        let (value, outcome) = runtime.block_on(ask(&claude, &schema, prompt, self.attempts))?;
        runtime.shutdown_background();
        match value.filter(|_| outcome.is_ok()) {
            Some(value) => print(out, &value)?,
            None => eprintln!("{}", clean(&outcome.sentence())),
        }
        recording.map_or(Ok(()), |recording| recording.end(&outcome))?;
        Ok(ExitCode::from(outcome.verdict().code()))
    }
}

/// The value, if it was given in time, and how it all ended.
async fn ask(
    claude: &Claude,
    schema: &Schema,
    prompt: String,
    attempts: u32,
) -> anyhow::Result<(Option<Value>, Outcome)> {
    let (began, mut outcome) = (Instant::now(), Outcome::default());
    let mut session = match claude.session().await {
        Ok(session) => session,
        Err(error) => {
            tell_not_started(error, |event| outcome.step(event))?;
            return Ok((None, outcome));
        }
    };
    obey_signals(session.controls(), |words| eprintln!("{words}"))?;
    let mut prompt = prompt;
    let mut value = None;
    for _ in 0..attempts {
        let Some(answer) = turn(&mut session, &prompt, &mut outcome).await else { break };
        match schema.value_of(&answer.text, answer.structured.as_ref()) {
            Ok(fits) => {
                value = Some(fits);
                break;
            }
            Err(error) => {
                eprintln!("{}", clean(&redact::text(&error.to_string())));
                prompt = format!("{error}. Please answer again, with JSON that fits the schema.");
            }
        }
    }
    session.controls().finish();
    let mut masked = MaskedEvents::new();
    while let Some(event) = session.next().await {
        masked.step(&event, |event| outcome.step(event));
    }
    masked.finish(|event| outcome.step(event));
    outcome.end(session.ending(), began.elapsed());
    Ok((value, outcome))
}

/// One turn; nothing if it failed.
async fn turn(session: &mut Session, prompt: &str, outcome: &mut Outcome) -> Option<unspool_client::Answer> {
    let mut turn = session.turn(prompt).await.ok()?;
    let mut masked = MaskedEvents::new();
    while let Some(event) = turn.next().await {
        masked.step(&event, |event| outcome.step(event));
    }
    masked.finish(|event| outcome.step(event));
    turn.answer().await.ok()
}

/// A reader that has gone away has seen enough.
fn print(out: &mut impl Write, value: &Value) -> anyhow::Result<()> {
    let value = value.to_string();
    match writeln!(out, "{}", redact::json(&value)).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
