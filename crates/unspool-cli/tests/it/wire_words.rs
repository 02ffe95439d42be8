//! What a line is, is known by its type: no name or value of the wire is matched outside the core, be it of a line, a tool or a field.

use crate::code::{Literal, literals, sources};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use unspool::wire::entry::{EntryKind, SystemEntryKind};
use unspool::wire::quirk::SYNTHETIC;
use unspool::wire::{
    Ask, AskKind, Command, CommandKind, Entry, Envelope, Input, Shape, SystemKind, ToolInput, ToolOutput,
    Type, Wire,
};

/// Where a name of the wire means something else, or stands in a text of ours.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("unspool-report/src/outline.rs", "summary", "a field of our own JSON"),
    ("unspool-report/src/view/notice.rs", "result", "a word for people"),
    ("unspool-report/src/state/ask.rs", "elicitation", "a word of our own JSON"),
    ("unspool-client/src/server/call.rs", "progress", "a field of MCP"),
    ("unspool-client/src/server/own.rs", "initialize", "a method of MCP"),
    ("unspool-client/src/server/piped.rs", "initialize", "a method of MCP"),
    ("unspool-client/src/server/rpc.rs", "result", "a field of MCP"),
    ("unspool-client/src/options/mod.rs", "initialize", "where an option goes, for the table of options"),
    ("unspool-client/src/options/choice.rs", "user", "a value of options"),
    ("unspool-client/src/options/launch.rs", "user", "a field that is shown for debugging"),
    ("unspool-client/src/controls/mcp.rs", "mode", "a field of a command"),
    ("unspool-client/src/settings/tier.rs", "user", "a tier of settings"),
    ("unspool-client/src/store/check/abilities.rs", "custom-title", "what a store is tried with"),
    ("unspool-client/src/store/check/abilities.rs", "summary", "a word for people"),
    ("unspool-client/src/store/check/mod.rs", "user", "what a store is tried with"),
    ("unspool-client/src/store/check/mod.rs", "assistant", "what a store is tried with"),
    ("unspool-client/src/store/check/mod.rs", "summary", "what a store is tried with"),
    ("unspool-client/src/kept/session.rs", "tag", "a field of that entry"),
];

/// Where a field is asked for that is called as one of the wire is.
const ALLOWED_FIELDS: &[(&str, &str, &str)] = &[
    ("unspool-cli/src/command/doctor/setup.rs", "env", "a field of settings"),
    ("unspool-cli/src/command/doctor/trial.rs", "type", "what a line of no known type calls itself"),
    ("unspool-cli/src/command/doctor/trial.rs", "subtype", "what a line of no known type calls itself"),
    ("unspool-cli/src/desk/matter.rs", "n", "what is typed for no"),
    ("unspool-cli/src/desk/proposal.rs", "cells", "a field of notebooks"),
    ("unspool-cli/src/desk/proposal.rs", "id", "a field of notebooks"),
    ("unspool-cli/src/desk/proposal.rs", "source", "a field of notebooks"),
    ("unspool-cli/src/recording/mod.rs", "json", "the ending of a file"),
    ("unspool-cli/src/replay/player/frame.rs", "q", "a key"),
    ("unspool-cli/src/value.rs", "type", "a field of JSON Schema"),
    ("unspool-client/src/json/check.rs", "pattern", "a field of JSON Schema"),
    ("unspool-client/src/json/check.rs", "type", "a field of JSON Schema"),
    ("unspool-client/src/json/mod.rs", "type", "a field of JSON Schema"),
    ("unspool-client/src/options/check.rs", "type", "a field of JSON Schema"),
    ("unspool-client/src/options/hidden.rs", "append_system_prompt", "an option"),
    ("unspool-client/src/rules/real.rs", "stderr", "a file of the system"),
    ("unspool-client/src/rules/real.rs", "stdout", "a file of the system"),
    ("unspool-client/src/server/call.rs", "arguments", "a field of MCP"),
    ("unspool-client/src/server/own.rs", "name", "a field of MCP"),
    ("unspool-client/src/server/own.rs", "requestId", "a field of MCP"),
    ("unspool-client/src/server/rpc.rs", "id", "a field of MCP"),
    ("unspool-client/src/server/rpc.rs", "method", "a field of MCP"),
    ("unspool-client/src/settings/check.rs", "hooks", "a field of settings"),
    ("unspool-report/src/bill/table.rs", "failed", "a column"),
    ("unspool-report/src/bill/table.rs", "output", "a column"),
    ("unspool-report/src/bill/table.rs", "results", "a column"),
    ("unspool-report/src/compare/figures.rs", "cache_creation", "a figure of our own JSON"),
    ("unspool-report/src/compare/figures.rs", "input", "a figure of our own JSON"),
    ("unspool-report/src/compare/figures.rs", "input_tokens", "a figure of our own JSON"),
    ("unspool-report/src/compare/figures.rs", "output", "a figure of our own JSON"),
    ("unspool-report/src/compare/figures.rs", "output_tokens", "a figure of our own JSON"),
    ("unspool-report/src/compare/tables.rs", "cost_usd", "a figure of our own JSON"),
    ("unspool-report/src/compare/tables.rs", "model", "a figure of our own JSON"),
    ("unspool-report/src/compare/tables.rs", "verdict", "a figure of our own JSON"),
    ("unspool-report/src/compare/tables.rs", "version", "a figure of our own JSON"),
    ("unspool-report/src/page/code.rs", "n", "a class of the page"),
    ("unspool-report/src/page/code.rs", "removed", "a class of the page"),
    ("unspool-report/src/words/failure.rs", "error", "a field of an answer of the API, inside a text"),
    ("unspool-report/src/words/failure.rs", "message", "a field of an answer of the API, inside a text"),
];

