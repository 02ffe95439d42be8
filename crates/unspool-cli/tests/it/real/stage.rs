//! A version of Claude Code on a stage of its own, with a scripted model.

use super::replayed::tells_what_was_told;
use crate::program::{Ran, ended};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

/// A version of Claude Code, a model for it, a fresh home and a fresh folder.
pub(super) struct Stage {
    pub(super) program: PathBuf,
    pub(super) version: String,
    pub(super) folder: PathBuf,
    pub(super) home: PathBuf,
    model: Child,
    url: String,
    /// How many recordings were made.
    recordings: AtomicUsize,
}

/// Plays a script with each version that this is true of, all at once.
pub(super) fn on(fits: impl Fn(&str) -> bool, script: &str, test: impl Fn(&Stage) + Sync) {
    let named = env::var_os("UNSPOOL_CLI").expect("UNSPOOL_CLI, with the programs to try");
    let programs = env::split_paths(&named).filter(|program| fits(&version_of(program))).collect();
    let stages: Vec<Stage> = in_turn(programs).iter().map(|program| Stage::new(program, script)).collect();
    assert!(!stages.is_empty(), "no version fits");
    thread::scope(|scope| {
        for stage in &stages {
            scope.spawn(|| test(stage));
        }
    });
}

/// With `UNSPOOL_CLI_IN_TURN` the newest of them and one of the older, which depends on the test; otherwise all.
fn in_turn(mut programs: Vec<PathBuf>) -> Vec<PathBuf> {
    if env::var_os("UNSPOOL_CLI_IN_TURN").is_some() && programs.len() > 2 {
        let test = thread::current().name().unwrap_or_default().bytes().map(usize::from).sum::<usize>();
        let older = programs.len() - 1;
        programs = vec![programs.remove(test % older), programs.remove(older - 1)];
    }
    programs
}

pub(super) fn all(_: &str) -> bool {
    true
}

/// Programs are installed in folders that are named after their version.
pub(super) fn version_of(program: &Path) -> String {
    let mut names = program.components().filter_map(|part| part.as_os_str().to_str());
    let is_version =
        |name: &&str| name.split('.').count() == 3 && name.starts_with(|first: char| first.is_ascii_digit());
    names.rfind(is_version).unwrap_or("unknown").to_owned()
}

impl Stage {
    pub(super) fn new(program: &Path, script: &str) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real").join(name);
        let (home, folder) = (root.join("home"), root.join("work"));
        fs::create_dir_all(&home).unwrap();
        fs::create_dir_all(&folder).unwrap();
        let file = root.join("script.toml");
        fs::write(&file, script).unwrap();
        let mut model = Command::new(env!("CARGO_BIN_EXE_unspool"));
        let mut model = model.arg("fake-model").arg(file).stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(model.stdout.take().unwrap());
        let mut url = String::new();
        out.read_line(&mut url).unwrap();
        assert!(url.starts_with("http://"), "the model did not start: {url}");
        // Somebody has to read the rest of it.
        thread::spawn(move || out.read_to_string(&mut String::new()));
        let (program, version) = (program.to_owned(), version_of(program));
        Stage {
            program,
            version,
            folder,
            home,
            model,
            url: url.trim().to_owned(),
            recordings: AtomicUsize::new(0),
        }
    }

    /// Nothing of whoever runs this gets in, no login least of all.
    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
        command.arg(args[0]).arg("--claude").arg(&self.program).args(&args[1..]).current_dir(&self.folder);
        self.clean(&mut command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Gives it an environment of its own.
    pub(super) fn clean(&self, command: &mut Command) {
        command.env_clear().env("PATH", env::var_os("PATH").unwrap_or_default()).env("HOME", &self.home);
        command.env("ANTHROPIC_BASE_URL", &self.url).env("ANTHROPIC_API_KEY", "sk-ant-fake");
        // Without this Claude Code refuses to skip permissions where tests run as root.
        command.env("IS_SANDBOX", "1");
        for switch in ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER"]
        {
            command.env(switch, "1");
        }
    }

    pub(super) fn start(&self, args: &[&str]) -> Child {
        self.command(args).spawn().unwrap()
    }

    /// Each run is recorded, too, and the recording must tell what was told live.
    pub(super) fn run(&self, args: &[&str]) -> Ran {
        if args[0] != "run" || args.contains(&"--record") {
            return ended(self.start(args));
        }
        let number = self.recordings.fetch_add(1, Ordering::Relaxed);
        let recording = self.home.with_file_name(format!("{number}.rec"));
        let live =
            ended(self.start(&[&["run", "--record", recording.to_str().unwrap()], &args[1..]].concat()));
        tells_what_was_told(self, &recording, args, &live);
        live
    }

    /// All that the model was asked so far, as JSON.
    pub(super) fn requests(&self) -> serde_json::Value {
        let address = self.url.trim_start_matches("http://");
        let mut wire = std::net::TcpStream::connect(address).unwrap();
        write!(wire, "GET /__unspool/requests HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        wire.read_to_string(&mut answer).unwrap();
        // However it is sent, the list begins and ends with its brackets.
        let list = answer.find('[').zip(answer.rfind(']')).map(|(from, to)| &answer[from..=to]);
        serde_json::from_str(list.unwrap()).unwrap()
    }

    pub(super) fn has(&self, file: &str) -> bool {
        self.folder.join(file).exists()
    }

    /// Whether the process with the id in a file is there and has not ended.
    pub(super) fn lives(&self, file: &str) -> bool {
        let id = fs::read_to_string(self.folder.join(file)).unwrap();
        let status = fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z ")
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.model.kill().unwrap();
        self.model.wait().unwrap();
    }
}

pub(super) const TWO_CALLS: &str = r#"
    [[turn]]
    say = "One."
    call.Bash.command = "mkdir one.dir"
    [[turn]]
    say = "Two."
    call.Bash.command = "mkdir two.dir"
    [[turn]]
    say = "Done."
"#;

/// Claude Code asks nobody.
pub(super) const FREELY: [&str; 2] = ["--", "--dangerously-skip-permissions"];
