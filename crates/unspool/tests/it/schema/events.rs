//! The schema of the events, checked against what is told of real and of odd streams.

use super::validator::Schema;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use unspool::event::What;
use unspool::schema::events_json;
use unspool::{Event, Grain, Spool};

/// What no recording here has: odd lines, lines without ids, answers to permissions, deep values.
const ODD: &str = r#"{"type":"assistant","message":{"content":[{"type":"tool_use"},{"type":"new"},{}]}}
{"type":"system","subtype":"init","tools":null,"session_id":"s"}
{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}
{"type":"control_cancel_request","request_id":"r"}
{"type":"stream_event","event":{"type":"message_start","message":{"id":"m"}}}
{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"Bash"}}}
{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\""}}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"image"}]}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"d","name":"Deep","input":DEEP}]}}
{"type":"result","subtype":"success","is_error":true,"structured_output":null,"errors":["x"]}
{"type":"new"}
[]
{"type":"#;

#[test]
fn every_event_fits_the_schema_and_every_type_is_told() {
    let schema = Schema::read(&events_json());
    let (mut told, mut fields) = (BTreeSet::new(), BTreeSet::new());
    for (name, stream) in streams() {
        for event in events(&stream) {
            assert_eq!(schema.check("Event", &event), Ok(()), "{name}: {event}");
            told.insert(event["type"].as_str().unwrap().to_owned());
            fields.extend(event.as_object().unwrap().keys().cloned());
        }
    }
    let listed: BTreeSet<_> = What::CHOICE.shapes.iter().map(|(tag, _)| (*tag).to_owned()).collect();
    assert_eq!(told, listed);
    for field in Event::COMMON.fields {
        assert!(fields.contains(field.name), "{} is never told", field.name);
    }
}

#[test]
fn a_field_that_is_always_there_may_not_be_missing() {
    let schema = Schema::read(&events_json());
    let mut tried = 0;
    for event in streams().iter().flat_map(|(_, stream)| events(stream)) {
        let definition = definition(&schema, &event);
        let own = schema.0["$defs"][&definition]["required"].as_array().unwrap();
        let common = schema.0["$defs"]["EventBase"]["required"].as_array().unwrap();
        assert_eq!(common, &[json!("seq"), json!("agent")]);
        for field in own.iter().chain(common) {
            let mut less = event.clone();
            less.as_object_mut().unwrap().remove(field.as_str().unwrap());
            assert!(schema.check(&definition, &less).is_err(), "{less} without {field}");
            tried += 1;
        }
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn a_schema_that_demands_what_is_not_told_is_noticed() {
    let mut schema = Schema::read(&events_json());
    let event = events(ODD.as_bytes()).pop().unwrap();
    assert_eq!(schema.check("Event", &event), Ok(()));
    schema.0["$defs"]["FinishedEvent"]["required"].as_array_mut().unwrap().push(json!("bogus"));
    assert!(schema.check("Event", &event).is_err());
}

#[test]
fn what_is_new_is_valid_and_what_is_wrong_is_not() {
    let schema = Schema::read(&events_json());
    let text = json!({ "type": "text", "seq": 2, "agent": "main", "content": "hi" });
    let with = |field: &str, value: Value| {
        let mut event = text.clone();
        event[field] = value;
        event
    };
    let new = json!({ "type": "new" });
    for good in [&text, &with("new", json!(1)), &with("message", json!(null)), &new] {
        assert_eq!(schema.check("Event", good), Ok(()), "{good}");
    }
    let status = json!({ "type": "agent_end", "seq": 3, "agent": "t", "status": "new" });
    assert_eq!(schema.check("Event", &status), Ok(()));
    for bad in [
        with("content", json!(null)),
        with("seq", json!("2")),
        with("seq", json!(-1)),
        with("session", json!(null)),
        with("abandoned", json!(null)),
        with("type", json!("finished")),
    ] {
        assert!(schema.check("Event", &bad).is_err(), "{bad}");
    }
}

#[test]
fn no_event_has_a_field_of_every_event_as_its_own() {
    let Schema(schema) = Schema::read(&events_json());
    let common = schema["$defs"]["EventBase"]["properties"].as_object().unwrap();
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        let own = definition["properties"].as_object().into_iter().flatten();
        for (field, _) in own.filter(|_| definition.get("allOf").is_some()) {
            assert!(!common.contains_key(field), "{name}.{field}");
        }
    }
}

/// All streams of the project, and the odd one.
fn streams() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    find(&root.join("fixtures"), &mut paths);
    find(&root.join("crates/unspool-cli/demo"), &mut paths);
    assert!(paths.len() > 1);
    let deep = format!("{}{}", "[".repeat(600), "]".repeat(600));
    let mut streams = vec![("odd".into(), ODD.replace("DEEP", &deep).into_bytes())];
    streams.extend(paths.iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())));
    streams
}

fn find(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, paths);
        } else if path.extension().is_some_and(|it| it == "ndjson") {
            paths.push(path);
        }
    }
}

/// The events of a stream in both grains, with and without a clock.
fn events(stream: &[u8]) -> Vec<Value> {
    let mut events = Vec::new();
    for grain in [Grain::Deltas, Grain::Blocks] {
        let mut spool = Spool::new(grain);
        if grain == Grain::Deltas {
            spool.set_clock(7);
        }
        let mut take = |event: Event<'_>| match serde_json::from_str(&event.to_json()) {
            Ok(event) => events.push(event),
            // What serde_json cannot read for its depth alone is told as it came.
            Err(error) => assert!(error.to_string().contains("recursion limit"), "{error}: {event}"),
        };
        spool.feed(stream, &mut take);
        spool.finish(&mut take);
    }
    events
}

/// The definition of the event's type.
fn definition(schema: &Schema, event: &Value) -> String {
    let all = schema.0["$defs"].as_object().unwrap();
    let fits = |it: &Value| it["properties"]["type"]["const"] == event["type"];
    all.iter().find(|(_, it)| fits(it)).unwrap().0.clone()
}
