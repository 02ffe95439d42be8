//! `ccusage`, for the benchmark beside it; kept outside the tree, as Claude Code is.

use crate::cli;
use crate::workspace::run;
use std::path::PathBuf;
use std::process::Command;

/// The newest version whose program for Linux is published.
pub(crate) const VERSION: &str = "20.0.24";

/// Its program, which is installed first if it is not there. The package's own start in node is left out.
pub(crate) fn installed() -> anyhow::Result<PathBuf> {
    let folder = cli::cache()?.with_file_name("ccusage");
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let program = folder.join(format!("node_modules/@ccusage/ccusage-linux-{machine}/bin/ccusage"));
    if !program.is_file() {
        let mut npm = Command::new(cli::npm());
        npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"]);
        run(npm.arg("--prefix").arg(&folder).arg(format!("@ccusage/ccusage-linux-{machine}@{VERSION}")))?;
        allow(&program)?;
    }
    Ok(program)
}

#[cfg(unix)]
fn allow(program: &std::path::Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755))?)
}

#[cfg(not(unix))]
fn allow(_: &std::path::Path) -> anyhow::Result<()> {
    Ok(())
}
