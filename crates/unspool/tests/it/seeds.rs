//! The seed documents' own test vectors, told in our names.
//!
//! `fixtures/seeds/` holds the vectors as they came. An adapter brings our events to their shape: events that
//! they have no name for and that say nothing of the content (`turn_start`, `usage`, `agent_start`,
//! `agent_end`, `finished`) are left out, everything else must be as expected. Where our contract differs
//! on purpose, `seed-dialect.expected.json` says how and why, vector by vector; for `defects.json`, whose
//! ideals are remarks, `defects.expected.json` has the stories.

use serde_json::{Map, Value, json};
use std::fs;
use unspool::event::{Event, ModelTokens, Raw, What};
use unspool::json::{Json, Kind};
use unspool::line::{End, Line};
use unspool::{Grain, Translator};

#[test]
fn seed_dialect() {
    let file = read("seed-dialect.json");
    let expected = Value::Object(value(Json::new(&read("seed-dialect.expected.json")).unwrap()));
    let mut differences = expected.as_object().unwrap().clone();
    let vectors = Json::new(&file).unwrap().get("vectors").unwrap();
    let translate = vectors.items().filter(|vector| text(*vector, "suite") == "translate");
    let mut tried = 0;
    for vector in translate {
        let name = text(vector, "name");
        let theirs = vector.get("ideal").unwrap_or_else(|| vector.get("expected").unwrap());
        let theirs: Value = serde_json::from_str(theirs.text()).unwrap();
        let ours = match differences.remove(&name) {
            Some(difference) => {
                assert!(difference["why"].is_string(), "{name}: no reason is given");
                assert!(!same(&difference["expected"], &theirs), "{name} is no difference any more");
                difference["expected"].clone()
            }
            None => theirs,
        };
        check(&name, &told(Grain::Blocks, vector.get("input").unwrap()), &ours);
        tried += 1;
    }
    assert_eq!(tried, 58);
    assert!(differences.is_empty(), "no vectors: {differences:?}");
}

#[test]
fn defects() {
    let (vectors, expected) = (read("defects.json"), read("defects.expected.json"));
    let mut expected = value(Json::new(&expected).unwrap());
    for vector in Json::new(&vectors).unwrap().items() {
        let name = text(vector, "name");
        let story = expected.remove(&name).unwrap_or_else(|| panic!("{name} has no story"));
        for (grain, name_of_grain) in [(Grain::Blocks, "blocks"), (Grain::Deltas, "deltas")] {
            if let Some(story) = story.get(name_of_grain) {
                check(&name, &told(grain, vector.get("input").unwrap()), story);
            }
        }
        assert!(story["blocks"].is_array(), "{name} has no story");
    }
    assert!(expected.is_empty(), "no vectors: {expected:?}");
}

