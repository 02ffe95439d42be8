//! A part of a message while it grows: pieces in, lines out as they are finished.

use super::line::Line;
use super::markdown::Markdown;
use super::style::{DIM, THOUGHT, over};
use super::wrap::{cut, tidy_line};
use crate::words::count;

/// How thoughts are shown.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum ThinkingArg {
    /// All of them.
    #[default]
    Show,
    /// Not at all.
    Hide,
    /// The first words.
    Brief,
}

/// What stands before each line of a thought.
const BAR: &str = "┊ ";

/// Of a thought that is shown in brief, so much is kept.
const BRIEF: usize = 1000;

/// A part that grows.
pub(super) struct Voice {
    kind: Kind,
    /// Finished lines that wait for their turn.
    lines: Vec<Line>,
    /// The first line was handed on.
    pub(super) begun: bool,
}

enum Kind {
    Text(Markdown),
    Thought(Markdown),
    /// The beginning of a thought, and how many words it has.
    Brief(String, u64),
    Hidden,
}

impl Voice {
    pub(super) fn text(colors: bool) -> Self {
        Voice { kind: Kind::Text(Markdown::new(colors)), lines: Vec::new(), begun: false }
    }

    pub(super) fn thought(how: ThinkingArg, colors: bool) -> Self {
        let kind = match how {
            ThinkingArg::Show => Kind::Thought(Markdown::new(colors)),
            ThinkingArg::Brief => Kind::Brief(String::new(), 0),
            ThinkingArg::Hide => Kind::Hidden,
        };
        Voice { kind, lines: Vec::new(), begun: false }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Text(_))
    }

    /// More of it.
    pub(super) fn feed(&mut self, text: &str, columns: usize) {
        match &mut self.kind {
            Kind::Text(markdown) => markdown.feed(text, columns, &mut self.lines),
            Kind::Thought(markdown) => {
                let mut lines = Vec::new();
                markdown.feed(text, columns.saturating_sub(2), &mut lines);
                self.lines.extend(lines.into_iter().map(thought));
            }
            Kind::Brief(start, words) => {
                *words += text.split_whitespace().count() as u64;
                if start.len() < BRIEF {
                    start.push_str(text);
                }
            }
            Kind::Hidden => {}
        }
    }

    /// It has ended.
    pub(super) fn finish(&mut self, columns: usize) {
        match &mut self.kind {
            Kind::Text(markdown) => markdown.finish(columns, &mut self.lines),
            Kind::Thought(markdown) => {
                let mut lines = Vec::new();
                markdown.finish(columns.saturating_sub(2), &mut lines);
                self.lines.extend(lines.into_iter().map(thought));
            }
            Kind::Brief(start, words) if !start.trim().is_empty() => {
                let line = brief(start, *words, columns);
                self.lines.push(line);
            }
            Kind::Brief(..) | Kind::Hidden => {}
        }
    }

    /// What is finished and was not taken.
    pub(super) fn take(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines)
    }

    /// What is not finished, as it looks now.
    pub(super) fn tail(&self, columns: usize) -> Vec<Line> {
        match &self.kind {
            Kind::Text(markdown) => markdown.tail(columns),
            Kind::Thought(markdown) => {
                markdown.tail(columns.saturating_sub(2)).into_iter().map(thought).collect()
            }
            Kind::Brief(start, words) if !start.trim().is_empty() => vec![brief(start, *words, columns)],
            Kind::Brief(..) | Kind::Hidden => Vec::new(),
        }
    }
}

fn thought(line: Line) -> Line {
    let mut shown = Line::of(BAR, DIM);
    line.runs().for_each(|(text, style)| shown.push(text, over(style.fg_color(None), THOUGHT)));
    shown
}

/// `┊ The first words … (212 words)`
fn brief(start: &str, words: u64, columns: usize) -> Line {
    let first = tidy_line(start.trim().lines().next().unwrap_or_default());
    let size = format!(" ({})", count(words, "word"));
    let room = columns.saturating_sub(2 + size.len());
    Line::of(BAR, DIM).with(&cut(&first, room), THOUGHT).with(&size, DIM)
}
