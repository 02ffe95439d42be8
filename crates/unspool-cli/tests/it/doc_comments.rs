//! Whoever reads a page of the documentation has not read the comment above it in the file.

use crate::code::sources;
use std::fs;
use std::path::Path;

/// How a comment begins that says nothing without the one before it.
const LEANING: [&str; 2] = ["/// The same", "/// This happened"];

#[test]
fn a_doc_comment_stands_alone() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut leaning = Vec::new();
    for library in fs::read_dir(crates).unwrap() {
        for file in sources(&library.unwrap().path().join("src")) {
            let text = fs::read_to_string(&file).unwrap();
            let (mut before, mut number) = ("", 0);
            for line in text.lines().map(str::trim_start) {
                number += 1;
                if !before.starts_with("///") && LEANING.iter().any(|words| line.starts_with(words)) {
                    leaning.push(format!("{}:{number}: {line}", file.display()));
                }
                before = line;
            }
        }
    }
    assert!(leaning.is_empty(), "say what it is, in a sentence of its own: {leaning:#?}");
}
