//! Whether everything compiles for Windows, on a machine that is none, and with the oldest compiler that is claimed to
//! do: one look for both, because each takes as long.

use crate::step::Done;
use crate::workspace::{Workspace, run};
use anyhow::Context;
use serde::Deserialize;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The one whose parts need no linker of Windows to be checked.
const TARGET: &str = "x86_64-pc-windows-gnu";

/// Where the server cannot be reached, some machines say so only after very long.
const PATIENCE: Duration = Duration::from_secs(180);

/// All that is published. What drives a process says what it cannot do there.
const PACKAGES: [&str; 5] = [
    "--package=unspool",
    "--package=unspool-report",
    "--package=unspool-client",
    "--package=unspool-fake",
    "--package=unspool-cli",
];

pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    let oldest = oldest(workspace)?;
    let install =
        ["toolchain", "install", &oldest, "--profile=minimal", "--no-self-update", "--target", TARGET];
    if rustup(workspace, &install) {
        // Not by our own cargo, which is of another toolchain and calls its own compiler.
        let mut cargo = Command::new("rustup");
        cargo
            .current_dir(&workspace.root)
            .args(["run", &oldest, "cargo", "check", "--locked", "--target", TARGET]);
        for ours in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"] {
            cargo.env_remove(ours);
        }
        run(cargo.args(PACKAGES))?;
        return Ok(Done::Passed);
    }
    if !rustup(workspace, &["target", "add", TARGET]) {
        return Ok(Done::Skipped(format!("`rustup` can install neither Rust {oldest} nor {TARGET}")));
    }
    run(workspace.cargo(["check", "--locked", "--target", TARGET]).args(PACKAGES))?;
    Ok(Done::Skipped(format!(
        "it compiles for Windows, but `rustup` cannot install Rust {oldest} to try that"
    )))
}

#[derive(Deserialize)]
struct Manifest {
    workspace: Table,
}

#[derive(Deserialize)]
struct Table {
    package: Package,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Package {
    rust_version: String,
}

/// The oldest compiler that the manifest says will do.
fn oldest(workspace: &Workspace) -> anyhow::Result<String> {
    let text = fs::read_to_string(workspace.root.join("Cargo.toml")).context("Cargo.toml")?;
    Ok(toml::from_str::<Manifest>(&text)?.workspace.package.rust_version)
}

/// Lets rustup install something, unless it is there. Returns whether it is.
pub(crate) fn rustup(workspace: &Workspace, words: &[&str]) -> bool {
    let mut rustup = Command::new("rustup");
    rustup.args(words).current_dir(&workspace.root);
    let rustup = rustup.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let Ok(mut rustup) = rustup else { return false };
    let begun = Instant::now();
    loop {
        match rustup.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if begun.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(100)),
            _ => {
                // It may have ended just now.
                let _ = rustup.kill();
                return rustup.wait().is_ok_and(|status| status.success());
            }
        }
    }
}
