//! `unspool check`.

use crate::program::{SESSION, run};

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;

#[test]
fn the_exit_code_is_the_verdicts() {
    let result = |fields: &str| format!("{INIT}\n{{\"type\":\"result\",{fields}}}\n");
    let quiet = result(r#""subtype":"success","is_error":false,"result":"""#);
    let denied = SESSION.replace(r#""result":"Hello""#, r#""permission_denials":[{"tool_name":"Bash"}]"#);
    let failed = result(r#""subtype":"error_max_turns","is_error":false"#);
    let api = result(r#""subtype":"success","is_error":true,"result":"API Error: 500""#);
    let budget = result(r#""subtype":"error_max_budget_usd","is_error":true"#);
    for (stream, fail_on, verdict, code) in [
        (SESSION, "", "ok", 0),
        (SESSION, "denied,empty", "ok", 0),
        (&failed, "", "failed", 10),
        (&failed, "denied,empty", "failed", 10),
        (&api, "", "api_error", 11),
        (&denied, "", "ok", 0),
        (&denied, "empty", "ok", 0),
        (&denied, "denied", "denied", 12),
        (&quiet, "", "ok", 0),
        (&quiet, "denied", "ok", 0),
        (&quiet, "denied,empty", "empty", 13),
        (INIT, "", "truncated", 21),
        (&SESSION[..SESSION.len() - 3], "", "truncated", 21),
        (&budget, "", "over_budget", 22),
        ("", "", "not_started", 30),
        ("Invalid API key\n", "", "not_started", 30),
    ] {
        let mut args = vec!["check"];
        if !fail_on.is_empty() {
            args.extend(["--fail-on", fail_on]);
        }
        let ran = run(&args, stream);
        assert_eq!((ran.code, &*ran.err), (Some(code), ""), "{stream}");
        let sentence = ran.out.strip_suffix('\n').unwrap();
        assert!(sentence.starts_with(&format!("{verdict}: ")) && !sentence.contains('\n'), "{sentence}");
    }
}

#[test]
fn json_is_the_last_event() {
    let ran = run(&["check", "--json"], SESSION);
    assert_eq!(ran.code, Some(0));
    let told = run(&["events"], SESSION).out;
    assert_eq!(ran.out.trim_end(), told.lines().last().unwrap());
    assert!(ran.out.contains(r#""type":"finished""#) && ran.out.contains(r#""verdict":"ok","code":0"#));
}

#[test]
fn a_last_line_needs_no_newline() {
    assert_eq!(run(&["check"], SESSION.trim_end()).code, Some(0));
}
