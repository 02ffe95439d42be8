//! Every declared type that a subject needs, under a name of its own.

use super::Subject;
use crate::wire::{Choice, Shape, Type};
use std::collections::BTreeMap;

pub(super) struct Names {
    pub(super) types: BTreeMap<String, &'static Type>,
    pub(super) choices: BTreeMap<String, &'static Choice>,
    /// The names that two families have.
    shared: Vec<&'static str>,
}

impl Names {
    pub(super) fn of(subject: &Subject) -> Self {
        let mut found = Found::default();
        subject.lines.iter().chain(&subject.more).for_each(|shape| found.visit(*shape));
        let mut all: Vec<&str> = found.types.iter().map(|it| it.name).collect();
        all.extend(found.choices.iter().map(|it| it.name));
        all.sort_unstable();
        let shared = all.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        let mut names = Names { types: BTreeMap::new(), choices: BTreeMap::new(), shared };
        for it in found.types {
            names.types.insert(names.of_type(it), it);
        }
        for it in found.choices {
            names.choices.insert(names.of_choice(it), it);
        }
        names
    }

    pub(super) fn of_type(&self, it: &Type) -> String {
        self.name(it.name, it.home)
    }

    pub(super) fn of_choice(&self, it: &Choice) -> String {
        self.name(it.name, it.home)
    }

    /// The name of a type; where two families share one, with that of its family in front.
    fn name(&self, name: &str, home: &str) -> String {
        if !self.shared.contains(&name) {
            return name.into();
        }
        let family = home.split("::wire::").nth(1).and_then(|path| path.split("::").next()).unwrap_or("");
        let (first, rest) = family.split_at(family.len().min(1));
        format!("{}{rest}{name}", first.to_uppercase())
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
                    it.base.into_iter().for_each(|base| self.visit(Shape::Object(base)));
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
