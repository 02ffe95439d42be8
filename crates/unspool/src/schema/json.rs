//! JSON Schema, draft 2020-12.

use super::names::Names;
use super::{Subject, doc};
use crate::wire::{Choice, Field, Shape, Type};
use serde_json::{Map, Value, json};

/// `$defs` has each type; the schema itself is that of one line.
pub(super) fn write(subject: &Subject) -> String {
    let names = Names::of(subject);
    let mut defs = Map::new();
    for (name, it) in &names.types {
        defs.insert(name.clone(), object(it, &names));
    }
    for (name, it) in &names.choices {
        defs.insert(name.clone(), choice(it, &names));
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": subject.title,
        "description": subject.doc,
        "anyOf": subject.lines.iter().map(|line| value(*line, &names)).collect::<Vec<_>>(),
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
        properties.insert(field.name.into(), property(field, names));
    }
    let always = it.fields.iter().filter(|field| field.always).map(|field| field.name);
    let required: Vec<_> = it.tags.iter().map(|(tag, _)| *tag).chain(always).collect();
    let mut schema = json!({ "type": "object", "description": doc(it.doc) });
    if let Some(base) = it.base {
        schema["allOf"] = json!([value(Shape::Object(base), names)]);
    }
    schema["properties"] = json!(properties);
    schema["required"] = json!(required);
    schema
}

fn property(field: &Field, names: &Names) -> Value {
    let shape = (field.shape)();
    let mut schema = value(shape, names);
    if field.nullable && !matches!(shape, Shape::Any) {
        schema = json!({ "anyOf": [schema, { "type": "null" }] });
    }
    schema["description"] = json!(doc(field.doc));
    schema
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
