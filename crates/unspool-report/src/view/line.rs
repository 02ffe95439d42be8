//! A line of text, each piece of it in its style.

use super::wrap;
use anstyle::Style;
use std::fmt::Write;

/// A line for the screen. Whoever adds to it has seen to it that the text cannot steer a terminal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    text: String,
    /// Where a piece ends, and its style.
    runs: Vec<(usize, Style)>,
}

impl Line {
    /// A line without anything on it.
    #[must_use]
    pub fn new() -> Self {
        Line::default()
    }

    /// A line in one style.
    #[must_use]
    pub fn of(text: &str, style: Style) -> Self {
        Line::new().with(text, style)
    }

    /// The line with a text behind it, of one style.
    #[must_use]
    pub fn with(mut self, text: &str, style: Style) -> Self {
        self.push(text, style);
        self
    }

    /// Adds a text, of one style.
    pub fn push(&mut self, text: &str, style: Style) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        match self.runs.last_mut() {
            Some((end, last)) if *last == style => *end = self.text.len(),
            _ => self.runs.push((self.text.len(), style)),
        }
    }

    /// The line with another one behind it.
    #[must_use]
    pub fn joined(mut self, other: &Line) -> Self {
        self.append(other);
        self
    }

    /// Adds another line.
    pub fn append(&mut self, other: &Line) {
        other.runs().for_each(|(text, style)| self.push(text, style));
    }

    /// Its text, without styles.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is nothing on it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// How many columns it takes.
    #[must_use]
    pub fn width(&self) -> usize {
        wrap::width(&self.text)
    }

    /// Its pieces.
    pub fn runs(&self) -> impl Iterator<Item = (&str, Style)> {
        let mut start = 0;
        self.runs
            .iter()
            .map(move |(end, style)| (&self.text[std::mem::replace(&mut start, *end)..*end], *style))
    }

    /// A piece of it.
    #[must_use]
    pub fn slice(&self, range: std::ops::Range<usize>) -> Line {
        let mut line = Line::new();
        let mut start = 0;
        for (end, style) in &self.runs {
            let (from, to) = (range.start.max(start), range.end.min(*end));
            if from < to {
                line.push(&self.text[from..to], *style);
            }
            start = *end;
        }
        line
    }

    /// At most so many columns of it, with a mark where it was cut.
    #[must_use]
    pub fn cut(self, columns: usize) -> Line {
        if self.width() <= columns {
            return self;
        }
        let end = wrap::fits(&self.text, columns.saturating_sub(1));
        let mut line = self.slice(0..end);
        let style = self.runs.iter().find(|(to, _)| *to > end).map_or(Style::new(), |(_, style)| *style);
        line.push(if columns > 0 { "…" } else { "" }, style);
        line
    }

    /// Appends it for a terminal, or without any escape code.
    pub fn paint(&self, colors: bool, out: &mut String) {
        if !colors {
            return out.push_str(self.text.trim_end());
        }
        for (text, style) in self.runs() {
            if style == Style::new() {
                out.push_str(text);
            } else {
                let _ = write!(out, "{style}{text}{style:#}");
            }
        }
    }
}
