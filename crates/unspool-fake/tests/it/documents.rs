//! What is written about scripts is true, and the scripts that are kept can be played.

use std::fs;
use std::path::PathBuf;
use unspool_fake::Script;
use unspool_fake::claude::{Variation, variation};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The blocks of a document in one language, with the line each begins at.
fn blocks<'d>(document: &'d str, language: &str) -> Vec<(usize, &'d str)> {
    let fence = format!("```{language}\n");
    let starts = document.match_indices(&fence).map(|(at, _)| at);
    starts
        .map(|at| {
            let inside = &document[at + fence.len()..];
            let line = document[..at].matches('\n').count() + 1;
            (line, inside.split_once("```").expect("an end").0)
        })
        .collect()
}

#[test]
fn every_example_in_the_documentation_is_a_good_script() {
    for (file, least) in [("docs/fake-model.md", 10), ("README.md", 1)] {
        let document = fs::read_to_string(root().join(file)).unwrap();
        let mut examples = blocks(&document, "toml");
        examples.retain(|(_, example)| !example.contains("[dependencies]"));
        assert!(examples.len() >= least, "{file}");
        for (line, example) in examples {
            let read = example.parse::<Script>();
            assert!(read.is_ok(), "{file}:{line}: {}", read.unwrap_err());
        }
    }
}

#[test]
fn the_variation_in_the_documentation_is_a_good_one() {
    let document = fs::read_to_string(root().join("docs/fake-claude.md")).unwrap();
    let [(_, example)] = blocks(&document, "toml")[..] else { panic!() };
    assert_ne!(variation(example).unwrap(), Variation::default());
}

#[test]
fn the_error_in_the_documentation_is_the_real_one() {
    let document = fs::read_to_string(root().join("docs/fake-model.md")).unwrap();
    let wrong = blocks(&document, "toml wrong");
    let said = blocks(&document, "text error");
    assert_eq!((wrong.len(), said.len()), (1, 1));
    let error = wrong[0].1.parse::<Script>().unwrap_err().to_string();
    assert_eq!(error.replacen("script", "hello.toml", 1), said[0].1.trim_end());
}

#[test]
fn every_script_that_is_kept_can_be_played() {
    let folder = root().join("crates/unspool-fake/scripts");
    let mut scripts: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    scripts.sort();
    assert!(scripts.len() >= 7, "{scripts:?}");
    for script in scripts {
        Script::open(&script).unwrap_or_else(|error| panic!("{error}"));
    }
}
