//! Inputs of recorded lines.

use super::renumber::renumber;
use super::{Input, lines};
use anyhow::{Context, ensure};
use memchr::memmem;
use std::fs;
use std::path::{Path, PathBuf};
use unspool::Grain;

/// The folder of recordings: what a program of the benchmark is given first.
pub fn folder() -> PathBuf {
    std::env::args_os().nth(1).map_or(PathBuf::from("fixtures"), PathBuf::from)
}

/// All recordings below a folder, each a session of its own.
pub fn mixed(folder: &Path) -> anyhow::Result<Input> {
    let mut input = Input::new("mixed", Grain::Blocks);
    recordings(folder)?.iter().for_each(|stream| input.push(stream));
    Ok(input)
}

/// One long session of the recorded `stream_event` lines, and of nothing else.
///
/// The lines that confirm a message are left out, so the deltas are all that tells it. So are those of
/// sub-agents: without the lines that end them, thousands would be at work in the end. Each round through the
/// recordings has message ids and uuids of its own, and all lines have one session id: otherwise the second
/// round would be a repeat of the first.
pub fn deltas(folder: &Path, size: usize) -> anyhow::Result<Input> {
    let mut recordings = recordings(folder)?;
    recordings.retain_mut(|stream| {
        let has = |line: &[u8], text: &[u8]| memmem::find(line, text).is_some();
        let streamed = |line: &&[u8]| {
            has(line, br#""type":"stream_event""#) && has(line, br#""parent_tool_use_id":null"#)
        };
        let kept: Vec<&[u8]> = lines(stream).filter(streamed).collect();
        *stream = kept.join(&b'\n');
        stream.push(b'\n');
        stream.len() > 1
    });
    ensure!(!recordings.is_empty(), "no stream_event lines below {}", folder.display());
    let mut input = Input::new("deltas", Grain::Deltas);
    let mut stream = Vec::with_capacity(size + (size >> 4));
    for part in endless(recordings, Some("5e55101d-0000-4000-8000-000000000000")) {
        if stream.len() >= size {
            break;
        }
        stream.extend(part);
    }
    input.push(&stream);
    Ok(input)
}

/// The recordings one behind the other, without end, as `cat` would join sessions that never met.
pub fn long(folder: &Path) -> anyhow::Result<impl Iterator<Item = Vec<u8>>> {
    let mut recordings = recordings(folder)?;
    recordings.iter_mut().filter(|stream| !stream.ends_with(b"\n")).for_each(|stream| stream.push(b'\n'));
    Ok(endless(recordings, None))
}

/// The streams, again and again, each time with new ids.
fn endless(streams: Vec<Vec<u8>>, session: Option<&'static str>) -> impl Iterator<Item = Vec<u8>> {
    (0..).map(move |number| renumber(&streams[number % streams.len()], number, session))
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

/// Folders of fixtures that no Claude Code has printed: made by hand, or kept on disk.
const MADE: [&str; 6] = ["hostile", "odd", "page", "protocol", "transcripts", "view"];

fn find(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if path.is_dir() {
        if MADE.iter().any(|folder| path.ends_with(folder)) {
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
