//! Recordings of real sessions, in which there is no secret: nothing of them is masked.

use std::fs;
use std::path::{Path, PathBuf};
use unspool::{Grain, Spool};
use unspool_redact::properties::masked;

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, all) } else { all.push(path) }
    }
}

#[test]
fn nothing_that_was_recorded_is_masked() {
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures"), &mut all);
    let mut bytes = 0;
    for file in &all {
        let text = fs::read(file).unwrap();
        bytes += text.len();
        assert!(masked(&text, 64 << 10) == text, "{}", file.display());
        // Their events are words of the same kind, cut elsewhere.
        if file.extension().is_some_and(|end| end == "ndjson") && text.len() < 200_000 {
            let events = Spool::read(Grain::Deltas, &text);
            let told: String = events.iter().map(|event| event.to_json() + "\n").collect();
            assert!(masked(told.as_bytes(), 64 << 10) == told.as_bytes(), "events of {}", file.display());
        }
    }
    assert!(all.len() > 200 && bytes > 1_000_000, "{} files, {bytes} bytes", all.len());
}
