//! Every message, field and value of the protocol's catalogue is known to the types of the wire.
//!
//! Each entry becomes an object with all its fields, filled as the declared shapes want them. It is read as
//! a real line is; what a type does not know would be left over.

use serde_json::{Map, Value, json};
use unspool::json::Json;
use unspool::wire::command::REPLIES;
use unspool::wire::hook::{HookEvent, HookInput, HookOutput, HookSpecific};
use unspool::wire::{
    Ask, AskKind, Block, Command, CommandKind, ControlAnswer, Delta, Envelope, Input, Kind, Piece, Shape,
    ToolInput, ToolOutput, Type, Wire, ask, audit, audit_input, audit_value,
};

#[test]
fn every_line_of_claude_code_is_known() {
    for entry in entries("stdout") {
        let (kind, subtype) = (text(&entry, "type"), entry["subtype"].as_str());
        let mut tags = json!({ "type": kind });
        if let Some(subtype) = subtype.filter(|&it| it != "(replay)") {
            tags["subtype"] = json!(subtype);
        }
        let shape = tagged(Envelope::shape(), &tags);
        let line = filled(&entry, &["fields", "undeclared_fields", "legacy_fields"], tags, shape);
        known_line(&line.to_string());
        nothing_else_is_known(&line);
    }
}

