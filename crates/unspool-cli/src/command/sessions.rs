//! `unspool sessions`: the sessions that Claude Code keeps, so that one can be found.

use crate::output::Lines;
use crate::paper::PaperArgs;
use crate::sessions::{Newest, Row, table};
use crate::source::{Found, Sources, each, kept_folders, project_folders};
use anyhow::Context;
use std::cmp::Reverse;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use unspool_report::sheet::DIM;
use unspool_report::words::count;

/// List the sessions that Claude Code keeps on disk, the newest first.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sessions {
    /// Folders to look in, or single files; by default all projects of Claude Code.
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Only sessions of the project in this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "folders")]
    project: Option<PathBuf>,
    /// At most so many, the newest; 0 for all. By default 50, and all with --json.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print one JSON object for each session.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    paper: PaperArgs,
}

const EXAMPLES: &str = "\
Examples:
  unspool sessions
  unspool sessions --project .
  unspool sessions --limit 0 --json | jq -r 'select(.cost_usd > 1) | .session'
  unspool sessions /backup/claude/projects

Sessions are looked for in $CLAUDE_CONFIG_DIR, which may name several folders with commas
between them, or in ~/.claude and ~/.config/claude. Every other command that reads sessions
takes an ID, or the beginning of it, in place of a file:

  unspool view b837353a

WHEN is the last time in the session, by which the newest are chosen; where it tells none,
when its file was last written to. TITLE is what it was named (custom-title), else the title
that Claude Code gave it (ai-title), else the first prompt. COST is what Claude Code itself
wrote down: 2.1.325 does, 2.1.112 did not. `unspool cost` with --prices fills it in. TOKENS
are those that results report, sub-agents and the cache included; of a turn without a report
those that its messages tell. STATE is what it is doing: working, waiting (for an answer of
yours), background (agents or tasks still run), idle (it waits for a prompt), stuck (in the
middle of a turn, and nothing has come for ten minutes), done (a recording that is over).
`unspool watch` follows it.

Exit code: 0; 1 if something cannot be read (the rest is listed).";

/// So many are listed if nobody says how many.
const LIMIT: usize = 50;

impl Sessions {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let Found { sources, missing } = self.find()?;
        let limit = match self.limit {
            Some(0) => usize::MAX,
            Some(limit) => limit,
            None if self.json => usize::MAX,
            None => LIMIT,
        };
        let Newest { sources, older, failures } = Newest::of(sources, limit)?;
        let mut rows = Vec::new();
        let failures = failures
            + each(&sources, Row::of, |_, row| {
                rows.extend(Some(row).filter(|row| !row.is_empty()));
                Ok(())
            })?;
        rows.sort_by_key(|row| Reverse(row.when()));
        let now = crate::zone::now_ms();
        let mut lines = Lines::new(out);
        if self.json {
            for row in &rows {
                lines.line(|line| line.push_str(&row.json(now).to_string()))?;
            }
        } else if rows.is_empty() {
            lines.line(|line| line.push_str("there is no session in which anything was said"))?;
        } else {
            let zone = crate::zone::local();
            let screen = self.paper.paper();
            for (at, text) in table(&rows, screen.width, &zone, now).iter().enumerate() {
                let text = if at == 0 { screen.paint(DIM, text) } else { text.clone() };
                lines.line(|line| line.push_str(&text))?;
            }
            if older > 0 {
                let more = count(older, "older one");
                lines.line(|line| line.push_str(&format!("and {more}: --limit 0 lists all")))?;
            }
        }
        lines.flush()?;
        Ok(if failures + missing > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    fn find(&self) -> anyhow::Result<Found> {
        let folders = match (&self.project, self.folders.is_empty()) {
            (Some(project), _) => project_folders(project)?,
            (None, true) => kept_folders()?,
            (None, false) => self.folders.clone(),
        };
        let found = Sources::of(folders).find();
        match &self.project {
            Some(project) => found.with_context(|| format!("no sessions of {} are kept", project.display())),
            None => found,
        }
    }
}
