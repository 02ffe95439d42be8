//! `unspool doctor`: which Claude Code there is, whether it can be used, and whether we understand it.

mod finding;
mod setup;
mod trial;

use crate::drive::runtime;
use finding::{Finding, Level};
use serde_json::{Value, json};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use unspool_client::program::{Program, Support, TESTED, Version};
use unspool_report::words::clean;

/// Say which Claude Code is found, what is wrong with the set-up, and what this build does not know of it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Doctor {
    /// The program; looked for unless given.
    #[arg(long, value_name = "PATH")]
    claude: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  unspool doctor
  unspool doctor --claude ~/.local/bin/claude --json

Looks for Claude Code, asks it for its version, and lets it take a turn with a scripted model:
words, a thought, a tool, a sub-agent. That turn happens in an empty home, on this machine
alone, with no login, and costs nothing. Your own login is looked for, but not used.

Exit code: 0 if all is well, 1 if something is wrong.";

/// `--version` takes some hundred milliseconds, unless the machine is busy.
const VERSION_LIMIT: Duration = Duration::from_secs(60);

/// What was found out.
#[derive(Default)]
struct Report {
    program: Option<Program>,
    version: Option<Version>,
    trial: Option<trial::Trial>,
    findings: Vec<Finding>,
}

impl Doctor {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let runtime = runtime()?;
        let report = runtime.block_on(async {
            #[cfg(unix)]
            unspool_client::process::end_on_signals()?;
            io::Result::Ok(examine(self.claude.as_deref()).await)
        })?;
        let text = if self.json { format!("{:#}\n", report.json()) } else { report.text() };
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error.into()),
            _ => {}
        }
        Ok(if report.is_well() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

async fn examine(path: Option<&Path>) -> Report {
    let mut report = Report::default();
    match path.map_or_else(Program::find, Program::at) {
        Ok(program) => {
            report.findings.push(Finding::fine("program", found(&program)));
            report.findings.extend(others(&program));
            look_at(&program, &mut report).await;
            report.program = Some(program);
        }
        Err(error) => report.findings.push(Finding::wrong("program", error)),
    }
    report.findings.extend(setup::examine(&setup::Surroundings::ours()));
    report
}

async fn look_at(program: &Program, report: &mut Report) {
    match program.version(VERSION_LIMIT).await {
        Ok(version) => {
            report.findings.push(support(version));
            report.version = Some(version);
        }
        Err(error) => {
            report.findings.push(Finding::wrong("version", format!("{:#}", anyhow::Error::new(error))))
        }
    }
    match trial::play(program).await {
        Ok(trial) => {
            report.findings.extend(trial.findings());
            report.trial = Some(trial);
        }
        Err(error) => report.findings.push(Finding::wrong("turn", format!("cannot be tried: {error:#}"))),
    }
}

fn found(program: &Program) -> String {
    let path = program.path().display();
    match program.command() {
        command if command == program.path() => path.to_string(),
        runtime => format!("{path}, run by {}", runtime.display()),
    }
}

/// Other programs of that name, which somebody may take for this one.
fn others(program: &Program) -> Option<Finding> {
    let real = |path: &Path| path.canonicalize().ok();
    let mut others: Vec<PathBuf> = Program::places().iter().filter_map(|place| real(place)).collect();
    others.retain(|other| other.is_file() && real(program.path()).as_ref() != Some(other));
    others.dedup();
    let list = others.iter().map(|other| other.display().to_string()).collect::<Vec<_>>().join(", ");
    (!others.is_empty())
        .then(|| Finding::note("program", format!("there are others, which are not used: {list}")))
}

fn support(version: Version) -> Finding {
    let tested = format!("tested: {} to {}", TESTED.start(), TESTED.end());
    match version.support() {
        Support::Tested => Finding::fine("version", format!("{version} ({tested})")),
        Support::Older => Finding::note(
            "version",
            format!("{version} is older than those we were tested with ({tested}): things may be missing"),
        ),
        Support::Newer => Finding::note(
            "version",
            format!(
                "{version} is newer than those we were tested with ({tested}): what nobody here knows is handed on"
            ),
        ),
    }
}

impl Report {
    fn is_well(&self) -> bool {
        self.findings.iter().all(|finding| finding.level != Level::Wrong)
    }

    fn text(&self) -> String {
        let mut text: String = self.findings.iter().map(|finding| format!("{finding}\n")).collect();
        text.push_str(if self.is_well() { "All is well.\n" } else { "Something is wrong.\n" });
        clean(&text).into_owned()
    }

    fn json(&self) -> Value {
        let standing = self.version.map(|version| match version.support() {
            Support::Older => "older",
            Support::Tested => "tested",
            Support::Newer => "newer",
        });
        json!({
            "ok": self.is_well(),
            "program": self.program.as_ref().map(|program| program.path().display().to_string()),
            "command": self.program.as_ref().map(|program| program.command().display().to_string()),
            "places": Program::places().iter().map(|place| place.display().to_string()).collect::<Vec<_>>(),
            "version": self.version.map(|version| version.to_string()),
            "standing": standing,
            "tested": [TESTED.start().to_string(), TESTED.end().to_string()],
            "turn": self.trial.as_ref().map(trial::Trial::json),
            "findings": self.findings.iter().map(Finding::json).collect::<Vec<_>>(),
        })
    }
}
