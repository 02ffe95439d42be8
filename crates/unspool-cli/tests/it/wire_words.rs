//! What a line is, is known by its type: no name of the wire is matched outside the core.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use unspool::wire::entry::{EntryKind, SystemEntryKind};
use unspool::wire::{AskKind, CommandKind, Envelope, SystemKind};

/// Where a name of the wire means something else, or stands in a text of ours.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("unspool-report/src/outline.rs", "summary", "a field of our own JSON"),
    ("unspool-report/src/words/call.rs", "status", "a field of tools"),
    ("unspool-report/src/words/checklist.rs", "status", "a field of tools"),
    ("unspool-report/src/view/checklist.rs", "status", "a field of tools"),
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

#[test]
fn no_name_of_the_wire_is_matched_outside_the_core() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let names = names();
    let mut found = BTreeSet::new();
    for name in ["unspool-report", "unspool-client", "unspool-cli"] {
        for file in sources(&crates.join(name).join("src")) {
            let text = fs::read_to_string(&file).unwrap();
            let file = file.strip_prefix(crates).unwrap().to_str().unwrap().replace('\\', "/");
            found.extend(
                literals(&text).filter(|it| names.contains(it)).map(|it| (file.clone(), it.to_owned())),
            );
        }
    }
    let allowed: BTreeSet<_> =
        ALLOWED.iter().map(|(file, name, _)| (file.to_string(), name.to_string())).collect();
    let new: Vec<_> = found.difference(&allowed).collect();
    assert!(new.is_empty(), "use the types of `unspool::wire`, such as `What::envelope`: {new:#?}");
    let old: Vec<_> = allowed.difference(&found).collect();
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
    let modules = text.split("#[cfg(test)]\n").skip(1).filter_map(|rest| {
        let line = rest.lines().next()?;
        line.strip_suffix(';')?.split_once("mod ").map(|(_, name)| folder.join(name))
    });
    modules.collect()
}

/// The texts between quotes outside of comments and of the tests in the same file.
fn literals(text: &str) -> impl Iterator<Item = &str> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split('"').skip(1))
}
