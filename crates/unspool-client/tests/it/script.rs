//! What no real program provokes, in virtual time: `tests/scripts/*.script`, played and compared.
//!
//! `UNSPOOL_BLESS=1 cargo test -p unspool-client` writes down what really happens, to be read before it is believed.

use crate::peer::play;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, fs};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use unspool_client::handlers::Permission;
use unspool_client::hooks::{Hook, HookReply, OnFailure};
use unspool_client::json::Schema;
use unspool_client::limits::Patience;
use unspool_client::transport::memory;
use unspool_client::{Claude, Decision, Error, Handlers, Limits, Options};

/// A test for each script.
macro_rules! scripts {
    ($($name:ident)*) => {
        mod scripts {
            $(
                #[test]
                fn $name() {
                    super::check(stringify!($name));
                }
            )*

            #[test]
            fn all_are_played() {
                let mut played = vec![$(stringify!($name)),*];
                played.sort_unstable();
                assert_eq!(played, super::names());
            }
        }
    };
}

scripts! {
    background
    background_too_long
    close_before_the_turn
    close_in_turn
    dies
    dies_at_once
    dies_with_a_task
    drop_in_turn
    end_in_background
    end_in_turn
    end_when_over
    garbage
    halt_and_take_back
    halt_before_the_turn
    halt_in_the_background
    held_pipe
    in_order
    input_closed
    late_lines
    no_newline
    no_turn_after_task
    output_closed
    over
    prompt_after_the_end
    prompt_in_time
    queued
    queued_replayed
    refused_key
    refused_login
    silence_after_a_pause
    silence_between_turns
    silent_start
    silent_tool
    stalled_reader
    talks_on_after_the_end
    talks_on_in_the_background
    talks_on_when_stopped
    task_told_late
    unknown_request
    warnings
}

/// Plays a script, and compares what happens with what it says.
fn check(name: &str) {
    let path = folder().join(format!("{name}.script"));
    let script = fs::read_to_string(&path).unwrap();
    let played = in_virtual_time(play(&claude(), &script));
    if env::var_os("UNSPOOL_BLESS").is_some() {
        fs::write(&path, &played).unwrap();
    }
    assert!(played == script, "what really happens:\n{played}");
}

