//! A folder of recordings: one for each time that a host has started Claude Code.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How the names of recordings end.
const NAMES: [&str; 2] = [".rec", ".rec.zst"];

/// The files that are played: this one, or those of a folder whose names end with `.rec` or `.rec.zst`, in the order of their names.
pub fn recordings(path: impl AsRef<Path>) -> io::Result<Vec<PathBuf>> {
    let path = path.as_ref();
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if NAMES.iter().any(|end| name.ends_with(end)) {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        let why = "there is no recording in it: no file whose name ends with `.rec` or `.rec.zst`";
        return Err(io::Error::new(io::ErrorKind::NotFound, why));
    }
    Ok(files)
}
