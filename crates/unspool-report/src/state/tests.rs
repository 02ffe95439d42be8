//! Every state, from recorded sessions. A second passes with each line.

use super::*;
use std::fmt::Write as _;
use unspool::line::Lines;
use unspool::transcript::{Transcript, ends_turn};
use unspool::{Grain, Spool, Translator};

fn fixture(name: &str) -> Vec<u8> {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/");
    std::fs::read(format!("{fixtures}{name}")).unwrap()
}

/// `working · main: Bash sleep 5 · toolu_…: writing`
fn words(state: &State, now: u64) -> String {
    let standing = state.at(now);
    let mut words = standing.to_string();
    match &standing {
        Standing::Waiting { .. } => {
            for ask in state.asks() {
                let _ =
                    write!(words, " · {} {} of {}", ask.kind.as_str(), ask.words.line(), short(&ask.agent));
            }
        }
        Standing::Working { .. } | Standing::Background { .. } => {
            for worker in state.activity().workers() {
                let _ = write!(words, " · {}: {}", short(&worker.agent), worker.words());
            }
            let tasks = state.tasks().count();
            if tasks > 0 {
                let _ = write!(words, " · {tasks} tasks");
            }
        }
        Standing::Done { verdict, .. } => {
            let _ = write!(words, " · {verdict}");
        }
        _ => {}
    }
    words
}

fn short(agent: &str) -> &str {
    agent.get(..12).unwrap_or(agent)
}

/// The states of a stream, each with the line that it begins with.
fn story(name: &str) -> String {
    let stream = fixture(name);
    let (mut lines, mut translator) = (Lines::default(), Translator::new(Grain::Blocks));
    let (mut state, mut story, mut last) = (State::new(0), String::new(), String::new());
    let mut tell = |state: &State, line: u64| {
        let now = words(state, line * 1000);
        if now != last {
            let _ = writeln!(story, "{line:>4} {now}");
            last = now;
        }
    };
    tell(&state, 0);
    let mut number = 0;
    lines.feed(
        &stream,
        |_| {},
        |line| {
            number = line.number;
            translator.step(line, &mut |event| state.step(&event, number * 1000));
            tell(&state, number);
        },
    );
    translator.finish(&mut |event| state.step(&event, number * 1000));
    tell(&state, number);
    story
}

#[test]
fn recorded_sessions_go_through_their_states() {
    for name in [
        "agents/bgagent-2.1.325",
        "agents/bgbash-2.1.325",
        "agents/interrupt_subagents-2.1.325",
        "errors/interrupt_tool-2.1.50",
        "partial/interrupt_stream_partial-2.0.77",
        "partial/interrupt_stream_partial-2.1.325",
        "control/perm_unanswered_interrupt-2.1.112",
        "agents/perm_sub-2.1.112",
        "agents/subnest_fwd-2.1.325",
        "agents/ended_by_update",
        "errors/resume_missing-2.1.325",
    ] {
        let name_of_snapshot = name.replace('/', "-");
        insta::assert_snapshot!(name_of_snapshot, story(&format!("{name}.ndjson")));
    }
}

/// Recorded sessions with agents, tasks, questions and interruptions.
const SESSIONS: [&str; 6] = [
    "agents/bgagent-2.1.325",
    "agents/bgbash-2.1.325",
    "agents/interrupt_subagents-2.1.325",
    "agents/perm_sub-2.1.112",
    "partial/interrupt_stream_partial-2.1.325",
    "control/perm_unanswered_interrupt-2.1.112",
];

