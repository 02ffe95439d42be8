//! What no real program provokes, in virtual time: `tests/scripts/*.script`, played and compared.
//!
//! `UNSPOOL_BLESS=1 cargo test -p unspool-client` writes down what really happens, to be read before it is believed.

use crate::peer::play;
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use std::{env, fs};
use unspool_client::{Claude, Handlers, Hook, HookReply, Options, Patience, Schema};

#[test]
fn scripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut wrong = Vec::new();
    for path in paths {
        let script = fs::read_to_string(&path).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_time().start_paused(true).build().unwrap();
        let played = runtime.block_on(play(&claude(), &script));
        if env::var_os("UNSPOOL_BLESS").is_some() {
            fs::write(&path, &played).unwrap();
        }
        if played != script {
            wrong.push(format!("{}:\n{played}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "what really happens:\n{}", wrong.join("\n"));
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
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_time().start_paused(true).build().unwrap();
        let played = runtime.block_on(play(&claude, &script));
        assert!(played.lines().next_back().unwrap().starts_with(&format!(". {verdict}")), "{played}");
    }
}

#[test]
fn who_does_not_take_hooks_is_not_trusted_to_call_them() {
    let handlers = Handlers::new().hook(Hook::pre_tool_use(|_| async { HookReply::nothing() }));
    let claude = claude().handlers(handlers);
    let refusal =
        r#"{"type":"control_response","response":{"subtype":"error","request_id":"u-1","error":"no"}}"#;
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().start_paused(true).build().unwrap();
    let played = runtime.block_on(play(&claude, &format!("! ask hello\n< {refusal}\nx 1\n")));
    let last = played.lines().next_back().unwrap();
    assert_eq!(
        last, ". not_started: Claude Code does not take `initialize`, refused: no (exit code 1)",
        "{played}"
    );
}

fn claude() -> Claude {
    let mut patience = Patience::default();
    patience.silence = Some(Duration::from_secs(300));
    Claude::new(Options::new()).patience(patience)
}
