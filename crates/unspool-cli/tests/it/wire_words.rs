//! What a line is, is known by its type: no name of the wire is matched outside the core, be it of a line, a tool or a field.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use unspool::wire::entry::{EntryKind, SystemEntryKind};
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
    ("unspool-cli/src/desk/proposal.rs", "cells", "a field of notebooks"),
    ("unspool-cli/src/desk/proposal.rs", "id", "a field of notebooks"),
    ("unspool-cli/src/desk/proposal.rs", "source", "a field of notebooks"),
    ("unspool-cli/src/value.rs", "type", "a field of JSON Schema"),
    ("unspool-report/src/words/failure.rs", "error", "a field of an answer of the API, inside a text"),
    ("unspool-report/src/words/failure.rs", "message", "a field of an answer of the API, inside a text"),
];

/// What takes the name of a field: a method of JSON, and what our own functions around it are called.
const TAKERS: [&str; 3] = ["get(", "text(", "field("];

#[test]
fn no_name_of_the_wire_is_matched_outside_the_core() {
    let names = names();
    let found = found(&["unspool-report", "unspool-client", "unspool-cli"], |text| {
        literals(text).map(|(_, it)| it).filter(|it| names.contains(it)).collect()
    });
    check(&found, ALLOWED, "use the types of `unspool::wire`, such as `What::envelope`");
}

/// The rules of permission in the client have a grammar of their own, in which tools are named.
#[test]
fn no_tool_is_named_outside_the_core() {
    let found = found(&["unspool-report", "unspool-cli"], |text| {
        literals(text).map(|(_, it)| it).filter(|it| ToolInput::TOOLS.contains(it)).collect()
    });
    check(&found, &[], "match on `unspool::wire::ToolInput`");
}

#[test]
fn no_field_of_the_wire_is_asked_for_by_its_name_outside_the_core() {
    let fields = fields();
    let found = found(&["unspool-report", "unspool-cli"], |text| {
        let taken = literals(text).filter(|(before, _)| TAKERS.iter().any(|taker| before.ends_with(taker)));
        taken.map(|(_, it)| it).filter(|it| fields.contains(it)).collect()
    });
    check(&found, ALLOWED_FIELDS, "read the type of `unspool::wire`, or use its `NAMES`");
}

/// What is found in the source files of these crates, by file.
fn found(crates: &[&str], find: impl Fn(&str) -> Vec<&str>) -> BTreeSet<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = BTreeSet::new();
    for file in crates.iter().flat_map(|name| sources(&folder.join(name).join("src"))) {
        let text = fs::read_to_string(&file).unwrap();
        let file = file.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
        found.extend(find(&text).into_iter().map(|it| (file.clone(), it.to_owned())));
    }
    found
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
    let lines = [Envelope::shape(), Input::shape(), Entry::shape(), Ask::shape(), Command::shape()];
    let inputs = ToolInput::TOOLS.iter().filter_map(|tool| ToolInput::shape_of(tool));
    let outputs = ToolOutput::TOOLS.iter().filter_map(|tool| ToolOutput::shape_of(tool));
    let (mut fields, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut shapes: Vec<Shape> = lines.into_iter().chain(inputs).chain(outputs).collect();
    while let Some(shape) = shapes.pop() {
        match shape {
            Shape::Object(of) if seen.insert((of.home, of.name)) => {
                for of in [Some(of), of.base].into_iter().flatten() {
                    fields.extend(names_of(of));
                    shapes.extend(of.fields.iter().map(|field| (field.shape)()));
                }
            }
            Shape::Choice(of) if seen.insert((of.home, of.name)) => {
                shapes.extend(of.shapes.iter().map(|(_, shape)| shape()));
                shapes.extend(of.others.iter().map(|shape| shape()));
            }
            Shape::List(of) | Shape::Map(of) | Shape::Likely(of) => shapes.push(of()),
            Shape::Either(all) => shapes.extend(all.iter().map(|shape| shape())),
            _ => {}
        }
    }
    fields
}

fn names_of(of: &'static Type) -> impl Iterator<Item = &'static str> {
    of.tags.iter().map(|(tag, _)| *tag).chain(of.fields.iter().map(|field| field.name))
}

/// The source files in a folder that are part of the program; modules that only tests have are not.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    let tests: Vec<PathBuf> = files.iter().flat_map(|file| tests_of(file)).collect();
    files.retain(|file| {
        !tests.iter().any(|tests| file.starts_with(tests) || file.with_extension("") == *tests)
    });
    files
}

/// The modules of a file that only tests have, without the ending of their files.
fn tests_of(file: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(file).unwrap();
    let is_root = file.file_stem().is_some_and(|name| name == "mod" || name == "lib" || name == "main");
    let folder = if is_root { file.parent().unwrap().to_owned() } else { file.with_extension("") };
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let modules = lines.windows(2).filter_map(|pair| {
        let is_for_tests = pair[0].starts_with("#[cfg(test)]") || pair[0].starts_with("#[cfg(all(test,");
        let (_, name) = pair[1].strip_suffix(';').filter(|_| is_for_tests)?.split_once("mod ")?;
        Some(folder.join(name))
    });
    modules.collect()
}

/// The texts between quotes outside of comments and of the tests in the same file, each behind what stands before it.
fn literals(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split('"').zip(line.split('"').skip(1)))
}