fn read(name: &str) -> String {
    fs::read_to_string(format!("{}/../../fixtures/seeds/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn text(json: Json<'_>, name: &str) -> String {
    json.get(name).unwrap().as_str().unwrap().to_string()
}

/// Our own files are not as deep as the vectors.
fn value(json: Json<'_>) -> Map<String, Value> {
    serde_json::from_str(json.text()).unwrap()
}

/// Feeds the lines of a vector to a translator; returns what is told, in the vectors' shape.
fn told(grain: Grain, input: Json<'_>) -> Vec<Value> {
    let mut translator = Translator::new(grain);
    let mut told = Vec::new();
    let mut tell = |event: Event<'_>| told.extend(adapt(&event));
    for (number, item) in (1..).zip(input.items()) {
        if item.get("$op").is_some_and(|op| op.as_str().unwrap() == "reset") {
            translator.reset();
            continue;
        }
        let line = match item.kind() {
            Kind::String => item.as_str().unwrap().to_string(),
            _ => on_one_line(item.text()),
        };
        translator.step(Line::whole(number, line.as_bytes(), End::Newline), &mut tell);
    }
    translator.finish(&mut tell);
    told
}

/// The JSON as it stands in the file, half characters too, without white space between tokens.
fn on_one_line(text: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    let keep = |letter: &char| {
        let quote = *letter == '"' && !escaped;
        escaped = inside && *letter == '\\' && !escaped;
        inside ^= quote;
        inside || !letter.is_ascii_whitespace()
    };
    text.chars().filter(keep).collect()
}

fn adapt(event: &Event<'_>) -> Option<Value> {
    let session = event.session.as_deref();
    let mut it = match &event.what {
        What::TurnStart { .. }
        | What::Usage { .. }
        | What::AgentStart { .. }
        | What::AgentEnd { .. }
        | What::Finished { .. } => return None,
        What::SessionMeta { model, tools, .. } => json!({
            "sessionId": session.unwrap_or(""),
            "model": model.as_deref().unwrap_or(""),
            "tools": tools.as_ref().map_or(json!([]), raw),
        }),
        What::Text { content, more, abandoned, .. } | What::Thinking { content, more, abandoned, .. } => {
            json!({"content": content, "more": more, "abandoned": abandoned})
        }
        What::TextDelta { content, .. } => json!({"content": content}),
        What::ToolUse { id, name, input, .. } => {
            let mut call = json!({"toolUseId": id, "toolName": name});
            // A call whose input is `null` on the wire has none either.
            if let Some(input) = input {
                call["input"] = raw(input);
            }
            call
        }
        What::ToolResult { id, output, content, is_error, .. } => json!({
            "toolUseId": id.as_deref().unwrap_or(""),
            "output": output,
            "isError": is_error,
            "content": content.as_ref().map(raw),
        }),
        What::Block { kind, .. } => json!({"kind": kind}),
        What::UserText { content, .. } => json!({"content": content}),
        What::Unknown { raw: line, .. } => json!({"raw": line.as_ref().map(raw)}),
        What::StructuredOutput { value, .. } => {
            return Some(json!({"type": "structured_output", "value": value.as_ref().map(raw)}));
        }
        What::Error { text, kind, .. } => {
            json!({"message": text, "kind": kind.as_str(), "sessionId": session})
        }
        What::TurnComplete { result, cost_usd, duration_ms, models, usage, .. } => {
            let mut it = json!({
                "sessionId": session, "costUsd": cost_usd, "durationMs": duration_ms, "result": result,
                "usage": usage.as_ref().map(|usage| [usage.input, usage.output]),
            });
            add_tokens(models.as_deref().unwrap_or_default(), &mut it);
            it
        }
        other => json!({"name": other.name()}),
    };
    let agent = event.agent.as_str();
    it["agent"] = if agent == "main" { Value::Null } else { json!(agent) };
    it.as_object_mut()?.retain(|key, value| !value.is_null() || (key == "input" && value.is_null()));
    it["type"] = json!(event.what.name());
    it.as_object_mut()?.remove("name");
    Some(it)
}

/// Their turn has the sums over all models.
fn add_tokens(models: &[(String, ModelTokens)], it: &mut Value) {
    let sum = |figure: fn(&ModelTokens) -> Option<u64>| {
        models.iter().filter_map(|(_, model)| figure(model)).reduce(|sum, next| sum + next)
    };
    it["inputTokens"] = json!(sum(|model| model.total_input));
    it["outputTokens"] = json!(sum(|model| model.output));
    it["cacheReadTokens"] = json!(sum(|model| model.cache_read));
    it["cacheCreationTokens"] = json!(sum(|model| model.cache_creation));
    it["contextWindow"] = json!(models.iter().filter_map(|(_, model)| model.context_window).max());
}

/// A value of the wire; beyond the depth that serde_json reads, its depth.
fn raw(raw: &Raw<'_>) -> Value {
    let text = raw.text();
    let depth = Json::new(&text).unwrap().depth();
    if depth > 100 { json!({"depth": depth}) } else { serde_json::from_str(&text).unwrap() }
}

fn check(name: &str, told: &[Value], expected: &Value) {
    let told = Value::Array(told.to_vec());
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    assert!(same(&told, expected), "{name} tells\n{}\ninstead of\n{}", pretty(&told), pretty(expected));
}

/// Whether we tell what is expected: no event more or less, and of each event what the vectors know. What
/// only we tell (`result`, `kind`, `usage`) may be expected, but need not be.
fn same(told: &Value, expected: &Value) -> bool {
    match (told, expected) {
        (Value::Array(told), Value::Array(expected)) => {
            told.len() == expected.len() && told.iter().zip(expected).all(|(a, b)| same(a, b))
        }
        (Value::Object(told), Value::Object(expected)) if told.contains_key("type") => {
            let ours = ["result", "kind", "usage", "content", "raw"];
            expected.iter().all(|(key, value)| told.get(key).is_some_and(|it| same(it, value)))
                && told.keys().all(|key| ours.contains(&key.as_str()) || expected.contains_key(key))
        }
        (Value::Number(a), Value::Number(b)) if a != b => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-12 * b.abs()
        }
        (told, expected) => told == expected,
    }
}
