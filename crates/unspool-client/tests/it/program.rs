//! Programs that are started in a way of their own.

#![cfg(unix)]

use unspool_client::{Claude, Options, Program};

#[tokio::test]
async fn a_program_may_be_run_by_something_else() {
    let script = r#"
        printf '%s\n' '{"type":"system","subtype":"init","session_id":"s"}'
        printf '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"%s"}\n' "$0 $1"
        cat > /dev/null
    "#;
    let program = Program::run_by("/bin/sh", ["-c", script], "/not/there");
    let answer = Claude::new(Options::new()).program(program).ask("hello").await.unwrap();
    assert_eq!(answer.text, "/not/there --print");
}
