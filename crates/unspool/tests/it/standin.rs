//! Recordings of real versions, played to the host that they have.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use unspool::properties;

fn recordings() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/recordings");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let recordings: Vec<_> = files.filter(|file| file.extension().is_some_and(|it| it == "rec")).collect();
    assert!(recordings.len() >= 10);
    recordings
}

#[test]
fn every_recording_is_played_byte_for_byte() {
    for file in recordings() {
        let text = fs::read(&file).unwrap();
        let played = catch_unwind(|| properties::journals_are_played(&text));
        assert!(played.is_ok(), "{}", file.display());
    }
}
