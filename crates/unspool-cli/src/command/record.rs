//! `unspool record`: any call of Claude Code, kept whole, without being noticed.

use crate::recording::Recorder;
use crate::redact::RedactArgs;
use crate::tee;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Run a program as if this was not there, and keep all that it reads and writes.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Record {
    #[command(flatten)]
    redact: RedactArgs,
    /// The recording; compressed if its name ends with `.zst`, and the bare stream with its times if it ends with `.ndjson`.
    file: PathBuf,
    /// Go on with the recording, if it is there, instead of making it anew.
    #[arg(long)]
    append: bool,
    /// The program, with its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  unspool record run.rec -- claude -p 'fix the tests' --output-format stream-json --verbose
  unspool record run.rec.zst -- claude -p 'fix the tests' --output-format stream-json --verbose | unspool
  unspool view run.rec

A host that starts `claude` itself is recorded by a script of this name on its PATH:
  #!/bin/sh
  exec unspool record \"$HOME/recordings/$$.rec\" -- /usr/local/bin/claude \"$@\"

No byte, exit code, signal or setting of the terminal is changed. Where standard input is a
terminal, the program has it itself, and what is typed is not kept. A recording holds
whatever passed, secrets too, so nobody else may read a file that is made; --redact masks
them in it, and hands them on as they are. docs/recording.md, docs/redact.md.

Exit code: the program's; it is ended by the signal that ended the program; 127 and 126 if
the program cannot be started; 1 if the recording cannot be written to, or somebody else
writes it; 2 wrong call.";

impl Record {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        self.redact.apply()?;
        let mut recorder =
            if self.append { Recorder::append(&self.file)? } else { Recorder::create(&self.file)? };
        recorder.begin("tee", &self.command)?;
        Ok(tee::end_as(tee::run(&self.command, recorder)?))
    }
}
