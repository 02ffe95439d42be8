//! Rules about files, held against a real file system: random folders, files and links, random spellings of paths.
//!
//! What counts is what would be opened. That is looked up by the system, and whether a rule is about it is decided by
//! the real path and a regular expression, so that nothing here is judged by what is tried.

use crate::rules::Whence;
use crate::rules::{Rules, Ruling};
use proptest::prelude::*;
use regex_lite::Regex;
use serde_json::json;
use std::cell::Cell;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use unspool::json::Json;

const NAMES: [&str; 6] = ["a", "b", "secret", "src", ".env", "k.pem"];

/// Patterns; `ROOT` is the folder of all.
const PATTERNS: [&str; 14] = [
    ".env",
    "secret/**",
    "secret",
    "a/*",
    "./a/b",
    "src/**",
    "src/*.pem",
    "*.pem",
    "**",
    "~/a/**",
    "~/.env",
    "//ROOT/outside/**",
    "//ROOT/work/a/**",
    "../outside/a/**",
];

/// What paths begin with.
const BEGINNINGS: [&str; 9] = [
    "",
    "",
    "ROOT/work/",
    "ROOT/wlink/",
    "ROOT/outside/",
    "~/",
    "/proc/self/cwd/",
    "ROOT/work/../work/",
    "ROOT//",
];

#[derive(Clone, Debug)]
enum Thing {
    Folder(Vec<usize>),
    File(Vec<usize>),
    /// Where it stands, whether it names a whole path, how far up, and what it leads to.
    Link(Vec<usize>, bool, usize, Vec<usize>),
}

fn names() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..NAMES.len(), 1..4)
}

fn things() -> impl Strategy<Value = Vec<Thing>> {
    let thing = prop_oneof![
        names().prop_map(Thing::Folder),
        names().prop_map(Thing::File),
        (names(), any::<bool>(), 0..4_usize, names())
            .prop_map(|(at, whole, up, to)| Thing::Link(at, whole, up, to)),
    ];
    prop::collection::vec(thing, 3..14)
}

/// A beginning, and names, `..`, `.` and nothing between slashes.
fn spelling() -> impl Strategy<Value = (usize, Vec<usize>)> {
    (0..BEGINNINGS.len(), prop::collection::vec(0..NAMES.len() + 4, 1..5))
}

struct Tree {
    root: PathBuf,
}

impl Tree {
    /// A folder to work in, a link to it, a home, and a folder that is neither, all with the same things.
    fn grow(things: &[Thing]) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("unspool-files-{}-{number}", std::process::id()));
        for folder in ["work", "home", "outside"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let root = root.canonicalize().unwrap();
        symlink("work", root.join("wlink")).unwrap();
        for (number, thing) in things.iter().enumerate() {
            let folder = root.join(["work", "outside", "home"][number % 3]);
            let at =
                |names: &[usize]| names.iter().fold(folder.clone(), |path, name| path.join(NAMES[*name]));
            // What is there already, or in the way, stays.
            match thing {
                Thing::Folder(names) => drop(fs::create_dir_all(at(names))),
                Thing::File(names) => {
                    let path = at(names);
                    let _ = path.parent().map(fs::create_dir_all);
                    if path.symlink_metadata().is_err() {
                        drop(fs::write(&path, "words"));
                    }
                }
                Thing::Link(names, whole, up, to) => {
                    let path = at(names);
                    let _ = path.parent().map(fs::create_dir_all);
                    let to = to.iter().map(|name| NAMES[*name]).collect::<Vec<_>>().join("/");
                    let home = root.join(["work", "outside", "home"][up % 3]);
                    let target = if *whole { home.join(to) } else { PathBuf::from("../".repeat(*up) + &to) };
                    drop(symlink(target, path));
                }
            }
        }
        Tree { root }
    }

    fn named(&self, text: &str) -> String {
        text.replace("ROOT", self.root.to_str().unwrap())
    }

    fn spell(&self, (beginning, names): &(usize, Vec<usize>)) -> String {
        let name = |name: &usize| NAMES.get(*name).copied().unwrap_or(["..", "..", ".", ""][name % 4]);
        let names: Vec<&str> = names.iter().map(name).collect();
        self.named(BEGINNINGS[*beginning]) + &names.join("/")
    }

    /// What Claude Code would open: newer versions take out `..` first, older ones leave it to the system.
    fn opened(&self, path: &str) -> [PathBuf; 2] {
        let path = path.replace("/proc/self/cwd", self.root.join("work").to_str().unwrap());
        let path = match path.strip_prefix("~/") {
            Some(rest) => self.root.join("home").join(rest.trim_start_matches('/')),
            None => self.root.join("work").join(path),
        };
        let mut plain = PathBuf::new();
        for part in path.components() {
            match part {
                std::path::Component::ParentDir => drop(plain.pop()),
                part => plain.push(part),
            }
        }
        [plain, path]
    }

    /// Whether the pattern is about the file that really is there.
    fn is_about(&self, pattern: &str, real: &Path, with_all_below: bool) -> bool {
        let base = |folder: &str| format!("{}/", self.root.join(folder).display());
        let (base, rest) = match pattern {
            pattern if pattern.starts_with("//") => (String::new(), self.named(pattern)[1..].to_owned()),
            pattern if pattern.starts_with("~/") => (base("home"), pattern[2..].to_owned()),
            pattern if pattern.starts_with("../") => {
                (format!("{}/", self.root.display()), pattern[3..].to_owned())
            }
            "**" => (base("work"), "**".to_owned()),
            pattern if !pattern.contains('/') => (base("work"), format!("**/{pattern}")),
            pattern => (base("work"), pattern.trim_start_matches("./").to_owned()),
        };
        let plain =
            rest.ends_with(|last: char| last != '*') && !rest.rsplit('/').next().unwrap().contains('*');
        let below = if with_all_below || plain { "(/.*)?" } else { "" };
        let text = regex_lite::escape(&(base + &rest));
        let text = text.replace(r"\*\*/", "(.*/)?").replace(r"/\*\*", "(/.*)?").replace(r"\*\*", ".*");
        let text = text.replace(r"\*", "[^/]*");
        Regex::new(&format!("^{text}{below}$")).unwrap().is_match(real.to_str().unwrap())
    }

    fn rules(&self, cwd: &str) -> impl Fn(Rules) -> Rules {
        let (cwd, home) = (self.root.join(cwd), self.root.join("home"));
        move |rules| rules.in_session(Some(&cwd), Some(home.clone()))
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.root).unwrap();
    }
}