#[test]
fn every_line_of_ours_is_known() {
    for mut entry in entries("stdin") {
        // The catalogue leaves out where this content is.
        if let Some(blocks) = entry["nested"].as_object_mut().and_then(|nested| nested.remove("content[]")) {
            entry["nested"]["message.content[]"] = blocks;
        }
        let mut tags = json!({ "type": text(&entry, "type") });
        if tags["type"] == "system" {
            tags["subtype"] = json!("init");
        }
        let shape = tagged(Input::shape(), &tags);
        let line = filled(&entry, &["fields", "undeclared_fields"], tags, shape).to_string();
        let input = Input::read(&line).unwrap();
        assert!(!matches!(input, Input::Unknown(_)), "{line}");
        assert!(input.extra().is_empty(), "{line}: {:?}", input.extra());
        assert_eq!(audit_input(&line), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn every_request_is_known() {
    for entry in entries("control_requests") {
        let subtype = text(&entry, "subtype");
        let tags = json!({ "subtype": subtype });
        let lists = ["request_fields", "undeclared_request_fields"];
        if entry["direction"] != "cli_to_host" {
            let request = filled(&entry, &lists, tags.clone(), tagged(Command::shape(), &tags)).to_string();
            let command = Command::of(Json::new(&request).unwrap()).unwrap();
            assert!(!matches!(command, Command::Unknown(_)), "{request}");
            assert!(command.extra().is_empty(), "{request}: {:?}", command.extra());
            assert_eq!(CommandKind::of(&subtype).map(CommandKind::name), Some(&*subtype));
        }
        if entry["direction"] != "host_to_cli" {
            let request = filled(&entry, &lists, tags.clone(), tagged(Ask::shape(), &tags)).to_string();
            let ask = Ask::of(Json::new(&request).unwrap()).unwrap();
            assert!(!matches!(ask, Ask::Unknown(_)), "{request}");
            assert!(ask.extra().is_empty(), "{request}: {:?}", ask.extra());
            assert_eq!(AskKind::of(&subtype).map(AskKind::name), Some(&*subtype));
        }
        let line = json!({ "type": "control_request", "request_id": "1", "request": tags }).to_string();
        known_line(&line);
    }
    let new = Json::new(r#"{"subtype":"new"}"#).unwrap();
    assert!(matches!(Command::of(new), Some(Command::Unknown(_))));
    assert!(matches!(Ask::of(new), Some(Ask::Unknown(_))));
}

#[test]
fn every_reply_is_known() {
    let lists = ["response_fields", "undeclared_response_fields"];
    for entry in entries("control_requests") {
        let subtype = text(&entry, "subtype");
        let mut fields: Vec<String> = lists.iter().flat_map(|list| names(&entry[list])).collect();
        // Siblings of the reply, in its envelope; three names that stand for several.
        let siblings = fields.iter().position(|name| name.starts_with("(envelope siblings)"));
        for name in siblings.map(|at| fields.split_off(at)).unwrap_or_default() {
            let name = name.trim_start_matches("(envelope siblings) ");
            assert!(ControlAnswer::TYPE.fields.iter().any(|field| field.name == name), "{name}");
        }
        if let Some(at) = fields.iter().position(|name| name == "remote_control_*") {
            fields[at] = "remote_control_available".into();
        }
        fields.retain(|name| name != "(opaque)");
        if fields.is_empty() {
            continue;
        }
        let table = REPLIES.iter().chain(ask::ANSWERS);
        let Some((_, reply)) = table.into_iter().find(|(name, _)| *name == subtype) else {
            panic!("no type for the reply to {subtype}")
        };
        let object = fill(&fields, json!({}), Shape::Object(reply));
        fits(&object, Shape::Object(reply), &subtype);
    }
}

#[test]
fn every_block_event_and_delta_is_known() {
    for (list, shape) in
        [("content_blocks", Block::shape()), ("stream_events", Piece::shape()), ("deltas", Delta::shape())]
    {
        for entry in entries(list) {
            let tags = json!({ "type": text(&entry, "type") });
            let shape = tagged(shape, &tags);
            let object = filled(&entry, &["fields"], tags.clone(), shape);
            fits(&object, shape, list);
            let mut more = object.clone();
            more["invented"] = json!(1);
            assert_eq!(findings(&more, shape), ["$.invented"]);
        }
        assert_eq!(findings(&json!({ "type": "invented" }), shape), ["$(invented)"]);
    }
    let block = Block::of(Json::new(r#"{"type":"invented"}"#).unwrap());
    assert!(matches!(block, Some(Block::Unknown(_))));
}

#[test]
fn every_hook_is_known() {
    let base = names(&catalogue()["hook_base_input"]);
    for entry in entries("hooks") {
        let event = text(&entry, "event");
        let tags = json!({ "hook_event_name": event });
        let fields: Vec<_> = base.iter().cloned().chain(names(&entry["input_fields"])).collect();
        let input = fill(&fields, tags.clone(), tagged(HookInput::shape(), &tags)).to_string();
        let read = HookInput::of(Json::new(&input).unwrap()).unwrap();
        assert!(!matches!(read, HookInput::Unknown(_)), "{input}");
        assert!(read.extra().is_empty(), "{input}: {:?}", read.extra());
        assert_eq!(HookEvent::of(&event).map(HookEvent::name), Some(&*event));

        let specific = names(&entry["specific_output_fields"]);
        if !specific.is_empty() {
            let tags = json!({ "hookEventName": event });
            let shape = tagged(HookSpecific::shape(), &tags);
            let output = fill(&specific, tags, shape);
            fits(&output, HookSpecific::shape(), &event);
        }
    }
    let output = fill(&names(&catalogue()["hook_common_output"]), json!({}), HookOutput::shape());
    fits(&output, HookOutput::shape(), "hook output");
}

#[test]
fn every_tool_is_known() {
    for (list, of) in [
        ("tool_inputs", ToolInput::shape_of as fn(&str) -> Option<Shape>),
        ("tool_outputs", ToolOutput::shape_of),
    ] {
        for entry in entries(list) {
            // Tools of servers have inputs of their own.
            let Some(tool) = tool_of(&text(&entry, "name")) else { continue };
            let shape = of(&tool).unwrap_or_else(|| panic!("{list} lacks {tool}"));
            if let Shape::Object(_) = shape {
                let object = fill(&names(&entry["fields"]), json!({}), shape);
                fits(&object, shape, &tool);
                let mut more = object.clone();
                more["invented"] = json!(1);
                assert_eq!(findings(&more, shape), ["$.invented"]);
            } else {
                assert_eq!(names(&entry["fields"]), ["(union)"], "{tool}");
            }
        }
    }
    for (old, new) in catalogue()["legacy_tool_aliases"].as_object().unwrap() {
        let of = |tool: &str| ToolInput::shape_of(tool).map(|shape| format!("{shape:?}"));
        assert_eq!(of(old), of(new.as_str().unwrap()), "{old}");
    }
}

/// A tool, by what the catalogue calls its input.
fn tool_of(name: &str) -> Option<String> {
    Some(match name {
        "Mcp" => return None,
        "FileEdit" | "FileRead" | "FileWrite" => name.trim_start_matches("File").to_owned(),
        _ => name.to_owned(),
    })
}

#[test]
fn every_value_is_known() {
    use unspool::wire::system::{Capability, McpStatus, TaskEnd, TaskStatus, TaskType};
    use unspool::wire::*;
    let updates: Vec<&str> = PermissionUpdate::CHOICE.shapes.iter().map(|(name, _)| *name).collect();
    let table: &[(&str, &[&str])] = &[
        ("assistant_error", AssistantError::VALUES),
        ("terminal_reason", TerminalReason::VALUES),
        ("stop_reason", StopReason::VALUES),
        ("permission_mode", PermissionMode::VALUES),
        ("permission_update_type", &updates),
        ("permission_update_destination", Destination::VALUES),
        ("origin_kind", OriginKind::VALUES),
        ("mcp_status", McpStatus::VALUES),
        ("startup_failure_reason", StartupFailureReason::VALUES),
        ("task_status_patch", TaskStatus::VALUES),
        ("task_notification_status", TaskEnd::VALUES),
        ("task_type_seen", TaskType::VALUES),
        ("decision_reason_type", DecisionReasonType::VALUES),
        ("command_lifecycle_state", CommandState::VALUES),
        ("fast_mode_state", FastModeState::VALUES),
        ("fast_mode_disabled_reason", FastModeDisabledReason::VALUES),
        ("rate_limit_type", RateLimitType::VALUES),
        ("error_code", ErrorCode::VALUES),
        ("capabilities_seen", Capability::VALUES),
    ];
    let enums = catalogue()["enums"].clone();
    for (name, values) in enums.as_object().unwrap() {
        let known = table.iter().find(|(it, _)| it == name).unwrap_or_else(|| panic!("no enum for {name}")).1;
        for value in names(values) {
            let value = value.split(" (").next().unwrap().to_owned();
            assert!(known.contains(&&*value), "{name} lacks {value}");
        }
    }
    for subtype in names(&catalogue()["result_subtypes"]) {
        assert!(ResultSubtype::VALUES.contains(&&*subtype), "{subtype}");
    }
}

/// Reads a line as any line is read, and finds nothing left over.
fn known_line(line: &str) {
    let envelope = Envelope::read(line).unwrap();
    assert!(envelope.is_known(), "{line}");
    assert_ne!(Kind::of(line), Kind::Unknown, "{line}");
    assert!(envelope.extra().is_empty(), "{line}: {:?}", envelope.extra());
    assert_eq!(audit(line), Vec::<String>::new(), "{line}");
    let again: Value = serde_json::from_str(&envelope.to_json()).unwrap();
    assert_eq!(again, serde_json::from_str::<Value>(line).unwrap(), "reading loses something");
}

/// A field, type or subtype that nobody listed is told apart from those that somebody did.
fn nothing_else_is_known(line: &Value) {
    let mut more = line.clone();
    more["invented"] = json!(1);
    let more = more.to_string();
    let envelope = Envelope::read(&more).unwrap();
    let extra: Vec<_> = envelope.extra().fields().map(|(key, _)| key.to_string()).collect();
    assert_eq!(extra, ["invented"], "{more}");

    let mut other = line.clone();
    let tag = if line["type"] == "system" { "subtype" } else { "type" };
    other[tag] = json!("invented");
    let other = other.to_string();
    assert!(!Envelope::read(&other).unwrap().is_known(), "{other}");
    assert_eq!(Kind::of(&other), Kind::Unknown, "{other}");
}

fn fits(object: &Value, shape: Shape, what: &str) {
    assert_eq!(findings(object, shape), Vec::<String>::new(), "{what}: {object}");
}

fn findings(object: &Value, shape: Shape) -> Vec<String> {
    audit_value(Json::new(&object.to_string()).unwrap(), shape)
}

/// An object with all fields of an entry, and with all fields of what is nested in it.
fn filled(entry: &Value, lists: &[&str], tags: Value, shape: Shape) -> Value {
    let fields: Vec<String> = lists.iter().flat_map(|list| names(&entry[list])).collect();
    let mut object = fill(&fields, tags, shape);
    for (path, items) in entry["nested"].as_object().into_iter().flatten() {
        nest(&mut object, shape, path, &names(items));
    }
    object
}

fn fill(fields: &[String], tags: Value, shape: Shape) -> Value {
    let mut object = tags;
    for field in fields.iter().filter(|field| !field.starts_with('(')) {
        // Further down: a path instead of a name.
        if let Some((path, name)) = field.rsplit_once('.') {
            nest(&mut object, shape, path, &[name.to_owned()]);
            continue;
        }
        let (name, inner) = parts(field);
        let inside = member(shape, &name);
        object[name] = match inner {
            Some(inner) => fill(&inner, json!({}), inside),
            None => sample(inside),
        };
    }
    object
}

/// `nested` says of a path either which fields are there, or which values or variants it may have.
fn nest(object: &mut Value, shape: Shape, path: &str, items: &[String]) {
    let path = path.split('(').next().unwrap();
    let (path, of_tag) = match path.rsplit_once('.') {
        Some((path, "type" | "kind")) => (path, true),
        _ => (path, false),
    };
    let (mut at, mut inside) = (object, shape);
    for step in path.split('.') {
        let name = step.trim_end_matches("[]");
        if name == "*" {
            inside = element(inside);
            at = &mut at["*"];
        } else {
            inside = member(inside, name);
            at = &mut at[name];
        }
        if step.ends_with("[]") && !of_tag {
            inside = element(inside);
            if at.as_array().is_none_or(Vec::is_empty) {
                *at = json!([sample(inside)]);
            }
            at = &mut at[0];
        }
    }
    if let Shape::Object(Type { tags: [], .. }) = inside
        && !of_tag
    {
        if !at.is_object() {
            *at = json!({});
        }
        let items: Vec<_> = items.iter().map(|item| item.split('=').next().unwrap().to_owned()).collect();
        let whole = fill(&items, at.take(), inside);
        *at = whole;
        return;
    }
    for item in items {
        one_of(inside, item, path);
    }
}

/// A value or a variant that may stand in a place.
fn one_of(shape: Shape, item: &str, path: &str) {
    let (name, fields) = parts(item.trim_matches(['[', ']']));
    let variants = variants(shape);
    if variants.is_empty() {
        return match shape {
            Shape::Open(values) => assert!(values.contains(&&*name), "{path} lacks {name}"),
            Shape::Object(object) => match member(Shape::Object(object), "kind") {
                Shape::Open(values) => assert!(values.contains(&&*name), "{path} lacks {name}"),
                // Values of a plain string: `caller.type`.
                other => assert!(matches!(other, Shape::Text | Shape::Any), "{path}"),
            },
            // Values of a plain string: the `name` of a server tool.
            other => assert!(matches!(other, Shape::Text), "{path}: {other:?}"),
        };
    }
    let Some(variant) = variants.iter().find(|it| it.tags.iter().any(|(_, value)| *value == name)) else {
        panic!("{path} lacks {name}")
    };
    let fields = fields.unwrap_or_default();
    let fields: Vec<_> = fields.iter().map(|it| it.split([':', '[']).next().unwrap().to_owned()).collect();
    let object = fill(&fields, json!({ "type": name }), Shape::Object(variant));
    fits(&object, Shape::Object(variant), &name);
}

/// The tagged types that may stand in a place.
fn variants(shape: Shape) -> Vec<&'static Type> {
    match shape {
        Shape::Likely(inner) | Shape::List(inner) => variants(inner()),
        Shape::Either(shapes) => shapes.iter().flat_map(|shape| variants(shape())).collect(),
        Shape::Choice(choice) => choice.shapes.iter().flat_map(|(_, shape)| variants(shape())).collect(),
        Shape::Object(object) if !object.tags.is_empty() => vec![object],
        _ => Vec::new(),
    }
}

/// The type that a choice reads an object with these tags as.
fn tagged(shape: Shape, tags: &Value) -> Shape {
    match shape {
        Shape::Choice(choice) => {
            let name = tags[choice.tag].as_str().unwrap();
            let found = choice.shapes.iter().find(|(value, _)| *value == name);
            tagged(found.unwrap_or_else(|| panic!("{} lacks {name}", choice.name)).1(), tags)
        }
        other => other,
    }
}

/// What a field holds; `Any` if it is not known, which is found out when the object is read.
fn member(shape: Shape, name: &str) -> Shape {
    match shape {
        Shape::Object(object) => {
            object.fields.iter().find(|field| field.name == name).map_or(Shape::Any, |field| (field.shape)())
        }
        Shape::Likely(inner) => member(inner(), name),
        _ => Shape::Any,
    }
}

fn element(shape: Shape) -> Shape {
    match shape {
        Shape::List(inner) | Shape::Map(inner) => inner(),
        Shape::Likely(inner) => element(inner()),
        Shape::Either(shapes) => shapes
            .iter()
            .map(|shape| shape())
            .find(|it| matches!(it, Shape::List(_)))
            .map_or(Shape::Any, element),
        _ => Shape::Any,
    }
}

/// A value of a shape, as small as it can be.
fn sample(shape: Shape) -> Value {
    match shape {
        Shape::Any | Shape::Text | Shape::Open(_) => json!("x"),
        Shape::Flag => json!(true),
        Shape::Count => json!(1),
        Shape::Number => json!(1.5),
        Shape::List(item) => json!([sample(item())]),
        Shape::Map(value) => json!({ "*": sample(value()) }),
        Shape::Object(object) => Value::Object(
            object.tags.iter().map(|(tag, value)| (tag.to_string(), json!(value))).collect::<Map<_, _>>(),
        ),
        Shape::Choice(choice) => sample(choice.shapes[0].1()),
        Shape::Likely(inner) => sample(inner()),
        Shape::Either(shapes) => sample(shapes[0]()),
    }
}

/// `name`, `name?`, `name{a,b}?`
fn parts(field: &str) -> (String, Option<Vec<String>>) {
    let field = field.trim_end_matches('?');
    match field.split_once('{') {
        None => (field.to_owned(), None),
        Some((name, inner)) => {
            let inner = inner.trim_end_matches('}').split(',').map(|it| it.trim_end_matches('?').to_owned());
            (name.to_owned(), Some(inner.collect()))
        }
    }
}

fn names(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().map(|name| name.as_str().unwrap().to_owned()).collect()
}

fn text(entry: &Value, key: &str) -> String {
    entry[key].as_str().unwrap().to_owned()
}

fn entries(list: &str) -> Vec<Value> {
    let entries = catalogue()[list].as_array().unwrap().clone();
    assert!(!entries.is_empty());
    entries
}

fn catalogue() -> Value {
    serde_json::from_str(include_str!("../../../../fixtures/protocol/catalogue.json")).unwrap()
}
