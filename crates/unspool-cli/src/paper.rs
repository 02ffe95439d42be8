//! What reports are drawn on: how wide it is, and what it can show.

use crate::stage::{columns_behind, screen_columns};
use std::env;
use std::io::{IsTerminal, stdout};
use unspool_report::sheet::Paper;
use unspool_report::view::{ColorChoice, NARROWEST};

/// How a report is drawn.
#[derive(clap::Args)]
pub(crate) struct PaperArgs {
    /// How wide it may be; else as wide as the screen, also behind a pager, or as COLUMNS says, or 100.
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(NARROWEST as i64..=10_000))]
    width: Option<u16>,
    /// When there are colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: ColorChoice,
}

/// Where nothing says how wide it is.
const USUAL: usize = 100;

/// How wide standard output is. A screen knows it; elsewhere `COLUMNS` says it, or the screen that a pager at the other end
/// of the pipe fills. A file, and a log of somebody who has no screen, always look alike.
pub(crate) fn columns() -> usize {
    let said = || env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns > 0);
    screen_columns().or_else(said).or_else(columns_behind).map_or(USUAL, |columns| columns.max(NARROWEST))
}

impl PaperArgs {
    /// As these arguments and the environment want it.
    pub(crate) fn paper(&self) -> Paper {
        let is_terminal = stdout().is_terminal();
        Paper::new(self.width.map_or_else(columns, usize::from))
            .colour(self.color.on(is_terminal, |name| env::var(name).ok()))
            .plain(env::var_os("TERM").is_some_and(|term| term == "dumb"))
    }
}
