//! The screens of all fixtures, and what holds for any of them.

use super::*;
use proptest::prelude::*;
use std::fmt::Write;
use std::fs;
use unspool::{Grain, Spool};

pub(super) fn settings(columns: usize, colors: bool) -> Settings {
    Settings { colors, ..Settings::new(columns) }
}

/// All lines of a stream.
fn lines(stream: &[u8], settings: Settings) -> Vec<Line> {
    let mut view = View::new(settings);
    let mut spool = Spool::new(Grain::Deltas);
    spool.feed(stream, |event| view.step(&event));
    spool.finish(|event| view.step(&event));
    view.take()
}

fn plain(stream: &[u8], settings: Settings) -> String {
    let mut out = String::new();
    for line in lines(stream, settings) {
        line.paint(false, &mut out);
        out.push('\n');
    }
    out
}

/// Colours as `«red bold:words»`.
fn marked(lines: &[Line]) -> String {
    let mut out = String::new();
    for line in lines {
        for (text, style) in line.runs() {
            let mut names = Vec::new();
            if let Some(anstyle::Color::Ansi(color)) = style.get_fg_color() {
                names.push(format!("{color:?}").to_lowercase());
            }
            let effects = format!("{:?}", style.get_effects()).to_lowercase();
            let effects = effects.trim_start_matches("effects(").trim_end_matches(')').replace(" | ", " ");
            names.extend(Some(effects).filter(|effects| !effects.is_empty()));
            if names.is_empty() {
                out.push_str(text);
            } else {
                let _ = write!(out, "«{}:{text}»", names.join(" "));
            }
        }
        out.push('\n');
    }
    out
}

#[test]
fn fixtures_look_well() {
    insta::glob!("../../../../fixtures", "**/*.ndjson", |path| {
        let stream = fs::read(path).unwrap();
        let mut shown = String::new();
        for columns in [60, 120] {
            let _ = writeln!(shown, "{}\n{}", "=".repeat(columns), plain(&stream, settings(columns, false)));
        }
        shown.push_str("in colours\n");
        for columns in [60, 120] {
            let lines = lines(&stream, settings(columns, true));
            let _ = writeln!(shown, "{}\n{}", "=".repeat(columns), marked(&lines));
        }
        insta::assert_snapshot!(shown);
    });
}

#[test]
fn fixtures_keep_their_widths_whatever_is_chosen() {
    insta::glob!("../../../../fixtures", "**/*.ndjson", |path| {
        let stream = fs::read(path).unwrap();
        for columns in [20, 40, 200] {
            for agents in [AgentsArg::Tree, AgentsArg::Flat, AgentsArg::Hide] {
                let choice = Settings { agents, ..settings(columns, true) };
                harmless(&lines(&stream, choice), columns);
            }
        }
    });
}

/// No line is too wide, and nothing in it steers a terminal but our own colours.
#[track_caller]
fn harmless(lines: &[Line], columns: usize) {
    for line in lines {
        assert!(line.width() <= columns, "{} columns: {:?}", line.width(), line.text());
        assert!(!line.text().contains(char::is_control), "{:?}", line.text());
        let turns = |letter| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}');
        assert!(!line.text().contains(turns), "{:?}", line.text());
        let mut painted = String::new();
        line.paint(true, &mut painted);
        for code in painted.split('\u{1b}').skip(1) {
            let end = code.find('m').unwrap_or_else(|| panic!("{painted:?}"));
            assert!(code[1..end].bytes().all(|byte| byte.is_ascii_digit() || byte == b';'), "{painted:?}");
        }
    }
}

