//! Four times as many denials take about four times as long to tell, in whichever form.

use super::{Format, Report};
use std::io;
use std::time::{Duration, Instant};
use unspool::event::Event;
use unspool::{Grain, Spool};

/// Calls that were not allowed, in a turn that lists them and in one that lists them again.
fn denials(count: usize) -> Vec<Event<'static>> {
    let mut calls = String::new();
    let mut answers = String::new();
    let mut listed = Vec::new();
    for n in 0..count {
        calls += &format!(
            r#"{{"type":"assistant","session_id":"s","uuid":"u{n}","message":{{"id":"m{n}","content":[{{"type":"tool_use","id":"t{n}","name":"Bash","input":{{"command":"rm {n}"}}}}]}}}}"#
        );
        answers += &format!(
            r#"{{"type":"user","session_id":"s","uuid":"a{n}","message":{{"content":[{{"type":"tool_result","tool_use_id":"t{n}","is_error":true,"content":"no"}}]}}}}"#
        );
        calls.push('\n');
        answers.push('\n');
        listed.push(format!(
            r#"{{"tool_name":"Bash","tool_use_id":"t{n}","tool_input":{{"command":"rm {n}"}}}}"#
        ));
    }
    let result = format!(
        r#"{{"type":"result","subtype":"success","is_error":false,"result":"Yes.","session_id":"s","permission_denials":[{}]}}"#,
        listed.join(",")
    );
    Spool::read(Grain::Blocks, format!("{calls}{answers}{result}\n{result}\n").as_bytes())
}

/// How long this thread was at work: others do not count, where the system says so.
fn worked() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(stat.split(' ').next()?.parse().ok()?))
}

/// The least that some tries took, which whatever else the machine did has harmed least.
fn took(format: Format, events: &[Event<'_>]) -> Duration {
    let told = || {
        let (began, before) = (Instant::now(), worked());
        let mut out = Vec::new();
        let mut report = Report::new(format, &mut out, io::sink(), true);
        events.iter().for_each(|event| report.step(event));
        assert!(report.end(None).unwrap().has_denials());
        worked().zip(before).map_or_else(|| began.elapsed(), |(now, before)| now - before)
    };
    (0..3).map(|_| told()).min().unwrap_or_default()
}

/// What is quadratic would take sixteen times as long.
#[test]
fn many_denials() {
    let [few, many] = [5_000, 20_000].map(denials);
    for (name, format) in [("text", Format::Text), ("events", Format::Events), ("json", Format::Json)] {
        // Systems count in steps of some milliseconds.
        let [few, many] = [took(format, &few).max(Duration::from_millis(5)), took(format, &many)];
        assert!(many < few * 9, "{name}: {few:?}, and {many:?} for four times as much");
    }
}
