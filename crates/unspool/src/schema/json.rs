//! JSON Schema, draft 2020-12.

use super::{Names, doc};
use crate::wire::{Choice, Shape, Type};
use serde_json::{Map, Value, json};

/// The schema of every line, in either direction: `$defs` has each type, `Envelope` and `Input` the lines.
pub fn json_schema() -> String {
    let names = Names::collect();
    let mut defs = Map::new();
    for (name, it) in &names.types {
        defs.insert(name.clone(), object(it, &names));
    }
    for (name, it) in &names.choices {
        defs.insert(name.clone(), choice(it, &names));
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Claude Code's stream-json protocol",
        "description": "A line of Claude Code (`Envelope`) or a line for it (`Input`).",
        "anyOf": [{ "$ref": "#/$defs/Envelope" }, { "$ref": "#/$defs/Input" }],
        "$defs": defs,
    });
    format!("{schema:#}\n")
}

fn object(it: &Type, names: &Names) -> Value {
    let mut properties = Map::new();
    for (tag, value) in it.tags {
        properties.insert((*tag).into(), json!({ "const": value }));
    }
    for field in it.fields {
        let mut schema = json!({ "anyOf": [value((field.shape)(), names), { "type": "null" }] });
        schema["description"] = json!(doc(field.doc));
        properties.insert(field.name.into(), schema);
    }
    let required: Vec<_> = it.tags.iter().map(|(tag, _)| tag).collect();
    json!({ "type": "object", "description": doc(it.doc), "properties": properties, "required": required })
}

/// One of the types listed, or an object whose tag is not.
fn choice(it: &Choice, names: &Names) -> Value {
    let listed: Vec<_> = it.shapes.iter().map(|(tag, _)| tag).collect();
    let mut properties = Map::new();
    properties.insert(it.tag.into(), json!({ "not": { "enum": listed } }));
    let other = json!({ "type": "object", "properties": properties });
    let mut any: Vec<Value> =
        it.shapes.iter().map(|(tag, shape)| variant(it.tag, tag, shape(), names)).collect();
    any.extend(it.others.iter().map(|shape| json!({ "allOf": [value(shape(), names), other] })));
    any.push(other);
    json!({ "description": doc(it.doc), "anyOf": any })
}

/// A type has its tags; a choice within a choice has only its own.
fn variant(key: &str, tag: &str, shape: Shape, names: &Names) -> Value {
    let schema = value(shape, names);
    if !matches!(shape, Shape::Choice(_)) {
        return schema;
    }
    let mut properties = Map::new();
    properties.insert(key.into(), json!({ "const": tag }));
    json!({ "allOf": [schema, { "properties": properties, "required": [key] }] })
}

fn value(shape: Shape, names: &Names) -> Value {
    match shape {
        Shape::Any => json!({}),
        Shape::Text => json!({ "type": "string" }),
        Shape::Open(values) => json!({ "anyOf": [{ "enum": values }, { "type": "string" }] }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Count => json!({ "type": "integer", "minimum": 0 }),
        Shape::Number => json!({ "type": "number" }),
        Shape::List(item) => json!({ "type": "array", "items": value(item(), names) }),
        Shape::Map(entry) => json!({ "type": "object", "additionalProperties": value(entry(), names) }),
        Shape::Object(it) => json!({ "$ref": format!("#/$defs/{}", names.of_type(it)) }),
        Shape::Choice(it) => json!({ "$ref": format!("#/$defs/{}", names.of_choice(it)) }),
        Shape::Likely(inner) => value(inner(), names),
        Shape::Either(shapes) => {
            json!({ "anyOf": shapes.iter().map(|shape| value(shape(), names)).collect::<Vec<_>>() })
        }
    }
}
