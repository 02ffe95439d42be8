//! `unspool schema`: what we write and what we read, for other languages.

use crate::output::Lines;
use std::io::Write;
use std::process::ExitCode;
use unspool::schema;

/// Print the events, or Claude Code's own lines, as JSON Schema or TypeScript.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Schema {
    /// What to describe.
    #[arg(value_enum)]
    subject: Subject,
    /// In which language.
    #[arg(long, value_enum, default_value_t = Format::Jsonschema)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  unspool schema events > events.schema.json
  unspool schema events --format typescript > events.d.ts
  unspool schema wire --format typescript > wire.d.ts

Both are made from the types that unspool itself uses. They are open: fields and
types that a newer version adds are valid.";

/// What to describe.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Subject {
    /// What `unspool events` prints.
    Events,
    /// What Claude Code prints and reads as stream-json.
    Wire,
}

/// In which language.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// JSON Schema, draft 2020-12.
    Jsonschema,
    /// TypeScript declarations.
    Typescript,
}

impl Schema {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let text = match (self.subject, self.format) {
            (Subject::Events, Format::Jsonschema) => schema::events_json(),
            (Subject::Events, Format::Typescript) => schema::events_typescript(),
            (Subject::Wire, Format::Jsonschema) => schema::wire_json(),
            (Subject::Wire, Format::Typescript) => schema::wire_typescript(),
        };
        let mut lines = Lines::new(out);
        lines.line(|line| line.push_str(text.trim_end()))?;
        lines.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
