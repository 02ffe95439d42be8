//! `cargo xtask fuzz`: builds the fuzz targets and runs each for a while.
//!
//! The targets are laid out for cargo-fuzz, but run without it: the flags it would pass for coverage are
//! stable ones. The core has next to no unsafe code, and Miri looks at that; a sanitizer would find nothing that
//! the slower run is worth, and neither nightly nor cargo-fuzz has to be installed. libFuzzer is C++ and has to be compiled.

use crate::step::Done;
use crate::workspace::{Workspace, answers, run};
use anyhow::{Context, ensure};
use std::env;
use std::fs;
use std::process::{Command, ExitCode};

/// Look for inputs that break a property.
#[derive(clap::Args)]
pub(crate) struct Fuzz {
    /// How long to try each target.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Only these targets.
    #[arg(value_name = "TARGET")]
    only: Vec<String>,
}

impl Fuzz {
    pub(crate) fn run(self, workspace: &Workspace) -> anyhow::Result<ExitCode> {
        fuzz(workspace, &self.only, Effort::Seconds(self.seconds))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A short run of all targets, for the test command.
pub(crate) fn smoke(workspace: &Workspace) -> anyhow::Result<Done> {
    let compiler = env::var_os("CXX").unwrap_or("c++".into());
    if !answers(Command::new(&compiler).arg("--version")) {
        return Ok(Done::Skipped(format!("no C++ compiler ({}) to build libFuzzer", compiler.display())));
    }
    fuzz(workspace, &[], Effort::Smoke)?;
    Ok(Done::Passed)
}

/// How hard to try.
#[derive(Clone, Copy)]
enum Effort {
    /// For so long, beginning with what earlier runs have found.
    Seconds(u32),
    /// The same inputs every time: whether a change is good must not depend on luck.
    Smoke,
}

impl Effort {
    /// How the targets are built: a short run is over before a better build would pay.
    fn profile(self) -> &'static str {
        match self {
            Effort::Seconds(_) => "release",
            Effort::Smoke => "smoke",
        }
    }

    /// What the compiler is told.
    fn flags(self) -> &'static str {
        match self {
            Effort::Seconds(_) => COVERAGE,
            Effort::Smoke => FUNCTIONS,
        }
    }
}

/// What `cargo fuzz --sanitizer none` passes, but for the number of codegen units, which a profile may choose.
const COVERAGE: &str = "-Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Cllvm-args=-simplifycfg-branch-fold-threshold=0 \
    -Cdebug-assertions -Coverflow-checks --cfg fuzzing";

/// What a short run can learn from: which functions an input reaches. To see each branch and each comparison takes longer
/// to build than the run takes.
const FUNCTIONS: &str = "-Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=1 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cdebug-assertions -Coverflow-checks --cfg fuzzing";

fn fuzz(workspace: &Workspace, only: &[String], effort: Effort) -> anyhow::Result<()> {
    let host = host()?;
    let target = workspace.target.join("fuzz");
    // With a target named, the flags do not reach build scripts and proc macros.
    let mut build =
        workspace.cargo(["build", "--profile", effort.profile(), "--bins", "--locked", "--target", &host]);
    build
        .arg("--manifest-path=fuzz/Cargo.toml")
        .arg("--target-dir")
        .arg(&target)
        .env("RUSTFLAGS", effort.flags());
    run(&mut build)?;
    let names = if only.is_empty() { targets(workspace)? } else { only.to_owned() };
    let mut broken = Vec::new();
    for name in names {
        let program = target.join(&host).join(effort.profile()).join(&name);
        if let Err(error) = run(&mut trial(workspace, &name, Command::new(program), effort)?) {
            broken.push(format!("{error:#}"));
        }
    }
    ensure!(broken.is_empty(), "{}; the inputs are in fuzz/artifacts", broken.join(", "));
    Ok(())
}

/// One run of libFuzzer: new inputs are kept in the target's corpus, the recorded streams are read too.
fn trial(workspace: &Workspace, name: &str, mut program: Command, effort: Effort) -> anyhow::Result<Command> {
    let artifacts = format!("fuzz/artifacts/{name}/");
    fs::create_dir_all(workspace.root.join(&artifacts))?;
    program.current_dir(&workspace.root);
    // libFuzzer writes to the first folder of inputs.
    let corpus = match effort {
        Effort::Seconds(seconds) => {
            program.arg(format!("-max_total_time={seconds}"));
            workspace.root.join("fuzz/corpus").join(name)
        }
        Effort::Smoke => {
            program.args(["-seed=1", "-runs=1200"]);
            let empty = workspace.target.join("fuzz/smoke").join(name);
            let _ = fs::remove_dir_all(&empty);
            empty
        }
    };
    fs::create_dir_all(&corpus)?;
    program.args([
        "-dict=fuzz/json.dict",
        "-timeout=30",
        "-rss_limit_mb=2048",
        "-print_funcs=0",
        "-verbosity=0",
        "-max_len=4096",
    ]);
    program.args(["-print_final_stats=1", &format!("-artifact_prefix={artifacts}")]).arg(&corpus);
    let recorded = workspace.root.join("fixtures");
    if recorded.is_dir() {
        program.arg("fixtures");
    }
    Ok(program)
}

/// The targets, each a file of its own.
fn targets(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for file in fs::read_dir(workspace.root.join("fuzz/fuzz_targets"))? {
        names.push(
            file?.path().file_stem().context("a target without a name")?.to_string_lossy().into_owned(),
        );
    }
    names.sort();
    ensure!(!names.is_empty(), "no fuzz targets");
    Ok(names)
}

/// This machine, in rustc's words.
fn host() -> anyhow::Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or("rustc".into());
    let text = String::from_utf8(Command::new(rustc).arg("-vV").output()?.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}
