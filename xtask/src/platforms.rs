//! Whether everything compiles with the oldest compiler that is claimed to do, here and for Windows, and what has instructions of
//! its own there for 64-bit ARM, on a machine that is neither: one look for all, because what they share is built once.

use crate::step::Done;
use crate::workspace::{Workspace, run};
use anyhow::Context;
use serde::Deserialize;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The one whose parts need no linker of Windows to be checked.
const WINDOWS: &str = "x86_64-pc-windows-gnu";
const ARM: &str = "aarch64-unknown-linux-gnu";

/// Where the server cannot be reached, some machines say so only after very long.
const PATIENCE: Duration = Duration::from_secs(180);

/// All that is published. What drives a process says what it cannot do there.
const PACKAGES: [&str; 6] = [
    "--package=unspool",
    "--package=unspool-redact",
    "--package=unspool-report",
    "--package=unspool-client",
    "--package=unspool-fake",
    "--package=unspool-cli",
];

pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    let oldest = oldest(workspace)?;
    let here = here()?;
    let install = ["toolchain", "install", &oldest, "--profile=minimal", "--no-self-update"];
    if rustup(workspace, &[&install[..], &["--target", WINDOWS, "--target", ARM]].concat()) {
        let with_oldest = || {
            // Not by our own cargo, which is of another toolchain and calls its own compiler.
            let mut cargo = Command::new("rustup");
            cargo.current_dir(&workspace.root).args(["run", &oldest, "cargo", "check", "--locked"]);
            for ours in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"] {
                cargo.env_remove(ours);
            }
            cargo
        };
        run(with_oldest().args(["--target", &here, "--target", WINDOWS]).args(PACKAGES))?;
        run(with_oldest().args(["--target", ARM, "--package=unspool"]))?;
        return Ok(Done::Passed);
    }
    if !rustup(workspace, &["target", "add", WINDOWS]) {
        return Ok(Done::Skipped(format!("`rustup` can install neither Rust {oldest} nor {WINDOWS}")));
    }
    run(workspace.cargo(["check", "--locked", "--target", WINDOWS]).args(PACKAGES))?;
    Ok(Done::Skipped(format!(
        "it compiles for Windows, but `rustup` cannot install Rust {oldest} to try that, here and for ARM"
    )))
}

/// What is compiled for where nothing else is said.
fn here() -> anyhow::Result<String> {
    let said = Command::new("rustc").arg("-vV").output().context("rustc")?;
    let said = String::from_utf8(said.stdout)?;
    said.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .context("rustc names no host")
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
