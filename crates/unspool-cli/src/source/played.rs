//! Recordings to be played to a host: read whole, compressed or not.

use super::kind::{What, judge};
use super::open::open;
use anyhow::{Context, bail};
use std::io::Read;
use std::path::{Path, PathBuf};
use unspool::standin::Recorded;
use unspool_fake::claude::recordings;

/// A recording, or a bare stream; or all recordings of a folder.
pub(crate) fn recorded(path: &Path) -> anyhow::Result<Vec<(PathBuf, Recorded)>> {
    let cannot = |path: &Path| format!("cannot play {}", path.display());
    let files = recordings(path).with_context(|| cannot(path))?;
    let read = |file: PathBuf| Ok((file.clone(), read(&file).with_context(|| cannot(&file))?));
    files.into_iter().map(read).collect()
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
