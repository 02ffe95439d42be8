//! Four times as much to show takes about four times as long, as it does for all other readers.

use super::markdown::Cutter;
use super::style::PLAIN;
use super::tests::settings;
use super::wrap::wrap;
use super::{Line, View};
use crate::linear::{check, denials, models};
use serde_json::{Value, json};
use unspool::{Grain, Spool};

/// What it takes to show a stream, with a frame for each so many events.
#[track_caller]
fn check_frames(name: &str, size: usize, frame: usize, stream: impl Fn(usize) -> Vec<Value>) {
    let read = |size: usize| {
        let lines: String = stream(size).iter().map(|line| format!("{line}\n")).collect();
        Spool::read(Grain::Deltas, lines.as_bytes())
    };
    let streams = [size, size * 4].map(|size| (size, read(size)));
    check(name, size, |size| {
        let mut view = View::new(settings(80, true));
        let events = streams.iter().find(|(of, _)| *of == size).map(|(_, events)| events);
        for (at, event) in events.into_iter().flatten().enumerate() {
            view.step(event);
            view.take();
            if at.is_multiple_of(frame) {
                drop(view.live(16, 1000));
            }
        }
    });
}

/// What it takes to show a stream of very many events, of which somebody who watches sees one in a thousand.
#[track_caller]
fn check_view(name: &str, size: usize, stream: impl Fn(usize) -> Vec<Value>) {
    check_frames(name, size, 1024, stream);
}

fn calls(agent: usize) -> Value {
    let input =
        json!({"description": "Look", "prompt": format!("p{agent}"), "subagent_type": "general-purpose"});
    let call = json!({"type": "tool_use", "id": format!("t{agent}"), "name": "Agent", "input": input});
    json!({"type": "assistant", "uuid": format!("c{agent}"), "message": {"id": format!("m{agent}"), "content": [call]}})
}

fn says(agent: usize) -> Value {
    let text = json!({"type": "text", "text": "I look."});
    json!({"type": "assistant", "uuid": format!("s{agent}"), "parent_tool_use_id": format!("t{agent}"),
        "message": {"id": format!("n{agent}"), "content": [text]}})
}

fn grows(agent: usize) -> [Value; 3] {
    let parent = format!("t{agent}");
    let event = |event: Value| json!({"type": "stream_event", "parent_tool_use_id": parent, "event": event});
    [
        event(
            json!({"type": "message_start", "message": {"id": format!("g{agent}"), "model": "x", "usage": {}}}),
        ),
        event(
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        ),
        event(
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "so"}}),
        ),
    ]
}

fn answers(agent: usize) -> Value {
    let result = json!({"type": "tool_result", "tool_use_id": format!("t{agent}"), "content": "Done."});
    json!({"type": "user", "uuid": format!("a{agent}"), "message": {"content": [result]}})
}

#[test]
fn agents_one_after_the_other() {
    check_view("in turn", 1000, |size| {
        (0..size).flat_map(|agent| [calls(agent), says(agent), answers(agent)]).collect()
    });
}

#[test]
fn agents_all_at_once() {
    check_view("at once", 500, |size| {
        let agents = || 0..size;
        agents().map(calls).chain(agents().map(says)).chain(agents().map(answers)).collect()
    });
}

#[test]
fn agents_that_all_speak_and_never_end() {
    check_view("without end", 500, |size| (0..size).map(calls).chain((0..size).flat_map(grows)).collect());
}

#[test]
fn turns_of_a_model_each() {
    check_view("models", 1000, models);
}

#[test]
fn calls_that_were_not_allowed() {
    check_view("denials", 1000, denials);
}

/// A text of the main agent, in pieces of 64 letters or as one, through all that a view does with it.
#[test]
fn one_long_text() {
    let event = |event: Value| json!({"type": "stream_event", "event": event});
    let begins = || {
        let message = json!({"id": "m", "model": "x", "usage": {}});
        let block = json!({"type": "text", "text": ""});
        [
            event(json!({"type": "message_start", "message": message})),
            event(json!({"type": "content_block_start", "index": 0, "content_block": block})),
        ]
    };
    let piece = |text: &str| {
        let delta = json!({"type": "text_delta", "text": text});
        event(json!({"type": "content_block_delta", "index": 0, "delta": delta}))
    };
    let whole = |text: &str| {
        let content = [json!({"type": "text", "text": text})];
        json!({"type": "assistant", "uuid": "u", "message": {"id": "m", "content": content}})
    };
    for (name, unit) in [
        ("without a space", "x"),
        ("wide letters", "漢"),
        ("one paragraph", "so it goes on "),
        ("paragraphs", "A line of it.\n\n"),
        ("a list", "- an item\n"),
        ("code", "    let a = 1;\n"),
        ("a table", "| a | b |\n"),
        ("marks", "*a `b "),
    ] {
        let text = |size: usize| unit.repeat(size / unit.len());
        check_view(&format!("{name}, whole"), 32 << 10, |size| vec![whole(&text(size))]);
        check_frames(&format!("{name}, in pieces"), 32 << 10, 16, |size| {
            let text = text(size);
            let letters: Vec<char> = text.chars().collect();
            let pieces = letters.chunks(64).map(|letters| piece(&letters.iter().collect::<String>()));
            begins().into_iter().chain(pieces).chain([whole(&text)]).collect()
        });
    }
}

#[test]
fn one_text_without_a_space() {
    check("cut into blocks", 8 << 20, |size| {
        let (mut markdown, mut blocks) = (Cutter::default(), 0);
        markdown.feed(&"x".repeat(size), |_| blocks += 1);
        assert!(blocks > 100);
    });
    for letter in ["x", "漢"] {
        check(letter, 4000, |size| {
            assert!(wrap(Line::of(&letter.repeat(size), PLAIN), 60).len() > 60);
        });
    }
}
