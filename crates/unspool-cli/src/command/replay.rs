//! `unspool replay`: a session, played again.

use super::ViewOptions;
use super::view::signals::hear;
use crate::choice::GrainArg;
use crate::output::Output;
#[cfg(unix)]
use crate::replay::Played;
use crate::replay::{self, Cue, Excerpt, Position, Speed};
use crate::source::{Source, Sources};
use crate::stage::{Screen, Stage};
use crate::value::duration;
use crate::wrong_call::WrongCall;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Play a session again, as it was: the view, its events, or the stream.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, mut_arg("record", |arg| arg.hide(true)))]
pub(crate) struct Replay {
    /// The recording, the stream, the transcript, or the id of a session; `-` for standard input.
    file: PathBuf,
    /// What is played.
    #[arg(long = "as", value_enum, value_name = "FORM", default_value_t)]
    form: Form,
    /// How fast: 1x is as it went, 10x ten times as fast, max at once.
    #[arg(long, value_name = "TIMES", value_parser = Speed::read, default_value = "1x")]
    speed: Speed,
    /// Where it begins: a time such as 1m30s, the number of a line or an entry, or a turn such as turn:3.
    #[arg(long, value_name = "PLACE", value_parser = Position::read)]
    from: Option<Position>,
    /// Where it ends; that place still belongs to it.
    #[arg(long, value_name = "PLACE", value_parser = Position::read)]
    to: Option<Position>,
    /// Longer waits are cut to this, as in 3s.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    max_wait: Option<Duration>,
    /// How finely parts are told, as events.
    #[arg(long, value_enum, default_value_t = GrainArg::Blocks)]
    grain: GrainArg,
    /// On a terminal: play it once, without keys; what has scrolled away stays.
    #[arg(long)]
    no_keys: bool,
    #[command(flatten)]
    options: ViewOptions,
}

/// What is played.
#[derive(Clone, Copy, Default, Eq, PartialEq, clap::ValueEnum)]
enum Form {
    /// What `unspool` showed.
    #[default]
    View,
    /// What `unspool events` told, each when it was told.
    Events,
    /// What Claude Code wrote, byte for byte, each line when it came.
    Stream,
}

const EXAMPLES: &str = "\
Examples:
  unspool replay run.rec
  unspool replay run.ndjson --speed 10x --max-wait 3s
  unspool replay run.rec --from turn:3 --to turn:3 --speed max
  unspool replay run.rec --as events --speed 10x | jq -r .type
  unspool replay run.rec --as stream | my-host
  unspool replay 5eab33a4 --max-wait 2s    # a session that Claude Code keeps

On a terminal there are keys; `?` lists them:
  space       pause, and go on          + -          faster, slower
  ← →         event by event            PgUp PgDn    turn by turn
  a           to another agent          e            to what went wrong next
  g G         beginning, end            ↑ ↓          read what has scrolled away
  q           quit

Times are those of the recording, of FILE.times beside a stream, or of a transcript. The lines
of a stream without times are played evenly. Nothing that is shown or told differs from what
was shown or told live.

Exit code: of a view that was played to its end, the verdict's; else 0; 1 if it cannot be
read, or ends before --from.";

impl Replay {
    pub(crate) fn run(self, out: &mut impl Output) -> anyhow::Result<ExitCode> {
        self.options.redact.apply()?;
        if self.options.record.is_some() {
            return Err(WrongCall::new("--record is for what is piped into `unspool view`").into());
        }
        let source = Sources::of(vec![self.file.clone()]).find()?.one()?;
        let source = source.fail_on(self.options.fail_on());
        // A view and events end with the verdict, which says that there is nothing in it; bare lines do not.
        let source = if self.form == Form::Stream { source } else { source.quiet() };
        match self.form {
            Form::View => self.view(source, out),
            Form::Events => {
                replay::events(&source, self.grain.into(), self.cue(&source), out)?;
                Ok(ExitCode::SUCCESS)
            }
            Form::Stream => {
                replay::lines(&source, self.cue(&source), out)?;
                Ok(ExitCode::SUCCESS)
            }
        }
    }

    fn cue(&self, source: &Source) -> Cue {
        Cue::new(source.name(), self.speed, self.max_wait, Excerpt::new(self.from, self.to))
    }

    fn view(self, source: Source, out: &mut impl Output) -> anyhow::Result<ExitCode> {
        let is_terminal = out.is_terminal();
        let is_live = is_terminal && self.speed != Speed::Max && !self.options.is_dumb();
        let settings = self.options.settings(is_terminal);
        #[cfg(unix)]
        let source = match self.speed {
            Speed::Times(speed) if is_live && !self.no_keys && !settings.quiet => {
                let manner = replay::Manner {
                    settings: settings.clone(),
                    is_fixed: self.options.is_fixed(),
                    speed,
                    longest: self.max_wait,
                    excerpt: Excerpt::new(self.from, self.to),
                };
                match replay::play(source, manner)? {
                    Played::Seen(verdict) => {
                        return Ok(verdict.map_or(ExitCode::SUCCESS, |verdict| verdict.code().into()));
                    }
                    Played::NoKeys(source) => source,
                }
            }
            _ => source,
        };
        let cue = self.cue(&source);
        let mut stage = if is_live {
            let screen = Screen::open(settings.colors);
            let shown = screen.clone();
            // Ctrl-C ends it, but not without the cursor, nor with a status line that says nothing any more.
            hear(move |_| {
                let _ = shown.lock().map(|mut screen| screen.give_way());
                std::process::exit(130)
            });
            Stage::on_screen(settings, self.options.is_fixed(), screen)
        } else {
            Stage::on_lines(settings, out)
        };
        replay::show(&source, cue, &mut stage)?;
        Ok(self.options.conclude(&stage))
    }
}
