//! Four times as much to read takes about four times as long, whoever reads it.

use crate::compare::{self, Comparison, Layout, Take};
use crate::page::Page;
use crate::sheet::Paper;
use crate::stats;
use crate::story::{Limit, Story};
use crate::summary::{Errors, markdown, outputs};
use crate::totals::Totals;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use unspool::event::Event;
use unspool::{Grain, Spool};

/// How long this thread has been at work: others do not count, where the system says so.
fn worked() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(stat.split(' ').next()?.parse().ok()?))
}

fn spent(work: impl FnOnce()) -> Duration {
    let (began, before) = (Instant::now(), worked());
    work();
    worked().zip(before).map_or_else(|| began.elapsed(), |(now, before)| now - before)
}

/// What is proportional to its size takes 4 times as long, what is quadratic 16 times. The least of some tries counts,
/// which whatever else the machine did has harmed least.
#[track_caller]
pub(crate) fn check(name: &str, size: usize, mut work: impl FnMut(usize)) {
    let mut least = |size: usize| (0..3).map(|_| spent(|| work(size))).min().unwrap_or_default();
    // Systems count in steps of some milliseconds.
    let (one, four) = (least(size).max(Duration::from_millis(5)), least(size * 4));
    assert!(four < one * 9, "{name}: {one:?}, and {four:?} for four times as much");
}

/// Turns of a model each.
pub(crate) fn models(size: usize) -> Vec<Value> {
    let turn = |n: usize| {
        let spent = json!({"inputTokens": 1, "outputTokens": 1, "costUSD": 0.1});
        let text = json!({"type": "text", "text": "Yes."});
        let usage = json!({"input_tokens": 1, "output_tokens": 1});
        let message =
            json!({"id": format!("m{n}"), "model": format!("x{n}"), "content": [text], "usage": usage});
        [
            json!({"type": "assistant", "session_id": "s", "uuid": format!("u{n}"), "message": message}),
            result(json!({"modelUsage": {format!("x{n}"): spent}})),
        ]
    };
    (0..size).flat_map(turn).collect()
}

/// Calls that were not allowed, in a turn that lists them and in one that lists them again.
pub(crate) fn denials(size: usize) -> Vec<Value> {
    let call = |n: usize| {
        let call = json!({"type": "tool_use", "id": format!("t{n}"), "name": "Bash", "input": {"n": n}});
        json!({"type": "assistant", "session_id": "s", "uuid": format!("u{n}"), "message": {"id": format!("m{n}"),
            "content": [call]}})
    };
    let answer = |n: usize| {
        let answer =
            json!({"type": "tool_result", "tool_use_id": format!("t{n}"), "is_error": true, "content": "no"});
        json!({"type": "user", "session_id": "s", "uuid": format!("a{n}"), "message": {"content": [answer]}})
    };
    let denial =
        |n: usize| json!({"tool_name": "Bash", "tool_use_id": format!("t{n}"), "tool_input": {"n": n}});
    let all: Vec<Value> = (0..size).map(denial).collect();
    let results = [&all, &all].map(|all| result(json!({"permission_denials": all})));
    (0..size).map(call).chain((0..size).map(answer)).chain(results).collect()
}

fn result(with: Value) -> Value {
    let mut line = json!({"type": "result", "subtype": "success", "is_error": false, "result": "Yes.", "session_id": "s"});
    let fields = with.as_object().cloned().unwrap_or_default();
    line.as_object_mut().into_iter().for_each(|line| line.extend(fields.clone()));
    line
}

fn page(events: &[Event<'_>]) {
    let mut story = Story::new(Limit::Bytes(16 << 10));
    events.iter().for_each(|event| story.step(event));
    Page { play: true, ..Page::of(&story) }.write(|_| Ok(())).unwrap();
}

fn summary(events: &[Event<'_>]) {
    let (mut totals, mut errors) = (Totals::default(), Errors::default());
    for event in events {
        totals.step(event);
        errors.step(event);
    }
    assert!(!markdown(&totals, &errors).is_empty() && !outputs(&totals).is_empty());
}

fn statistics(events: &[Event<'_>]) {
    let mut watch = stats::Watch::default();
    events.iter().for_each(|event| watch.step(event));
    let mut report = stats::Report::default();
    report.add(watch.finish());
    assert!(!stats::table(&report, Paper::new(80)).is_empty());
}

fn compared(events: &[Event<'_>]) {
    let take = |events: &[Event<'_>]| {
        let mut take = Take::new("run");
        events.iter().for_each(|event| take.step(event));
        take
    };
    // Half of it is only in one of them.
    let (whole, half) = (take(events), take(&events[..events.len() / 2]));
    let comparison = Comparison::of(&whole, &half);
    assert!(!comparison.is_same() && !compare::json(&comparison).is_null());
    assert!(!compare::lines(&comparison, Layout::new(Paper::new(80)).full(true)).is_empty());
}

type Reader = fn(&[Event<'_>]);

#[test]
fn models_and_denials() {
    let readers: [(&str, Reader); _] =
        [("page", page), ("summary", summary), ("statistics", statistics), ("comparison", compared)];
    for (stream, lines) in [("models", models as fn(usize) -> Vec<Value>), ("denials", denials)] {
        let read = |size: usize| {
            let text: String = lines(size).iter().map(|line| format!("{line}\n")).collect();
            Spool::read(Grain::Blocks, text.as_bytes())
        };
        let streams = [500, 2000].map(|size| (size, read(size)));
        for (reader, work) in readers {
            check(&format!("{reader} of {stream}"), 500, |size| {
                let events = streams.iter().find(|(of, _)| *of == size).map(|(_, events)| events);
                events.into_iter().for_each(|events| work(events));
            });
        }
    }
}
