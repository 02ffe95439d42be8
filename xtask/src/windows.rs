//! Whether everything compiles for Windows, on a machine that is none.

use crate::step::Done;
use crate::workspace::{Workspace, run};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The one whose parts need no linker of Windows to be checked.
const TARGET: &str = "x86_64-pc-windows-gnu";

/// Where the server cannot be reached, some machines say so only after very long.
const PATIENCE: Duration = Duration::from_secs(120);

/// The libraries and the program. What drives a process says what it cannot do there.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    if !is_installed(workspace) {
        return Ok(Done::Skipped(format!("`rustup target add {TARGET}` does not work here")));
    }
    let packages = [
        "-p",
        "unspool",
        "-p",
        "unspool-report",
        "-p",
        "unspool-client",
        "-p",
        "unspool-fake",
        "-p",
        "unspool-cli",
    ];
    run(workspace.cargo(["check", "--locked", "--target", TARGET]).args(packages))?;
    Ok(Done::Passed)
}

/// Installs what it takes, unless it is there. Returns whether it is.
fn is_installed(workspace: &Workspace) -> bool {
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", TARGET]).current_dir(&workspace.root);
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
