//! Where a test plays: a scripted model, a fresh home, a fresh folder, and a version of Claude Code.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{env, fs};
use tokio::task::{JoinSet, LocalSet};
use unspool_client::kept::KeptSessions;
use unspool_client::program::Version;
use unspool_client::tap::Traffic;
use unspool_client::unspool::line::{DEFAULT_LIMIT, Splitter};
use unspool_client::{Claude, Options};
use unspool_fake::{FakeModel, Script};

/// Nothing here takes so long unless it hangs.
const LIMIT: Duration = Duration::from_secs(240);

pub(crate) struct Stage {
    pub(crate) program: PathBuf,
    /// `2.1.325`, and so on.
    pub(crate) version: String,
    pub(crate) model: FakeModel,
    pub(crate) folder: PathBuf,
    home: PathBuf,
}

/// Plays a script with every version there is, all at once.
pub(crate) async fn on_all<F: Future<Output = ()> + 'static>(script: &str, test: impl Fn(Stage) -> F) {
    on_some(script, |_| true, test).await;
}

/// Plays a script with those versions that this is true of.
pub(crate) async fn on_some<F: Future<Output = ()> + 'static>(
    script: &str,
    fits: impl Fn(&str) -> bool,
    test: impl Fn(Stage) -> F,
) {
    let mut plays = JoinSet::new();
    let here = LocalSet::new();
    let fitting = programs().into_iter().filter(|program| fits(&version_of(program))).collect();
    for program in in_turn(fitting) {
        let stage = Stage::new(&program, script).await;
        let version = stage.version.clone();
        let play = tokio::time::timeout(LIMIT, test(stage));
        plays.spawn_local_on(async move { assert!(play.await.is_ok(), "{version} hangs") }, &here);
    }
    assert!(!plays.is_empty(), "no version fits");
    here.run_until(plays.join_all()).await;
}

/// Hears every line that the program says, before it is told.
pub(crate) fn on_line(claude: Claude, listener: impl Fn(&str) + Send + Sync + 'static) -> Claude {
    let lines = Mutex::new(Splitter::new(DEFAULT_LIMIT));
    claude.tap(move |traffic, _| {
        if let Traffic::Read(bytes) = traffic {
            lines.lock().unwrap().feed(bytes, |line| listener(&line.text()));
        }
    })
}

impl Stage {
    /// With the newest version there is.
    pub(crate) async fn newest(script: &str) -> Self {
        let newest = |program: &PathBuf| version_of(program).parse::<Version>().ok();
        Stage::new(&programs().into_iter().max_by_key(newest).expect("a version"), script).await
    }

    async fn new(program: &Path, script: &str) -> Self {
        let script = script.parse::<Script>().unwrap_or_else(|error| panic!("{error}"));
        let model = FakeModel::start(script).await.unwrap();
        let [home, folder] = folders();
        Stage { program: program.to_owned(), version: version_of(program), model, folder, home }
    }

    /// Options for here.
    pub(crate) fn options(&self) -> Options {
        self.here(Options::new())
    }

    /// These options, for here: nothing of whoever runs the tests gets in, no login least of all.
    pub(crate) fn here(&self, options: Options) -> Options {
        let options = options
            .program(&self.program)
            .cwd(&self.folder)
            .clear_env(true)
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("ANTHROPIC_BASE_URL", self.model.url())
            .env("ANTHROPIC_API_KEY", "sk-ant-fake")
            // Without this it refuses to skip permissions where tests run as root.
            .env("IS_SANDBOX", "1");
        let switches =
            ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER"];
        switches.into_iter().fold(options, |options, switch| options.env(switch, "1"))
    }

    /// A client for which everything is allowed.
    pub(crate) fn claude(&self) -> Claude {
        Claude::new(self.options().skip_permissions(true))
    }

    /// What the program keeps on disk.
    pub(crate) fn kept(&self) -> KeptSessions {
        KeptSessions::at(self.config())
    }

    /// The folder that the program takes for its own.
    pub(crate) fn config(&self) -> PathBuf {
        self.home.join(".claude")
    }

    /// Whether the model was told these words.
    pub(crate) fn heard(&self, words: &str) -> bool {
        self.model.requests().iter().any(|request| request.body.contains(words))
    }

    /// Kills every program that has its home here.
    pub(crate) fn kill_all(&self) {
        let home = format!("HOME={}", self.home.display());
        for process in fs::read_dir("/proc").unwrap().flatten() {
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            if environment.split(|byte| *byte == 0).any(|entry| entry == home.as_bytes()) {
                std::process::Command::new("kill").arg("-9").arg(process.file_name()).status().unwrap();
            }
        }
    }

    /// Removes what Claude Code has written down.
    pub(crate) fn forget_sessions(&self) {
        // Some versions have written nothing yet.
        let _ = fs::remove_dir_all(self.home.join(".claude/projects"));
    }

    pub(crate) fn has(&self, file: &str) -> bool {
        self.folder.join(file).exists()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let root = self.home.parent().filter(|_| !std::thread::panicking());
        // A program that has just been ended may still write; what is left lies in the folder for such things.
        let _ = root.map(fs::remove_dir_all);
    }
}

fn programs() -> Vec<PathBuf> {
    let named = env::var_os("UNSPOOL_CLI").expect("UNSPOOL_CLI, with the programs to try");
    env::split_paths(&named).collect()
}

/// With `UNSPOOL_CLI_IN_TURN` the newest of them and one of the older, which depends on the test; otherwise all.
fn in_turn(mut programs: Vec<PathBuf>) -> Vec<PathBuf> {
    if env::var_os("UNSPOOL_CLI_IN_TURN").is_some() && programs.len() > 2 {
        let test = std::thread::current().name().unwrap_or_default().bytes().map(usize::from).sum::<usize>();
        let older = programs.len() - 1;
        programs = vec![programs.remove(test % older), programs.remove(older - 1)];
    }
    programs
}

/// Programs are installed in folders that are named after their version.
fn version_of(program: &Path) -> String {
    let mut names = program.components().filter_map(|part| part.as_os_str().to_str());
    let is_version =
        |name: &&str| name.split('.').count() == 3 && name.starts_with(|first: char| first.is_ascii_digit());
    names.rfind(is_version).unwrap_or("unknown").to_owned()
}

/// A home and a place to work in, both new; not in this tree, because Claude Code looks for a repository around it.
fn folders() -> [PathBuf; 2] {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let root = env::temp_dir().join(format!("unspool-test-{}-{number}", std::process::id()));
    let folders = [root.join("home"), root.join("work")];
    for folder in &folders {
        fs::create_dir_all(folder).unwrap();
    }
    folders
}
