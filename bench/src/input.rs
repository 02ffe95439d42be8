//! What is read: whole streams, repeated until there is enough.

use anyhow::{Context, ensure};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Streams, one behind the other, each ended by a newline.
pub(crate) struct Input {
    pub(crate) bytes: Vec<u8>,
    streams: usize,
    lines: usize,
}

/// Reads the streams at or below the paths, and repeats them up to a size.
pub(crate) fn read(paths: &[PathBuf], size: usize) -> anyhow::Result<Input> {
    let mut files = Vec::new();
    for path in paths {
        find(path, &mut files).with_context(|| path.display().to_string())?;
    }
    files.sort();
    let mut once = Vec::new();
    for file in &files {
        once.extend(fs::read(file)?);
        if once.last().is_some_and(|&last| last != b'\n') {
            once.push(b'\n');
        }
    }
    ensure!(!once.is_empty(), "no streams (*.ndjson, *.jsonl) at {paths:?}");
    let mut bytes = once.repeat((size / once.len()).max(1));
    // More than one size of streams is cut to whole lines of it.
    if let Some(end) = memchr::memchr(b'\n', bytes.get(size..).unwrap_or_default()) {
        bytes.truncate(size + end + 1);
    }
    let lines = memchr::memchr_iter(b'\n', &bytes).count();
    Ok(Input { bytes, streams: files.len(), lines })
}

fn find(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            find(&entry?.path(), files)?;
        }
    } else if path.extension().is_some_and(|it| it == "ndjson" || it == "jsonl") {
        files.push(path.to_owned());
    }
    Ok(())
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Input { bytes, streams, lines } = self;
        write!(
            f,
            "{} MB, {lines} lines, {} bytes each, from {streams} streams",
            bytes.len() / 1_000_000,
            bytes.len() / lines
        )
    }
}
