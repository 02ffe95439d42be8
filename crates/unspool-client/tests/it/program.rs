//! Programs that are started in a way of their own.

#![cfg(unix)]

use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex};
use unspool_client::options::User;
use unspool_client::program::Program;
use unspool_client::{Claude, Error, Options};

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

/// Only root may choose.
#[tokio::test]
async fn a_program_runs_as_the_user_that_is_named() {
    let script = r#"
        printf '%s\n' '{"type":"system","subtype":"init","session_id":"s"}'
        printf '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"%s"}\n' "$(id -u) $(id -g) $(id -G)"
        cat > /dev/null
    "#;
    let program = Program::run_by("/bin/sh", ["-c", script], "/not/there");
    let options = Options::new().cwd("/").user(User { uid: 65534, gid: 65533 });
    let asked = Claude::new(options).program(program).ask("hello").await;
    if std::fs::metadata("/proc/self").unwrap().uid() == 0 {
        assert_eq!(asked.unwrap().text, "65534 65533 65533");
    } else {
        assert!(matches!(asked, Err(Error::Start { .. })), "{asked:?}");
    }
}

/// Root in a container may not look at the processes of others.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_another_user_has_started_is_ended_too() {
    let script = r#"
        read -r prompt
        setsid sleep 600 > /dev/null 2>&1 &
        printf '%s\n' '{"type":"system","subtype":"init","session_id":"s"}'
        printf '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"%s"}\n' "$!"
        cat > /dev/null
    "#;
    let program = Program::run_by("/bin/sh", ["-c", script], "/not/there");
    let own = std::fs::metadata("/proc/self").unwrap();
    let user = if own.uid() == 0 { 65534 } else { own.uid() };
    let options = Options::new().cwd("/").user(User { uid: user, gid: own.gid() });
    let Ok(answer) = Claude::new(options).program(program).ask("hello").await else {
        assert_ne!(own.uid(), 0, "root may run it");
        return;
    };
    let left = std::fs::read_to_string(format!("/proc/{}/stat", answer.text)).unwrap_or_default();
    assert!(left.is_empty() || left.contains(") Z "), "{left}");
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

#[tokio::test]
async fn what_a_program_writes_beside_is_heard_to_the_last_line() {
    let script = r#"
        for number in $(seq 1 2000); do echo "line $number: wörds" >&2; done
        printf '%s\n' '{"type":"system","subtype":"init","session_id":"s"}'
        printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"ok"}'
        cat > /dev/null
        printf 'last wörds' >&2
    "#;
    let heard = Arc::new(Mutex::new(String::new()));
    let listener = Arc::clone(&heard);
    let claude = Claude::new(Options::new())
        .program(Program::run_by("/bin/sh", ["-c", script], "claude"))
        .on_stderr(move |piece| listener.lock().unwrap().push_str(piece));
    assert_eq!(claude.ask("hello").await.unwrap().text, "ok");
    let lines: String = (1..=2000).map(|number| format!("line {number}: wörds\n")).collect();
    assert_eq!(*heard.lock().unwrap(), lines + "last wörds");
}
