//! What a stream costs, and what is too much.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;
use unspool::verdict::Cut;
use unspool::{Event, Grain, Spool};
use unspool_client::Limits;
use unspool_client::cost::{Cost, Spending};
use unspool_client::limits::{Budget, Spent};

/// A line each: a name, a limit in dollars if there is one, and steps. A `result` has the figures of the session so
/// far, as Claude Code reports them, and what is then told; the other steps say what is known at that point.
const COSTS: &str = include_str!("../data/cost.ndjson");

#[test]
fn costs() {
    for line in COSTS.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let mut run = Run::new(vector["limit"].as_f64());
        for step in vector["steps"].as_array().unwrap() {
            run.step(step, vector["name"].as_str().unwrap());
        }
    }
}

struct Run {
    spool: Spool,
    limits: Limits,
    cost: Cost,
    budget: Budget,
}

impl Run {
    fn new(limit: Option<f64>) -> Self {
        let limits = limit.map_or(Limits::new(), |limit| Limits::new().usd(limit));
        let (cost, budget) = (Cost::new(), Budget::new(limits));
        Run { spool: Spool::new(Grain::Blocks), limits, cost, budget }
    }

    fn step(&mut self, step: &Value, name: &str) {
        let now = self.cost.now();
        match step[0].as_str().unwrap() {
            "result" => self.result(&step[1], &step[2], name),
            "now" => assert_eq!(figures(now), step[1], "{name}"),
            "turns" => assert_eq!(now.turns, step[1].as_u64().unwrap(), "{name}"),
            "per_turn" => near(self.cost.per_turn(), &step[1], name),
            "after_turns" => near(self.cost.after_turns(step[1].as_u64().unwrap()), &step[2], name),
            "reset" => self.cost.reset(),
            "spent" => {
                let words = self.budget.spent().map(|spent| spent.to_string());
                assert_eq!(words.as_deref(), step[1].as_str(), "{name}");
            }
            "bad_limit" => assert!(self.limits.check().is_err(), "{name}"),
            other => panic!("{other}"),
        }
    }

    fn result(&mut self, figures_so_far: &Value, told: &Value, name: &str) {
        let line = result(figures_so_far).to_string() + "\n";
        let mut all = Vec::new();
        let Run { spool, cost, budget, .. } = self;
        spool.feed(line.as_bytes(), |event| {
            all.extend(cost.step(&event));
            budget.step(&event);
        });
        assert_eq!(all.len(), 1, "{name}: told once");
        if !told.is_null() {
            assert_eq!(figures(all[0]), *told, "{name}");
        }
    }
}

#[test]
fn tokens_of_a_running_turn_count_once_and_until_its_result_has_the_exact_ones() {
    let stream = [
        json!({"type": "system", "subtype": "init", "session_id": "s", "model": "m"}),
        message("a", 100, 1),
        // The same message again, with its next block.
        message("a", 100, 1),
        message("b", 200, 2),
        result(&json!({"usd": 0.5, "input": 330, "output": 70})),
        message("c", 1000, 5),
    ];
    let mut cost = Cost::new();
    let mut told = Vec::new();
    play(&stream, |event| {
        told.extend(cost.step(event).map(|now| (now.usd, now.input, now.output, now.requests)));
    });
    assert_eq!(told, [(0.0, 100, 1, 1), (0.0, 300, 3, 2), (0.5, 330, 70, 2), (0.5, 1330, 75, 3)]);
    assert_eq!(cost.per_request(), 0.25);
    assert_eq!(cost.after_requests(2), 1.0);
    assert_eq!(cost.now().to_string(), "$0.5000 for 1 turns: 1330 tokens in, 75 out");
}

/// The `usage` of this result has both requests twice.
#[test]
fn where_no_models_are_reported_messages_count() {
    let stream = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/control/perm_deny-1.0.60.ndjson");
    let mut cost = Cost::new();
    for event in Spool::read(Grain::Blocks, &fs::read(stream).unwrap()) {
        cost.step(&event);
    }
    let Spending { input, output, requests, .. } = cost.now();
    assert_eq!((input, output, requests), (11_103 + 11_115, 21 + 25, 2));
}

