//! `unspool view`, and `unspool` at the end of a pipe: a stream for people, while it comes.

mod follow;
mod live;
mod options;
pub(super) mod signals;

pub(crate) use options::ViewOptions;

use crate::input::{Ended, read_stdin};
use crate::output::Output;
use crate::recording::Recorder;
use crate::source::{Incoming, Listener, Sources};
use crate::stage::Stage;
use crate::wrong_call::WrongCall;
use anyhow::Context;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use unspool::journal::Way;
use unspool::{Event, Grain};

/// Show a stream to people, live; the exit code is the verdict's.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct View {
    /// The recording, the transcript, or the id of the session to show; `-` or nothing for standard input.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Go on while the session does, until Ctrl-C.
    #[arg(long, short)]
    follow: bool,
    #[command(flatten)]
    options: ViewOptions,
}

const EXAMPLES: &str = "\
Examples:
  claude -p 'fix the tests' --output-format stream-json --verbose --include-partial-messages | unspool
  claude -p 'fix the tests' --output-format stream-json --verbose | unspool view --record run.ndjson
  unspool view run.ndjson --thinking hide --tools line
  unspool view run.ndjson --color always --width 100 | less -R
  unspool view run.ndjson --quiet > answer.md
  unspool view 965fc28b-9200-45c1-87d2-c11ae34dd2be
  unspool view --follow 965fc28b

On a terminal, what grows is shown at the bottom, with a line that says how long it has taken,
who does what, and how much was used. Anything else gets plain lines without escape codes.
`unspool` alone does the same with what is piped into it.

NO_COLOR and TERM=dumb switch colours off, CLICOLOR_FORCE=1 switches them on; --color decides.

Exit code: the verdict's, as of `unspool check`; 0 if whoever reads has gone away; 1 if the
stream cannot be read.";

/// What is piped in is no text.
const CANNOT: &str = "cannot read standard input";

impl View {
    /// At the end of a pipe.
    pub(crate) fn of_pipe(options: ViewOptions) -> Self {
        View { file: "-".into(), follow: false, options }
    }

    pub(crate) fn run(self, out: &mut impl Output) -> anyhow::Result<ExitCode> {
        self.options.redact.apply()?;
        let is_stdin = self.file.as_os_str() == "-";
        let is_terminal = out.is_terminal();
        if is_stdin && io::stdin().is_terminal() {
            return Err(
                WrongCall::new("there is nothing to show: name a file, or pipe a stream into it").into()
            );
        }
        let recorder = match &self.options.record {
            Some(_) if !is_stdin => {
                return Err(WrongCall::new("--record is for what is piped in; a file is a recording").into());
            }
            Some(file) => {
                let mut recorder = Recorder::create(file)?;
                recorder.begin("pipe", &[])?;
                Some(recorder)
            }
            None => None,
        };
        if self.follow && is_stdin {
            return Err(WrongCall::new(
                "--follow is for a file or a session; what is piped in is shown as it comes",
            )
            .into());
        }
        if self.follow {
            return follow::run(&self.file, &self.options, out);
        }
        if is_stdin && is_terminal && !self.options.is_dumb() {
            return live::run(&self.options, recorder);
        }
        // Whoever reads a recording at once needs no rows that change.
        let mut stage = Stage::on_lines(self.options.settings(is_terminal), out);
        if is_stdin {
            self.pipe(&mut stage, recorder)?
        } else {
            self.file(&mut stage)?
        }
        stage.draw()?;
        Ok(self.options.conclude(&stage))
    }

    /// Shows what is piped in, as it comes.
    fn pipe(&self, stage: &mut Stage<'_>, mut recorder: Option<Recorder>) -> anyhow::Result<()> {
        let mut incoming = Incoming::new(Grain::Deltas, self.options.fail_on());
        let ended = read_stdin(|bytes| {
            let now = stage.now();
            if let Some(recorder) = &mut recorder {
                recorder.feed(Way::Out, bytes, now)?;
            }
            incoming.feed(bytes, Some(now), &mut |event: &Event<'_>| stage.step(event)).context(CANNOT)?;
            stage.draw()?;
            Ok(!stage.is_closed() || recorder.is_some())
        })?;
        // What is told of the end bears the time that is recorded.
        let now = stage.now();
        recorder.iter_mut().try_for_each(|recorder| recorder.finish(now))?;
        incoming
            .finish(Some(now), ended == Ended::Cut, &mut |event: &Event<'_>| stage.step(event))
            .context(CANNOT)?;
        incoming.say_faults("standard input");
        Ok(())
    }

    /// Shows a recording.
    fn file(&self, stage: &mut Stage<'_>) -> anyhow::Result<()> {
        let source =
            Sources::of(vec![self.file.clone()]).find()?.one()?.fail_on(self.options.fail_on()).quiet();
        stage.set_denied(source.denied());
        let mut reader = Reader { stage, written: Ok(()) };
        source.tell_to(Grain::Deltas, &mut reader)?;
        Ok(reader.written?)
    }
}

/// Shows what a source tells, as long as somebody looks.
struct Reader<'s, 'o> {
    stage: &'s mut Stage<'o>,
    written: io::Result<()>,
}

impl Listener for Reader<'_, '_> {
    fn event(&mut self, event: &Event<'_>) {
        self.stage.step(event);
        if self.written.is_ok() {
            self.written = self.stage.spill();
        }
    }

    fn pause(&mut self) -> anyhow::Result<bool> {
        Ok(self.written.is_ok() && !self.stage.is_closed())
    }
}
