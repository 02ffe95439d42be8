//! Sessions that outlive their programs, with programs that are shell scripts.

#![cfg(unix)]

use crate::soon::{file, soon, until};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unspool_client::lasting::{Incident, Retry};
use unspool_client::program::Program;
use unspool_client::store::MemoryStore;
use unspool_client::{Claude, Error, Lasting, Limits, Options};

/// Begins the session and says that a turn has begun, with what was asked.
const PROGRAM: &str = r#"
    init() { printf '{"type":"system","subtype":"init","session_id":"%s","claude_code_version":"%s"}\n' "${SESSION-s}" "$VERSION"; }
    done_for() { printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","session_id":"%s","total_cost_usd":%s%s}\n' "$1" "${SESSION-s}" "$2" "$3"; }
    begin() { init; printf '{"type":"user","message":{"role":"user","content":"x"},"uuid":"%s","isReplay":true,"session_id":"%s"}\n' "$(uuid "$1")" "${SESSION-s}"; }
    uuid() { printf '%s' "$1" | sed 's/.*"uuid":"\([^"]*\)".*/\1/'; }
"#;

pub(crate) fn claude(script: &str, version: &str, folder: &Path) -> Claude {
    let script = format!("cd {}\n{PROGRAM}{script}", folder.display());
    let program = Program::run_by("/bin/sh", ["-c", &script], "/not/there");
    let options = Options::new().env("VERSION", version).env("HOME", folder).env_remove("CLAUDE_CONFIG_DIR");
    Claude::new(options).program(program)
}

pub(crate) fn folder(name: &str) -> PathBuf {
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
        [ "$(wc -l < programs)" = 1 ] && { exec 1>&-; cat > /dev/null; : > closed; sleep 0.3; kill -9 $$; }
        cat > /dev/null"#;
    let folder = folder("ending");
    let retry = Retry::new().first(Duration::from_millis(1));
    let session = Lasting::new(claude(script, "2.1.325", &folder)).retry(retry);
    assert_eq!(session.ask("one").await.unwrap().text.trim(), "1");
    // It says so once its input is closed, and that is when we have seen that its output is.
    file(&folder.join("closed")).await;
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

/// Claude Code says that it has begun before it writes the prompt down; if it dies in between it has never seen it.
#[tokio::test]
async fn a_prompt_that_was_begun_and_never_written_down_is_sent_again() {
    const ID: &str = "5e551011-0000-4000-8000-000000000001";
    let (again, go_on) = ("the second", "Continue where you were interrupted.");
    let entry = r#"{"type":"user","uuid":"%s","message":{"content":"the second"}}"#;
    for (name, written, wanted) in [
        ("nothing", "", again),
        ("half", entry.split_at(50).0, again),
        ("beside", r#"{"type":"file-history-snapshot","messageId":"%s"}\n"#, again),
        ("whole", &format!(r"{entry}\n"), go_on),
        ("followed", r#"{"type":"assistant","uuid":"x","parentUuid":"%s"}\n"#, go_on),
    ] {
        // It asks the same a second time, which is another prompt.
        let script = format!(
            r#"echo x >> programs; transcript=.claude/projects/p/{ID}.jsonl; SESSION={ID}
            if [ "$(wc -l < programs)" = 1 ]; then
                mkdir -p .claude/projects/p
                read -r line; begin "$line"; printf '{entry}\n' "$(uuid "$line")" > $transcript; done_for one 0
                read -r line; begin "$line"; printf '{written}' "$(uuid "$line")" >> $transcript; kill -9 $$
            fi
            read -r line; printf '%s\n' "$line" > heard; init; done_for two 0; cat > /dev/null"#
        );
        let folder = folder(&format!("written-{name}"));
        let retry = Retry::new().first(Duration::from_millis(1));
        let session = Lasting::new(claude(&script, "2.1.325", &folder)).retry(retry);
        assert_eq!(session.ask("the second").await.unwrap().text, "one", "{name}");
        assert_eq!(session.id().as_deref(), Some(ID), "{name}");
        assert_eq!(session.ask("the second").await.unwrap().text, "two", "{name}");
        let heard = std::fs::read_to_string(folder.join("heard")).unwrap();
        assert!(heard.contains(wanted), "{name}: {heard}");
        let programs = std::fs::read_to_string(folder.join("programs")).unwrap();
        assert_eq!(programs.lines().count(), 2, "{name}");
    }
}

/// It is what the store has that the next program goes on with.
#[tokio::test]
async fn a_prompt_that_is_not_in_the_store_is_sent_again() {
    const ID: &str = "5e551011-0000-4000-8000-000000000002";
    let entry = r#"{"type":"user","uuid":"%s","message":{"content":"x"}}"#;
    let mirror = format!(
        r#"printf '{{"type":"transcript_mirror","filePath":"/c/projects/p/{ID}.jsonl","entries":[{entry}]}}\n' "$(uuid "$line")""#
    );
    for (written, wanted) in [("", "the second"), (&*mirror, "Continue where you were interrupted.")] {
        let script = format!(
            r#"echo x >> programs; SESSION={ID}
            if [ "$(wc -l < programs)" = 1 ]; then
                mkdir -p .claude/projects/p
                read -r line; begin "$line"; {mirror}; done_for one 0
                read -r line; begin "$line"; {written}
                printf '{entry}\n' "$(uuid "$line")" > .claude/projects/p/{ID}.jsonl; kill -9 $$
            fi
            read -r line; printf '%s\n' "$line" > heard; init; done_for two 0; cat > /dev/null"#
        );
        let folder = folder(&format!("stored-{}", written.len()));
        let claude = claude(&script, "2.1.325", &folder).store(MemoryStore::new());
        let session = Lasting::new(claude).retry(Retry::new().first(Duration::from_millis(1)));
        assert_eq!(session.ask("the first").await.unwrap().text, "one", "{wanted}");
        assert_eq!(session.ask("the second").await.unwrap().text, "two", "{wanted}");
        let heard = std::fs::read_to_string(folder.join("heard")).unwrap();
        assert!(heard.contains(wanted), "{wanted}: {heard}");
    }
}

/// While something is being asked, and something else waits for it.
#[tokio::test]
async fn a_session_is_known_interrupted_and_closed_at_any_time() {
    let script = r#"while read -r line; do case $line in
        *'"subtype":"interrupt"'*) done_for interrupted 0;;
        *'"type":"user"'*) begin "$line"; case $line in *quick*) done_for quick 0;; *) : > asked;; esac;;
    esac; done"#;
    let folder = folder("any-time");
    let session = Lasting::new(claude(script, "2.1.325", &folder));
    let ask = |words: &'static str| {
        let session = session.clone();
        tokio::spawn(
            async move { session.ask(words).await.map(|answer| answer.text).map_err(|e| e.to_string()) },
        )
    };
    let asked = async || {
        file(&folder.join("asked")).await;
        std::fs::remove_file(folder.join("asked")).unwrap();
    };
    assert_eq!(session.id(), None);
    // Nobody is interrupted.
    session.interrupt();
    let (slow, quick) = (ask("slow"), ask("quick"));
    asked().await;
    until(|| session.id().is_some()).await;
    assert!(session.controls().is_some());
    session.interrupt();
    assert_eq!(slow.await.unwrap(), Err("interrupted: the session was interrupted".to_owned()));
    assert_eq!(quick.await.unwrap(), Ok("quick".to_owned()));
    let (slow, waiting) = (ask("slow"), ask("quick"));
    asked().await;
    let ending = soon(session.close()).await;
    assert!(ending.is_some());
    let closed = Err("interrupted: the session was closed".to_owned());
    assert_eq!((slow.await.unwrap(), waiting.await.unwrap()), (closed.clone(), closed));
    assert!(session.controls().is_none() && session.id().is_some());
    // It goes on all the same.
    assert_eq!(session.ask("quick").await.unwrap().text, "quick");
}

/// Not even a wait of an hour keeps anybody.
#[tokio::test]
async fn a_session_that_waits_for_its_next_attempt_is_closed_at_once() {
    let retry = Retry::new()
        .first(Duration::from_secs(3600))
        .longest(Duration::from_secs(3600))
        .budget(Duration::MAX);
    let session = Lasting::new(claude("kill -9 $$", "2.1.325", &folder("hour"))).retry(retry);
    let (waits, waiting) = tokio::sync::oneshot::channel::<()>();
    let waits = Mutex::new(Some(waits));
    let session = session.observe(move |_| drop(waits.lock().unwrap().take()));
    let asking = session.clone();
    let asked = tokio::spawn(async move { asking.ask("go").await.map_err(|error| error.to_string()) });
    let _ = soon(waiting).await;
    assert!(soon(session.close()).await.is_some());
    assert_eq!(asked.await.unwrap().unwrap_err(), "interrupted: the session was closed");
}
