//! Patterns for files, as Claude Code writes them: `//absolute`, `~/of the user`, all else from the working
//! directory; a name without a slash fits anywhere below it.
//!
//! Paths are compared as they are written, after `~`, `.` and `..` are taken out; links are not followed. Where it is
//! not known what a path begins with, there is no answer.

use super::glob::{parts_fit, parts_reach, wild};
use super::name::is_plain;
use std::path::{Path, PathBuf};

/// Where patterns begin.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The working directory; that of this process if it is not said.
    pub(super) cwd: Option<PathBuf>,
}

/// What paths begin with, by their parts, as far as it is known.
#[derive(Clone, Debug)]
struct Roots {
    cwd: Option<Vec<String>>,
    home: Option<Vec<String>>,
}

/// Whether the path fits the pattern: itself, or by what stands for a directory above it.
pub(super) fn fits(pattern: &str, path: &str, place: &Place) -> Option<bool> {
    fits_from(pattern, path, &Roots::of(place), Below::Plain)
}

/// Whether the path, or a directory above it, fits the pattern: what is blocked is blocked with all that is in it.
pub(super) fn lies_in(pattern: &str, path: &str, place: &Place) -> Option<bool> {
    fits_from(pattern, path, &Roots::of(place), Below::Any)
}

/// Whether a search in the folder, for files whose names fit the glob, may come to one that fits the pattern.
pub(super) fn reaches(pattern: &str, folder: &str, glob: Option<&str>, place: &Place) -> Option<bool> {
    reaches_from(pattern, folder, glob, &Roots::of(place))
}

impl Roots {
    fn of(place: &Place) -> Self {
        let here = std::env::current_dir().ok();
        let cwd = match (&place.cwd, here) {
            (Some(cwd), _) if cwd.is_absolute() => Some(cwd.clone()),
            (Some(cwd), here) => here.map(|here| here.join(cwd)),
            (None, here) => here,
        };
        let home = std::env::home_dir().filter(|home| home.is_absolute());
        let parts = |path: PathBuf| go(Vec::new(), &Path::new(&path).to_string_lossy());
        Roots { cwd: cwd.map(parts), home: home.map(parts) }
    }

    /// The parts of a path from the root on. Claude Code leaves out white space around it.
    fn resolve(&self, path: &str) -> Option<Vec<String>> {
        let path = path.trim_matches(|c: char| c.is_whitespace() && c != '\u{85}' || c == '\u{feff}');
        match path.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => Some(go(self.home.clone()?, rest)),
            _ if path.starts_with('/') => Some(go(Vec::new(), path)),
            _ => Some(go(self.cwd.clone()?, path)),
        }
    }
}

/// Where one comes to by that path; above the root there is the root.
fn go(mut from: Vec<String>, path: &str) -> Vec<String> {
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(from.pop()),
            part => from.push(part.to_owned()),
        }
    }
    from
}

/// A pattern, and where it begins.
struct Pattern<'p> {
    base: Vec<String>,
    parts: Vec<&'p str>,
}

impl<'p> Pattern<'p> {
    fn of(text: &'p str, roots: &Roots) -> Option<Self> {
        let (base, rest, anywhere) = if let Some(rest) = text.strip_prefix("//") {
            (Some(Vec::new()), rest, false)
        } else if text == "~" || text.starts_with("~/") {
            (roots.home.clone(), &text[1..], false)
        } else {
            let anchored = text.starts_with("./") || text.starts_with('/');
            let is_name = !text.trim_end_matches('/').contains('/') && text != "..";
            (roots.cwd.clone(), text, is_name && !anchored)
        };
        let (mut base, mut parts) = (base?, Vec::new());
        if anywhere {
            parts.push("**");
        }
        for part in rest.split('/') {
            match (part, parts.last()) {
                ("" | ".", _) => {}
                ("..", Some(&"**")) => return None,
                ("..", Some(_)) => drop(parts.pop()),
                ("..", None) => drop(base.pop()),
                (part, _) => parts.push(part),
            }
        }
        Some(Pattern { base, parts })
    }

    /// What stands for a directory stands for all in it.
    fn with_all_below(&self) -> Vec<&'p str> {
        self.parts.iter().copied().chain(["**"]).collect()
    }

    /// Whether the last part is a name, and not any that fits.
    fn ends_plainly(&self) -> bool {
        self.parts.last().is_none_or(|last| is_plain(last))
    }

    /// The name of the files it is about, if they all have the same one. A directory may have any name, but hardly
    /// one with an extension.
    fn file_name(&self) -> Option<&'p str> {
        let last = self.parts.last()?;
        let has_extension = last.rfind('.').is_some_and(|at| at > 0) || *last == ".env";
        (has_extension && is_plain(last) && !last.contains('\\')).then_some(last)
    }
}

/// What is below that which fits.
#[derive(Clone, Copy, PartialEq)]
enum Below {
    /// It fits too if the pattern is a name: whoever allows `src/*` does not allow what is in its folders.
    Plain,
    /// It fits too.
    Any,
}

fn fits_from(pattern: &str, path: &str, roots: &Roots, below: Below) -> Option<bool> {
    let pattern = Pattern::of(pattern, roots)?;
    let path = roots.resolve(path)?;
    let Some(rest) = path.strip_prefix(&*pattern.base) else { return Some(false) };
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let with_below = below == Below::Any || pattern.ends_plainly();
    Some(parts_fit(&pattern.parts, &rest) || with_below && parts_fit(&pattern.with_all_below(), &rest))
}