/// The real path of what is there, or of what would be made.
fn real(path: &Path) -> Option<PathBuf> {
    // Without a `.` at its end, which hides a link that leads nowhere.
    let path: PathBuf = path.components().collect();
    match fs::canonicalize(&path) {
        Ok(path) => Some(path),
        Err(_) if path.symlink_metadata().is_ok() => None,
        Err(_) => Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?)),
    }
}

fn judge(rules: &Rules, tool: &str, path: &str) -> Ruling {
    let input = json!({"file_path": path}).to_string();
    rules.judge_from(Whence::Place, tool, Json::new(&input).unwrap())
}

#[test]
fn what_is_opened_is_what_is_judged() {
    let (allowed, blocked, unlisted) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let count = |counter: &Cell<u32>| counter.set(counter.get() + 1);
    let cases = ProptestConfig::default();
    let cases = ProptestConfig { cases: cases.cases / 8, ..cases };
    let spellings = prop::collection::vec(spelling(), 30);
    proptest!(cases, |(things in things(), spellings in spellings, linked: bool)| {
        let tree = Tree::grow(&things);
        let place = tree.rules(if linked { "wlink" } else { "work" });
        for pattern in PATTERNS {
            let named = tree.named(pattern).replace("///", "//");
            let blocking = place(Rules::new().block([format!("Read({named})")]).unwrap());
            let allowing = place(Rules::new().allow([format!("Edit({named})")]).unwrap());
            for spelling in &spellings {
                let path = tree.spell(spelling);
                let may = judge(&allowing, "Write", &path) == Ruling::Allowed;
                let is_blocked = judge(&blocking, "Read", &path) == Ruling::Blocked;
                for opened in tree.opened(&path) {
                    let Some(real) = real(&opened) else { continue };
                    let told = format!("{named}: {path} opens {}", real.display());
                    prop_assert!(!may || tree.is_about(&named, &real, false), "allows {told}");
                    prop_assert!(is_blocked || !tree.is_about(&named, &real, true), "does not block {told}");
                }
                count(if may { &allowed } else if is_blocked { &blocked } else { &unlisted });
            }
        }
    });
    // Neither of them says always the same.
    for counter in [&allowed, &blocked, &unlisted] {
        assert!(counter.get() > 200, "{allowed:?} {blocked:?} {unlisted:?}");
    }
}

/// Where no links are, rules are no stricter than they say.
#[test]
fn plain_paths_are_judged_by_what_they_name() {
    let tree = Tree::grow(&[Thing::File(vec![3, 0]), Thing::File(vec![0])]);
    for (cwd, path) in [("work", "src/a"), ("work", "ROOT/work/src/new/x"), ("wlink", "ROOT/work/src/a")] {
        let path = tree.named(path);
        let rules = tree.rules(cwd)(Rules::new().allow(["Edit(src/**)"]).unwrap());
        assert_eq!(judge(&rules, "Write", &path), Ruling::Allowed, "{path}");
        let rules = tree.rules(cwd)(Rules::new().block(["Read(secret/**)", "Read(~/.ssh/**)"]).unwrap());
        assert_eq!(judge(&rules, "Read", &path), Ruling::Unlisted, "{path}");
    }
}

/// A repository's links lead a rule that allows nowhere else, and one that blocks everywhere they lead.
#[test]
fn links_in_a_pattern() {
    // `src` is a link to `secret`.
    let tree = Tree::grow(&[Thing::File(vec![2, 0])]);
    symlink("secret", tree.root.join("work/src")).unwrap();
    let rules = tree.rules("work")(Rules::new().block(["Read(src/**)"]).unwrap());
    for path in ["src/a", "secret/a", "src", "secret"] {
        assert_eq!(judge(&rules, "Read", path), Ruling::Blocked, "{path}");
    }
    let rules = tree.rules("work")(Rules::new().allow(["Edit(src/**)"]).unwrap());
    for path in ["src/a", "secret/a", "src/new"] {
        assert_eq!(judge(&rules, "Write", path), Ruling::Unlisted, "{path}");
    }
}
