//! Patterns for files, as Claude Code writes them: `//absolute`, `~/of the user`, all else from the working
//! directory; a name without a slash fits anywhere below it.
//!
//! What counts is the file that is opened, so a path is judged as it is named and as it really is, without links. A
//! rule that allows has to fit both, one that blocks either. Where one of them cannot be known, there is no answer.

use super::glob::{parts_fit, parts_reach, wild};
use super::name::is_plain;
use super::real::real;
use super::site::{Parts, Root, Site, parts};
use std::path::Path;

/// Whether the path fits the pattern: itself, or by what stands for a directory above it.
///
/// Where a pattern begins may be a link; what is in it may not. Whoever fills the folder could make a link of it.
pub(super) fn fits(pattern: &str, path: &str, site: &Site) -> Option<bool> {
    let named = Pattern::of(pattern, site, |root| &root.named)?;
    // Nobody else can make links in the root.
    let links = if pattern.starts_with("//") { 1 } else { 0 };
    let real = Pattern::of(pattern, site, |root| &root.real)?.followed(links)?;
    let path = site.spell(path)?;
    let fits = |pattern: &Pattern, path: &Parts| pattern.fits(path, pattern.ends_plainly());
    let as_named = fits(&named, &path.named) || fits(&real, &path.named);
    Some(as_named && path.real.iter().all(|path| fits(&real, path)))
}

/// Whether the path, or a directory above it, fits the pattern: what is blocked is blocked with all that is in it, and
/// with all that is behind links in the pattern.
pub(super) fn lies_in(pattern: &str, path: &str, site: &Site) -> Option<bool> {
    let patterns = Pattern::all(pattern, site)?;
    let paths = site.spell(path)?.all(site);
    Some(patterns.iter().any(|pattern| paths.iter().any(|path| pattern.fits(path, true))))
}

/// Whether a search in the folder, for files whose names fit the glob, may come to one that fits the pattern.
pub(super) fn reaches(pattern: &str, folder: &str, glob: Option<&str>, site: &Site) -> Option<bool> {
    let patterns = Pattern::all(pattern, site)?;
    let folders = site.spell(folder)?.all(site);
    let glob = glob.map(|glob| site.fold(glob)).filter(|glob| is_simple(glob));
    let reaches =
        |pattern: &Pattern| folders.iter().any(|folder| pattern.is_reached(folder, glob.as_deref()));
    Some(patterns.iter().any(reaches))
}

/// The folder whose names a `Glob` tells, as far as the glob says it plainly; nothing if it may leave the folder.
pub(super) fn listed(folder: &str, glob: &str) -> Option<String> {
    let leaves = glob.split(['/', '{', '}', ',']).any(|part| part == "..");
    let unclear = glob.contains('\\') || glob.starts_with('~') || glob.contains('{') && glob.contains('/');
    if leaves || unclear {
        return None;
    }
    let names: Vec<&str> = glob.split('/').collect();
    let plain = names[..names.len() - 1].iter().take_while(|name| is_plain(name));
    let plain = plain.copied().collect::<Vec<_>>().join("/");
    Some(match (glob.starts_with('/'), folder) {
        (true, _) => format!("/{plain}"),
        (false, "") => plain,
        (false, folder) => format!("{folder}/{plain}"),
    })
}

/// A pattern, and where it begins.
#[derive(Clone, Eq, PartialEq)]
struct Pattern {
    base: Parts,
    parts: Parts,
}

impl Pattern {
    fn of(text: &str, site: &Site, of: fn(&Root) -> &Parts) -> Option<Self> {
        let (base, rest, anywhere) = if let Some(rest) = text.strip_prefix("//") {
            (Some(Parts::new()), rest, false)
        } else if text == "~" || text.starts_with("~/") {
            (site.home.as_ref().map(|home| of(home).clone()), &text[1..], false)
        } else {
            let anchored = text.starts_with("./") || text.starts_with('/');
            let is_name = !text.trim_end_matches('/').contains('/') && text != "..";
            (site.cwd.as_ref().map(|cwd| of(cwd).clone()), text, is_name && !anchored)
        };
        let (mut base, mut parts) = (base?, Parts::new());
        if anywhere {
            parts.push("**".to_owned());
        }
        for part in rest.split('/') {
            match (part, parts.last().map(String::as_str)) {
                ("" | ".", _) => {}
                ("..", Some("**")) => return None,
                ("..", Some(_)) => drop(parts.pop()),
                ("..", None) => drop(base.pop()),
                (part, _) => parts.push(part.to_owned()),
            }
        }
        Some(Pattern { base, parts })
    }

