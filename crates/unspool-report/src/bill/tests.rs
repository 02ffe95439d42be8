//! Bills of streams that are written down here.

use super::*;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use unspool::{Grain, Spool};

/// A turn of a session: a message with its tokens, and the totals at its end.
fn turn(session: &str, message: &str, total: f64, tokens: u64) -> String {
    let said = json!({"type": "assistant", "session_id": session, "uuid": format!("u-{message}"), "timestamp":
        "2026-01-02T23:30:00Z", "message": {"id": message, "model": "m", "content": [
        {"type": "tool_use", "id": format!("c-{message}"), "name": "Bash", "input": {}},
        {"type": "tool_use", "id": format!("d-{message}"), "name": "Read", "input": {}}],
        "usage": {"input_tokens": 10, "output_tokens": 1}}});
    let result = json!({"type": "result", "subtype": "success", "session_id": session, "result": "",
        "uuid": format!("r-{message}"), "total_cost_usd": total, "usage": {"input_tokens": 10, "output_tokens": 5},
        "modelUsage": {"m": {"inputTokens": tokens, "outputTokens": 5, "costUSD": total}}});
    format!("{{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"{session}\"}}\n{said}\n{result}\n")
}

fn statement(stream: &str) -> Statement {
    let mut account = Account::default();
    Spool::read(Grain::Blocks, stream.as_bytes()).iter().for_each(|event| account.step(event));
    account.finish()
}

fn bill(streams: &[&str], by: &[By], prices: Option<&str>) -> Value {
    let mut book = Book::of(streams.iter().map(|stream| statement(stream)).collect());
    if let Some(prices) = prices {
        book.price(&Prices::read(prices).unwrap());
    }
    json(&book, &Groups::of(&book, by, &Span::all(TimeZone::UTC)))
}

fn reasons(bill: &Value) -> Vec<&str> {
    bill["notes"].as_array().unwrap().iter().map(|note| note["reason"].as_str().unwrap()).collect()
}

#[test]
fn totals_that_run_on_in_another_file_count_once() {
    let (first, second) = (turn("s", "a", 1.0, 10), turn("s", "b", 3.0, 30));
    for streams in [[&*first, &second], [&second, &first]] {
        let bill = bill(&streams, &[By::Session], None);
        assert_eq!(bill["total"]["cost_usd"], 3.0);
        assert_eq!(bill["total"]["tokens"]["input"], 30);
        assert_eq!(reasons(&bill), ["continued", "messages_disagree"]);
    }
}

#[test]
fn a_session_that_began_anew_adds_up() {
    let (first, second) = (turn("s", "a", 3.0, 30), turn("s", "b", 1.0, 10));
    let other = turn("t", "c", 5.0, 50);
    // Which was first is only told by the totals, and a lower one is taken as the earlier.
    let later = second.replace("2026-01-02", "2026-01-03");
    let bill = bill(&[&first, &later, &other], &[By::Session], None);
    assert_eq!(bill["total"]["cost_usd"], 9.0);
}

#[test]
fn the_same_file_twice_counts_once() {
    let stream = turn("s", "a", 1.0, 10) + &turn("s", "b", 3.0, 30);
    let once = bill(&[&stream], &[By::Turn], None);
    let twice = bill(&[&stream, &stream], &[By::Turn], None);
    assert_eq!(once["total"], twice["total"]);
    assert_eq!(once["groups"], twice["groups"]);
    assert_eq!(once["total"]["cost_usd"], 3.0);
    for again in [&[&*stream, &stream][..], &[&*stream, &stream, &stream]] {
        let bill = bill(again, &[By::Turn], None);
        let note = bill["notes"].as_array().unwrap().iter().find(|note| note["reason"] == "repeated");
        assert_eq!(
            note.unwrap()["text"],
            "2 messages and 2 reports stood in several files and are counted once"
        );
    }
    let tools = |streams: &[&str]| bill(streams, &[By::Agent, By::Tool], None)["total"].clone();
    assert_eq!(tools(&[&stream]), tools(&[&stream, &stream]));
}

