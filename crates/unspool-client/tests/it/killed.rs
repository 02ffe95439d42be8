//! A host that is killed while its program is at work: nothing that it has started goes on.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};
use unspool_client::options::McpServer;
use unspool_client::program::Program;
use unspool_client::{Claude, Options};

/// Where what a host has started leaves its ids.
const FOLDER: &str = "UNSPOOL_TEST_HOST";

/// The real program that a host is to run, if it is one.
const CLI: &str = "UNSPOOL_TEST_CLI";

/// Stands for Claude Code with a tool at work, which has started something that nothing but its limits is known of. In its
/// folder may be the one of a host that it runs in turn.
const PROGRAM: &str = r#"
    cd "$UNSPOOL_TEST_HOST"
    read -r prompt
    echo "$UNSPOOL_RUN" > marks
    for word; do case "$word" in */mcp-0.json) echo "$word" > private;; esac; done
    setsid sh -c 'echo $$ > tool; exec sleep 600' > /dev/null 2>&1 &
    (env -i setsid sh -c 'echo $$ > daemon; exec sleep 601' > /dev/null 2>&1 &)
    if [ -d inner ]; then
        UNSPOOL_TEST_HOST=$PWD/inner setsid "$UNSPOOL_TEST_EXE" --ignored --exact killed::host > /dev/null 2>&1 &
        echo $! > nested
    fi
    printf '%s\n' '{"type":"system","subtype":"init","session_id":"s"}'
    echo $$ > claude
    while :; do sleep 60; done
"#;

/// What a host is, in a process of its own.
#[tokio::test]
#[ignore = "it is run by other tests"]
async fn host() {
    let options = Options::new().env("UNSPOOL_TEST_EXE", env::current_exe().unwrap());
    let options = match env::var_os(CLI) {
        Some(_) => options,
        None => options.mcp_server("secret", McpServer::stdio("true").env("TOKEN", "secret")),
    };
    let stand_in = Program::run_by("/bin/sh", ["-c", PROGRAM], "/not/there");
    let claude = match env::var_os(CLI) {
        Some(program) => Claude::new(options.program(program).skip_permissions(true)),
        None => Claude::new(options).program(stand_in),
    };
    let asked = claude.ask("go").await;
    panic!("it has ended: {asked:?}");
}

/// A process of a host, which is killed with the test.
pub(crate) struct Host(Child);

impl Host {
    fn start(host: &mut Command) -> Self {
        Host(host.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A host that runs this program in this environment and folder.
pub(crate) fn host_of(program: &Path, options: &Options) -> Host {
    let there = options.launch(&Program::at(program).unwrap()).command();
    let mut host = Command::new(env::current_exe().unwrap());
    host.args(["--ignored", "--exact", "killed::host"]).env_clear().env(CLI, program);
    host.envs(there.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Host::start(host.current_dir(there.get_current_dir().unwrap()))
}

#[test]
fn nothing_goes_on_when_a_host_is_killed() {
    for (signal, number) in [("KILL", 9), ("TERM", 15), ("HUP", 1), ("INT", 2)] {
        if is_ignored(number) {
            eprintln!("SIG{signal} is ignored here, as by nohup, and so by all that is started");
            continue;
        }
        let (folder, mut host) = start(signal);
        kill(signal, &host.0.id().to_string());
        host.0.wait().unwrap();
        assert_eq!(left(&folder), Vec::<String>::new(), "after SIG{signal}");
        assert!(!Path::new(&read(&folder, "private")).exists(), "after SIG{signal}");
    }
}

/// Whether this process does not hear a signal. What it starts does not either.
fn is_ignored(signal: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 << (signal - 1) != 0
}

/// The host sees to its own program. That has run a host in turn, with a program of its own.
#[test]
fn nothing_goes_on_when_the_program_of_a_host_is_killed_that_runs_a_host() {
    let (folder, mut host) = start("nested");
    kill("KILL", &read(&folder, "claude"));
    host.0.wait().unwrap();
    assert_eq!(left(&folder), Vec::<String>::new());
}

/// A host, and in its tool another one, both with all that they start at work.
fn start(name: &str) -> (PathBuf, Host) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("killed-{name}-{}", std::process::id()));
    // There may be one of an earlier run.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("inner")).unwrap();
    let mut host = Command::new(env::current_exe().unwrap());
    host.args(["--ignored", "--exact", "killed::host"]).env(FOLDER, &folder);
    let host = Host::start(&mut host);
    until(Duration::from_secs(30), || processes(&folder).len() == 7).expect("all are at work");
    assert_eq!(guards(&folder).len(), 2);
    (folder, host)
}

/// The ids of all that was started and has said so.
fn processes(folder: &Path) -> Vec<String> {
    let inner = folder.join("inner");
    let names = [(folder, "nested"), (folder, "claude"), (folder, "tool"), (folder, "daemon")];
    let names = names.into_iter().chain(["claude", "tool", "daemon"].map(|name| (&*inner, name)));
    names.map(|(folder, name)| read(folder, name)).filter(|id| !id.is_empty()).collect()
}

/// Those that know the mark of one of the hosts.
fn guards(folder: &Path) -> Vec<String> {
    let marks = [folder, &folder.join("inner")].map(|folder| read(folder, "marks"));
    let marks: Vec<&str> = marks.iter().filter_map(|marks| marks.rsplit(',').next()).collect();
    let knows = |id: &String| {
        let words = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).into_owned();
        marks.iter().any(|mark| !mark.is_empty() && words.contains(mark))
    };
    let all = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    all.filter(|name| name.parse::<u32>().is_ok()).filter(knows).collect()
}

/// What is still there after some seconds.
fn left(folder: &Path) -> Vec<String> {
    let living = || -> Vec<String> {
        let all = processes(folder).into_iter().chain(guards(folder));
        all.filter(|id| lives(id)).map(|id| format!("{id} {}", words(&id))).collect()
    };
    let gone = until(Duration::from_secs(10), || living().is_empty());
    if gone.is_some() { Vec::new() } else { living() }
}

fn lives(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

fn words(id: &str) -> String {
    fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default().replace('\0', " ")
}

fn read(folder: &Path, name: &str) -> String {
    let text = fs::read_to_string(folder.join(name)).unwrap_or_default();
    text.strip_suffix('\n').unwrap_or_default().to_owned()
}

fn kill(signal: &str, id: &str) {
    assert!(Command::new("kill").args(["-s", signal, id]).status().unwrap().success());
}

fn until(limit: Duration, is_so: impl Fn() -> bool) -> Option<Duration> {
    let since = Instant::now();
    while since.elapsed() < limit {
        if is_so() {
            return Some(since.elapsed());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    None
}
