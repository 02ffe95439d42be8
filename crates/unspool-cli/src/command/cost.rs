//! `unspool cost`: the bill.

use crate::bill::{read_prices, statement};
use crate::output::Lines;
use crate::paper::PaperArgs;
use crate::source::{Sources, each, kept_folders};
use crate::wrong_call::WrongCall;
use jiff::tz::TimeZone;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use unspool_report::bill::{Book, By, Groups, Span, json, read_when, table};

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
    /// Prices for what has no reported cost: a file (TOML or JSON), or `builtin` for the list of this program.
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// All sessions that Claude Code keeps; at a terminal also meant if no file is named.
    #[arg(long, conflicts_with = "files")]
    all: bool,
    /// Only what was spent from then on: a day (2026-11-01), a time, or how long ago (7d, 12h).
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only what was spent until then; a day is meant whole.
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
    /// Days begin at midnight UTC, not at local midnight.
    #[arg(long)]
    utc: bool,
    #[command(flatten)]
    paper: PaperArgs,
}

const EXAMPLES: &str = "\
Examples:
  unspool cost run.ndjson
  unspool cost --all --by day,model
  unspool cost --all --since 7d --by project,session
  unspool cost --all --by block
  unspool cost run.ndjson --by agent,tool
  unspool cost run.ndjson --by agent --prices builtin
  unspool cost run.ndjson --prices prices.toml --json | jq .total

Money is what Claude Code reported. By turn, model, session, project and time, tokens are
those of its reports, too. By agent and tool there are no reports: tokens are then those that
the messages tell. `--prices` fills in money where
none was reported, marked with ~: from the list of this program (builtin), which is dated and
has what Claude Code itself reports for its models, or from a list of your own:

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
        let prices = self.prices.as_deref().map(read_prices).transpose()?;
        let zone = if self.utc { TimeZone::UTC } else { crate::zone::local() };
        let span = self.span(zone)?;
        let found = if self.all || self.sources.are_typed() {
            Sources::of(kept_folders()?).find()?
        } else {
            self.sources.find()?
        };
        let mut statements = Vec::new();
        let by = match &*self.by {
            [] if found.sources.len() > 1 => &[By::Day][..],
            by => by,
        };
        let read_by = if by.is_empty() { &[By::Turn][..] } else { by };
        let failures = each(
            &found.sources,
            |source| statement(source, read_by),
            |_, statement| {
                statements.push(statement);
                Ok(())
            },
        )?;
        let mut book = Book::of(statements);
        if let Some(prices) = &prices {
            book.price(prices);
        }
        let by = match (by, book.sessions.len()) {
            ([], 0 | 1) => &[By::Turn][..],
            ([], _) => &[By::Day],
            (by, _) => by,
        };
        let groups = Groups::of(&book, by, &span);
        let mut lines = Lines::new(out);
        if self.json {
            lines.line(|line| line.push_str(&json(&book, &groups).to_string()))?;
        } else if book.said.is_empty() && book.spent.is_empty() {
            lines.line(|line| line.push_str("nothing was spent: no model has said anything in it"))?;
        } else {
            for text in table(&book, &groups, self.paper.paper()) {
                lines.line(|line| line.push_str(&text))?;
            }
        }
        lines.flush()?;
        let all_read = found.missing + failures == 0;
        Ok(if all_read { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn span(&self, zone: TimeZone) -> anyhow::Result<Span> {
        let mut span = Span::all(zone);
        let read = |text: &Option<String>, end| match text {
            None => Ok(None),
            Some(text) => read_when(text, &span, end).map(Some).ok_or_else(|| {
                WrongCall::new(format!(
                    "{text} is no day (2026-11-01), no time (2026-11-01T08:30) and no length (7d, 12h)"
                ))
            }),
        };
        let (since, until) = (read(&self.since, false)?, read(&self.until, true)?);
        (span.since, span.until) = (since, until);
        Ok(span)
    }
}