#[test]
fn a_message_with_two_tools_is_in_both_rows_and_once_in_the_total() {
    let bill = bill(&[&turn("s", "a", 1.0, 10)], &[By::Tool], None);
    let rows = bill["groups"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row["messages"] == 1 && row["calls"] == 1 && row["tokens"]["input"] == 10));
    assert_eq!((&bill["total"]["messages"], &bill["total"]["calls"]), (&json!(1), &json!(2)));
    assert_eq!(bill["total"]["cost_usd"], Value::Null);
    assert_eq!(bill["total"]["complete"], false);
}

#[test]
fn prices_fill_in_only_what_was_not_reported() {
    let prices = "[m]\ninput = 1e6\noutput = 1e6\n";
    let reported = turn("s", "a", 1.0, 10);
    let open = turn("s", "b", 0.0, 0);
    let cut = reported.clone() + &open[..open.rfind("{\"type\":\"result\"").unwrap_or(open.len())];
    let cut = cut.lines().filter(|line| !line.contains("r-b")).collect::<Vec<_>>().join("\n");
    let priced = bill(&[&cut], &[By::Turn], Some(prices));
    assert_eq!(
        (&priced["groups"][0]["cost_usd"], &priced["groups"][0]["computed_usd"]),
        (&json!(1.0), &Value::Null)
    );
    assert_eq!(
        (&priced["groups"][1]["cost_usd"], &priced["groups"][1]["computed_usd"]),
        (&Value::Null, &json!(11.0))
    );
    assert_eq!(priced["total"]["complete"], true);
    assert_eq!(bill(&[&cut], &[By::Turn], None)["total"]["complete"], false);
    let by_agent = bill(&[&cut], &[By::Agent], Some(prices));
    assert_eq!(
        (&by_agent["total"]["cost_usd"], &by_agent["total"]["computed_usd"]),
        (&Value::Null, &json!(22.0))
    );
    assert!(reasons(&bill(&[&cut], &[By::Turn], Some("[other]\ninput = 1\n"))).contains(&"no_price"));
}

#[test]
fn money_that_is_not_by_model_is_told_and_not_priced_again() {
    let stream = turn("s", "a", 1.0, 10).replace(r#""costUSD":1.0,"#, "");
    let bill = bill(&[&stream], &[By::Model], Some("[m]\ninput = 1e6\noutput = 1e6\n"));
    assert_eq!((&bill["total"]["cost_usd"], &bill["total"]["computed_usd"]), (&json!(1.0), &Value::Null));
    let names: Vec<&Value> = bill["groups"].as_array().unwrap().iter().map(|row| &row["model"]).collect();
    assert_eq!(names, [&Value::Null, &json!("m")]);
    assert!(reasons(&bill).contains(&"not_by_model"));
}

#[test]
fn days_are_those_of_the_zone() {
    let book = Book::of(vec![statement(&turn("s", "a", 1.0, 10))]);
    let span = Span::all(TimeZone::fixed(jiff::tz::offset(2)));
    assert_eq!(json(&book, &Groups::of(&book, &[By::Day], &span))["groups"][0]["day"], "2026-01-03");
}

/// As the totals, the screen and the page count them.
#[test]
fn a_denied_call_did_not_fail() {
    let answer = |call: &str| {
        json!({"type": "user", "session_id": "s", "uuid": format!("a-{call}"), "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call, "is_error": true, "content": "no"}]}})
    };
    let stream = turn("s", "a", 1.0, 10);
    let mut lines: Vec<String> = stream.lines().map(str::to_owned).collect();
    lines.splice(2..2, [answer("c-a").to_string(), answer("d-a").to_string()]);
    let failed = |lines: &[String]| {
        let bill = bill(&[&(lines.join("\n") + "\n")], &[By::Tool], None);
        let rows = bill["groups"].as_array().unwrap().iter();
        let rows: Vec<_> = rows.map(|row| (row["tool"].clone(), row["failed"].clone())).collect();
        (rows, bill["total"]["failed"].clone())
    };
    let row = |tool: &str, failed: u64| (json!(tool), json!(failed));
    assert_eq!(failed(&lines), (vec![row("Bash", 1), row("Read", 1)], json!(2)));
    let mut result: Value = serde_json::from_str(&lines[4]).unwrap();
    result["permission_denials"] = json!([{"tool_name": "Bash", "tool_use_id": "c-a", "tool_input": {}}]);
    lines[4] = result.to_string();
    assert_eq!(failed(&lines), (vec![row("Bash", 0), row("Read", 1)], json!(1)));
}