/// The names of all scripts there are.
pub(crate) fn names() -> Vec<String> {
    let names = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = names
        .filter(|path| path.extension().is_some_and(|extension| extension == "script"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort_unstable();
    names
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts")
}

/// An application that reads nothing, where there is no room for what it does not read.
const NO_ROOM: &str = r#"! ask hi
! finish
< init
! away
< flood
< flood
< {"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}
@ 60
< result done
x 0
@ 60
! back
@ 60
"#;

/// The folder for temporary files is the process's own, so it takes one.
#[test]
#[ignore = "it is run by the next one"]
fn where_there_is_no_room() {
    let handlers = Handlers::new().permission(|_: Permission| async { Decision::allow() });
    let claude = claude().handlers(handlers);
    let played = in_virtual_time(async {
        let limit = Duration::from_secs(86_400);
        tokio::time::timeout(limit, play(&claude, NO_ROOM)).await.expect("it stalls")
    });
    println!("{played}");
}

#[test]
fn questions_are_answered_though_the_disk_is_full() {
    let mut there = std::process::Command::new(env::current_exe().unwrap());
    there.args(["--ignored", "--exact", "--nocapture", "script::where_there_is_no_room"]);
    let played = there.env("TMPDIR", "/not/there").output().unwrap().stdout;
    let played = String::from_utf8(played).unwrap();
    let (away, back) = played.split_once("! back").expect(&played);
    assert!(away.contains(r#""behavior":"allow""#), "{away}");
    assert_eq!(away.matches("? no room for what the application has not read").count(), 1, "{away}");
    assert!(back.contains("= status (16 times)") && back.contains("= finished"), "{back}");
}

#[test]
fn a_line_may_be_as_long_as_was_said() {
    let script = "! ask hello\n< init\n< text 12345678901234567890\n";
    let told = |limit| in_virtual_time(play(&claude().line_limit(limit), script));
    assert!(told(200).contains("\n= text"), "{}", told(200));
    assert!(told(100).contains("\n= malformed \"reason\":\"too long\""), "{}", told(100));
}

#[test]
fn an_answer_has_to_fit_its_schema() {
    let schema = json!({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]});
    let claude = claude().schema(Schema::new(schema).unwrap());
    let result =
        |fields: &str| format!(r#"{{"type":"result","subtype":"success","is_error":false,{fields}}}"#);
    for (fields, verdict) in [
        (r#""result":"done","structured_output":{"sum":4}"#, "ok: the last turn completed"),
        (r#""result":"{\"sum\":4}""#, "ok: the last turn completed"),
        (r#""result":"four""#, r#"failed: structured_output: the answer is not structured: "four""#),
        (
            r#""result":"{\"sum\":4}","structured_output":{"sum":"four"}"#,
            "failed: structured_output: the answer does not fit its schema: /sum: ",
        ),
    ] {
        let script = format!("! ask sum\n! finish\n< init\n< {}\nx 0\n", result(fields));
        let played = in_virtual_time(play(&claude, &script));
        assert!(played.lines().next_back().unwrap().starts_with(&format!(". {verdict}")), "{played}");
    }
}

#[test]
fn who_does_not_take_hooks_is_not_trusted_to_call_them() {
    let handlers = Handlers::new().hook(Hook::pre_tool_use(|_| async { HookReply::nothing() }));
    let claude = claude().handlers(handlers);
    let answer =
        |rest: &str| format!(r#"{{"type":"control_response","response":{{"request_id":"u-1",{rest}}}}}"#);
    let refuses = answer(r#""subtype":"error","error":"no""#);
    let takes = answer(r#""subtype":"success""#);
    for (script, ending) in [
        (
            format!("< {refuses}\nx 1\n"),
            ". not_started: Claude Code does not take `initialize`, refused: no (exit code 1)",
        ),
        // Versions 1.0.35 and 1.0.60 say nothing, and go to work.
        (
            "< init\n< bash rm -r /\nx 1\n".to_owned(),
            ". not_started: Claude Code works and has not answered `initialize`: hooks, servers and what else it says do not hold \
             (exit code 1)",
        ),
        (
            format!("! finish\n< {takes}\n< init\n< result done\nx 0\n"),
            ". ok: the last turn completed (exit code 0)",
        ),
    ] {
        let played = in_virtual_time(play(&claude, &format!("! ask hello\n{script}")));
        assert_eq!(played.lines().next_back().unwrap(), ending, "{played}");
    }
}

#[test]
fn a_hook_that_cannot_block_when_it_fails_is_warned_of() {
    let hook = Hook::pre_tool_use(|_| async { HookReply::nothing() }).on_failure(OnFailure::Block);
    let claude = claude().handlers(Handlers::new().hook(hook));
    for (reply, warned) in [("{}", true), (r#"{"hook_on_failure_supported":true}"#, false)] {
        let script = format!(
            r#"< {{"type":"control_response","response":{{"subtype":"success","request_id":"u-1","response":{reply}}}}}"#
        );
        let played = in_virtual_time(play(&claude, &format!("{script}\n")));
        assert_eq!(played.contains("? Claude Code does not block"), warned, "{played}");
    }
}

/// One question is answered, one is taken back before it is, and its handler is told to stop.
#[test]
fn a_question_that_is_taken_back_is_not_answered() {
    let stopped = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stopped);
    let handlers = Handlers::new().permission(move |ask: Permission| {
        let seen = Arc::clone(&seen);
        async move {
            if ask.tool() == "Write" {
                let _told = Told(seen);
                std::future::pending::<()>().await;
            }
            Decision::allow()
        }
    });
    let claude = claude().handlers(handlers);
    let asks = |id: &str, tool: &str| {
        format!(
            r#"< {{"type":"control_request","request_id":"{id}","request":{{"subtype":"can_use_tool","tool_name":"{tool}","input":{{"a":1}},"tool_use_id":"t-{id}"}}}}"#
        )
    };
    let script = format!(
        "! ask hello\n< init\n{}\n{}\n@ 3600\n< {{\"type\":\"control_cancel_request\",\"request_id\":\"2\"}}\n@ 10\n",
        asks("1", "Bash"),
        asks("2", "Write")
    );
    let played = in_virtual_time(play(&claude, &script));
    let answers: Vec<&str> =
        played.lines().filter(|line| line.starts_with("> ") && line.contains("control_response")).collect();
    assert_eq!(answers.len(), 1, "{played}");
    assert!(
        answers[0].contains(r#""request_id":"1""#) && answers[0].contains(r#""behavior":"allow""#),
        "{played}"
    );
    assert!(stopped.load(Ordering::Relaxed), "{played}");
    // An hour without a line is no silence while somebody is asked.
    assert!(!played.contains("interrupt"), "{played}");
}

/// The application reads nothing for an hour, and far more than it may keep waiting has come: what is asked behind all that
/// is answered all the same, and everything is told in order.
#[test]
fn a_question_is_answered_whoever_reads_or_not() {
    let claude = claude().handlers(Handlers::new().permission(|_: Permission| async { Decision::allow() }));
    let question = r#"{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"a":1},"tool_use_id":"t"}}"#;
    let script = format!(
        "! ask hello\n! finish\n< init\n! away\n< flood\n< flood\n< text before\n< {question}\n< bash ls\n< result done\n<<\nx 0\n@ 3600\n! back\n"
    );
    let played = in_virtual_time(play(&claude, &script));
    let (away, back) = played.split_once("! back\n").unwrap();
    assert!(away.contains(r#""request_id":"q","response":{"behavior":"allow""#), "{away}");
    let told: Vec<&str> = back.lines().map(|line| line.split(" \"").next().unwrap()).collect();
    let expected = [
        "= status (16 times)",
        "= text",
        "= permission_request",
        "= permission_resolved",
        "= tool_use",
        "= turn_complete",
        "= finished",
        ". ok: the last turn completed (exit code 0)",
    ];
    assert_eq!(told, expected, "{back}");
}

/// Says that it was dropped.
struct Told(Arc<AtomicBool>);

impl Drop for Told {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_turn_that_our_own_limits_cut_says_so() {
    let lines = [
        r#"{"type":"system","subtype":"init","session_id":"s"}"#,
        r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Hm."}],"usage":{"input_tokens":100,"output_tokens":5}},"session_id":"s"}"#,
    ];
    let interrupted = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"session_id":"s","terminal_reason":"aborted_streaming"}"#;
    let kind = |error: &Error| match error {
        Error::OverBudget(failed) => format!("over budget: {failed}"),
        Error::MaxTurns(failed) => format!("turns: {failed}"),
        Error::Hung(failed) => format!("hung: {failed}"),
        other => format!("{other:?}"),
    };
    for (limits, says) in [
        (Limits::new().tokens(50), "over budget: 105 tokens spent, the limit is 50"),
        (Limits::new().turns(0), "turns: turn 1 has begun, the limit is 0"),
        (Limits::new(), "hung: no line for 300 s; last: usage"),
    ] {
        for alone in [false, true] {
            let claude = claude().limits(limits);
            let error = in_virtual_time(async {
                let (transport, mut peer) = memory(1 << 16);
                let mut session = claude.connect(transport);
                let program = async {
                    let mut says = peer.says.take().unwrap();
                    for line in lines {
                        says.write_all(format!("{line}\n").as_bytes()).await.unwrap();
                    }
                    let mut heard = String::new();
                    let mut piece = vec![0; 1 << 16];
                    while !heard.contains("\"interrupt\"") {
                        let length = peer.heard.read(&mut piece).await.unwrap();
                        heard.push_str(&String::from_utf8_lossy(&piece[..length]));
                    }
                    // It may say how the turn ended, or just end.
                    if !alone {
                        says.write_all(format!("{interrupted}\n").as_bytes()).await.unwrap();
                    }
                    drop(says);
                    peer.exit(1);
                };
                let (answer, ()) = tokio::join!(session.ask("hello"), program);
                answer.unwrap_err()
            });
            assert_eq!(kind(&error), says, "{error:?}");
        }
    }
}

#[test]
fn what_the_api_says_is_the_kind_of_the_error() {
    let synthetic = |error: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"id":"m","model":"<synthetic>","content":[{{"type":"text","text":"API Error"}}]}},"error":"{error}","session_id":"s"}}"#
        )
    };
    let limit = r#"{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1800000000},"session_id":"s"}"#;
    let failed = |more: &str| {
        format!(
            r#"{{"type":"result","subtype":"success","is_error":true,"result":"API Error","session_id":"s"{more}}}"#
        )
    };
    for (lines, kind) in [
        (
            vec![limit.to_owned(), synthetic("rate_limit"), failed(r#","api_error_status":429"#)],
            "RateLimited { until: Some(1800000000)",
        ),
        (vec![synthetic("server_error"), failed(r#","api_error_status":529"#)], "Overloaded("),
        (vec![synthetic("billing_error"), failed("")], "Billing("),
        (vec![synthetic("authentication_failed"), failed(r#","api_error_status":401"#)], "NotLoggedIn("),
        (vec![failed(r#","stop_reason":"refusal""#)], "Refused("),
    ] {
        let error = in_virtual_time(async {
            let (transport, mut peer) = memory(1 << 16);
            let mut session = claude().connect(transport);
            let program = async {
                let mut says = peer.says.take().unwrap();
                assert!(peer.heard.read(&mut [0; 1024]).await.unwrap() > 0);
                let init = r#"{"type":"system","subtype":"init","session_id":"s"}"#.to_owned();
                for line in [init].iter().chain(&lines) {
                    says.write_all(format!("{line}\n").as_bytes()).await.unwrap();
                }
                says
            };
            let (answer, _says) = tokio::join!(session.ask("hello"), program);
            answer.unwrap_err()
        });
        assert!(format!("{error:?}").starts_with(kind), "{kind}: {error:?}");
    }
}

/// Time goes by only where nothing else can happen.
pub(crate) fn in_virtual_time<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread();
    { runtime }.enable_time().start_paused(true).build().unwrap().block_on(work)
}

pub(crate) fn claude() -> Claude {
    Claude::new(Options::new()).patience(Patience::new().silence(Duration::from_secs(300)))
}
