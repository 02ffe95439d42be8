//! A recording to be played to a host: read whole, compressed or not.

use super::kind::{What, judge};
use super::open::open;
use anyhow::{Context, bail};
use std::io::Read;
use std::path::Path;
use unspool::standin::Recorded;

/// A recording, or a bare stream.
pub(crate) fn recorded(path: &Path) -> anyhow::Result<Recorded> {
    read(path).with_context(|| format!("cannot play {}", path.display()))
}

fn read(path: &Path) -> anyhow::Result<Recorded> {
    let mut text = Vec::new();
    open(path)?.read_to_end(&mut text)?;
    match judge(&text, true) {
        Some(What::Stream | What::Recording) => Ok(Recorded::read(&text)),
        Some(What::Empty) | None => bail!("there is nothing in it"),
        Some(What::Transcript) => {
            bail!("it is a transcript, and does not say what went between Claude Code and its host")
        }
        Some(What::Events) => bail!("it has events, and not the lines that they come from"),
        Some(What::Other | What::Binary) => {
            bail!("it is neither a recording nor a stream of Claude Code")
        }
    }
}