#[test]
fn a_turn_without_a_price_is_counted_as_such() {
    let mut cost = Cost::new();
    play(&[json!({"type": "result", "subtype": "success", "session_id": "s"})], |event| {
        cost.step(event);
    });
    assert_eq!((cost.now().usd, cost.now().turns, cost.now().unpriced), (0.0, 1, 1));
}

#[test]
fn each_limit_is_noticed_as_soon_as_its_figure_arrives() {
    let stream = [
        json!({"type": "system", "subtype": "init", "session_id": "s", "model": "m"}),
        message("a", 100, 1),
        message("b", 200, 2),
        result(&json!({"usd": 0.5, "input": 330, "output": 70})),
        json!({"type": "system", "subtype": "init", "session_id": "s", "model": "m"}),
    ];
    // The number of the line that is too much, and the words.
    for (limits, told) in [
        (Limits::new(), None),
        (Limits::new().tokens(400).usd(0.5).turns(2), None),
        (Limits::new().tokens(300), Some((3, "303 tokens spent, the limit is 300"))),
        (Limits::new().tokens(399), Some((4, "400 tokens spent, the limit is 399"))),
        (Limits::new().usd(0.4), Some((4, "$0.5000 spent, the limit is $0.4000"))),
        (Limits::new().turns(1), Some((5, "turn 2 has begun, the limit is 1"))),
        (Limits::new().turns(0), Some((1, "turn 1 has begun, the limit is 0"))),
        (Limits::new().time(Duration::from_millis(2500)), Some((3, "not done within 2.5 s"))),
    ] {
        let mut budget = Budget::new(limits);
        let mut first = None;
        play(&stream, |event| {
            let spent = budget.step(event);
            first = first.take().or(spent.and_then(|spent| Some((event.line?, spent.to_string()))));
        });
        assert_eq!(first, told.map(|(line, words)| (line, words.to_owned())), "{limits:?}");
    }
}

#[test]
fn the_verdict_depends_on_the_limit() {
    let words = |spent: Spent| (spent.to_string(), Cut::from(spent));
    for (spent, cut) in [
        (Spent::Turns { begun: 2, limit: 1 }, Cut::MaxTurns as fn(String) -> Cut),
        (Spent::Usd { spent: 2.0, limit: 1.0 }, Cut::OverBudget),
        (Spent::Tokens { spent: 2, limit: 1 }, Cut::OverBudget),
        (Spent::Time { limit: Duration::from_secs(1) }, Cut::Hung),
    ] {
        let (words, made) = words(spent);
        assert_eq!(made, cut(words));
    }
}

/// Feeds one line a second.
fn play(lines: &[Value], mut tell: impl FnMut(&Event<'_>)) {
    let mut spool = Spool::new(Grain::Blocks);
    for (second, line) in (1..).zip(lines) {
        spool.set_clock(second * 1000);
        spool.feed(format!("{line}\n").as_bytes(), |event| tell(&event));
    }
}

fn message(id: &str, input: u64, output: u64) -> Value {
    json!({"type": "assistant", "session_id": "s", "message": {"id": id, "role": "assistant", "model": "m",
        "content": [{"type": "text", "text": "words"}], "usage": {"input_tokens": input, "output_tokens": output}}})
}

fn result(figures: &Value) -> Value {
    let mut model = json!({"inputTokens": figures["input"], "outputTokens": figures["output"],
        "costUSD": figures["usd"]});
    if let Some(read) = figures.get("cache_read") {
        model["cacheReadInputTokens"] = read.clone();
        model["cacheCreationInputTokens"] = figures["cache_creation"].clone();
    }
    json!({"type": "result", "subtype": "success", "is_error": false, "session_id": "s",
        "total_cost_usd": figures["usd"], "modelUsage": {"m": model}})
}

fn figures(now: Spending) -> Value {
    let usd = if now.usd == 0.0 { json!(0) } else { json!(now.usd) };
    json!({"usd": usd, "input": now.input, "output": now.output, "cache_read": now.cache_read,
        "cache_creation": now.cache_creation})
}

fn near(figure: f64, wanted: &Value, name: &str) {
    assert!((figure - wanted.as_f64().unwrap()).abs() < 1e-12, "{name}: {figure}");
}
