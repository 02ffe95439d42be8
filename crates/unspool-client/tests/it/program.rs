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

/// The turn has its result, but an agent is at work when the program ends by itself.
#[tokio::test]
async fn there_is_no_answer_where_work_is_owed() {
    let script = r#"
        printf '%s\n' '{"type":"system","subtype":"init","session_id":"s"}'
        printf '%s\n' '{"type":"system","subtype":"task_started","task_id":"a","task_type":"local_agent","session_id":"s"}'
        printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"started"}'
        kill -9 $$
    "#;
    let program = Program::run_by("/bin/sh", ["-c", script], "/not/there");
    let error = Claude::new(Options::new()).program(program).ask("hello").await.unwrap_err();
    assert_eq!(error.to_string(), "cut off: Claude Code ended with 1 task at work (ended by signal 9)");
    assert_eq!(error.into_answer().unwrap().text, "started");
}
