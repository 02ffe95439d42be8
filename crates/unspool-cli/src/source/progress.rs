//! How far long work is: a bar on standard error, if that is a terminal and the work really is long.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// What takes less time needs no bar.
const LONG: Duration = Duration::from_millis(300);

pub(super) struct Progress {
    bar: ProgressBar,
    since: Instant,
    shown: Cell<bool>,
    wanted: bool,
}

impl Progress {
    pub(super) fn new(steps: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::hidden());
        let wanted = stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Progress { bar, since: Instant::now(), shown: Cell::new(false), wanted }
    }

    /// One more is done.
    pub(super) fn step(&self) {
        self.bar.inc(1);
        if self.wanted && !self.shown.get() && self.since.elapsed() > LONG {
            self.shown.set(true);
            let style = ProgressStyle::with_template("{bar:30} {pos} of {len} sessions, {eta} left");
            self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Says something above the bar.
    pub(super) fn say(&self, words: &str) {
        self.bar.suspend(|| eprintln!("{words}"));
    }

    /// The bar goes away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
