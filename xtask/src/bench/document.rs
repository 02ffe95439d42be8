//! `docs/benchmarks.md`.

use super::machine;
use super::report::Report;
use crate::workspace::Workspace;
use std::fmt::Write;
use std::path::Path;

/// What the words in the tables mean. It stands here and not in the document, which is never edited.
const WORDS: &str = include_str!("words.md");

/// The whole document.
pub(super) fn write(workspace: &Workspace, recordings: &Path, report: &Report) -> anyhow::Result<String> {
    let mut out = String::from("# Benchmarks\n\n");
    let _ = writeln!(out, "Written by `cargo xtask bench`, never by hand. {}.\n", report.score());
    out.push_str(&report.summary());
    out.push_str("\n## Where and when\n\n");
    for (name, value) in machine::describe(workspace)? {
        let _ = writeln!(out, "* {name}: {value}");
    }
    // A folder of somebody's own recordings has a path that is nobody else's business.
    let source = recordings.strip_prefix(&workspace.root).map(|path| format!("`{}`", path.display()));
    let source = source.unwrap_or("recordings that are not part of the project".to_owned());
    let _ = writeln!(out, "* recorded lines from: {source}");
    out.push_str("\n## What the words mean\n\n");
    out.push_str(WORDS);
    for table in &report.tables {
        let _ = writeln!(out, "\n## {}\n", table.title);
        out.push_str(&table.markdown());
    }
    Ok(out)
}
