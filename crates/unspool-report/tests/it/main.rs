//! What the library is used for, tried from outside.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "fixtures are files, and examples are programs"
)]

use std::fs::File;
use std::path::Path;
use std::process::Command;

#[test]
fn the_example_makes_a_page_of_a_stream() {
    let tests = std::env::current_exe().unwrap();
    let program = tests.ancestors().nth(2).unwrap().join("examples/page");
    let stream = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/turns/queued-2.1.325.ndjson");
    let output = Command::new(program).stdin(File::open(stream).unwrap()).output().unwrap();
    assert!(output.status.success());
    assert!(output.stdout.trim_ascii_end().ends_with(b"</html>"), "{} bytes", output.stdout.len());
    assert_eq!(output.stderr.trim_ascii_end(), b"done", "{}", output.stderr.escape_ascii());
}
