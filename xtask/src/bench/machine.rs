//! Where something was measured, and with what: figures mean nothing without it.

use crate::workspace::Workspace;
use crate::{cli, sdk};
use anyhow::{Context, ensure};
use serde::Deserialize;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

/// What was built with which versions: the packages that are measured, and those they are measured against.
const NAMED: [(&str, &[&str]); 2] = [
    ("Cargo.lock", &["unspool", "serde_json", "memchr", "serde"]),
    (
        "bench/peers/Cargo.lock",
        &["atomr-agents-coding-cli-vendor-claude", "claude-codes", "claude-wrapper", "serde_json"],
    ),
];

/// Machine, versions and date, a line each.
pub(super) fn describe(workspace: &Workspace) -> anyhow::Result<Vec<(&'static str, String)>> {
    let mut lines = vec![
        ("date", said(Command::new("date").args(["-u", "+%Y-%m-%d"]))?),
        ("commit", commit(workspace)?),
        ("processor", processor()),
        ("cores", thread::available_parallelism()?.to_string()),
        ("system", format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)),
        (
            "compiler",
            said(Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into())).arg("--version"))?,
        ),
    ];
    for ((file, names), title) in NAMED.into_iter().zip(["packages", "packages of the other crates' build"]) {
        lines.push((title, packages(&workspace.root.join(file), names)?));
    }
    lines.push(("clients", format!("{}, {}, beside Claude Code {}", sdk::NPM, sdk::PYPI, cli::NEWEST)));
    Ok(lines)
}

/// The commit, and whether anything but the document itself has changed since.
fn commit(workspace: &Workspace) -> anyhow::Result<String> {
    let git = |args: &[&str]| said(Command::new("git").args(args).current_dir(&workspace.root));
    let changed = !git(&["status", "--porcelain", "--", ":!docs/benchmarks.md"])?.is_empty();
    Ok(git(&["rev-parse", "--short=10", "HEAD"])? + if changed { ", with changes" } else { "" })
}

/// What Linux calls the processor.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        text.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split_once(": "));
    name.map_or("unknown".to_owned(), |(_, name)| name.to_owned())
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
}

/// The versions of the packages that a lock file names.
fn packages(lock: &Path, names: &[&str]) -> anyhow::Result<String> {
    let text = fs::read_to_string(lock).with_context(|| lock.display().to_string())?;
    let lock: Lock = toml::from_str(&text)?;
    let named = lock.package.iter().filter(|it| names.contains(&it.name.as_str()));
    Ok(named.map(|it| format!("{} {}", it.name, it.version)).collect::<Vec<_>>().join(", "))
}

/// The first line that a program prints.
fn said(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("{:?}", command.get_program()))?;
    ensure!(output.status.success(), "{:?}: {}", command.get_program(), output.status);
    Ok(String::from_utf8(output.stdout)?.lines().next().unwrap_or_default().to_owned())
}
