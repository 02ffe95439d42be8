//! Markdown that arrives in pieces: text in, finished lines out, and what the unfinished rest looks like now.
//!
//! [`cutter`] finds where blocks end, so that a finished one is rendered once and never again; [`render`] makes lines
//! of one block. Where the text was cut into pieces on its way never matters.

mod cutter;
mod render;
mod table;

use super::code::Painter;
use super::line::Line;
use super::wrap::fold;
use cutter::Chunk;
pub(super) use cutter::Cutter;
use render::Renderer;

/// Columns by which code stands to the right of its text.
const INDENT: &str = "  ";

/// A text that grows.
pub(super) struct Markdown {
    cutter: Cutter,
    state: State,
}

/// What finished blocks leave for the next one.
#[derive(Clone)]
struct State {
    /// Backquotes stay, where there are no colours to tell code by.
    quote_code: bool,
    painter: Painter,
    /// Something has been said.
    begun: bool,
    /// The last one was an item of a list, or code: no blank line has to stand before another.
    last: Last,
}

#[derive(Clone, Copy, PartialEq)]
enum Last {
    Item,
    Code,
    Other,
}

impl Markdown {
    /// A text; without colours, code within it is told by its backquotes.
    pub(super) fn new(colors: bool) -> Self {
        let state =
            State { quote_code: !colors, painter: Painter::default(), begun: false, last: Last::Other };
        Markdown { cutter: Cutter::default(), state }
    }

    /// More of it; what is finished goes to `lines`.
    pub(super) fn feed(&mut self, text: &str, columns: usize, lines: &mut Vec<Line>) {
        let state = &mut self.state;
        self.cutter.feed(text, |chunk| state.show(chunk, columns, lines));
    }

    /// It has ended.
    pub(super) fn finish(&mut self, columns: usize, lines: &mut Vec<Line>) {
        let state = &mut self.state;
        self.cutter.finish(|chunk| state.show(chunk, columns, lines));
    }

    /// What is not finished, as it looks now.
    pub(super) fn tail(&self, columns: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut state = self.state.clone();
        self.cutter.tail(|chunk| state.show(chunk, columns, &mut lines));
        lines
    }
}

impl State {
    fn show(&mut self, chunk: Chunk<'_>, columns: usize, lines: &mut Vec<Line>) {
        match chunk {
            Chunk::CodeBegin { info } => {
                self.gap(true, lines);
                self.painter = Painter::new(info);
                self.last = Last::Code;
            }
            Chunk::CodeLine { text } => code(&mut self.painter, text, columns, lines),
            Chunk::CodeEnd => self.last = Last::Other,
            Chunk::Block { text, is_item, after_blank } => {
                let rendered = Renderer::new(columns, self.quote_code).render(text);
                if rendered.is_empty() {
                    return;
                }
                self.gap(after_blank || !is_item || self.last != Last::Item, lines);
                // An item with a blank line in it needs one behind it, too.
                let is_short = is_item && !rendered.iter().any(|line| line.text().trim().is_empty());
                lines.extend(rendered);
                self.last = if is_short { Last::Item } else { Last::Other };
            }
        }
    }

    fn gap(&mut self, wanted: bool, lines: &mut Vec<Line>) {
        if std::mem::replace(&mut self.begun, true) && wanted {
            lines.push(Line::new());
        }
    }
}

/// A line of code.
fn code(painter: &mut Painter, text: &str, columns: usize, lines: &mut Vec<Line>) {
    let mut line = Line::of(INDENT, super::style::PLAIN);
    painter.line_behind(text, &mut line);
    if line.text().len() <= columns || line.width() <= columns {
        return lines.push(line);
    }
    let line = line.slice(INDENT.len()..line.text().len());
    for piece in fold(line, columns.saturating_sub(INDENT.len())) {
        lines.push(Line::of(INDENT, super::style::PLAIN).joined(&piece));
    }
}

/// All of a text at once.
pub(super) fn whole(text: &str, colors: bool, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut markdown = Markdown::new(colors);
    markdown.feed(text, columns, &mut lines);
    markdown.finish(columns, &mut lines);
    lines
}

#[cfg(test)]
mod tests;