/// What takes the name of a field: a method of JSON, and what our own functions around it are called. What `Debug` shows is no field
/// of JSON.
const TAKERS: [&str; 4] = ["get(", "text(", "(field(", " field("];

/// Where a word that the wire has, too, is one of our own.
const ALLOWED_VALUES: &[(&str, &str, &str)] = &[
    ("unspool-client/src/settings/check.rs", "allow", "a field of settings"),
    ("unspool-client/src/settings/check.rs", "ask", "a field of settings"),
    ("unspool-client/src/settings/check.rs", "deny", "a field of settings"),
    ("unspool-client/src/settings/denied.rs", "default", "a name of a model"),
    ("unspool-report/src/bill/table.rs", "failed", "a column"),
    ("unspool-report/src/bill/when.rs", "now", "a word for a time"),
];

/// Where words of other languages stand in lists: of shells, of what they launch, of programs, and of variables.
const OTHER_LANGUAGES: [&str; 4] = [
    "unspool-redact/src/env.rs",
    "unspool-client/src/rules/shell/",
    "unspool-client/src/rules/launch.rs",
    "unspool-report/src/view/code/language.rs",
];

/// What stands in texts of Claude Code.
const TEXTS: [&str; 3] = [SYNTHETIC, "tool_use_error>", "API Error: "];

/// What stands before a text that is compared with another, and behind one that is a pattern.
const BEFORE: [&str; 7] = ["==", "!=", "Some(", "_with(", "prefix(", "suffix(", "contains("];
const BEHIND: [&str; 4] = ["=>", "|", ") =>", ") |"];

/// Where streams are made up, for tests and fuzzing.
const MADE_UP: &str = "unspool-redact/src/properties/";

const CRATES: [&str; 4] = ["unspool-redact", "unspool-report", "unspool-client", "unspool-cli"];

#[test]
fn no_name_of_the_wire_is_matched_outside_the_core() {
    let names = names();
    let found = found(&CRATES, |it| names.contains(it.text) || it.quotes(&names));
    check(&found, ALLOWED, "use the types of `unspool::wire`, such as `What::envelope`");
}

/// Where tools are named: rules of permission have a grammar of their own, made of such names. The list of what is built in is in an
/// order that others rely on; a test beside it holds it against the core's.
const GRAMMAR: [&str; 3] =
    ["unspool-client/src/rules/", "unspool-client/src/options/extension.rs", "unspool-client/src/tools.rs"];

#[test]
fn no_tool_is_named_outside_the_core() {
    let mut found = found(&CRATES, |it| ToolInput::TOOLS.contains(&it.text));
    found.retain(|(file, _)| !stands_in(file, &GRAMMAR));
    check(&found, &[], "match on `unspool::wire::ToolInput`");
}

#[test]
fn no_field_of_the_wire_is_asked_for_by_its_name_outside_the_core() {
    let fields = fields();
    let is_taken = |it: &Literal<'_>| {
        it.is_listed() || it.is_named() || TAKERS.iter().any(|taker| it.before.ends_with(taker))
    };
    let mut found = found(&CRATES, |it| is_taken(it) && fields.contains(it.text) || it.quotes(&fields));
    found.retain(|(file, _)| !stands_in(file, &OTHER_LANGUAGES));
    check(&found, ALLOWED_FIELDS, "read the type of `unspool::wire`, or use its `NAMES`");
}

