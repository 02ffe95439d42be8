//! Finds streams.

use anyhow::Context;
use std::fs;
use std::path::{Path, PathBuf};

/// The files at or below a path that look like streams, in order.
pub(crate) fn streams(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    find(path, &mut found).with_context(|| path.display().to_string())?;
    found.sort();
    Ok(found)
}

fn find(path: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if fs::metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            find(&entry?.path(), found)?;
        }
    } else if path.extension().is_some_and(|it| it == "ndjson" || it == "jsonl") {
        found.push(path.to_owned());
    }
    Ok(())
}
