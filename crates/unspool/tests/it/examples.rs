//! The example is run as it is.
#![expect(clippy::disallowed_types, reason = "an example is a program")]

use std::fs::File;
use std::path::Path;
use std::process::Command;

#[test]
fn the_example_says_what_was_said_and_how_it_ended() {
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples/answer");
    let stream = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/turns/queued-2.1.325.ndjson");
    let output = Command::new(program).stdin(File::open(stream).unwrap()).output().unwrap();
    assert!(output.status.success());
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stdout));
}
