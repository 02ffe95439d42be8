//! Sessions to read: recorded streams, standard input, and what Claude Code keeps on disk.

use crate::input::Input;
use std::path::PathBuf;
use unspool::{Event, Grain, Spool};

/// One session to read.
pub(crate) struct Source {
    path: PathBuf,
}

impl Source {
    /// A file, or `-` for standard input.
    pub(crate) fn of(path: PathBuf) -> Self {
        Source { path }
    }

    /// Tells it from its beginning to its end; `finished` is the last event.
    pub(crate) fn tell(&self, grain: Grain, mut sink: impl FnMut(&Event<'_>)) -> anyhow::Result<()> {
        let mut spool = Spool::new(grain);
        Input::of(self.path.clone()).read(|bytes| {
            spool.feed(bytes, |event| sink(&event));
            Ok(true)
        })?;
        spool.finish(|event| sink(&event));
        Ok(())
    }
}