    /// All that it stands for: as it is named, where it begins without links, and behind the links in it.
    fn all(text: &str, site: &Site) -> Option<Vec<Self>> {
        let named = Pattern::of(text, site, |root| &root.named)?;
        let real = Pattern::of(text, site, |root| &root.real)?;
        let behind = real.followed(real.parts.len()).filter(|behind| behind.whole() != real.whole());
        let fold = |parts: &Parts| parts.iter().map(|part| site.fold(part)).collect();
        let folded = |it: Pattern| Pattern { base: fold(&it.base), parts: fold(&it.parts) };
        Some([named, real].into_iter().chain(behind).map(folded).collect())
    }

    /// This pattern with the links in its beginning followed, as far as that is plain and not longer than this.
    fn followed(&self, most: usize) -> Option<Self> {
        let is_literal = |part: &&String| is_plain(part) && !part.contains('\\');
        let plain = self.parts.iter().take(most).take_while(is_literal).count();
        let (beginning, rest) = self.parts.split_at(plain);
        let path = Path::new("/").join(self.base.join("/")).join(beginning.join("/"));
        Some(Pattern { base: parts(&real(&path)?)?, parts: rest.to_vec() })
    }

    fn whole(&self) -> Parts {
        self.base.iter().chain(&self.parts).cloned().collect()
    }

    fn fits(&self, path: &Parts, with_all_below: bool) -> bool {
        let Some(rest) = path.strip_prefix(&*self.base) else { return false };
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        let own = self.with_all_below();
        parts_fit(&own[..self.parts.len()], &rest) || with_all_below && parts_fit(&own, &rest)
    }

    fn is_reached(&self, folder: &Parts, glob: Option<&str>) -> bool {
        if let (Some(glob), Some(name)) = (glob, self.file_name())
            && !wild(glob, name)
        {
            return false;
        }
        if self.base.starts_with(folder) {
            return true;
        }
        let Some(rest) = folder.strip_prefix(&*self.base) else { return false };
        let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
        parts_reach(&self.with_all_below(), &rest)
    }

    /// What stands for a directory stands for all in it.
    fn with_all_below(&self) -> Vec<&str> {
        self.parts.iter().map(String::as_str).chain(["**"]).collect()
    }

    /// Whether the last part is a name, and not any that fits: whoever allows `src/*` does not allow what is in its
    /// folders.
    fn ends_plainly(&self) -> bool {
        self.parts.last().is_none_or(|last| is_plain(last))
    }

    /// The name of the files it is about, if they all have the same one. A directory may have any name, but hardly
    /// one with an extension.
    fn file_name(&self) -> Option<&str> {
        let last = self.parts.last()?;
        let has_extension = last.rfind('.').is_some_and(|at| at > 0) || *last == ".env";
        (has_extension && is_plain(last) && !last.contains('\\')).then_some(last)
    }
}

