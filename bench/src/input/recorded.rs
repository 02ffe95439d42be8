//! Inputs of recorded lines.

use super::renumber::renumber;
use super::{Input, lines};
use anyhow::{Context, ensure};
use memchr::memmem;
use std::fs;
use std::path::{Path, PathBuf};
use unspool::Grain;

/// All recordings below a folder, each a session of its own.
pub fn mixed(folder: &Path) -> anyhow::Result<Input> {
    let mut input = Input::new("mixed", Grain::Blocks);
    recordings(folder)?.iter().for_each(|stream| input.push(stream));
    Ok(input)
}

/// One long session of the recorded `stream_event` lines, and of nothing else.
///
/// The lines that confirm a message are left out, so the deltas are all that tells it. Each round through
/// the recordings has message ids and uuids of its own, and all lines have one session id: otherwise the
/// second round would be a repeat of the first.
pub fn deltas(folder: &Path, size: usize) -> anyhow::Result<Input> {
    let mut recordings = recordings(folder)?;
    recordings.retain_mut(|stream| {
        let streamed = |line: &&[u8]| memmem::find(line, br#""type":"stream_event""#).is_some();
        let kept: Vec<&[u8]> = lines(stream).filter(streamed).collect();
        *stream = kept.join(&b'\n');
        stream.push(b'\n');
        stream.len() > 1
    });
    ensure!(!recordings.is_empty(), "no stream_event lines below {}", folder.display());
    let mut input = Input::new("deltas", Grain::Deltas);
    input.push(&joined(&recordings, size, Some("5e55101d-0000-4000-8000-000000000000")));
    Ok(input)
}

/// The recordings as one stream, as `cat` would make it of sessions that never met.
pub fn long(folder: &Path, size: usize) -> anyhow::Result<Vec<u8>> {
    let mut recordings = recordings(folder)?;
    recordings.iter_mut().for_each(|stream| {
        if stream.last() != Some(&b'\n') {
            stream.push(b'\n');
        }
    });
    Ok(joined(&recordings, size, None))
}

/// The streams one behind the other, again and again, each time with new ids.
fn joined(streams: &[Vec<u8>], size: usize, session: Option<&str>) -> Vec<u8> {
    let mut all = Vec::with_capacity(size + (size >> 4));
    for (number, stream) in streams.iter().cycle().enumerate() {
        if all.len() >= size {
            break;
        }
        renumber(stream, number, session, &mut all);
    }
    all
}

/// The recorded streams below a folder, in the order of their paths.
///
/// Streams made by hand (`odd`, `protocol`) are no recordings. Those that print one object over many lines,
/// as 0.2.70 did, are left out too: no reader by lines can be compared on them.
fn recordings(folder: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut files = Vec::new();
    find(folder, &mut files).with_context(|| folder.display().to_string())?;
    files.sort();
    let mut streams = files.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
    streams.retain(|stream| lines(stream).next().is_some_and(|line| line.len() > 1));
    ensure!(!streams.is_empty(), "no streams (*.ndjson, *.jsonl) below {}", folder.display());
    Ok(streams)
}

/// What a folder that keeps more than the stream of a run calls it.
const OUTPUT: &str = "stdout.ndjson";

fn find(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if path.is_dir() {
        if path.ends_with("odd") || path.ends_with("protocol") {
            return Ok(());
        }
        let output = path.join(OUTPUT);
        if output.exists() {
            files.push(output);
            return Ok(());
        }
        for entry in fs::read_dir(path)? {
            find(&entry?.path(), files)?;
        }
    } else if path.extension().is_some_and(|it| it == "ndjson" || it == "jsonl") {
        files.push(path.to_owned());
    }
    Ok(())
}
