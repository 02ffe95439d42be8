//! Sessions that outlive their programs, with programs that are shell scripts.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unspool_client::{Claude, Error, Incident, Lasting, Limits, Options, Pool, Program, Retry};

/// Begins the session and says that a turn has begun, with what was asked.
const PROGRAM: &str = r#"
    init() { printf '{"type":"system","subtype":"init","session_id":"s","claude_code_version":"%s"}\n' "$VERSION"; }
    done_for() { printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","session_id":"s","total_cost_usd":%s%s}\n' "$1" "$2" "$3"; }
    uuid() { printf '%s' "$1" | sed 's/.*"uuid":"\([^"]*\)".*/\1/'; }
"#;

fn claude(script: &str, version: &str, folder: &Path) -> Claude {
    let script = format!("cd {}\n{PROGRAM}{script}", folder.display());
    let program = Program::run_by("/bin/sh", ["-c", &script], "/not/there");
    Claude::new(Options::new().env("VERSION", version)).program(program)
}

fn folder(name: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lasting-{name}-{}", std::process::id()));
    // There may be one of an earlier run.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Money is limited for the session, whichever program spends it, and however programs count.
#[tokio::test]
async fn limits_hold_for_all_programs_together() {
    // Version 2.1.325 counts on from what the session has cost, older ones from zero.
    // The former says what is new besides.
    let new = r#",\"model_usage_since_last_result\":{\"m\":{\"inputTokens\":1,\"outputTokens\":1,\"costUSD\":0.5}}"#;
    for (version, costs, more) in [("2.1.325", "0.5 1.0 1.5 2.0", new), ("2.1.257", "0.5 0.5 0.5 0.5", "")] {
        let script = format!(
            r#"read -r line; init; echo x >> programs; set -- {costs}; shift $(($(wc -l < programs) - 1)); done_for ok $1 "{more}"; cat > /dev/null"#
        );
        let folder = folder(&format!("limits-{version}"));
        let claude = claude(&script, version, &folder).limits(Limits::new().usd(1.2));
        let session = Lasting::new(claude).recycle_after(1);
        for _ in 0..3 {
            assert_eq!(session.ask("go").await.unwrap().text, "ok", "{version}");
        }
        let error = session.ask("go").await.unwrap_err();
        assert_eq!(error.to_string(), "over budget: $1.5000 spent, the limit is $1.2000", "{version}");
        assert!(matches!(error, Error::OverBudget(_)));
        let programs = std::fs::read_to_string(folder.join("programs")).unwrap();
        assert_eq!(programs.lines().count(), 3, "{version}: another program was started");
    }
}

/// The answer is there at once; the program takes its time to end, and whoever asks next waits for that.
#[tokio::test]
async fn an_answer_does_not_wait_for_the_program_to_be_recycled() {
    let script = r#"read -r line; init; echo x >> programs
        printf '%s\n' '{"type":"system","subtype":"task_started","task_id":"a","task_type":"local_agent","session_id":"s"}'
        done_for "$(wc -l < programs)" 0
        while [ ! -e enough ]; do sleep 0.02; done
        printf '%s\n' '{"type":"system","subtype":"task_notification","task_id":"a","status":"completed","session_id":"s"}'
        cat > /dev/null; echo ended >> ends"#;
    let folder = folder("recycle");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let note = Arc::clone(&seen);
    let session = Lasting::new(claude(script, "2.1.325", &folder)).recycle_after(1);
    let session = session.observe(move |incident| {
        note.lock().unwrap().push(match incident {
            Incident::Recycle { turns } => format!("recycle after {turns}"),
            Incident::Resume { session } => format!("resume {session}"),
            other => format!("{other:?}"),
        });
    });
    assert_eq!(session.ask("one").await.unwrap().text.trim(), "1");
    assert!(!folder.join("ends").exists(), "it has waited for the end");
    // Clones are one session, and ask one after the other.
    let other = session.clone();
    let second = tokio::spawn(async move { other.ask("two").await });
    std::fs::write(folder.join("enough"), "").unwrap();
    assert_eq!(second.await.unwrap().unwrap().text.trim(), "2");
    assert!(folder.join("ends").exists());
    assert_eq!(*seen.lock().unwrap(), ["recycle after 1", "resume s"]);
}

/// A turn that nobody asked for begins, and the program dies before it takes the prompt: the prompt is sent again, as it
/// was never taken.
#[tokio::test]
async fn a_prompt_that_was_never_taken_is_sent_again() {
    let script = r#"echo x >> programs
        if [ "$(wc -l < programs)" = 1 ]; then
            read -r line; init
            printf '%s\n' '{"type":"system","subtype":"task_started","task_id":"a","task_type":"local_agent","session_id":"s"}'
            done_for one 0
            printf '%s\n' '{"type":"system","subtype":"task_notification","task_id":"a","status":"completed","session_id":"s"}'
            init
            read -r line; kill -9 $$
        fi
        read -r line; printf '%s\n' "$line" > heard; init; done_for two 0; cat > /dev/null"#;
    let folder = folder("never-taken");
    let retry = Retry::new().first(Duration::from_millis(1));
    let session = Lasting::new(claude(script, "2.1.325", &folder)).retry(retry);
    assert_eq!(session.ask("the first").await.unwrap().text, "one");
    assert_eq!(session.ask("the second").await.unwrap().text, "two");
    let heard = std::fs::read_to_string(folder.join("heard")).unwrap();
    assert!(heard.contains("the second"), "{heard}");
}

/// The program is ending when the next thing is asked: it is asked of the next program.
#[tokio::test]
async fn a_program_that_is_ending_is_replaced() {
    let script = r#"echo x >> programs; read -r line; init; done_for "$(wc -l < programs)" 0
        [ "$(wc -l < programs)" = 1 ] && { exec 1>&-; : > closed; sleep 0.3; kill -9 $$; }
        cat > /dev/null"#;
    let folder = folder("ending");
    let retry = Retry::new().first(Duration::from_millis(1));
    let session = Lasting::new(claude(script, "2.1.325", &folder)).retry(retry);
    assert_eq!(session.ask("one").await.unwrap().text.trim(), "1");
    while !folder.join("closed").exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(session.ask("two").await.unwrap().text.trim(), "2");
}

/// One that was taken is not: it is told to go on.
#[tokio::test]
async fn a_prompt_that_was_taken_is_not_sent_again() {
    let script = r#"echo x >> programs; read -r line; init
        printf '{"type":"user","message":{"role":"user","content":"x"},"uuid":"%s","isReplay":true,"session_id":"s"}\n' "$(uuid "$line")"
        [ "$(wc -l < programs)" = 1 ] && kill -9 $$
        printf '%s\n' "$line" > heard; done_for done 0; cat > /dev/null"#;
    let folder = folder("taken");
    let retry = Retry::new().first(Duration::from_millis(1));
    let session = Lasting::new(claude(script, "2.1.325", &folder)).retry(retry);
    assert_eq!(session.ask("only once").await.unwrap().text, "done");
    let heard = std::fs::read_to_string(folder.join("heard")).unwrap();
    assert!(heard.contains("Continue where you were interrupted."), "{heard}");
}

/// Whoever wants one session more than there may be waits until one is given back.
#[tokio::test]
async fn a_pool_has_its_places() {
    let script = r#"while read -r line; do init; done_for ok 0; done"#;
    let pool = Pool::new(claude(script, "2.1.325", &folder("pool")), 1);
    let first = pool.session().await.unwrap();
    assert_eq!(pool.free(), 0);
    let waiting = pool.clone();
    let second = tokio::spawn(async move { waiting.ask("hello").await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!second.is_finished());
    drop(first);
    assert_eq!(second.await.unwrap().unwrap().text, "ok");
}
