//! The official clients, and a program that is built on one of them, for the benchmark and tests beside them; kept outside the tree, as
//! Claude Code is.

use crate::cli;
use crate::workspace::run;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) const NPM: &str = "@anthropic-ai/claude-agent-sdk@0.3.325";
pub(crate) const PYPI: &str = "claude-agent-sdk==0.2.182";
const ACP: &str = "@agentclientprotocol/claude-agent-acp@0.99.1";

/// Where they are, once they are installed.
pub(crate) struct Sdks {
    /// The module to import in node.
    pub(crate) node: PathBuf,
    /// A Python that has the other.
    pub(crate) python: PathBuf,
}

/// Installs what is not there yet. Claude Code itself is not among it: all clients drive the same one.
pub(crate) fn installed() -> anyhow::Result<Sdks> {
    Ok(Sdks { node: node()?, python: python()? })
}

/// The module to import in node, which is installed first if it is not there.
pub(crate) fn node() -> anyhow::Result<PathBuf> {
    of_npm("node", NPM, "@anthropic-ai/claude-agent-sdk/sdk.mjs")
}

/// The program for node that speaks the Agent Client Protocol, in the same way.
pub(crate) fn acp() -> anyhow::Result<PathBuf> {
    of_npm("acp", ACP, "@agentclientprotocol/claude-agent-acp/dist/index.js")
}

/// A Python that has the SDK, in the same way.
pub(crate) fn python() -> anyhow::Result<PathBuf> {
    let folder = folder()?.join("python");
    let python = folder.join("bin/python");
    if !has_package(&python) {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", PYPI]))?;
    }
    Ok(python)
}

/// A file of a package, which is installed first if it is not there; without what is optional, which is Claude Code.
fn of_npm(folder_name: &str, package: &str, file: &str) -> anyhow::Result<PathBuf> {
    let folder = folder()?.join(folder_name);
    let file = folder.join("node_modules").join(file);
    if !file.is_file() {
        let mut npm = Command::new(cli::npm());
        npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional"]);
        run(npm.arg("--prefix").arg(&folder).arg(package))?;
    }
    Ok(file)
}

fn folder() -> anyhow::Result<PathBuf> {
    Ok(cli::cache()?.with_file_name("sdk"))
}

fn has_package(python: &Path) -> bool {
    let answer = Command::new(python).args(["-c", "import claude_agent_sdk"]).output();
    answer.is_ok_and(|answer| answer.status.success())
}