#[test]
fn no_value_of_the_wire_is_matched_outside_the_core() {
    let values = values();
    let is_matched = |it: &Literal<'_>| {
        it.is_listed()
            || it.is_named()
            || BEFORE.iter().any(|sign| it.before.ends_with(sign))
            || BEHIND.iter().any(|sign| it.behind.starts_with(sign))
    };
    let mut found = found(&CRATES, |it| is_matched(it) && values.contains(it.text));
    found.retain(|(file, _)| !stands_in(file, &OTHER_LANGUAGES));
    check(&found, ALLOWED_VALUES, "read it as the list of `unspool::wire`, such as `StopReason`");
}

#[test]
fn no_text_of_claude_code_is_looked_for_outside_the_core() {
    let found = found(&CRATES, |it| TEXTS.iter().any(|text| it.text.contains(text)));
    check(&found, &[], "use `unspool::wire::quirk`");
}

/// The texts of which this is true in the source files of these crates, by file.
fn found(crates: &[&str], is_one: impl Fn(&Literal<'_>) -> bool) -> BTreeSet<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = BTreeSet::new();
    for file in crates.iter().flat_map(|name| sources(&folder.join(name).join("src"))) {
        let text = fs::read_to_string(&file).unwrap();
        let file = file.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
        if file.starts_with(MADE_UP) {
            continue;
        }
        let ones = literals(&text).into_iter().filter(&is_one);
        found.extend(ones.map(|it| (file.clone(), it.text.to_owned())));
    }
    found
}

fn stands_in(file: &str, places: &[&str]) -> bool {
    places.iter().any(|place| file.starts_with(place))
}

#[track_caller]
fn check(found: &BTreeSet<(String, String)>, allowed: &[(&str, &str, &str)], advice: &str) {
    let allowed: BTreeSet<_> =
        allowed.iter().map(|(file, name, _)| (file.to_string(), name.to_string())).collect();
    let new: Vec<_> = found.difference(&allowed).collect();
    assert!(new.is_empty(), "{advice}: {new:#?}");
    let old: Vec<_> = allowed.difference(found).collect();
    assert!(old.is_empty(), "no longer there: {old:#?}");
}

/// What lines, entries and control requests are called.
fn names() -> BTreeSet<&'static str> {
    let types = Envelope::CHOICE.shapes.iter().map(|(name, _)| *name);
    types
        .chain(SystemKind::ALL.iter().map(|it| it.name()))
        .chain(EntryKind::ALL.iter().map(|it| it.name()))
        .chain(SystemEntryKind::ALL.iter().map(|it| it.name()))
        .chain(AskKind::ALL.iter().map(|it| it.name()))
        .chain(CommandKind::ALL.iter().map(|it| it.name()))
        .collect()
}

/// What the fields of lines, entries and requests are called, and those of what tools are given and answer.
fn fields() -> BTreeSet<&'static str> {
    let mut fields = BTreeSet::new();
    for_each_shape(|shape| {
        if let Shape::Object(of) = shape {
            fields.extend([Some(of), of.base].into_iter().flatten().flat_map(names_of));
        }
    });
    fields
}

/// The words out of lists that may grow.
fn values() -> BTreeSet<&'static str> {
    let mut values = BTreeSet::new();
    for_each_shape(|shape| {
        if let Shape::Open(listed) = shape {
            values.extend(listed);
        }
    });
    values
}

/// Goes through all that lines, entries, requests and tools can hold.
fn for_each_shape(mut take: impl FnMut(Shape)) {
    let lines = [Envelope::shape(), Input::shape(), Entry::shape(), Ask::shape(), Command::shape()];
    let inputs = ToolInput::TOOLS.iter().filter_map(|tool| ToolInput::shape_of(tool));
    let outputs = ToolOutput::TOOLS.iter().filter_map(|tool| ToolOutput::shape_of(tool));
    let mut seen = BTreeSet::new();
    let mut shapes: Vec<Shape> = lines.into_iter().chain(inputs).chain(outputs).collect();
    while let Some(shape) = shapes.pop() {
        match shape {
            Shape::Object(of) if seen.insert((of.home, of.name)) => {
                for of in [Some(of), of.base].into_iter().flatten() {
                    shapes.extend(of.fields.iter().map(|field| (field.shape)()));
                }
            }
            Shape::Choice(of) if seen.insert((of.home, of.name)) => {
                shapes.extend(of.shapes.iter().map(|(_, shape)| shape()));
                shapes.extend(of.others.iter().map(|shape| shape()));
            }
            Shape::Object(_) | Shape::Choice(_) => continue,
            Shape::List(of) | Shape::Map(of) | Shape::Likely(of) => shapes.push(of()),
            Shape::Either(all) => shapes.extend(all.iter().map(|shape| shape())),
            _ => {}
        }
        take(shape);
    }
}

fn names_of(of: &'static Type) -> impl Iterator<Item = &'static str> {
    of.tags.iter().map(|(tag, _)| *tag).chain(of.fields.iter().map(|field| field.name))
}
