//! What `unspool cost` and `unspool stats` look like, on two screens.

use crate::program::run;
use crate::sources::kept;
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

/// Streams that show something: agents, turns, money in its odd forms, no times.
const STREAMS: [&str; 7] = [
    "agents/sub2-2.1.325",
    "agents/bgagent-2.1.325",
    "agents/subnest_fwd-2.1.325",
    "cost/resume_2_resume-2.1.325",
    "odd/cost_odd_figures",
    "old/hello-0.2.70",
    "turns/multi3-2.1.325",
];

#[test]
fn reports_look_like_this() {
    for stream in STREAMS {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../fixtures/{stream}.ndjson"));
        let file = file.to_str().unwrap();
        let mut shown = String::new();
        for width in ["60", "120"] {
            for command in [
                &["cost"][..],
                &["cost", "--by", "model,turn"],
                &["cost", "--by", "agent"],
                &["cost", "--by", "tool"],
                &["stats"],
            ] {
                let args = [command, &["--width", width, file]].concat();
                let ran = run(&args, "");
                assert_eq!((ran.code, &*ran.err), (Some(0), ""));
                for line in ran.out.lines() {
                    assert!(line.width() <= width.parse().unwrap(), "{args:?}: {line}");
                }
                shown.push_str(&format!("$ unspool {} --width {width}\n{}\n", command.join(" "), ran.out));
            }
        }
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("reports@{}", stream.replace('/', "__")), shown);
        });
    }
}

#[test]
fn a_hostile_name_cannot_steer_the_terminal() {
    let stream = r#"{"type":"system","subtype":"init","session_id":"s\u001b]0;x\u0007"}
{"type":"assistant","session_id":"s\u001b]0;x\u0007","timestamp":"2026-01-01T00:00:00Z","uuid":"u","message":{"id":"m","model":"m\u001b[2J","usage":{"input_tokens":1,"output_tokens":1},"content":[{"type":"tool_use","id":"c","name":"T\u001b[2J\nx","input":{"command":"\u001b[2J"}}]}}
{"type":"user","session_id":"s\u001b]0;x\u0007","timestamp":"2026-01-01T00:00:09Z","uuid":"v","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"x"}]}}
"#;
    for by in ["turn", "model", "agent", "tool", "session", "session,model,tool"] {
        let out = run(&["cost", "--by", by], stream).out;
        assert!(!out.contains('\u{1b}') && !out.contains('\u{7}'), "{by}: {out}");
    }
    let out = run(&["stats"], stream).out;
    assert!(out.contains("9.0 s") && !out.contains('\u{1b}') && !out.contains('\u{7}'), "{out}");
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|name| name == "jsonl") {
            found.push(path);
        }
    }
}

/// A fork has copies of what it was forked from.
#[test]
fn statistics_count_each_message_and_each_call_once() {
    let mut repeated = 0;
    for folder in fs::read_dir(kept("")).unwrap() {
        let folder = folder.unwrap().path();
        let (mut found, mut messages, mut calls) = (Vec::new(), HashSet::new(), HashSet::new());
        files(&folder, &mut found);
        for file in &found {
            for line in fs::read_to_string(file).unwrap().lines() {
                let message = serde_json::from_str::<Value>(line).unwrap()["message"].take();
                if message["role"] == "assistant" && message["model"] != "<synthetic>" {
                    messages.insert(message["id"].to_string());
                    let blocks = message["content"].as_array().unwrap().iter();
                    let uses = blocks.filter(|block| block["type"] == "tool_use");
                    calls.extend(uses.map(|block| block["id"].to_string()));
                }
            }
        }
        let stats = |args: &[&str]| {
            let ran = run(&[&["stats", "--json"], args].concat(), "");
            assert_eq!((ran.code, &*ran.err), (Some(0), ""));
            serde_json::from_str::<Value>(&ran.out).unwrap()
        };
        let name = folder.to_str().unwrap();
        let once = stats(&[name]);
        assert_eq!(once["counts"]["messages"], messages.len(), "{name}");
        assert_eq!(once["counts"]["calls"], calls.len(), "{name}");
        let twice = stats(&[name, name]);
        assert_eq!((&once["counts"], &once["time"]), (&twice["counts"], &twice["time"]), "{name}");
        assert_eq!(once["tools"], twice["tools"], "{name}");
        assert_eq!(twice["repeated"]["messages"], messages.len(), "{name}");
        repeated += once["repeated"]["messages"].as_u64().unwrap();
    }
    assert!(repeated > 0, "there are forks among them");
}
