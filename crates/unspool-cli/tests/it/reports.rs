//! What `unspool cost` and `unspool stats` look like, on two screens.

use crate::program::run;
use std::path::Path;
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
