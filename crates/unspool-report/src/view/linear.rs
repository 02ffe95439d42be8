//! Four times as much to show takes about four times as long, as it does for all other readers.

use super::markdown::Cutter;
use super::style::PLAIN;
use super::tests::settings;
use super::wrap::wrap;
use super::{Line, View};
use crate::linear::{check, denials, models};
use serde_json::{Value, json};
use unspool::{Grain, Spool};

/// What it takes to show a stream.
#[track_caller]
fn check_view(name: &str, size: usize, stream: impl Fn(usize) -> Vec<Value>) {
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
            // As often as somebody who watches sees another frame.
            if at.is_multiple_of(1024) {
                drop(view.live(16, 1000));
            }
        }
    });
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
