//! Sessions to read: recorded streams, standard input, and what Claude Code keeps on disk.

use crate::input::Input;
use std::path::PathBuf;
use unspool::verdict::FailOn;
use unspool::{Event, Grain, Spool};

/// One session to read.
pub(crate) struct Source {
    path: PathBuf,
    fail_on: FailOn,
}

impl Source {
    /// A file, or `-` for standard input.
    pub(crate) fn of(path: PathBuf) -> Self {
        Source { path, fail_on: FailOn::default() }
    }

    /// Says what else counts as a failure.
    pub(crate) fn fail_on(mut self, fail_on: FailOn) -> Self {
        self.fail_on = fail_on;
        self
    }

    /// Tells it from its beginning to its end; `finished` is the last event.
    pub(crate) fn tell(&self, grain: Grain, mut sink: impl FnMut(&Event<'_>)) -> anyhow::Result<()> {
        let mut spool = Spool::new(grain).fail_on(self.fail_on);
        Input::of(self.path.clone()).read(|bytes| {
            spool.feed(bytes, |event| sink(&event));
            Ok(true)
        })?;
        spool.finish(|event| sink(&event));
        Ok(())
    }
}
