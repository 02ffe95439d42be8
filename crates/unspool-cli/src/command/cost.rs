//! `unspool cost`: the bill.

use crate::bill::{Account, Book, By, Groups, Prices, Statement, json, quick_statement, table};
use crate::output::Lines;
use crate::paper::PaperArgs;
use crate::source::{Source, Sources, each};
use jiff::tz::TimeZone;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use unspool::Grain;

/// Say what sessions have cost: money, tokens, and how much came from the cache.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Cost {
    #[command(flatten)]
    sources: Sources,
    /// How to group; several make groups in groups. By default by turn, and by day where there are several sessions.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    by: Vec<By>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Prices (TOML or JSON) for what has no reported cost.
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Days begin at midnight UTC, not at local midnight.
    #[arg(long)]
    utc: bool,
    #[command(flatten)]
    paper: PaperArgs,
}

const EXAMPLES: &str = "\
Examples:
  unspool cost run.ndjson
  unspool cost ~/.claude/projects --by day,model
  unspool cost run.ndjson --by agent,tool
  unspool cost run.ndjson --prices prices.toml --json | jq .total

Money is what Claude Code reported; there are no prices in this program. By turn, model,
session and day, tokens are those of its reports, too. By agent and tool there are no
reports: tokens are then those that the messages tell. `--prices` fills in money where
none was reported, marked with ~:

  [\"claude-opus\"]            # any model whose name begins so; the longest name counts
  input = 5.0                # dollars for a million tokens
  output = 25.0
  cache_read = 0.5
  cache_write_5m = 6.25

A sum with + behind it is not all: something has no reported cost. A message or report
that stands in several files (a resumed or forked session) counts once.
What the fields of --json mean: docs/cost.md.

Exit code: 0; 1 if a file cannot be read (the others are shown); 2 wrong call.";

impl Cost {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<ExitCode> {
        let prices = self.prices.as_deref().map(Prices::read).transpose()?;
        let zone = if self.utc { TimeZone::UTC } else { TimeZone::system() };
        let found = self.sources.find()?;
        let mut statements = Vec::new();
        let failures = each(
            &found.sources,
            |source| statement(source, &zone, is_quick(&self.by, found.sources.len())),
            |_, statement| {
                statements.push(statement);
                Ok(())
            },
        )?;
        let mut book = Book::of(statements);
        if let Some(prices) = &prices {
            book.price(prices);
        }
        let by = match (&*self.by, book.sessions.len()) {
            ([], 0 | 1) => &[By::Turn][..],
            ([], _) => &[By::Day],
            (by, _) => by,
        };
        let groups = Groups::of(&book, by);
        let mut lines = Lines::new(out);
        if self.json {
            lines.line(|line| line.push_str(&json(&book, &groups).to_string()))?;
        } else {
            for text in table(&book, &groups, self.paper.paper()) {
                lines.line(|line| line.push_str(&text))?;
            }
        }
        lines.flush()?;
        let all_read = found.missing + failures == 0;
        Ok(if all_read { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Whether nothing is asked for that only events tell.
fn is_quick(by: &[By], sources: usize) -> bool {
    let quick = |by: &By| matches!(by, By::Model | By::Session | By::Day);
    by.iter().all(quick) && (!by.is_empty() || sources > 1)
}

fn statement(source: &Source, zone: &TimeZone, quick: bool) -> anyhow::Result<Statement> {
    if quick && let Some(session) = source.on_disk()? {
        return quick_statement(session, zone.clone());
    }
    let mut account = Account::new(zone.clone());
    source.tell(Grain::Blocks, |event| account.step(event))?;
    Ok(account.finish())
}
