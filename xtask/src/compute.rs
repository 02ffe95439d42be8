//! The core may only compute: no files, no network, no processes, no clock, no terminal, no async.
//!
//! `crates/unspool/clippy.toml` lists what that means in the standard library, and the list of its
//! dependencies (`deps`) sees to the rest. A lint can be switched off by an attribute and a path in the list
//! can be misspelt, so the library forbids the lints rather than denies them, and the list is tried out here.
//! The step `clippy` is what looks at the library.

use crate::step::Done;
use crate::workspace::Workspace;
use anyhow::{Context, anyhow, ensure};
use std::fs;
use std::path::Path;

/// How the library forbids what is listed, as rustfmt writes it.
const FORBIDS: &str = "
#![cfg_attr(
    not(test),
    forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)
)]
";

pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    let core = workspace.root.join("crates/unspool");
    the_list_works(workspace, &core.join("clippy.toml"))?;
    let library = fs::read_to_string(core.join("src/lib.rs"))?;
    ensure!(library.contains(FORBIDS), "crates/unspool/src/lib.rs lacks{FORBIDS}");
    let waits = waits_below(&core.join("src"))?;
    ensure!(waits.is_empty(), "async code in the core\n  {}", waits.join("\n  "));
    only_computes(workspace, "unspool-report", DENIES)?;
    only_computes(workspace, "unspool-redact", FORBIDS)?;
    Ok(Done::Passed)
}

/// How the reports deny it: what clap derives for them allows groups of lints, which `forbid` would refuse.
const DENIES: &str = "#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]";

/// Holds another library against the same list.
fn only_computes(workspace: &Workspace, name: &str, refuses: &str) -> anyhow::Result<()> {
    let [core, own] = ["unspool", name].map(|name| workspace.root.join("crates").join(name));
    let [list, same] = [&core, &own].map(|crate_| fs::read(crate_.join("clippy.toml")));
    ensure!(list? == same?, "crates/{name}/clippy.toml is not that of the core");
    let library = fs::read_to_string(own.join("src/lib.rs"))?;
    ensure!(library.contains(refuses), "crates/{name}/src/lib.rs lacks\n{refuses}");
    let waits = waits_below(&own.join("src"))?;
    ensure!(waits.is_empty(), "async code in {name}\n  {}", waits.join("\n  "));
    Ok(())
}

/// One sin of each kind. The list must find exactly these, and every path in it must exist.
const PROBE: &str = "
/// Sins.
pub fn sins(command: &mut std::process::Command) -> Vec<u8> {
    println!(\"{:?} {:?}\", command, std::time::Instant::now());
    std::fs::read(\"x\").unwrap_or_default()
}
";
const FOUND: [&str; 4] =
    ["std::process::Command", "std::println", "std::time::Instant::now", "std::fs::read"];

/// Tries the list on a package made for the purpose.
fn the_list_works(workspace: &Workspace, list: &Path) -> anyhow::Result<()> {
    let probe = workspace.target.join("compute-only");
    fs::create_dir_all(probe.join("src"))?;
    let manifest = "[package]\nname = \"probe\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
    fs::write(probe.join("Cargo.toml"), manifest)?;
    fs::copy(list, probe.join("clippy.toml")).context("crates/unspool/clippy.toml")?;
    fs::write(probe.join("src/lib.rs"), format!("{FORBIDS}\n{PROBE}"))?;
    let mut clippy =
        workspace.cargo(["clippy", "--offline", "--quiet", "--target-dir=target", "--", "-Dwarnings"]);
    let output = clippy.current_dir(&probe).env_remove("CLIPPY_CONF_DIR").output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    judge(&said).map_err(|error| anyhow!("the core's clippy.toml does not do its work: {error}\n{said}"))
}

/// Whether clippy found the sins in the probe, and nothing wrong with the list itself.
fn judge(said: &str) -> anyhow::Result<()> {
    for sin in FOUND {
        ensure!(said.contains(&format!("`{sin}`")), "{sin} was not found");
    }
    ensure!(said.contains("forbid("), "the lints are not forbidden");
    ensure!(!said.contains("clippy.toml:"), "a path in the list does not exist");
    Ok(())
}

/// The places below a folder where code is async.
fn waits_below(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(waits_below(&path)?);
        } else {
            let text = fs::read_to_string(&path)?;
            let lines = text.lines().enumerate().filter(|(_, line)| waits(line));
            found.extend(lines.map(|(at, line)| format!("{}:{}: {}", path.display(), at + 1, line.trim())));
        }
    }
    Ok(found)
}

/// Whether a line of code is async. The word alone says nothing: the wire has a field of that name.
fn waits(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or("");
    ["async fn", "async move", "async {", "async |", ".await"].iter().any(|word| code.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_misses_a_sin_is_no_list() {
        let all = FOUND.map(|sin| format!("error: use of a disallowed item `{sin}`")).join("\n");
        let all = format!("{all}\nnote: #![forbid(clippy::disallowed_methods)]");
        judge(&all).unwrap();
        judge(&all.replace("forbid(", "warn(")).unwrap_err();
        judge(&all.replace("`std::fs::read`", "")).unwrap_err();
        judge(&format!("{all}\n --> clippy.toml:3:5")).unwrap_err();
    }

    #[test]
    fn async_code_is_seen() {
        for line in
            ["pub async fn feed() {", "    line.await?", "spawn(async move {", "let it = async { 1 };"]
        {
            assert!(waits(line), "{line}");
        }
        for line in ["// no async fn here", "r#async: bool,", "\"async\" => Hook,", "let awaited = 1;"] {
            assert!(!waits(line), "{line}");
        }
    }
}
