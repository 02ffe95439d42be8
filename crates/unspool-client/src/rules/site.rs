//! Where rules and calls begin, and the spellings of a path: as it is named, and as it really is.

use super::real::real;
use std::path::{Path, PathBuf};

/// Where patterns for files begin, as far as it was said.
#[derive(Clone, Debug, Default)]
pub(super) struct Base {
    /// The working directory; that of this process if it is not said.
    pub(super) cwd: Option<PathBuf>,
    pub(super) home: Home,
    /// The working directory is that of a session.
    pub(super) is_of_session: bool,
}

impl Base {
    /// This place for a session in this directory, or in that of this process, if it was not said where patterns begin.
    pub(super) fn in_session(self, cwd: Option<&Path>) -> Self {
        let theirs = absolute(cwd.unwrap_or(Path::new("")));
        let ours = self.cwd.as_deref().map_or_else(|| theirs.clone(), absolute);
        let leads_to = |path: &Option<PathBuf>| real(path.as_deref()?);
        let is_of_session = leads_to(&ours).is_some() && leads_to(&ours) == leads_to(&theirs);
        Base { cwd: ours, is_of_session, ..self }
    }
}

/// What `~` stands for.
#[derive(Clone, Debug, Default)]
pub(super) enum Home {
    /// The home of the user that runs this process.
    #[default]
    Ours,
    /// That of a session; it may have none that is known.
    Of(Option<PathBuf>),
}

/// Where a call is made: relative paths begin there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Whence<'a> {
    /// Where patterns begin.
    Place,
    /// A folder. Commands of the session may have gone there.
    At(&'a Path),
    /// The application has not said.
    Unknown,
}

/// Where patterns and paths begin.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) cwd: Option<Root>,
    pub(super) home: Option<Root>,
    /// Where relative paths begin.
    pub(super) from: Option<PathBuf>,
    /// `.ENV` opens `.env`.
    pub(super) ignores_case: bool,
}

/// The parts of a path from the root on.
pub(super) type Parts = Vec<String>;

/// A folder from which patterns are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Root {
    pub(super) named: Parts,
    /// Without links. A session is told where it really is.
    pub(super) real: Parts,
}

/// The spellings of the path of a call.
#[derive(Debug)]
pub(super) struct Spellings {
    /// As it is named, without `.` and `..`.
    pub(super) named: Parts,
    /// What may be opened by it: 2.1.325 takes out `..` before links are followed, 2.0.77 leaves both to the system.
    pub(super) real: [Parts; 2],
}

impl Site {
    pub(super) fn of(place: &Base, whence: Whence<'_>) -> Self {
        let cwd = absolute(place.cwd.as_deref().unwrap_or(Path::new("")));
        let home = match &place.home {
            Home::Ours => std::env::home_dir(),
            Home::Of(home) => home.clone(),
        };
        let from = match whence {
            Whence::Place => cwd.clone(),
            Whence::At(folder) => absolute(folder),
            Whence::Unknown => None,
        };
        let root = |path: PathBuf| Root::of(&path);
        Site {
            cwd: cwd.and_then(root),
            home: home.filter(|home| home.is_absolute()).and_then(root),
            from,
            ignores_case: cfg!(target_os = "macos"),
        }
    }

    /// The spellings of a path; nothing where it cannot be known what it leads to. Claude Code leaves out white space
    /// around it.
    pub(super) fn spell(&self, path: &str) -> Option<Spellings> {
        // Windows has more ways to write a path than anybody could list.
        if cfg!(windows) || path.contains('\0') {
            return None;
        }
        let path = path.trim_matches(|c: char| c.is_whitespace() && c != '\u{85}' || c == '\u{feff}');
        let path = match path.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                Path::new("/").join(self.home.as_ref()?.named.join("/")).join(rest.trim_start_matches('/'))
            }
            _ if path.starts_with('/') => PathBuf::from(path),
            _ => self.from.as_ref()?.join(path),
        };
        let named = go(Vec::new(), path.to_str()?);
        let plain = Path::new("/").join(named.join("/"));
        let real = [parts(&real(&plain)?)?, parts(&real(&path)?)?];
        Some(Spellings { named, real })
    }

    /// A name as patterns and paths are compared by it: case does not count where file systems ignore it.
    pub(super) fn fold(&self, name: &str) -> String {
        if self.ignores_case { name.to_lowercase() } else { name.to_owned() }
    }
}

impl Spellings {
    /// Each of them, as what names are blocked by.
    pub(super) fn all(self, site: &Site) -> Vec<Parts> {
        let fold = |parts: Parts| parts.iter().map(|part| site.fold(part)).collect();
        self.real.into_iter().chain([self.named]).map(fold).collect()
    }
}

impl Root {
    fn of(path: &Path) -> Option<Self> {
        Some(Root { named: parts(path)?, real: parts(&real(path)?)? })
    }
}

fn absolute(path: &Path) -> Option<PathBuf> {
    match path.is_absolute() {
        true => Some(path.to_owned()),
        false => Some(std::env::current_dir().ok()?.join(path)),
    }
}

/// A path by its parts; nothing if it has letters that no pattern can have.
pub(super) fn parts(path: &Path) -> Option<Parts> {
    Some(go(Vec::new(), path.to_str()?))
}

/// Where one comes to by that path; above the root there is the root.
pub(super) fn go(mut from: Parts, path: &str) -> Parts {
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(from.pop()),
            part => from.push(part.to_owned()),
        }
    }
    from
}
