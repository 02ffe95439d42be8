//! What reports are drawn on: how wide it is, and what it can show.

use crate::view::{ColorChoice, NARROWEST, screen_columns};
use anstyle::Style;
use std::env;
use std::io::{IsTerminal, stdout};

/// How a report is drawn.
#[derive(clap::Args)]
pub(crate) struct PaperArgs {
    /// How wide it may be; the screen's width, or 100 where there is none.
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(NARROWEST as i64..=10_000))]
    width: Option<u16>,
    /// When there are colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: ColorChoice,
}

/// Standard output, as a report sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paper {
    pub(crate) width: usize,
    pub(crate) colour: bool,
    /// Only ASCII for what is drawn.
    pub(crate) plain: bool,
}

/// Where nothing says how wide it is.
const USUAL: usize = 100;

impl PaperArgs {
    /// As these arguments and the environment want it.
    pub(crate) fn paper(&self) -> Paper {
        let is_terminal = stdout().is_terminal();
        let columns = || screen_columns().filter(|_| is_terminal).map(|columns| columns.max(NARROWEST));
        Paper {
            width: self.width.map(usize::from).or_else(columns).unwrap_or(USUAL),
            colour: self.color.on(is_terminal, |name| env::var(name).ok()),
            plain: env::var_os("TERM").is_some_and(|term| term == "dumb"),
        }
    }
}

impl Paper {
    /// The text in a style, if there are colours.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}
