//! `unspool ask-json`, with a stand-in for Claude Code.

use crate::program::SESSION;
use crate::recording::went;
use crate::stand_in::StandIn;
use unspool::journal::Way;

const SCHEMA: &str = r#"{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}"#;

fn answer(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    SESSION
        .replace(r#""text":"Hello""#, &format!(r#""text":{text}"#))
        .replace(r#""result":"Hello""#, &format!(r#""result":{text}"#))
}

/// Answers so, one after the other.
fn answers(texts: &[&str]) -> StandIn {
    let plays: Vec<String> = (0..texts.len()).map(|number| format!("hear; cat {number}.ndjson")).collect();
    let stand_in = StandIn::acts(&format!("{}\ncat > /dev/null", plays.join("\n")));
    for (number, text) in texts.iter().enumerate() {
        // Each message and each line is a new one.
        let lines = answer(text)
            .replace("\"m\"", &format!("\"m{number}\""))
            .replace("\"u\"", &format!("\"u{number}\""));
        stand_in.file(&format!("{number}.ndjson"), &lines);
    }
    stand_in.file("schema.json", SCHEMA);
    stand_in
}

const ASK: [&str; 3] = ["ask-json", "--schema", "schema.json"];

#[test]
fn what_fits_is_printed() {
    for text in [r#"{"sum": 4}"#, "```json\n{\"sum\": 4}\n```"] {
        let stand_in = answers(&[text]);
        let ran = stand_in.run_on(&ASK, "What is 2 + 2?");
        assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "{\"sum\":4}\n", ""));
        assert!(stand_in.read("heard.ndjson").contains("What is 2 + 2?"));
        assert!(stand_in.read("args.txt").contains("--json-schema={"));
    }
}

#[test]
fn what_does_not_fit_is_asked_for_again() {
    let stand_in = answers(&[r#"{"sum": "four"}"#, r#"{"sum": 4}"#]);
    let ran = stand_in.run(&[&ASK[..], &["add"]].concat());
    assert_eq!((ran.code, &*ran.out), (Some(0), "{\"sum\":4}\n"), "{ran:?}");
    let heard = stand_in.read("heard.ndjson");
    let second = heard.lines().nth(1).unwrap();
    assert!(second.contains("/sum") && second.contains("answer again"), "{second}");
}

#[test]
fn it_is_recorded_as_a_run_is() {
    let stand_in = answers(&[r#"{"sum": "four"}"#, r#"{"sum": 4}"#]);
    let ran = stand_in.run(&[&ASK[..], &["add", "--record", "run.rec"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let heard = went(&stand_in.folder.join("run.rec"), Way::In);
    assert!(String::from_utf8(heard).unwrap().contains("answer again"));
    let check = stand_in.run(&["check", "run.rec"]);
    assert_eq!((check.code, &*check.err), (Some(0), ""));
}

#[test]
fn nothing_is_printed_that_does_not_fit() {
    for (texts, attempts) in [(&["four", "still four"][..], "2"), (&["four"], "1")] {
        let ran = answers(texts).run(&[&ASK[..], &["add", "--attempts", attempts]].concat());
        assert_eq!((ran.code, &*ran.out), (Some(10), ""), "{ran:?}");
        assert!(ran.err.contains("failed: structured_output: the answer is not structured"), "{ran:?}");
    }
}

#[test]
fn other_failures_have_their_own_codes() {
    let api = SESSION
        .replace(r#""is_error":false,"result":"Hello""#, r#""is_error":true,"result":"API Error: 500""#);
    let stand_in = StandIn::plays(&api);
    stand_in.file("schema.json", SCHEMA);
    let ran = stand_in.run(&[&ASK[..], &["add"]].concat());
    assert_eq!((ran.code, &*ran.out), (Some(11), ""), "{ran:?}");
    let ran = stand_in.run(&[&ASK[..], &["add", "--claude", "nowhere/claude"]].concat());
    assert_eq!((ran.code, &*ran.out), (Some(30), ""), "{ran:?}");
    assert!(ran.err.starts_with("not_started: "), "{ran:?}");
}

#[test]
fn a_schema_that_is_none_is_no_verdict() {
    let stand_in = StandIn::plays(SESSION);
    stand_in.file("not.json", "{");
    stand_in.file("odd.json", r#"{"type":"objekt"}"#);
    stand_in.file("number.json", r#"{"type":"integer"}"#);
    for schema in ["nowhere.json", "not.json", "odd.json", "number.json"] {
        let ran = stand_in.run(&["ask-json", "--schema", schema, "add"]);
        assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{ran:?}");
        assert!(ran.err.contains(schema), "{ran:?}");
    }
    let ran = stand_in.run(&["ask-json", "add"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}
