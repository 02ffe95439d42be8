//! Where Claude Code may be.

use super::can_run;
use std::collections::HashMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// Below the home folder, where installers put it.
const AT_HOME: [&str; 12] = [
    ".local/bin/claude",
    ".claude/local/claude",
    ".claude/local/node_modules/.bin/claude",
    ".npm-global/bin/claude",
    "node_modules/.bin/claude",
    ".yarn/bin/claude",
    ".bun/bin/claude",
    ".volta/bin/claude",
    ".local/share/pnpm/claude",
    "Library/pnpm/claude",
    ".local/share/mise/shims/claude",
    ".asdf/shims/claude",
];

/// For all users.
const FOR_ALL: [&str; 5] = [
    "/usr/local/bin/claude",
    "/opt/homebrew/bin/claude",
    "/home/linuxbrew/.linuxbrew/bin/claude",
    "/usr/bin/claude",
    "/snap/bin/claude",
];

/// Below a folder that a variable names.
const BY_VARIABLE: [(&str, &str); 5] = [
    ("CLAUDE_CONFIG_DIR", "local/claude"),
    ("CLAUDE_CONFIG_DIR", "local/node_modules/.bin/claude"),
    ("NPM_CONFIG_PREFIX", "bin/claude"),
    ("PNPM_HOME", "claude"),
    ("VOLTA_HOME", "bin/claude"),
];

/// On Windows. What npm puts on PATH there is a batch file, which takes no argument safely; the script that it
/// runs does.
const ON_WINDOWS: [(&str, &str); 4] = [
    ("USERPROFILE", r".local\bin\claude.exe"),
    ("USERPROFILE", r".claude\local\node_modules\@anthropic-ai\claude-code\cli.js"),
    ("APPDATA", r"npm\node_modules\@anthropic-ai\claude-code\bin\claude.exe"),
    ("APPDATA", r"npm\node_modules\@anthropic-ai\claude-code\cli.js"),
];

/// What decides where to look.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    pub(super) home: Option<PathBuf>,
    pub(super) variables: HashMap<String, OsString>,
    /// The places for all users.
    pub(super) for_all: &'static [&'static str],
}

impl Surroundings {
    /// Those of this process.
    pub(super) fn ours() -> Self {
        let variables = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
        Surroundings { home: env::home_dir(), variables: variables.collect(), for_all: &FOR_ALL }
    }

    /// A variable, if it is not empty.
    pub(super) fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(name).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// A program of this name on PATH.
    pub(super) fn on_path(&self, name: &Path) -> Option<PathBuf> {
        self.path_places(name).find(|place| can_run(place))
    }

    /// All places where Claude Code may be, best first.
    pub(super) fn places(&self) -> Vec<PathBuf> {
        let mut places: Vec<PathBuf> = self.path_places("claude".as_ref()).collect();
        let by_variable = if cfg!(windows) { &ON_WINDOWS[..] } else { &BY_VARIABLE[..] };
        let below = |(name, rest): &(&str, &str)| Some(Path::new(self.variable(name)?).join(rest));
        places.extend(by_variable.iter().filter_map(below));
        if cfg!(unix) {
            places.extend(self.home.iter().flat_map(|home| AT_HOME.map(|place| home.join(place))));
            places.extend(self.for_all.iter().map(PathBuf::from));
            places.extend(self.of_version_managers());
        }
        let mut seen = std::collections::HashSet::new();
        places.retain(|place| seen.insert(place.clone()));
        places
    }

    fn path_places(&self, name: &Path) -> impl Iterator<Item = PathBuf> {
        let mut file = name.as_os_str().to_owned();
        if name.extension().is_none_or(|it| it != env::consts::EXE_EXTENSION) {
            file.push(env::consts::EXE_SUFFIX);
        }
        let folders = self.variable("PATH").map(env::split_paths).into_iter().flatten();
        folders.filter(|folder| folder.is_absolute()).map(move |folder| folder.join(&file))
    }

    /// Of each version of node that nvm or fnm has installed, the newest first.
    fn of_version_managers(&self) -> Vec<PathBuf> {
        let home = |rest: &str| self.home.as_ref().map(|home| home.join(rest));
        let nvm = self.variable("NVM_DIR").map(PathBuf::from).or_else(|| home(".nvm"));
        let fnm = self.variable("FNM_DIR").map(PathBuf::from).or_else(|| home(".local/share/fnm"));
        let nvm = versions(nvm.map(|it| it.join("versions/node"))).map(|it| it.join("bin/claude"));
        let fnm = versions(fnm.map(|it| it.join("node-versions")));
        nvm.chain(fnm.map(|it| it.join("installation/bin/claude"))).collect()
    }
}

/// The folders in a folder that are named after versions, the newest first.
fn versions(folder: Option<PathBuf>) -> impl Iterator<Item = PathBuf> {
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok());
    let mut folders: Vec<PathBuf> =
        entries.into_iter().flatten().filter_map(|it| Some(it.ok()?.path())).collect();
    folders.sort_by_key(|folder| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.trim_start_matches('v').split('.').map(|it| it.parse::<u64>().unwrap_or(0)).collect::<Vec<_>>()
    });
    folders.into_iter().rev()
}
