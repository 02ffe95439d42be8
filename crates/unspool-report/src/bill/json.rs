//! The bill for programs; `docs/cost.md` describes it.

use super::blocks::Block;
use super::book::Book;
use super::group::{By, Groups, Key, Node, Sum};
use super::notes::remarks;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// The bill as one object.
#[must_use]
pub fn json(book: &Book, groups: &Groups) -> Value {
    let notes = remarks(&book.facts, groups);
    let notes: Vec<Value> = notes.iter().map(|it| json!({"reason": it.reason, "text": it.text})).collect();
    json!({
        "by": groups.by.iter().map(|by| by.word()).collect::<Vec<_>>(),
        "basis": if groups.of_messages { "messages" } else { "reports" },
        "total": sum(&groups.all.sum, groups),
        "groups": nodes(book, &groups.all.groups, groups),
        "notes": notes,
    })
}

fn nodes(book: &Book, list: &[Node], groups: &Groups) -> Vec<Value> {
    let node = |node: &Node| {
        let mut object = Map::new();
        if let Some(key) = node.key {
            keys(book, key, &mut object);
        }
        object.insert("name".to_owned(), node.name.clone().into());
        if let Value::Object(figures) = sum(&node.sum, groups) {
            object.extend(figures);
        }
        if let Some(Key::Block(Some(block))) = node.key {
            object.extend(pace(&block, &node.sum, groups.now));
        }
        if !node.groups.is_empty() {
            object.insert("groups".to_owned(), nodes(book, &node.groups, groups).into());
        }
        Value::Object(object)
    };
    list.iter().map(node).collect()
}

fn keys(book: &Book, key: Key, object: &mut Map<String, Value>) {
    let session = |number: u32| Value::from(book.sessions.name(number));
    let mut set = |name: &str, value: Value| drop(object.insert(name.to_owned(), value));
    match key {
        Key::Turn(of, turn) => {
            set("session", session(of));
            set("turn", if turn == 0 { Value::Null } else { turn.into() });
        }
        Key::Agent(agent) => set("agent", agent.map(|agent| book.agents.name(agent)).into()),
        Key::Model(model) => set("model", model.map(|model| book.models.name(model)).into()),
        Key::Tool(tool) => set("tool", tool.map(|tool| book.tools.name(tool)).into()),
        Key::Session(of) => {
            let heading = book.headings.get(&of).cloned().unwrap_or_default();
            set("session", session(of));
            set("title", heading.title.into());
            set("project", heading.project.into());
        }
        Key::Day(day) => set("day", day.map(|day| day.to_string()).into()),
        Key::Week(day) => set("week", day.map(|day| day.to_string()).into()),
        Key::Month(day) => set("month", day.map(|day| day.strftime("%Y-%m").to_string()).into()),
        Key::Project(project) => set("project", project.map(|project| book.projects.name(project)).into()),
        Key::Block(block) => set("block", block.map(|block| time(block.begins)).into()),
    }
}

/// How fast a block goes, and what it comes to if it goes on so.
fn pace(block: &Block, sum: &Sum, now: i64) -> Map<String, Value> {
    let (tokens, money) = (sum.tokens() as f64, sum.money());
    let is_active = block.is_active(now);
    let fields = json!({
        "ends": time(block.ends()),
        "first": time(block.first),
        "last": time(block.last),
        "active": is_active,
        "tokens_per_minute": block.a_minute(tokens),
        "cost_usd_per_hour": money.and_then(|money| block.a_minute(money * 60.0)).map(tidy),
        "projected": is_active.then(|| json!({
            "tokens": block.projected(tokens, now).map(f64::round),
            "cost_usd": money.and_then(|money| block.projected(money, now)).map(tidy),
        })),
    });
    fields.as_object().cloned().unwrap_or_default()
}

/// A time as Claude Code writes it.
fn time(ms: i64) -> String {
    Timestamp::from_millisecond(ms).unwrap_or_default().to_string()
}

fn sum(sum: &Sum, groups: &Groups) -> Value {
    let count = &sum.count;
    let mut object = json!({
        "cost_usd": sum.cost.map(tidy),
        "computed_usd": sum.computed.map(tidy),
        "complete": !sum.lacks_money,
        "tokens": {
            "input": count.input,
            "output": count.output,
            "cache_read": count.cache_read,
            "cache_creation": count.cache_creation,
            "total_input": count.total_input(),
        },
        "cache_share": count.cache_share(),
    });
    if groups.of_messages {
        object["messages"] = sum.messages.into();
    }
    if groups.by.contains(&By::Tool) {
        object["calls"] = sum.calls.into();
        object["failed"] = sum.failed.into();
        object["result_bytes"] = sum.bytes.into();
    }
    object
}

/// Sums of binary fractions end in noise.
fn tidy(money: f64) -> f64 {
    (money * 1e12).round() / 1e12 + 0.0
}
