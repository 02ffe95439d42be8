//! Whether what is published can be: cargo takes each package, each has a page of its own, and what is optional can be left
//! out.

use crate::step::Done;
use crate::workspace::{Workspace, run};
use anyhow::ensure;

/// All that is published, in the order in which they need each other.
const PUBLISHED: [&str; 6] =
    ["unspool", "unspool-redact", "unspool-report", "unspool-fake", "unspool-client", "unspool-cli"];

/// Without what is optional: the client alone, and the reports without `clap`, which all else brings along.
const BARE: [&[&str]; 2] =
    [&["--package=unspool-client", "--no-default-features"], &["--package=unspool-report"]];

/// Without building them once more, which takes minutes.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    let packages = PUBLISHED.map(|name| format!("--package={name}"));
    let words = ["package", "--no-verify", "--allow-dirty", "--locked"];
    run(workspace.cargo(words).args(&packages).arg("--target-dir").arg(workspace.target.join("package")))?;
    for name in PUBLISHED {
        let output = workspace.cargo(["package", "--list", "--allow-dirty", "--package", name]).output()?;
        let files = String::from_utf8_lossy(&output.stdout).into_owned();
        ensure!(files.lines().any(|file| file == "README.md"), "{name} has no README.md");
    }
    for bare in BARE {
        run(workspace.cargo(["clippy", "--locked"]).args(bare).args(["--", "-Dwarnings"]))?;
    }
    Ok(Done::Passed)
}
