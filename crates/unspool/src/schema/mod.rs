//! The types of the wire for other languages: JSON Schema and TypeScript, from the same declarations.
//!
//! Both are open as the wire is: further keys, further values of a listed string and objects with a tag
//! that is not listed are allowed, and every field may be absent or `null`.

mod json;
mod typescript;

pub use json::json_schema;
pub use typescript::typescript;

use crate::wire::ask::ANSWERS;
use crate::wire::command::REPLIES;
use crate::wire::{Choice, Envelope, Input, Shape, Type, Wire};
use std::collections::BTreeMap;

/// Every declared type, under a name of its own.
struct Names {
    types: BTreeMap<String, &'static Type>,
    choices: BTreeMap<String, &'static Choice>,
    shared: Vec<&'static str>,
}

impl Names {
    /// All types that a line may hold, in either direction, and all replies.
    fn collect() -> Self {
        let mut found = Found::default();
        found.visit(Envelope::shape());
        found.visit(Input::shape());
        for (_, reply) in REPLIES.iter().chain(ANSWERS) {
            found.visit(Shape::Object(reply));
        }
        let mut all: Vec<&str> = found.types.iter().map(|it| it.name).collect();
        all.extend(found.choices.iter().map(|it| it.name));
        all.sort_unstable();
        let shared = all.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        let mut names = Names { types: BTreeMap::new(), choices: BTreeMap::new(), shared };
        for it in found.types {
            names.types.insert(names.of(it.name, it.home), it);
        }
        for it in found.choices {
            names.choices.insert(names.of(it.name, it.home), it);
        }
        names
    }

    /// The name of a type; where two families share one, with that of its family in front.
    fn of(&self, name: &str, home: &str) -> String {
        if !self.shared.contains(&name) {
            return name.into();
        }
        let family = home.split("::wire::").nth(1).and_then(|path| path.split("::").next()).unwrap_or("");
        let (first, rest) = family.split_at(family.len().min(1));
        format!("{}{rest}{name}", first.to_uppercase())
    }

    fn of_type(&self, it: &Type) -> String {
        self.of(it.name, it.home)
    }

    fn of_choice(&self, it: &Choice) -> String {
        self.of(it.name, it.home)
    }
}

#[derive(Default)]
struct Found {
    types: Vec<&'static Type>,
    choices: Vec<&'static Choice>,
}

impl Found {
    fn visit(&mut self, shape: Shape) {
        match shape {
            Shape::Any | Shape::Text | Shape::Open(_) | Shape::Flag | Shape::Count | Shape::Number => {}
            Shape::List(inner) | Shape::Map(inner) | Shape::Likely(inner) => self.visit(inner()),
            Shape::Either(shapes) => shapes.iter().for_each(|shape| self.visit(shape())),
            Shape::Object(it) => {
                if !self.types.iter().any(|known| same(known.name, known.home, it.name, it.home)) {
                    self.types.push(it);
                    it.fields.iter().for_each(|field| self.visit((field.shape)()));
                }
            }
            Shape::Choice(it) => {
                if !self.choices.iter().any(|known| same(known.name, known.home, it.name, it.home)) {
                    self.choices.push(it);
                    it.shapes.iter().for_each(|(_, shape)| self.visit(shape()));
                    it.others.iter().for_each(|shape| self.visit(shape()));
                }
            }
        }
    }
}

fn same(name: &str, home: &str, other: &str, other_home: &str) -> bool {
    name == other && home == other_home
}

/// A doc comment as one text.
fn doc(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ").replace("*/", "* /")
}
