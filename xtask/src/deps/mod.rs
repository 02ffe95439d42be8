//! What we build on: licences, sources, versions, and what the core may bring along.
//!
//! `deny.toml` is the policy and cargo-deny can read it too, but building cargo-deny takes minutes, so
//! this reads `cargo metadata` itself. Only the advisories need cargo-deny, where it is installed.

mod licence;
mod policy;
mod tree;

use crate::step::Done;
use crate::workspace::{Workspace, answers, run};
use anyhow::{Context, ensure};
use policy::Policy;
use std::env;
use std::fs;
use std::path::PathBuf;
use tree::Tree;

/// Every dependency against the policy.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    let policy = Policy::read(&fs::read_to_string(workspace.root.join("deny.toml"))?).context("deny.toml")?;
    let tree = Tree::read(workspace.metadata(&[])?)?;
    let faults = policy.faults(&tree);
    ensure!(faults.is_empty(), "{} faults\n  {}", faults.len(), faults.join("\n  "));
    println!("{} packages; the core brings {}", tree.packages.len(), tree.below_core()?.len());
    Ok(Done::Passed)
}

/// Known security faults, where cargo-deny and a copy of the database are at hand.
pub(crate) fn advisories(workspace: &Workspace) -> anyhow::Result<Done> {
    if !answers(&mut workspace.cargo(["deny", "--version"])) {
        return Ok(Done::Skipped("cargo-deny is not installed".into()));
    }
    if !database().is_some_and(|folder| folder.is_dir()) {
        return Ok(Done::Skipped("no copy of the advisory database (`cargo deny fetch` makes one)".into()));
    }
    run(&mut workspace.cargo(["deny", "--frozen", "check", "advisories"]))?;
    Ok(Done::Passed)
}

/// Where cargo-deny keeps its copies.
fn database() -> Option<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    Some(home.or_else(|| Some(env::home_dir()?.join(".cargo")))?.join("advisory-dbs"))
}
