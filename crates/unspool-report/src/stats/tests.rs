//! Statistics of streams that are written down here, each line at its time.

use super::*;
use crate::sheet::Paper;
use serde_json::{Value, json};
use unspool::{Grain, Spool};

/// What stands in a line, and when it came.
fn report(lines: &[(u64, Value)]) -> Report {
    let mut report = Report::default();
    report.add(run(lines, Watch::default()));
    report
}

fn run(lines: &[(u64, Value)], mut watch: Watch<'_>) -> Run {
    let mut spool = Spool::new(Grain::Blocks);
    for (at, line) in lines {
        spool.set_clock(*at);
        spool.feed(format!("{line}\n").as_bytes(), |event| watch.step(&event));
    }
    spool.finish(|event| watch.step(&event));
    watch.finish()
}

fn init() -> Value {
    json!({"type": "system", "subtype": "init", "session_id": "s"})
}

fn says(agent: Option<&str>, id: &str, block: Value) -> Value {
    let uuid = format!("{id}{block}");
    json!({"type": "assistant", "session_id": "s", "uuid": uuid, "parent_tool_use_id": agent, "message": {"id": id,
        "model": "m", "content": [block], "usage": {"input_tokens": 1, "output_tokens": 1}}})
}

fn call(id: &str, command: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}})
}

fn answer(agent: Option<&str>, id: &str) -> Value {
    json!({"type": "user", "session_id": "s", "uuid": format!("answer {id}"), "parent_tool_use_id": agent, "message":
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "done"}]}})
}

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

fn result() -> Value {
    json!({"type": "result", "subtype": "success", "is_error": false, "result": "", "session_id": "s"})
}

/// Two calls at once, the model before and behind them.
fn two_at_once() -> Vec<(u64, Value)> {
    vec![
        (0, init()),
        (1_000, says(None, "a", call("one", "sleep 2"))),
        (1_100, says(None, "a", call("two", "sleep 4"))),
        (3_000, answer(None, "one")),
        (5_000, answer(None, "two")),
        (6_000, says(None, "b", text("done"))),
        (6_000, result()),
    ]
}

#[test]
fn the_model_has_the_floor_until_its_message_ends() {
    let it = json(&report(&two_at_once()));
    let time = &it["time"];
    assert_eq!(
        (&time["wall_ms"], &time["model_ms"], &time["model_sum_ms"]),
        (&json!(6_000), &json!(2_100), &json!(2_100))
    );
    assert_eq!((&time["tools_ms"], &time["tools_sum_ms"]), (&json!(4_000), &json!(5_900)));
    assert_eq!((&time["both_ms"], &time["neither_ms"]), (&json!(100), &json!(0)));
    let tool = &it["tools"][0];
    assert_eq!((&tool["count"], &tool["p50_ms"], &tool["max_ms"]), (&json!(2), &json!(2_000), &json!(3_900)));
    assert_eq!((&it["waits"][0]["what"], &it["waits"][0]["ms"]), (&json!("Bash sleep 4"), &json!(3_900)));
}

#[test]
fn calls_at_once_are_seen() {
    let paper = Paper { width: 30, colour: false, plain: true };
    let lines = table(&report(&two_at_once()), paper);
    let row = lines.iter().find(|line| line.starts_with("main  ")).unwrap();
    assert!(row.contains("2222") && row.contains("####") && row.contains("---"), "{row}");
    for line in &lines {
        assert!(unicode_width::UnicodeWidthStr::width(&**line) <= 30, "{line}");
    }
}

#[test]
fn an_agent_has_a_row_below_its_caller_and_its_call_is_no_wait() {
    let task = json!({"type": "tool_use", "id": "task", "name": "Task", "input": {"description": "look", "subagent_type": "x"}});
    let it = json(&report(&[
        (0, init()),
        (100, says(None, "a", task)),
        (200, says(Some("task"), "b", call("one", "ls"))),
        (900, answer(Some("task"), "one")),
        (1_000, answer(None, "task")),
        (1_500, says(None, "c", text("done"))),
        (1_500, result()),
    ]));
    let rows: Vec<_> =
        it["timeline"]["rows"].as_array().unwrap().iter().map(|row| (&row["name"], &row["parent"])).collect();
    assert_eq!(rows, [(&json!("main"), &Value::Null), (&json!("look"), &json!("main"))]);
    assert_eq!(it["timeline"]["rows"][0]["agents"], json!([[100, 1_000]]));
    assert_eq!(it["timeline"]["rows"][1]["tools"], json!([[200, 900]]));
    assert!(
        it["waits"].as_array().unwrap().iter().all(|wait| !wait["what"].as_str().unwrap().contains("Task"))
    );
}

#[test]
fn long_pauses_are_cut_out_of_the_picture() {
    let mut lines = two_at_once();
    lines.extend([(7_206_000, init()), (7_208_000, says(None, "c", text("again"))), (7_208_000, result())]);
    let report = report(&lines);
    assert_eq!(json(&report)["waits"][0]["what"], "the next prompt");
    let lines = table(&report, Paper { width: 60, colour: false, plain: true });
    let row = lines.iter().find(|line| line.starts_with("main  ") && line.contains(':')).unwrap();
    let (before, behind) = row.split_once(':').unwrap();
    assert!(before.contains('#') && behind.contains('-'), "{row}");
    assert!(lines.iter().any(|line| line.contains("2h 00m")), "{lines:?}");
}

