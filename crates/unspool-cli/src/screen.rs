//! What reports are drawn on: how wide it is, and what it can show.

use anstyle::Style;
use std::io::{IsTerminal, stdout};

/// How a report is drawn.
#[derive(clap::Args)]
pub(crate) struct ScreenArgs {
    /// How many columns there are; by default as many as the terminal has, and 100 where there is none.
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(20..=500))]
    width: Option<u16>,
    /// Whether to use colours.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    color: Colour,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Colour {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    Auto,
    Always,
    Never,
}

/// A screen, or a file that shall look like one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    pub(crate) width: usize,
    pub(crate) colour: bool,
    /// Only ASCII for what is drawn.
    pub(crate) plain: bool,
}

/// Where nothing says how wide it is.
const USUAL: usize = 100;

impl ScreenArgs {
    /// Standard output, as these arguments and the environment want it.
    pub(crate) fn screen(&self) -> Screen {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let forced =
            std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0");
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let colour = match self.color {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => !set("NO_COLOR") && (forced || stdout().is_terminal() && !dumb),
        };
        let width = self.width.map(usize::from).or_else(columns).unwrap_or(USUAL);
        Screen { width, colour, plain: dumb }
    }
}

impl Screen {
    /// The text in a style, if there are colours.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// The columns of the terminal, or of the variable that stands for it.
fn columns() -> Option<usize> {
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal_columns().or_else(told).filter(|columns| (20..=500).contains(columns))
}

#[cfg(unix)]
fn terminal_columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stdout()).ok()?;
    (size.ws_col > 0).then(|| usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn terminal_columns() -> Option<usize> {
    None
}
