//! `unspool events`: each event as one line of JSON.

use crate::input::Input;
use crate::output::Lines;
use std::io::Write;
use std::process::ExitCode;
use unspool::{Grain, Spool};

/// Tell a stream as events, one line of JSON each.
#[derive(clap::Args)]
pub(crate) struct Events {
    #[command(flatten)]
    input: Input,
    /// How finely parts are told.
    #[arg(long, value_enum, default_value_t = GrainArg::Blocks)]
    grain: GrainArg,
}

/// How finely parts are told.
#[derive(Clone, Copy, clap::ValueEnum)]
enum GrainArg {
    /// A part when it is complete.
    Blocks,
    /// A part as it grows.
    Deltas,
}

impl From<GrainArg> for Grain {
    fn from(grain: GrainArg) -> Self {
        match grain {
            GrainArg::Blocks => Grain::Blocks,
            GrainArg::Deltas => Grain::Deltas,
        }
    }
}

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
