//! docs/events.md names the types, fields and words of events that are declared, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use unspool::event::What;
use unspool::wire::{Field, Shape, Type};

/// A field as the page has it.
#[derive(Debug, Eq, PartialEq)]
struct Named {
    name: String,
    /// It is not always there.
    optional: bool,
    /// What stands in brackets behind it.
    note: String,
}

#[test]
fn the_page_has_the_types_and_fields_that_are_declared() {
    let page = page();
    let mut rows = BTreeMap::new();
    for row in rows_below(&page, "| type | fields | when |") {
        let (types, fields) = (row[0], row[1]);
        // Types with fields of their own are set apart by a stroke, in both columns.
        let fields: Vec<_> = if types.contains(" / ") { split(fields) } else { vec![named(fields)] };
        for (at, types) in types.split(" / ").enumerate() {
            for name in words(types) {
                let of_this_type = |field: &&Named| !is_type(&field.note) || field.note == name;
                let fields: BTreeSet<_> = fields[at.min(fields.len() - 1)]
                    .iter()
                    .filter(of_this_type)
                    .map(|field| (field.name.clone(), field.optional))
                    .collect();
                rows.insert(name, fields);
            }
        }
    }
    let declared: BTreeMap<_, BTreeSet<_>> = types()
        .map(|(name, of)| {
            (name.to_owned(), of.fields.iter().map(|it| (it.name.to_owned(), !it.always)).collect())
        })
        .collect();
    assert_eq!(
        rows, declared,
        "left: docs/events.md, right: event/what.rs; the flag says that it may be missing"
    );
}

#[test]
fn the_page_has_the_fields_that_all_events_have() {
    let page = page();
    let rows = rows_below(&page, "| field | always | meaning |");
    let named: BTreeSet<String> = rows.iter().flat_map(|row| words(row[0])).collect();
    let (_, any) = types().next().unwrap();
    let common = any.base.unwrap().fields.iter().map(|field| field.name.to_owned());
    // The first event says which contract it is, in the row of its number.
    assert!(rows.iter().any(|row| row[2].contains("`contract: 1`")));
    let declared = common.chain(any.tags.iter().map(|(tag, _)| tag.to_string()));
    assert_eq!(named, declared.filter(|name| name != "contract").collect());
}

#[test]
fn the_page_has_what_stands_in_objects() {
    let page = page();
    let begin = page.find("\n`usage` and each entry of `models`: ").unwrap();
    let paragraph = &page[begin..][..page[begin..].find("\n\n").unwrap()];
    let named: BTreeSet<String> = words(paragraph).into_iter().collect();
    let holders = ["usage", "models", "notes"].map(str::to_owned);
    let declared = objects().flat_map(|of| of.fields.iter().map(|field| field.name.to_owned()));
    assert_eq!(named, holders.into_iter().chain(declared).collect());
}

#[test]
fn the_page_has_the_words_that_fields_can_hold() {
    let page = page();
    let all: BTreeSet<String> = words(&page).into_iter().collect();
    for (name, of) in types() {
        for field in of.fields {
            let Shape::Open(listed) = inner(field) else { continue };
            let missing: Vec<_> = listed.iter().filter(|word| !all.contains(**word)).collect();
            assert!(missing.is_empty(), "{name}.{}: {missing:?}", field.name);
        }
    }
    let mut checked = 0;
    for row in rows_below(&page, "| type | fields | when |").iter().filter(|row| !row[0].contains(" / ")) {
        for field in named(row[1]) {
            let of = types().find(|(name, _)| words(row[0]).contains(&(*name).to_owned())).unwrap().1;
            let declared = of.fields.iter().find(|it| it.name == field.name).map(inner);
            let Some(Shape::Open(listed)) = declared else { continue };
            for word in words(&field.note) {
                assert!(listed.contains(&&*word), "{}: {word} is none of {listed:?}", field.name);
                checked += 1;
            }
        }
    }
    assert!(checked > 8, "{checked} words stand beside their fields");
}

fn page() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/events.md")).unwrap()
}

fn types() -> impl Iterator<Item = (&'static str, &'static Type)> {
    What::CHOICE.shapes.iter().map(|(name, shape)| match shape() {
        Shape::Object(of) => (*name, of),
        other => panic!("{name} is {other:?}"),
    })
}

fn is_type(name: &str) -> bool {
    types().any(|(declared, _)| declared == name)
}

/// What a field holds, or what stands in the list or map that it holds.
fn inner(field: &Field) -> Shape {
    let mut shape = (field.shape)();
    while let Shape::List(of) | Shape::Map(of) = shape {
        shape = of();
    }
    shape
}

/// The objects that stand in events.
fn objects() -> impl Iterator<Item = &'static Type> {
    types().flat_map(|(_, of)| of.fields).filter_map(|field| match inner(field) {
        Shape::Object(of) => Some(of),
        _ => None,
    })
}

/// The rows of the table with this head, by their cells.
fn rows_below<'p>(page: &'p str, head: &str) -> Vec<Vec<&'p str>> {
    let rows = page.split_once(head).unwrap().1.trim_start().lines().skip(1);
    let rows: Vec<_> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(!rows.is_empty());
    rows
}

/// What stands between backticks; of `{a, b}` both.
fn words(text: &str) -> Vec<String> {
    let spans = text.split('`').skip(1).step_by(2);
    let names = spans.flat_map(|span| span.trim_matches(['{', '}']).split(", "));
    names.map(str::to_owned).collect()
}

/// The fields in a cell: all between backticks that does not stand in brackets.
fn named(cell: &str) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    let mut rest = cell;
    while let Some(at) = rest.find(['`', '(']) {
        let (sign, behind) = (&rest[at..=at], &rest[at + 1..]);
        let end = behind.find(if sign == "`" { '`' } else { ')' }).unwrap();
        let inside = &behind[..end];
        rest = &behind[end + 1..];
        match (sign, found.last_mut()) {
            ("(", Some(last)) => last.note = inside.to_owned(),
            ("(", None) => panic!("{cell}"),
            _ => {
                found.push(Named {
                    name: inside.to_owned(),
                    optional: rest.starts_with('?'),
                    note: String::new(),
                });
            }
        }
    }
    found
}

/// The fields of several types, which a stroke between brackets does not set apart.
fn split(cell: &str) -> Vec<Vec<Named>> {
    cell.split(" / ").map(named).collect()
}