fn reaches_from(pattern: &str, folder: &str, glob: Option<&str>, roots: &Roots) -> Option<bool> {
    let pattern = Pattern::of(pattern, roots)?;
    let folder = roots.resolve(folder)?;
    if let (Some(glob), Some(name)) = (glob.filter(|glob| is_simple(glob)), pattern.file_name())
        && !wild(glob, name)
    {
        return Some(false);
    }
    if pattern.base.starts_with(&folder) {
        return Some(true);
    }
    let Some(rest) = folder.strip_prefix(&*pattern.base) else { return Some(false) };
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    Some(parts_reach(&pattern.with_all_below(), &rest))
}

/// Whether it is one pattern for names, in which nothing but `*` is special.
fn is_simple(glob: &str) -> bool {
    !glob.is_empty() && !glob.contains(|c: char| "{}[]!/\\?,".contains(c) || c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots() -> Roots {
        let parts = |path| Some(go(Vec::new(), path));
        Roots { cwd: parts("/home/me/project"), home: parts("/home/me") }
    }

    #[test]
    fn patterns_begin_where_claude_code_says() {
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
            ("//etc/**", "/home/me/project/../../../../../../etc/passwd", true),
            ("//etc/**", "/../etc/passwd", true),
            ("//etc/**", " /etc/passwd\n", true),
            ("~/.ssh/**", "~/.ssh/id", true),
            ("~/.ssh/**", " ~/.ssh/id", true),
            ("~/.ssh/**", "~/x/../.ssh/id", true),
            ("~/.ssh/**", "/home/me/.ssh/id", true),
            ("~", "~", true),
            ("~", "/home/me/.ssh/id", true),
            ("**", "~/x", false),
            ("**", "~", false),
            ("**", "~x/y", true),
            ("../other/**", "/home/me/other/a", true),
            ("..", "/home/me/other/a", true),
            ("src/../docs/*", "docs/a", true),
            (".env.?", "deep/.env.1", true),
            ("key[0-9].pem", "key7.pem", true),
            ("key[0-9].pem", "keys.pem", false),
            ("a[1]", "a1/b", false),
        ] {
            assert_eq!(fits_from(pattern, path, &roots(), Below::Plain), Some(fit), "{pattern} {path}");
        }
    }

    #[test]
    fn what_is_blocked_is_blocked_with_all_that_is_in_it() {
        for (pattern, path) in [
            ("app/[id]", "app/[id]/page.tsx"),
            ("secret?", "secret1/key"),
            ("secret*", "secret.d/deep/key"),
            ("src/*", "src/a/b"),
        ] {
            assert_eq!(fits_from(pattern, path, &roots(), Below::Any), Some(true), "{pattern} {path}");
            assert_eq!(fits_from(pattern, path, &roots(), Below::Plain), Some(false), "{pattern} {path}");
        }
        assert_eq!(fits_from("src/*.rs", "src/a/b.rs", &roots(), Below::Any), Some(false));
    }

    #[test]
    fn without_a_beginning_there_is_no_answer() {
        let nowhere = Roots { cwd: None, home: None };
        for (pattern, path, fit) in [
            ("//etc/**", "/etc/passwd", Some(true)),
            ("//etc/**", "passwd", None),
            ("//etc/**", "~/passwd", None),
            ("~/x", "/etc/passwd", None),
            ("x", "/etc/passwd", None),
        ] {
            assert_eq!(fits_from(pattern, path, &nowhere, Below::Plain), fit, "{pattern} {path}");
            assert_eq!(reaches_from(pattern, path, None, &nowhere), fit, "{pattern} {path}");
        }
        assert_eq!(fits_from("**/../x", "/etc/passwd", &roots(), Below::Plain), None);
    }

    #[test]
    fn searches_reach_what_is_below_their_folder() {
        for (pattern, folder, glob, reach) in [
            ("secret/**", "", "", true),
            ("secret/**", "/", "", true),
            ("secret/**", "src", "", false),
            ("secret/**", "secret/deep", "", true),
            ("secret/**", "", "*.rs", true),
            ("secret", "", "*.rs", true),
            ("src/*.pem", "src", "", true),
            ("src/*.pem", "src/deep", "", false),
            ("app/[id]", "app/[id]/deep", "", true),
            ("secret?", "secret1/deep", "", true),
            (".env", "src", "", true),
            (".env", "src", "*.rs", false),
            (".env", "src", ".en*", true),
            (".env", "src", "*", true),
            (".env", "src", "*.{rs,env}", true),
            (".env", "src", "!*.rs", true),
            (".env", "src", ".en?", true),
            (".env", "src", "*.rs,.env", true),
            (".env", "src", "*.rs .env", true),
            (".env", "/elsewhere", "", false),
            ("*.pem", "src", "*.rs", true),
            ("~/.ssh/**", "~", "", true),
            ("~/.ssh/**", "/home", "", true),
            ("~/.ssh/**", "", "", false),
            ("~/.ssh", "~", "id*", true),
            ("keys/a.pem", "", "*.rs", false),
            (r"config\.json", "", "config.json", true),
            (r"config\.json", "", "config.*", true),
        ] {
            let glob = Some(glob).filter(|glob| !glob.is_empty());
            assert_eq!(
                reaches_from(pattern, folder, glob, &roots()),
                Some(reach),
                "{pattern} {folder} {glob:?}"
            );
        }
    }

    #[test]
    fn a_relative_place_is_in_the_directory_of_the_process() {
        let here = std::env::current_dir().unwrap().join("sub/x");
        let place = Place { cwd: Some("sub".into()) };
        assert_eq!(fits("./x", &here.to_string_lossy(), &place), Some(true));
    }
}