/// Texts that would like to do harm.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\u{1b}[2J\u{1b}[H".to_owned()),
        Just("\u{1b}]0;title\u{7}".to_owned()),
        Just("\u{9b}31m\u{85}\u{90}".to_owned()),
        Just("\u{202e}\u{2066}\u{200f}".to_owned()),
        Just("\0\u{8}\u{7f}".to_owned()),
        Just("\r\r\n\t\u{b}\u{c}\u{2028}".to_owned()),
        Just("e".to_owned() + &"\u{301}".repeat(60)),
        Just("👩\u{200d}👩\u{200d}👧\u{200d}👦\u{fe0f}".to_owned()),
        Just("\u{1100}".repeat(40)),
        Just("漢字".repeat(30)),
        Just("x".repeat(300)),
        Just("```\n| a | b |\n|---|---|\n- > # **`".to_owned()),
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// A stream that has this text wherever text can stand.
fn stream(text: &str) -> Vec<u8> {
    let text = serde_json::Value::from(text);
    let lines = [
        serde_json::json!({"type": "system", "subtype": "init", "session_id": text, "model": text, "cwd": text, "claude_code_version": text}),
        serde_json::json!({"type": "stream_event", "event": {"type": "message_start", "message": {"id": "m1", "model": "x", "usage": {}}}}),
        serde_json::json!({"type": "stream_event", "event": {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}}),
        serde_json::json!({"type": "stream_event", "event": {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}}),
        serde_json::json!({"type": "assistant", "uuid": "1", "message": {"id": "m2", "content": [{"type": "thinking", "thinking": text}]}}),
        serde_json::json!({"type": "assistant", "uuid": "2", "message": {"id": "m2", "content": [{"type": "tool_use", "id": "t1", "name": text, "input": {"a": text}}]}}),
        serde_json::json!({"type": "assistant", "uuid": "3", "message": {"id": "m2", "content": [{"type": "tool_use", "id": "t2", "name": "Edit", "input": {"file_path": text, "old_string": text, "new_string": "n"}}]}}),
        serde_json::json!({"type": "assistant", "uuid": "4", "message": {"id": "m2", "content": [{"type": "tool_use", "id": "t3", "name": "Agent", "input": {"description": text, "subagent_type": text, "prompt": text}}]}}),
        serde_json::json!({"type": "assistant", "uuid": "5", "message": {"id": "m2", "content": [{"type": "tool_use", "id": "t4", "name": "TodoWrite", "input": {"todos": [{"content": text, "status": text}]}}]}}),
        serde_json::json!({"type": "assistant", "uuid": "6", "parent_tool_use_id": "t3", "message": {"id": "m3", "content": [{"type": "text", "text": text}]}}),
        serde_json::json!({"type": "assistant", "uuid": "7", "message": {"id": "m4", "content": [{"type": text, "x": text}]}}),
        serde_json::json!({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t1", "is_error": true, "content": text}]}}),
        serde_json::json!({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t2", "content": text}]}}),
        serde_json::json!({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t4", "content": text}]}}),
        serde_json::json!({"type": "user", "message": {"content": text}}),
        serde_json::json!({"type": "system", "subtype": "api_retry", "error": text}),
        serde_json::json!({"type": "system", "subtype": "informational", "content": text, "level": "error"}),
        serde_json::json!({"type": "system", "subtype": "permission_denied", "tool_name": text, "message": text}),
        serde_json::json!({"type": "rate_limit_event", "rate_limit_info": {"status": "rejected", "rateLimitType": text, "resetsAt": 1}}),
        serde_json::json!({"type": "control_request", "request_id": text, "request": {"subtype": "can_use_tool", "tool_name": text, "input": {"command": text}}}),
        serde_json::json!({"type": text, "x": text}),
        serde_json::json!({"type": "result", "subtype": "error_x", "is_error": true, "result": text, "structured_output": {"a": text}, "modelUsage": {text.as_str().unwrap(): {"inputTokens": 1}}}),
    ];
    let mut stream: Vec<u8> = lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
    stream.extend(text.as_str().unwrap().bytes());
    stream
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn no_text_in_any_field_steers_the_terminal(text in hostile(), columns in 20usize..90) {
        let stream = stream(&text);
        for agents in [AgentsArg::Tree, AgentsArg::Flat] {
            for thinking in [ThinkingArg::Show, ThinkingArg::Brief] {
                let choice = Settings { agents, thinking, ..settings(columns, true) };
                harmless(&lines(&stream, choice), columns);
            }
        }
        let mut view = View::new(settings(columns, true));
        let mut spool = Spool::new(Grain::Deltas);
        for line in stream.split_inclusive(|byte| *byte == b'\n') {
            spool.feed(line, |event| view.step(&event));
            let live = view.live(9, 1000);
            assert!(live.len() <= 9);
            harmless(&live, columns);
        }
    }
}

#[test]
fn a_word_of_a_megabyte_is_no_trouble() {
    harmless(&lines(&stream(&"x".repeat(1 << 20)), settings(80, true)), 80);
}
