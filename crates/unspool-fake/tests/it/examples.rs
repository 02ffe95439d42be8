//! The example is run as it is.

use std::process::Command;

#[test]
fn the_example_is_answered() {
    let tests = std::env::current_exe().unwrap();
    let output = Command::new(tests.ancestors().nth(2).unwrap().join("examples/hello")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains(r#""text":"Hello!""#) && said.ends_with("\n1 request\n"), "{output:?}");
}
