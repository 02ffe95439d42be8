//! `cargo xtask cli`: real versions of Claude Code, for the tests that drive them.
//!
//! They are kept outside the tree, because they are large, not ours, and of use to every checkout.

use crate::beside;
use crate::ccusage;
use crate::sdk;
use crate::step::Done;
use crate::workspace::{Workspace, answers};
use anyhow::{Context, bail, ensure};
use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Install versions of Claude Code for tests, and print where their programs are.
#[derive(clap::Args)]
pub(crate) struct Cli {
    /// Which versions.
    #[arg(value_name = "VERSION", default_values = VERSIONS)]
    versions: Vec<String>,
}

/// The newest version that we were tested with.
pub(crate) const NEWEST: &str = "2.1.325";

/// A native program, and two that need node; each of its own dialect.
const VERSIONS: [&str; 3] = [NEWEST, "2.0.77", "1.0.128"];

impl Cli {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let cache = cache()?;
        for version in &self.versions {
            let sane =
                version.chars().all(|it| it.is_ascii_digit() || it == '.') && !version.starts_with('.');
            ensure!(sane && !version.is_empty(), "`{version}` is not a version such as {}", VERSIONS[0]);
            println!("{}", installed(&cache, version)?.display());
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The program of the newest version that we were tested with.
pub(crate) fn newest() -> anyhow::Result<PathBuf> {
    installed(&cache()?, NEWEST)
}

/// The program of a version, which is installed first if it is not there.
fn installed(cache: &Path, version: &str) -> anyhow::Result<PathBuf> {
    let folder = cache.join(version);
    if program(&folder).is_none() {
        install(&folder, version)?;
    }
    program(&folder).with_context(|| format!("no program in {}", folder.display()))
}

/// The tests that drive the real program, with every version that is installed; those that we name are installed first.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<Done> {
    let cache = cache()?;
    let mut left_out = Vec::new();
    for version in VERSIONS {
        if program(&cache.join(version)).is_none()
            && let Err(error) = install(&cache.join(version), version)
        {
            eprintln!("{version} is not tried: {error:#}");
            left_out.push(format!("Claude Code {version}"));
        }
    }
    let folders = fs::read_dir(&cache).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut programs: Vec<PathBuf> = folders.filter_map(|folder| program(&folder)).collect();
    programs.sort();
    if programs.is_empty() {
        return Ok(Done::Skipped("no Claude Code to try it with, and npm cannot install one".into()));
    }
    let programs = env::join_paths(programs)?;
    let mut held_against =
        |what: &str, variable: &'static str, installed: anyhow::Result<PathBuf>| match installed {
            Ok(path) => Some((variable, path)),
            Err(error) => {
                eprintln!("nothing is compared with {what}: {error:#}");
                left_out.push(what.to_owned());
                None
            }
        };
    let compared = [
        held_against("ccusage", "UNSPOOL_CCUSAGE", ccusage::installed()),
        held_against("the official SDK for Node", "UNSPOOL_SDK", sdk::node()),
        held_against("the official SDK for Python", "UNSPOOL_SDK_PYTHON", sdk::python()),
        held_against("the adapter for ACP", "UNSPOOL_ACP", sdk::acp()),
    ];
    let tests = |words: &[&str]| {
        // Of all packages, because that is how they were built by the step before.
        let mut tests = workspace.cargo(["test", "--workspace", "--test=it", "--locked", "--no-fail-fast"]);
        tests.args(["--", "--ignored"]).args(words).env("UNSPOOL_CLI", &programs);
        tests.envs(compared.iter().flatten().map(|(variable, path)| (variable, path)));
        // Among all other steps each test plays the newest and one of the older versions; alone, every one.
        if beside::is_beside() {
            tests.env("UNSPOOL_CLI_IN_TURN", "1");
        }
        // Nothing of the user's own is touched, not even when a program is only asked for its version.
        tests.env("CLAUDE_CONFIG_DIR", workspace.target.join("claude-config"));
        tests
    };
    let failed = failures(tests(&["real", SIDE_BY_SIDE]))?;
    let mut remarks = Vec::new();
    if !left_out.is_empty() {
        remarks.push(format!("WITHOUT {}", left_out.join(", ")));
    }
    if failed.is_empty() {
        return Ok(if remarks.is_empty() { Done::Passed } else { Done::PassedBut(remarks) });
    }
    // Real programs on a busy machine may miss a moment; what is wrong is wrong again when it is alone.
    beside::wait_until_alone()?;
    let mut alone = vec!["--exact", "--test-threads=1"];
    alone.extend(failed.iter().map(String::as_str));
    let again = failures(tests(&alone))?;
    ensure!(again.is_empty(), "failed twice: {}", again.join(", "));
    remarks.push(format!("TRIED AGAIN: {}", failed.join(", ")));
    Ok(Done::PassedBut(remarks))
}

/// These tests wait much of the time, and each plays several versions at once.
const SIDE_BY_SIDE: &str = "--test-threads=3";

/// Runs tests, shows what they say, and returns the names of those that failed.
fn failures(mut tests: Command) -> anyhow::Result<Vec<String>> {
    println!("$ {}", shown(&tests));
    let mut tests = tests.stdout(Stdio::piped()).spawn()?;
    let output = tests.stdout.take().context("there is no pipe")?;
    let mut failed = Vec::new();
    for line in BufReader::new(output).lines() {
        let line = line?;
        println!("{line}");
        let name = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"));
        failed.extend(name.map(str::to_owned));
    }
    let status = tests.wait()?;
    ensure!(status.success() || !failed.is_empty(), "the tests cannot be run: {status}");
    Ok(failed)
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Where the versions are kept, a folder each.
pub(crate) fn cache() -> anyhow::Result<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let cache = cache.or_else(|| Some(env::home_dir()?.join(".cache")));
    Ok(cache.context("no home folder")?.join("unspool/cli"))
}

/// The program of a version, if it is installed: one for this machine, or for older versions one for node.
fn program(folder: &Path) -> Option<PathBuf> {
    let packages = folder.join("node_modules/@anthropic-ai");
    let natives = fs::read_dir(&packages).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let native = natives
        .filter(|package| package.file_name().is_some_and(|name| name != "claude-code"))
        .map(|package| package.join(format!("claude{}", env::consts::EXE_SUFFIX)))
        .find(|program| program.is_file());
    native.or_else(|| Some(packages.join("claude-code/cli.js")).filter(|program| program.is_file()))
}

/// What npm is called.
pub(crate) fn npm() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

/// Installs a version beside its place, and puts it there when it is whole.
fn install(folder: &Path, version: &str) -> anyhow::Result<()> {
    if !answers(Command::new(npm()).arg("--version")) {
        bail!("the program `npm` is not installed");
    }
    let beside = folder.with_file_name(format!(".{version}-{}", std::process::id()));
    fs::create_dir_all(&beside)?;
    let mut command = Command::new(npm());
    // Its scripts only put the program elsewhere, and scripts of packages need not run here.
    command.args(["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
    command.arg(&beside).arg(format!("@anthropic-ai/claude-code@{version}"));
    // Our own output is the path alone.
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    let moved = if output.status.success() {
        fs::remove_dir_all(folder).ok();
        fs::rename(&beside, folder).context("it cannot be moved to its place")
    } else {
        Err(anyhow::anyhow!("npm cannot install {version}: {}", output.status))
    };
    if moved.is_err() {
        fs::remove_dir_all(&beside).ok();
    }
    moved
}
