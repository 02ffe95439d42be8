//! The schemas for other languages, checked against real lines.

use serde_json::{Value, json};
use unspool::schema::{wire_json, wire_typescript};
use unspool::wire::{Envelope, Kind, audit};

const LINES: &str = include_str!("../../../../fixtures/protocol/lines.ndjson");

#[test]
fn real_lines_are_known_and_valid() {
    let schema = schema();
    for line in LINES.lines() {
        assert_ne!(Kind::of(line), Kind::Unknown, "{line}");
        assert!(Envelope::read(line).unwrap().is_known(), "{line}");
        assert_eq!(audit(line), Vec::<String>::new(), "{line}");
        assert_eq!(check(&schema, "Envelope", &serde_json::from_str(line).unwrap()), Ok(()), "{line}");
    }
    assert!(LINES.lines().count() > 40);
}

#[test]
fn what_is_new_is_valid_and_what_is_wrong_is_not() {
    let schema = schema();
    for good in [
        json!({ "type": "new", "x": 1 }),
        json!({ "type": "assistant", "new": 1, "error": "new" }),
        json!({ "type": "system", "subtype": "new" }),
        json!({ "type": "assistant", "uuid": null, "message": { "content": [{ "type": "new" }] } }),
        json!({ "role": "user", "content": "hi" }),
    ] {
        assert_eq!(check(&schema, "Envelope", &good), Ok(()), "{good}");
    }
    for bad in [
        json!({ "type": "assistant", "uuid": 5 }),
        json!({ "type": "result", "num_turns": 1.5 }),
        json!({ "type": "assistant", "message": { "content": [{ "type": "text", "text": 1 }] } }),
        json!({ "type": "system", "subtype": "init", "tools": "x" }),
        json!([]),
    ] {
        assert!(check(&schema, "Envelope", &bad).is_err(), "{bad}");
    }
    let line = json!({ "type": "control_request", "request_id": "1", "request": { "subtype": "set_model" } });
    assert_eq!(check(&schema, "Input", &line), Ok(()));
}

#[test]
fn every_reference_leads_somewhere() {
    let schema = schema();
    let text = schema.to_string();
    let mut count = 0;
    for reference in text.split("\"#/$defs/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(schema["$defs"][name].is_object(), "{name}");
        count += 1;
    }
    assert!(count > 500, "{count}");
}

#[test]
fn typescript_declares_what_it_uses() {
    let text = wire_typescript();
    let declared: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("export interface ").or(line.strip_prefix("export type ")))
        .map(|line| line.split([' ', '=']).next().unwrap())
        .collect();
    let mut unique = declared.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), declared.len(), "a name is declared twice");

    let code: String =
        text.lines().filter(|line| !line.trim_start().starts_with("/*")).collect::<Vec<_>>().join("\n");
    let known = ["Array", "Record"];
    let mut in_string = false;
    let mut word = String::new();
    for letter in code.chars() {
        if letter == '"' {
            in_string = !in_string;
        }
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        let is_type = !in_string && letter != '"' && letter != '?' && letter != ':';
        if is_type && word.starts_with(|first: char| first.is_ascii_uppercase()) && !known.contains(&&*word) {
            // The first line is a comment.
            assert!(declared.contains(&&*word) || code.lines().next().unwrap().contains(&*word), "{word}");
        }
        word.clear();
    }
    assert!(text.contains("\"now\" | \"next\" | \"later\" | (string & {})"));
    assert!(text.contains("  /** The words. */\n  text?: string | null;"));
    assert!(text.contains("export interface SystemNotification"), "names of two families are told apart");
}

fn schema() -> Value {
    serde_json::from_str(&wire_json()).unwrap()
}

/// As much of a validator as our schema needs.
fn check(schema: &Value, name: &str, value: &Value) -> Result<(), String> {
    valid(&schema["$defs"][name], value, schema)
}

fn valid(rule: &Value, value: &Value, root: &Value) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{value} is against {what} of {rule:.200}"));
    if let Some(name) = rule["$ref"].as_str() {
        let name = name.strip_prefix("#/$defs/").unwrap();
        return valid(&root["$defs"][name], value, root);
    }
    if let Some(any) = rule["anyOf"].as_array()
        && !any.iter().any(|rule| valid(rule, value, root).is_ok())
    {
        return wrong("anyOf");
    }
    for rule in rule["allOf"].as_array().into_iter().flatten() {
        valid(rule, value, root)?;
    }
    let fits = match rule["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64(),
        Some("null") => value.is_null(),
        Some(other) => panic!("{other}"),
        None => true,
    };
    if !fits {
        return wrong("type");
    }
    if rule.get("const").is_some_and(|only| only != value) {
        return wrong("const");
    }
    if rule["enum"].as_array().is_some_and(|listed| !listed.contains(value)) {
        return wrong("enum");
    }
    if rule.get("not").is_some_and(|not| valid(not, value, root).is_ok()) {
        return wrong("not");
    }
    for name in rule["required"].as_array().into_iter().flatten() {
        if value.get(name.as_str().unwrap()).is_none() {
            return wrong("required");
        }
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        match rule["properties"].get(name) {
            Some(rule) => valid(rule, member, root)?,
            None => rule.get("additionalProperties").map_or(Ok(()), |rule| valid(rule, member, root))?,
        }
    }
    for item in value.as_array().into_iter().flatten() {
        rule.get("items").map_or(Ok(()), |rule| valid(rule, item, root))?;
    }
    Ok(())
}