#[test]
fn without_times_there_are_counts_and_a_sentence() {
    let mut watch = Watch::default();
    let stream: String = two_at_once().iter().map(|(_, line)| format!("{line}\n")).collect();
    Spool::read(Grain::Blocks, stream.as_bytes()).iter().for_each(|event| watch.step(event));
    let mut report = Report::default();
    report.add(watch.finish());
    let it = json(&report);
    assert_eq!(
        (&it["time"], &it["timeline"], &it["counts"]["calls"]),
        (&Value::Null, &Value::Null, &json!(2))
    );
    assert!(it["note"].as_str().unwrap().starts_with("there are no times"));
}

/// The second file has the beginning of the turn from the first, and goes on with it.
#[test]
fn a_turn_that_goes_on_elsewhere_counts_once_with_all_its_messages() {
    let whole = two_at_once();
    let mut cut = whole[..4].to_vec();
    cut[1].1["timestamp"] = json!("2026-01-01T00:00:01Z");
    let runs = vec![(&whole, run(&whole, Watch::default())), (&cut, run(&cut, Watch::default()))];
    let Sorted { fresh, again, repeated } = sort(runs, |_| false);
    assert_eq!((fresh.len(), again.len()), (1, 1));
    let mut report = Report { repeated, ..Report::default() };
    fresh.into_iter().for_each(|run| report.add(run));
    again.into_iter().for_each(|(lines, copies)| report.add(run(lines, Watch::without(Some(&copies)))));
    let it = json(&report);
    let counts = &it["counts"];
    assert_eq!(
        (&counts["turns"], &counts["messages"], &counts["calls"]),
        (&json!(1), &json!(2), &json!(2)),
        "{it}"
    );
    assert_eq!(it["repeated"], json!({"messages": 1, "calls": 2}));
    // From the last answer, though its call is a copy, to the end of the message.
    assert_eq!(it["models"][0]["max_ms"], 1_100);
    assert_eq!(it["models"][0]["sum_ms"], 1_100 + 1_000);
}

/// What would be quadratic takes far too long here: denials that every later turn lists again, models, agents, and calls
/// whose answers come when all have been made.
#[test]
fn work_grows_with_the_session_alone() {
    let many = 10_000;
    let denial =
        |n: usize| json!({"tool_name": "Bash", "tool_use_id": format!("t{n}"), "tool_input": {"n": n}});
    let all: Vec<Value> = (0..many).map(denial).collect();
    let again: Vec<Value> = (0..50).map(|turn| denials(&all[..1000 * (turn % 10)])).collect();
    let models = (0..many).map(|n| {
        let usage = json!({"inputTokens": 1, "outputTokens": 1, "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0});
        let mut line = result();
        line["modelUsage"] = json!({format!("m{n}"): usage});
        line
    });
    let agent = |n: usize| format!("a{n}");
    let agents = (0..many).map(|n| says(Some(&agent(n)), &format!("m{n}"), text("x")));
    let calls = (0..many).map(|n| says(None, &format!("c{n}"), call(&format!("t{n}"), &n.to_string())));
    let answers = (0..many).map(|n| answer(None, &format!("t{n}")));
    let lines = [init(), denials(&all)].into_iter().chain(again).chain(models).chain(agents).chain(calls);
    let lines: Vec<(u64, Value)> = (0..).zip(lines.chain(answers)).collect();
    let report = report(&lines);
    let watch::Counts { denials, agents, calls, .. } = report.counts;
    assert_eq!((denials, agents, calls), (many as u64, many as u64, many as u64));
}

fn denials(denials: &[Value]) -> Value {
    let mut line = result();
    line["permission_denials"] = json!(denials);
    line
}

#[test]
fn agents_stand_behind_their_callers() {
    let row =
        |id: &str, parent: &str| watch::Row { id: id.into(), parent: parent.into(), ..Default::default() };
    let rows = [
        row("c", "nobody"),
        row("main", ""),
        row("a", "main"),
        row("b", "main"),
        row("a2", "a"),
        row("c2", "c"),
        row("x", "y"),
        row("y", "x"),
    ];
    let ordered = watch::in_order(rows.into());
    let told: Vec<_> = ordered.iter().map(|row| (&*row.id, row.depth)).collect();
    let expected = [("main", 0), ("a", 1), ("a2", 2), ("b", 1), ("c", 1), ("c2", 2), ("x", 1), ("y", 2)];
    assert_eq!(told, expected);
}

/// A stream in the words of the oldest descriptions: no ids, no tokens, and the model stands in the first line alone.
#[test]
fn a_message_without_tokens_is_one_of_the_session_s_model() {
    let said = json!({"type": "assistant", "message": {"content": [text("Hello")]}});
    let init = json!({"type": "system", "subtype": "init", "session_id": "s", "model": "claude-sonnet-4-6"});
    let report = report(&[(0, init), (5, said), (9, result())]);
    assert_eq!(report.counts.messages, 1);
    let models: Vec<_> = report.models.iter().map(|(name, it)| (&**name, it.count)).collect();
    assert_eq!(models, [("claude-sonnet-4-6", 1)]);
}