/// Whether it is one pattern for names, in which nothing but `*` is special.
fn is_simple(glob: &str) -> bool {
    !glob.is_empty() && !glob.contains(|c: char| "{}[]!/\\?,".contains(c) || c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::super::site::{Base, Home, Whence};
    use super::*;

    /// No such folders are there, so nothing is behind a link.
    fn site() -> Site {
        let home = Home::Of(Some("/home/unspool-nobody".into()));
        Site::of(
            &Base { cwd: Some("/home/unspool-nobody/project".into()), home, is_of_session: true },
            Whence::Place,
        )
    }

    #[test]
    fn patterns_begin_where_claude_code_says() {
        for (pattern, path, fit) in [
            ("src/**", "/home/unspool-nobody/project/src/a/b.rs", true),
            ("src/**", "src/a.rs", true),
            ("src/**", "/home/unspool-nobody/project/src/../Cargo.toml", false),
            ("src/**", "/elsewhere/src/a.rs", false),
            ("./src/*", "/home/unspool-nobody/project/src/a.rs", true),
            ("/src/*", "/home/unspool-nobody/project/src/a.rs", true),
            ("src", "/home/unspool-nobody/project/src/a/b.rs", true),
            ("src/*.rs", "/home/unspool-nobody/project/src/a/b.rs", false),
            (".env", "/home/unspool-nobody/project/deep/.env", true),
            ("./.env", "/home/unspool-nobody/project/deep/.env", false),
            ("*.pem", "/home/unspool-nobody/project/deep/key.pem", true),
            ("//etc/**", "/etc/passwd", true),
            ("//etc/**", "/home/unspool-nobody/project/etc/passwd", false),
            ("**", "/home/unspool-nobody/project/../../../../x", false),
            ("//etc/**", "/home/unspool-nobody/project/../../../../../../etc/passwd", true),
            ("//etc/**", "/../etc/passwd", true),
            ("//etc/**", " /etc/passwd\n", true),
            ("~/.ssh/**", "~/.ssh/id", true),
            ("~/.ssh/**", " ~/.ssh/id", true),
            ("~/.ssh/**", "~/x/../.ssh/id", true),
            ("~/.ssh/**", "/home/unspool-nobody/.ssh/id", true),
            ("~", "~", true),
            ("~", "/home/unspool-nobody/.ssh/id", true),
            ("**", "~/x", false),
            ("**", "~", false),
            ("**", "~x/y", true),
            ("../other/**", "/home/unspool-nobody/other/a", true),
            ("..", "/home/unspool-nobody/other/a", true),
            ("src/../docs/*", "docs/a", true),
            (".env.?", "deep/.env.1", true),
            ("key[0-9].pem", "key7.pem", true),
            ("key[0-9].pem", "keys.pem", false),
            ("a[1]", "a1/b", false),
        ] {
            assert_eq!(fits(pattern, path, &site()), Some(fit), "{pattern} {path}");
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
            assert_eq!(lies_in(pattern, path, &site()), Some(true), "{pattern} {path}");
            assert_eq!(fits(pattern, path, &site()), Some(false), "{pattern} {path}");
        }
        assert_eq!(lies_in("src/*.rs", "src/a/b.rs", &site()), Some(false));
    }

    #[test]
    fn without_a_beginning_there_is_no_answer() {
        let nowhere = Site { cwd: None, home: None, ..Site::of(&Base::default(), Whence::Unknown) };
        for (pattern, path, fit) in [
            ("//etc/**", "/etc/passwd", Some(true)),
            ("//etc/**", "passwd", None),
            ("//etc/**", "~/passwd", None),
            ("~/x", "/etc/passwd", None),
            ("x", "/etc/passwd", None),
        ] {
            assert_eq!(fits(pattern, path, &nowhere), fit, "{pattern} {path}");
            assert_eq!(reaches(pattern, path, None, &nowhere), fit, "{pattern} {path}");
        }
        assert_eq!(fits("**/../x", "/etc/passwd", &site()), None);
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
            assert_eq!(reaches(pattern, folder, glob, &site()), Some(reach), "{pattern} {folder} {glob:?}");
        }
    }

    #[test]
    fn a_relative_place_is_in_the_directory_of_the_process() {
        let here = std::env::current_dir().unwrap().join("sub/x");
        let place = Base { cwd: Some("sub".into()), ..Base::default() };
        let site = Site::of(&place, Whence::Place);
        assert_eq!(fits("./x", &here.to_string_lossy(), &site), Some(true));
    }

    #[test]
    fn where_names_have_no_case_what_is_blocked_has_none() {
        let site = Site { ignores_case: true, ..site() };
        for (pattern, path) in [(".env", "deep/.ENV"), ("Secret/**", "sECRET/key")] {
            assert_eq!(lies_in(pattern, path, &site), Some(true), "{pattern} {path}");
            assert_eq!(fits(pattern, path, &site), Some(false), "{pattern} {path}");
        }
        assert_eq!(reaches(".env", "src", Some("*.ENV"), &site), Some(true));
    }

    #[test]
    fn a_glob_lists_what_it_names_plainly() {
        for (folder, glob, listed_folder) in [
            ("", "**/*.rs", Some("")),
            ("src", "*", Some("src/")),
            ("src", "deep/a/*.rs", Some("src/deep/a")),
            ("src", "/etc/*", Some("//etc")),
            ("src", "../*", None),
            ("src", "*/../../x", None),
            ("src", "{..,a}/*", None),
            ("src", "{/etc,a}/*", None),
            ("src", "~/*", None),
        ] {
            assert_eq!(listed(folder, glob).as_deref(), listed_folder, "{folder} {glob}");
        }
    }
}
