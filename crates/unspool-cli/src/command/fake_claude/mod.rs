//! `unspool fake-claude`: a stand-in for `claude` that plays a recording, for whoever tests what is built on Claude Code.

mod flags;
#[cfg(unix)]
mod signals;

use crate::source;
use anyhow::{Context, ensure};
use flags::Flags;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use unspool_fake::claude::{FakeClaude, Recorded, exit, install};

/// Play a recording in the place of Claude Code: whatever starts `claude` gets the recorded session.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FakeClaudeArgs {
    /// The recording, or a bare stream, compressed or not; or a folder of recordings, one for each start.
    recording: PathBuf,
    #[command(flatten)]
    flags: Flags,
    /// Write a program `claude` into this folder that plays the recording so, and print its path.
    #[arg(long, value_name = "FOLDER", conflicts_with = "args")]
    install: Option<PathBuf>,
    /// What the host gives to `claude`.
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  unspool fake-claude session.rec --install bin && PATH=\"$PWD/bin:$PATH\" my-application
  UNSPOOL_CLAUDE=$(unspool fake-claude session.rec --install bin) unspool run 'fix the tests'
  unspool fake-claude session.rec --speed 1x --install bin
  unspool fake-claude session.rec --crash 12=SIGKILL --install bin
  unspool fake-claude session.rec -- -p 'fix the tests' --output-format stream-json --verbose

What the host writes must say what it said in the recording; ids, white space and the order of
fields do not matter. Other arguments are told, and ignored unless --strict is given.

A recording with several starts (a resume), or a folder of recordings, gives each start of the
program what fits its arguments best; with --state, or UNSPOOL_FAKE_STATE, each once and in order.
A copy of unspool that is called `claude` plays the recording that UNSPOOL_FAKE_CLAUDE names.
Variations may stand in a file:

  no_result = true
  crash = { after = 12, with = \"SIGKILL\" }
  delay = [{ line = 7, ms = 2000 }]

docs/fake-claude.md has the details.

Exit code: that of the recording; 76 if the host does otherwise, after standard error says what
and where; 1 if the recording cannot be read, 2 for a wrong call.";

/// The recording that is played where this program is called `claude`.
const RECORDING: &str = "UNSPOOL_FAKE_CLAUDE";

/// A folder in which is noted what was played.
const STATE: &str = "UNSPOOL_FAKE_STATE";

/// So many faults of a recording say how it is with it.
const FAULTS: usize = 3;

impl FakeClaudeArgs {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        match &self.install {
            Some(folder) => self.install(folder, out),
            None => play(&self.recording, &self.flags, &self.args),
        }
    }

    /// Refuses now what would be refused whenever the program is started.
    fn install(&self, folder: &Path, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        claude(&self.recording, &self.flags)?;
        let unspool = env::current_exe().context("where is this program?")?;
        let program = install(folder, unspool, &self.recording, &self.flags.words()?)?;
        let program = program.canonicalize().unwrap_or(program);
        writeln!(out, "{}", program.display())?;
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Plays a recording if this program is called `claude`, and one is named.
pub(crate) fn as_claude() -> Option<anyhow::Result<ExitCode>> {
    let mut args = env::args_os();
    let called = PathBuf::from(args.next()?);
    let is_claude = called.file_stem() == Some(OsStr::new("claude"));
    let recording = env::var_os(RECORDING).filter(|it| is_claude && !it.is_empty())?;
    Some(play(Path::new(&recording), &Flags::default(), &args.collect::<Vec<_>>()))
}

fn play(recording: &Path, flags: &Flags, args: &[OsString]) -> anyhow::Result<ExitCode> {
    let claude = claude(recording, flags)?.args(args.iter().map(|arg| arg.to_string_lossy()));
    #[cfg(unix)]
    signals::obey()?;
    exit(claude.play(io::stdin(), io::stdout(), io::stderr()))
}

fn claude(recording: &Path, flags: &Flags) -> anyhow::Result<FakeClaude> {
    let mut all = source::recorded(recording)?;
    for (file, recorded) in &all {
        for fault in recorded.faults().iter().take(FAULTS) {
            eprintln!("fake-claude: {}: {fault}", file.display());
        }
    }
    let recorded = if all.len() == 1 {
        all.remove(0).1
    } else {
        Recorded::together(all.into_iter().map(|(file, recorded)| (file.display().to_string(), recorded)))
    };
    let has_any = recorded.lives().iter().any(|life| life.lines() > 0);
    ensure!(has_any, "cannot play {}: Claude Code has written nothing in it", recording.display());
    let claude = flags.set(FakeClaude::new(recorded))?;
    let state =
        flags.state.clone().or_else(|| env::var_os(STATE).filter(|it| !it.is_empty()).map(PathBuf::from));
    Ok(state.into_iter().fold(claude, FakeClaude::state))
}
