//! TypeScript declarations.

use super::names::Names;
use super::{Subject, doc};
use crate::wire::{Choice, Shape, Type};
use std::fmt::Write;

/// All types, the choices first.
pub(super) fn write(subject: &Subject) -> String {
    let names = Names::of(subject);
    let mut out = format!("// {}. Made by unspool; do not edit.\n", subject.title);
    for (name, it) in &names.choices {
        choice(name, it, &names, &mut out);
    }
    for (name, it) in &names.types {
        interface(name, it, subject.any_key, &names, &mut out);
    }
    out
}

/// The types that are told apart by their tag, and apart from them those without one: in one union the
/// tag would not tell them apart.
fn choice(name: &str, it: &Choice, names: &Names, out: &mut String) {
    let about = format!("{} Newer versions may have more.", doc(it.doc));
    union(name, &about, it.shapes.iter().map(|(_, shape)| shape()), names, out);
    if !it.others.is_empty() {
        let about = format!("{} The ones that {:?} does not tell apart.", doc(it.doc), it.tag);
        union(&format!("Untagged{name}"), &about, it.others.iter().map(|shape| shape()), names, out);
    }
}

fn union(name: &str, about: &str, of: impl Iterator<Item = Shape>, names: &Names, out: &mut String) {
    let _ = write!(out, "\n{}export type {name} =", comment("", about));
    for shape in of {
        let _ = write!(out, "\n  | {}", value(shape, names));
    }
    out.push_str(";\n");
}

fn interface(name: &str, it: &Type, any_key: bool, names: &Names, out: &mut String) {
    let base = it.base.map(|base| format!(" extends {}", names.of_type(base))).unwrap_or_default();
    let _ = writeln!(out, "\n{}export interface {name}{base} {{", comment("", &doc(it.doc)));
    for (tag, value) in it.tags {
        let _ = writeln!(out, "  {tag}: {value:?};");
    }
    for field in it.fields {
        let shape = value((field.shape)(), names);
        let or_none = if field.always { "" } else { "?" };
        let or_null = if field.nullable && shape != "unknown" { " | null" } else { "" };
        let _ =
            writeln!(out, "{}  {}{or_none}: {shape}{or_null};", comment("  ", &doc(field.doc)), field.name);
    }
    out.push_str(if any_key { "  [key: string]: unknown;\n}\n" } else { "}\n" });
}

fn comment(indent: &str, text: &str) -> String {
    format!("{indent}/** {} */\n", text.replace("*/", "* /"))
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
