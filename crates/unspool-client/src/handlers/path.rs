//! Patterns for files, as Claude Code writes them: `//absolute`, `~/of the user`, all else from the working
//! directory; a name without a slash fits anywhere below it.
//!
//! Paths are compared as they are written, after `.` and `..` are taken out; links are not followed.

use super::glob::parts_fit;
use std::path::{Path, PathBuf};

/// Where patterns begin.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The working directory; that of this process if it is not said.
    pub(super) cwd: Option<PathBuf>,
}

/// Whether the path fits the pattern.
pub(super) fn fits(pattern: &str, path: &str, place: &Place) -> bool {
    let Some(cwd) = place.cwd.clone().or_else(|| std::env::current_dir().ok()) else { return false };
    let Some(cwd) = parts(&cwd.to_string_lossy(), &[]) else { return false };
    let Some(path) = parts(path, &cwd) else { return false };
    let (base, pattern) = if let Some(absolute) = pattern.strip_prefix("//") {
        (Vec::new(), absolute.to_owned())
    } else if let Some(rest) = pattern.strip_prefix("~/") {
        let Some(home) = std::env::var_os("HOME") else { return false };
        let Some(home) = parts(&Path::new(&home).to_string_lossy(), &[]) else { return false };
        (home, rest.to_owned())
    } else {
        let relative = pattern.strip_prefix("./").or_else(|| pattern.strip_prefix('/'));
        (cwd, anywhere(relative.unwrap_or(pattern), relative.is_some()))
    };
    let Some(rest) = path.strip_prefix(&*base) else { return false };
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let mut pattern: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts_fit(&pattern, &rest) {
        return true;
    }
    // What stands for a directory stands for all in it.
    pattern.push("**");
    !pattern.iter().rev().nth(1).is_some_and(|last| last.contains('*')) && parts_fit(&pattern, &rest)
}

fn anywhere(pattern: &str, anchored: bool) -> String {
    let is_name = !pattern.trim_end_matches('/').contains('/');
    if is_name && !anchored { format!("**/{pattern}") } else { pattern.to_owned() }
}

/// The parts of a path, from the root; `None` if it climbs above that.
fn parts(path: &str, cwd: &[String]) -> Option<Vec<String>> {
    let mut all = if path.starts_with('/') { Vec::new() } else { cwd.to_vec() };
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(all.pop()?),
            part => all.push(part.to_owned()),
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_begin_where_claude_code_says() {
        let place = Place { cwd: Some("/home/me/project".into()) };
        for (pattern, path, fit) in [
            ("src/**", "/home/me/project/src/a/b.rs", true),
            ("src/**", "src/a.rs", true),
            ("src/**", "/home/me/project/src/../Cargo.toml", false),
            ("src/**", "/elsewhere/src/a.rs", false),
            ("./src/*", "/home/me/project/src/a.rs", true),
            ("/src/*", "/home/me/project/src/a.rs", true),
            ("src", "/home/me/project/src/a/b.rs", true),
            ("src/*.rs", "/home/me/project/src/a/b.rs", false),
            (".env", "/home/me/project/deep/.env", true),
            ("./.env", "/home/me/project/deep/.env", false),
            ("*.pem", "/home/me/project/deep/key.pem", true),
            ("//etc/**", "/etc/passwd", true),
            ("//etc/**", "/home/me/project/etc/passwd", false),
            ("**", "/home/me/project/../../../../x", false),
        ] {
            assert_eq!(fits(pattern, path, &place), fit, "{pattern} {path}");
        }
    }
}
