//! What a line holds that its types do not know: unknown fields, odd shapes, by their paths.
//!
//! For checking these types against real lines; nothing else needs it.

use super::{Choice, Envelope, Input, Shape, Type, Wire};
use crate::json::Json;

/// The paths in a line of Claude Code that its types do not model. `$` if it is no JSON at all.
#[must_use]
pub fn audit(line: &str) -> Vec<String> {
    match Envelope::read(line) {
        Ok(Envelope::BareMessage(_)) => walk(line, super::Message::shape()),
        Ok(Envelope::BareResult(_)) => walk(line, super::BareResult::shape()),
        Ok(_) => walk(line, Envelope::shape()),
        Err(_) => vec!["$".into()],
    }
}

/// The paths in a line that a host writes to Claude Code that its types do not model.
#[must_use]
pub fn audit_input(line: &str) -> Vec<String> {
    walk(line, Input::shape())
}

/// The paths in a value that the shape it should have does not model.
#[must_use]
pub fn audit_value(json: Json<'_>, shape: Shape) -> Vec<String> {
    let mut findings = Vec::new();
    visit(json, shape, "$".into(), &mut findings);
    findings
}

fn walk(line: &str, shape: Shape) -> Vec<String> {
    Json::new(line).map_or_else(|_| vec!["$".into()], |json| audit_value(json, shape))
}

fn visit(json: Json<'_>, shape: Shape, path: String, findings: &mut Vec<String>) {
    if json.is_null() {
        return;
    }
    match shape {
        Shape::Likely(usual) => visit(json, usual(), path, findings),
        Shape::Either(shapes) => visit_either(json, shapes, path, findings),
        _ if !shape.fits(json) => {
            findings.push(format!("{path}: {:?} instead of {}", json.kind(), shape.word()));
        }
        Shape::List(item) => {
            for value in json.items() {
                visit(value, item(), format!("{path}[]"), findings);
            }
        }
        Shape::Map(value) => {
            for (_, entry) in json.fields() {
                visit(entry, value(), format!("{path}.*"), findings);
            }
        }
        Shape::Object(object) => visit_object(json, object, &path, findings),
        Shape::Choice(choice) => visit_choice(json, choice, path, findings),
        Shape::Any | Shape::Text | Shape::Open(_) | Shape::Flag | Shape::Count | Shape::Number => {}
    }
}

fn visit_object(json: Json<'_>, object: &Type, path: &str, findings: &mut Vec<String>) {
    for (key, value) in json.fields() {
        if object.tags.iter().any(|(tag, _)| key == *tag) {
            continue;
        }
        let path = format!("{path}.{key}");
        match object.fields.iter().find(|field| key == field.name) {
            Some(field) => visit(value, (field.shape)(), path, findings),
            None => findings.push(path),
        }
    }
}

fn visit_choice(json: Json<'_>, choice: &Choice, path: String, findings: &mut Vec<String>) {
    let tag = json.get(choice.tag).and_then(Json::as_str);
    let name = tag.map(|tag| tag.decode()).unwrap_or_default();
    match choice.shapes.iter().find(|(value, _)| *value == name) {
        Some((_, shape)) => visit(json, shape(), format!("{path}({name})"), findings),
        None => findings.push(format!("{path}({name})")),
    }
}

/// The first alternative that lists it counts, or else one that fits from outside.
fn visit_either(json: Json<'_>, shapes: &[fn() -> Shape], path: String, findings: &mut Vec<String>) {
    let fitting = || shapes.iter().map(|shape| shape()).filter(|shape| shape.fits(json));
    match fitting().find(|shape| lists(*shape, json)).or_else(|| fitting().next()) {
        Some(shape) => visit(json, shape, path, findings),
        None => findings.push(format!("{path}: {:?} instead of something else", json.kind())),
    }
}

/// Whether a choice has the tag of an object; anything else does.
fn lists(shape: Shape, json: Json<'_>) -> bool {
    let Shape::Choice(choice) = shape else { return true };
    let tag = json.get(choice.tag).and_then(Json::as_str);
    tag.is_some_and(|tag| choice.shapes.iter().any(|(value, _)| tag == *value))
}

impl Shape {
    fn word(self) -> &'static str {
        match self {
            Shape::Any | Shape::Likely(_) | Shape::Either(_) => "anything",
            Shape::Text | Shape::Open(_) => "String",
            Shape::Flag => "Bool",
            Shape::Count => "a whole Number",
            Shape::Number => "Number",
            Shape::List(_) => "Array",
            Shape::Map(_) | Shape::Object(_) | Shape::Choice(_) => "Object",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_fields_and_odd_shapes_are_found_at_any_depth() {
        let line = r#"{"type":"assistant","new":1,"uuid":5,"message":{"usage":{"input_tokens":-1,"x":1},"content":[{"type":"text","y":1},{"type":"new"}]}}"#;
        let expected = [
            "$(assistant).new",
            "$(assistant).uuid: Number instead of String",
            "$(assistant).message.usage.input_tokens: Number instead of a whole Number",
            "$(assistant).message.usage.x",
            "$(assistant).message.content[](text).y",
            "$(assistant).message.content[](new)",
        ];
        assert_eq!(audit(line), expected);
    }

    #[test]
    fn what_is_known_is_not_mentioned() {
        assert_eq!(audit(r#"{"role":"user","content":[{"type":"text","text":"hi"}]}"#), Vec::<String>::new());
        assert_eq!(audit(r#"{"type":"keep_alive"}"#), Vec::<String>::new());
        assert_eq!(audit("{"), ["$"]);
    }
}
