//! `unspool redact`: what is there already, without its secrets.

use super::convert::{Made, Outlet};
use crate::redact::{self, PatternArgs};
use crate::source::{Held, Source, Sources};
use anyhow::Context;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use unspool::convert::Target;
use unspool_report::words::count;

/// Mask the secrets of a recording, a stream, a transcript or a file of events.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Redact {
    /// A recording, a stream, a transcript, a file of events, any text, or the id of a session; `-` or nothing for standard input.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// The file without secrets; `-` or nothing for standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    patterns: PatternArgs,
}

const EXAMPLES: &str = "\
Examples:
  unspool redact run.rec -o shared.rec
  unspool redact run.ndjson.zst > shared.ndjson
  unspool redact 965fc28b -o session.jsonl --redact-pattern 'ACME-[0-9]{6}'
  claude -p 'fix the tests' --output-format stream-json --verbose | unspool redact > run.ndjson

Keys and tokens of known shapes, private keys, tokens in headers and URLs, passwords in URLs,
JWTs, and all values that were read from `.env` files are replaced by placeholders such as
[redacted:github-token:1]; the same secret has the same one. A line without a secret stays
byte for byte what it was, ids, figures, times and order stay in all lines. What is compressed
is read, and written plainly. The times beside a stream go with it into a file.

It finds what is in its list, and nothing else: look through what you share. docs/redact.md
has the list. Files of a session's agents are files of their own.

Exit code: 0, whether there was a secret or not (standard error says it); 1 if something
cannot be read or written; 2 wrong call.";

impl Redact {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        self.patterns.apply()?;
        let source = Sources::of(vec![self.file]).find()?.one()?;
        let place = Outlet::of(self.output.filter(|file| file.as_os_str() != "-"), source.path())?;
        // What stands beside a stream belongs to it, and counts its bytes.
        let is_timed = place.is_file()
            && !source.is_stdin()
            && source.form().ok() == Some(Held::Stream)
            && source.is_timed();
        let target = if is_timed { Target::TimedStream } else { Target::Stream };
        place.write(target, out, |made| match target {
            Target::TimedStream => {
                source.entries(|entry| made.record(entry))?;
                made.end()
            }
            _ => copy(&source, made),
        })?;
        report();
        Ok(ExitCode::SUCCESS)
    }
}

fn copy(source: &Source, made: &mut Made<'_>) -> anyhow::Result<()> {
    let written = source.text(|piece| made.collect(piece, 0));
    written.with_context(|| format!("cannot mask {}", source.name()))
}

/// Says on standard error what was masked.
fn report() {
    let counts = redact::masks().map(unspool_redact::Masks::counts).unwrap_or_default();
    if counts.is_empty() {
        return eprintln!("unspool: there is no secret in it that is known as one");
    }
    let kinds: Vec<_> = counts.iter().map(|(name, number)| format!("{number} {name}")).collect();
    let all = counts.iter().map(|(_, number)| number).sum();
    eprintln!("unspool: {} masked: {}", count(all, "secret"), kinds.join(", "));
}
