//! `unspool watch`: what sessions are doing, while they do it.

use super::view::signals;
use crate::board::{Board, NOTHING};
use crate::output::{Lines, Output};
use crate::stage::Screen;
use crate::value::duration;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::Duration;

/// Say what sessions are doing right now, and go on saying it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Watch {
    /// Transcripts, recordings, ids of sessions, or folders of them; by default all projects of Claude Code.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print a line of JSON for each session, and again whenever its state changes.
    #[arg(long)]
    json: bool,
    /// Say it once, and end.
    #[arg(long)]
    once: bool,
    /// Sessions in folders that were last written to before that are left out.
    #[arg(long, value_name = "TIME", default_value = "24h", value_parser = duration)]
    since: Duration,
}

const EXAMPLES: &str = "\
Examples:
  unspool watch
  unspool watch --once
  unspool watch 5eab33a4
  unspool watch run.ndjson --json | jq -r 'select(.state.state == \"waiting\") | .session'

One row for each session, those that wait for you first:

  working       who does what is said behind it
  waiting       for an answer of yours
  background    the turn is over, and agents or tasks still run
  stuck         in the middle of a turn, and nothing has come for ten minutes
  idle          for a prompt
  starting      nothing was said yet
  done          a recording that is over

On a terminal the rows change in place, until Ctrl-C; elsewhere a line is printed whenever a
session does something else. Files are followed as they grow, with those of sub-agents. Sessions
that begin later in a folder are followed, too: there may be none in it yet. A transcript does
not say what is asked of you in the window that Claude Code runs in, and no file says whether
somebody still writes to it: when a program is gone in the middle of a turn, its session becomes
`stuck`.

Exit code: 0; 1 if something cannot be read.";

/// Files are looked at so often.
const TICK: Duration = Duration::from_millis(250);

impl Watch {
    pub(crate) fn run(self, out: &mut impl Output) -> anyhow::Result<ExitCode> {
        let mut board = Board::new(self.files.clone(), self.since)?;
        board.look();
        if self.once || !out.is_terminal() || self.json {
            return self.lines(&mut board, out);
        }
        let enough = Arc::new(AtomicBool::new(false));
        let heard = Arc::clone(&enough);
        signals::hear(move |_| {
            heard.store(true, Ordering::Relaxed);
            false
        });
        let screen = Screen::open(std::env::var_os("NO_COLOR").is_none());
        while !enough.load(Ordering::Relaxed) {
            let mut screen = screen.lock().unwrap_or_else(PoisonError::into_inner);
            let (columns, rows) = screen.size();
            screen.draw(Vec::new(), board.rows(columns.saturating_sub(1), rows.saturating_sub(1)))?;
            if screen.is_closed() {
                break;
            }
            drop(screen);
            thread::sleep(TICK);
            board.look();
        }
        // What is on the screen stays there.
        let mut screen = screen.lock().unwrap_or_else(PoisonError::into_inner);
        let (columns, rows) = screen.size();
        screen.draw(board.rows(columns.saturating_sub(1), rows.saturating_sub(1)), Vec::new())?;
        Ok(ExitCode::SUCCESS)
    }

    /// A line for each session that does something else than before.
    fn lines(&self, board: &mut Board, out: &mut impl Output) -> anyhow::Result<ExitCode> {
        if board.is_empty() && !self.once {
            eprintln!("unspool: {NOTHING}");
        }
        let mut lines = Lines::new(out);
        loop {
            for line in board.changes(self.json) {
                lines.line(|held| held.push_str(&line))?;
            }
            lines.flush()?;
            if self.once || lines.is_closed() {
                break;
            }
            thread::sleep(TICK);
            board.look();
        }
        Ok(if board.failures() > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
