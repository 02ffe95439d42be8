//! Which version a program is, by where it is installed: nothing is run to know it.

use super::{Program, Version};
use serde_json::Value;
use std::fs;
use std::path::Path;

impl Program {
    /// The version that its package has, or that it is named after, or its folder: installers lay it into one of those.
    pub(crate) fn installed(&self) -> Option<Version> {
        let path = self.path.canonicalize().ok()?;
        let named = || path.iter().rev().take(2).find_map(|name| name.to_str()?.parse().ok());
        path.ancestors().skip(1).take(2).find_map(of_package).or_else(named)
    }
}

/// The version of the package whose folder this is, if that is Claude Code.
fn of_package(folder: &Path) -> Option<Version> {
    let package = fs::read(folder.join("package.json")).ok()?;
    let package: Value = serde_json::from_slice(&package).ok()?;
    let is_ours = package["name"].as_str()?.starts_with("@anthropic-ai/claude-code");
    package["version"].as_str().filter(|_| is_ours)?.parse().ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn where_it_is_installed_says_its_version() {
        let root = std::env::temp_dir().join(format!("unspool-installed-{}", std::process::id()));
        let package = |name: &str| format!(r#"{{"name":"{name}","version":"2.1.50"}}"#);
        for (file, text) in [
            ("npm/package.json", &*package("@anthropic-ai/claude-code")),
            ("npm/cli.js", ""),
            ("npm/bin/claude.exe", ""),
            ("npm/a/b/claude", ""),
            ("other/package.json", &package("other")),
            ("other/claude", ""),
            ("versions/2.1.325", ""),
            ("cask/2.0.77/claude", ""),
        ] {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        std::os::unix::fs::symlink(root.join("npm/bin/claude.exe"), root.join("claude")).unwrap();
        for (path, version) in [
            ("npm/cli.js", Some(Version::new(2, 1, 50))),
            ("claude", Some(Version::new(2, 1, 50))),
            ("npm/a/b/claude", None),
            ("other/claude", None),
            ("versions/2.1.325", Some(Version::new(2, 1, 325))),
            ("cask/2.0.77/claude", Some(Version::new(2, 0, 77))),
            ("gone", None),
        ] {
            assert_eq!(Program::exactly(root.join(path)).installed(), version, "{path}");
        }
        fs::remove_dir_all(root).unwrap();
    }
}
