//! TypeScript declarations.

use super::{Names, doc};
use crate::wire::{Choice, Shape, Type};
use std::fmt::Write;

/// Declarations of every line, in either direction: `Envelope` and `Input`, and all types in them.
pub fn typescript() -> String {
    let names = Names::collect();
    let mut out = String::from("// Claude Code's stream-json protocol. Made by unspool; do not edit.\n");
    for (name, it) in &names.choices {
        choice(name, it, &names, &mut out);
    }
    for (name, it) in &names.types {
        interface(name, it, &names, &mut out);
    }
    out
}

fn choice(name: &str, it: &Choice, names: &Names, out: &mut String) {
    let listed = it.shapes.iter().map(|(_, shape)| shape).chain(it.others);
    let _ = write!(out, "\n/** {} Newer versions may have more. */\nexport type {name} =", doc(it.doc));
    for shape in listed {
        let _ = write!(out, "\n  | {}", value(shape(), names));
    }
    out.push_str(";\n");
}

fn interface(name: &str, it: &Type, names: &Names, out: &mut String) {
    let _ = writeln!(out, "\n/** {} */\nexport interface {name} {{", doc(it.doc));
    for (tag, value) in it.tags {
        let _ = writeln!(out, "  {tag}: {value:?};");
    }
    for field in it.fields {
        let shape = value((field.shape)(), names);
        let or_null = if shape == "unknown" { "" } else { " | null" };
        let _ = writeln!(out, "  /** {} */\n  {}?: {shape}{or_null};", doc(field.doc), field.name);
    }
    out.push_str("  [key: string]: unknown;\n}\n");
}

fn value(shape: Shape, names: &Names) -> String {
    match shape {
        Shape::Any => "unknown".into(),
        Shape::Text => "string".into(),
        Shape::Open(values) => {
            let listed: Vec<_> = values.iter().map(|value| format!("{value:?}")).collect();
            format!("{} | (string & {{}})", listed.join(" | "))
        }
        Shape::Flag => "boolean".into(),
        Shape::Count | Shape::Number => "number".into(),
        Shape::List(item) => format!("Array<{}>", value(item(), names)),
        Shape::Map(entry) => format!("Record<string, {}>", value(entry(), names)),
        Shape::Object(it) => names.of_type(it),
        Shape::Choice(it) => names.of_choice(it),
        Shape::Likely(inner) => value(inner(), names),
        Shape::Either(shapes) => {
            shapes.iter().map(|shape| value(shape(), names)).collect::<Vec<_>>().join(" | ")
        }
    }
}