/// Calls this behind each line that tells something of each of these sessions, with the state, what came last, and the time. The
/// clock goes on by a second and the gap behind a line.
fn behind_each_line(
    gap: impl Fn(u64) -> u64,
    mut then: impl FnMut(&str, u64, &mut State, &'static str, u64),
) {
    for name in SESSIONS {
        let stream = fixture(&format!("{name}.ndjson"));
        let (mut spool, mut state, mut now) = (Spool::new(Grain::Deltas), State::new(0), 0);
        for (number, line) in (1..).zip(stream.split_inclusive(|&byte| byte == b'\n')) {
            now += 1000;
            let mut last = "";
            spool.feed(line, |event| {
                last = event.what.name();
                state.step(&event, now);
            });
            if !last.is_empty() {
                then(name, number, &mut state, last, now);
            }
            now += gap(number);
        }
    }
}

#[test]
fn silence_behind_any_line_makes_a_session_stuck_that_is_at_work() {
    let mut stuck = std::collections::BTreeSet::new();
    behind_each_line(
        |_| 0,
        |name, line, state, last, now| {
            let before = state.at(now);
            let same = |later: Standing| assert_eq!(later, before, "{name}:{line}");
            same(state.at(now + PATIENCE_MS - 1));
            let later = state.at(now + PATIENCE_MS);
            if !matches!(before.name(), "working" | "background") {
                return same(later);
            }
            assert_eq!(later, Standing::Stuck { since: now, last }, "{name}:{line}");
            stuck.insert(before.name());
        },
    );
    assert_eq!(stuck.len(), 2, "{stuck:?}");
}

#[test]
fn what_comes_after_a_silence_goes_on_as_if_there_had_been_none() {
    for silent in [2, 5, 8] {
        let mut names = Vec::new();
        behind_each_line(|_| 0, |_, _, state, _, now| names.push(state.at(now).name()));
        let mut names = names.into_iter();
        behind_each_line(
            |line| if line == silent { 2 * PATIENCE_MS } else { 0 },
            |name, line, state, _, now| assert_eq!(Some(state.at(now).name()), names.next(), "{name}:{line}"),
        );
    }
}

#[test]
fn whose_source_has_left_is_away_and_was_what_it_was() {
    let mut left = std::collections::BTreeSet::new();
    behind_each_line(
        |_| 0,
        |name, line, state, _, now| {
            let before = state.at(now);
            state.leave(now + 1);
            let away = Standing::Away { since: now + 1, was: Box::new(before.clone()) };
            assert_eq!(state.at(now + 2), away, "{name}:{line}");
            left.insert(before.name());
            // Every other time it is there again before anything comes; else what comes next says so.
            if line % 2 == 0 {
                state.come_back(now + 3);
                assert_eq!(state.at(now + 3), before, "{name}:{line}");
            }
        },
    );
    assert!(["working", "waiting", "background", "idle"].iter().all(|name| left.contains(name)), "{left:?}");
}

fn feed(state: &mut State, spool: &mut Spool, lines: &str, now: u64) {
    spool.feed(lines.as_bytes(), |event| state.step(&event, now));
}

const INIT: &str = "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\",\"model\":\"m\"}\n";
const RESULT: &str =
    "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"\",\"session_id\":\"s\"}\n";

#[test]
fn silence_makes_it_stuck_and_a_word_makes_it_work_again() {
    let (mut state, mut spool) = (State::new(0).patience(5000), Spool::new(Grain::Deltas));
    assert_eq!(state.at(4000), Standing::Starting { since: 0 });
    assert_eq!(state.at(9_999_999), Standing::Starting { since: 0 }, "nothing is known to be at work");
    feed(&mut state, &mut spool, INIT, 1000);
    assert_eq!(state.at(5999), Standing::Working { since: 1000 });
    assert_eq!(state.at(6000), Standing::Stuck { since: 1000, last: "turn_start" });
    feed(&mut state, &mut spool, "{\"type\":\"keep_alive\"}\n", 7000);
    assert_eq!(state.at(7001), Standing::Working { since: 1000 });
    feed(&mut state, &mut spool, RESULT, 8000);
    assert_eq!(state.at(99_000), Standing::Idle { since: 8000 }, "who waits for a prompt may wait");
}

#[test]
fn who_is_away_was_doing_something() {
    let (mut state, mut spool) = (State::new(0), Spool::new(Grain::Deltas));
    feed(&mut state, &mut spool, INIT, 1000);
    state.leave(2000);
    state.leave(3000);
    let was = Box::new(Standing::Working { since: 1000 });
    assert_eq!(state.at(4000), Standing::Away { since: 2000, was });
    state.come_back(5000);
    assert_eq!(state.at(5000), Standing::Working { since: 1000 });
    state.leave(6000);
    feed(&mut state, &mut spool, RESULT, 7000);
    assert_eq!(state.at(7000), Standing::Idle { since: 7000 }, "what comes is told by somebody who is there");
    spool.finish(|event| state.step(&event, 8000));
    state.leave(9000);
    assert!(matches!(state.at(9000), Standing::Done { verdict: Verdict::Ok, .. }), "what is over stays so");
}

#[test]
fn a_question_waits_until_something_shows_that_it_was_answered() {
    let call = r#"{"type":"assistant","session_id":"s","message":{"id":"m","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}
"#;
    let ask = r#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"t1","input":{"command":"ls"}}}
"#;
    let cancel = "{\"type\":\"control_cancel_request\",\"request_id\":\"r1\"}\n";
    let answer = r#"{"type":"user","session_id":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}}
"#;
    for (ends, what) in [(cancel, "withdrawn"), (answer, "answered elsewhere"), (RESULT, "the turn is over")]
    {
        let (mut state, mut spool) = (State::new(0), Spool::new(Grain::Deltas));
        feed(&mut state, &mut spool, &[INIT, call].concat(), 1000);
        feed(&mut state, &mut spool, ask, 2000);
        assert_eq!(state.at(3000), Standing::Waiting { since: 2000 }, "{what}");
        assert_eq!(words(&state, 3000), "waiting · permission Bash ls of main");
        feed(&mut state, &mut spool, ends, 4000);
        assert!(!matches!(state.at(4000), Standing::Waiting { .. }), "{what}: {:?}", state.at(4000));
    }
}

#[test]
fn a_transcript_rests_when_its_last_message_does() {
    let prompt = r#"{"type":"user","uuid":"1","sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"2+2?"}}
"#;
    let says = |uuid: &str, stop: &str, block: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{{"id":"m{uuid}","role":"assistant","model":"m","content":[{block}],"stop_reason":"{stop}","usage":{{"input_tokens":1,"output_tokens":1}}}}}}"#
        ) + "\n"
    };
    let calls =
        says("2", "tool_use", r#"{"type":"tool_use","id":"t","name":"Bash","input":{"command":"bc"}}"#);
    let answer = r#"{"type":"user","uuid":"3","sessionId":"s","timestamp":"2026-01-01T00:00:02Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"4"}]}}
"#;
    let again = prompt.replace("\"1\"", "\"5\"");
    let ends = says("4", "end_turn", r#"{"type":"text","text":"4"}"#);
    let (mut transcript, mut state) = (Transcript::new(Grain::Blocks), State::new(0));
    let mut splitter = unspool::line::Splitter::new(1 << 20);
    for (entry, standing) in
        [(prompt, "working"), (&calls, "working"), (answer, "working"), (&ends, "idle"), (&again, "working")]
    {
        splitter.feed(entry.as_bytes(), |line| {
            transcript.step(line, |event| state.step(&event, 5));
            if ends_turn(line.bytes) {
                state.rest(5);
            }
        });
        assert_eq!(state.at(6).name(), standing, "behind {entry}");
        let at_work = state.activity().workers().count();
        assert_eq!(at_work, usize::from(standing == "working"), "who rests is not at work, behind {entry}");
    }
}

/// With its input closed 2.1.197 and later hold a result back while agents run, until behind the next turn's lines.
#[test]
fn a_result_that_was_held_back_ends_its_own_turn_alone() {
    let says = |id: &str, stop: &str, block: &str| {
        format!(
            r#"{{"type":"assistant","session_id":"s","message":{{"id":"{id}","model":"m","content":[{block}],"stop_reason":{stop},"usage":{{"input_tokens":1,"output_tokens":1}}}}}}"#
        ) + "\n"
    };
    let call = r#"{"type":"tool_use","id":"t1","name":"Agent","input":{"description":"one","run_in_background":true}}"#;
    let started = r#"{"type":"system","subtype":"task_started","task_id":"k","tool_use_id":"t1","description":"one","session_id":"s"}
"#;
    let launched = r#"{"type":"user","session_id":"s","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"Async agent launched successfully."}]}}
"#;
    let ended = r#"{"type":"system","subtype":"task_notification","task_id":"k","tool_use_id":"t1","status":"completed","session_id":"s"}
"#;
    let text = r#"{"type":"text","text":"It runs."}"#;
    let bash = r#"{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"ls"}}"#;
    let ask = r#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"t2","input":{"command":"ls"}}}
"#;
    let (mut state, mut spool) = (State::new(0), Spool::new(Grain::Blocks));
    let begun = [INIT, &says("m1", "null", call), started, launched].concat();
    for (lines, told) in [
        (&*begun, "working · main: waiting for the model · t1: starting · 1 tasks"),
        // A text may be followed by a call: only where the reason to stop is told, the turn is known to be over.
        (&says("m2", "null", text), "working · main: writing · t1: starting · 1 tasks"),
        (&says("m3", "\"end_turn\"", text), "background · t1: starting · 1 tasks"),
        (&[ended, INIT, &says("m4", "null", bash)].concat(), "working · main: Bash ls"),
        (RESULT, "working · main: Bash ls"),
        (&[ask, RESULT].concat(), "idle"),
    ] {
        feed(&mut state, &mut spool, lines, 1000);
        assert_eq!(words(&state, 1000), told, "behind {lines}");
    }
    let (mut state, mut spool) = (State::new(0), Spool::new(Grain::Blocks));
    let next = [ended, INIT, &says("m4", "null", bash), ask, RESULT].concat();
    feed(&mut state, &mut spool, &[&*begun, &next].concat(), 1000);
    assert_eq!(
        words(&state, 1000),
        "waiting · permission Bash ls of main",
        "it is asked in the turn that goes on"
    );
}
