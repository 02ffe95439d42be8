//! A table: columns as wide as their cells, or as there is room for.

use crate::view::line::Line;
use crate::view::style::{BOLD, DIM, PLAIN, over};
use crate::view::wrap::wrap;
use pulldown_cmark::Alignment;

/// Between two columns.
const BETWEEN: &str = " │ ";

/// No column is made narrower.
const NARROWEST: usize = 4;

/// A table that is being read.
pub(super) struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Line>>,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Table { alignments, rows: Vec::new() }
    }

    /// A row begins.
    pub(super) fn row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// The next cell of the row.
    pub(super) fn cell(&mut self, cell: Line) {
        self.rows.iter_mut().last().into_iter().for_each(|row| row.push(cell.clone()));
    }

    /// All of it. Where there is no room for its columns, its cells stand below each other.
    pub(super) fn lines(self, room: usize) -> Vec<Line> {
        let count = self.alignments.len();
        let between = BETWEEN.chars().count() * count.saturating_sub(1);
        if count * NARROWEST + between > room {
            let cells = self.rows.into_iter().flatten().filter(|cell| !cell.is_empty());
            return cells.flat_map(|cell| wrap(cell, room)).collect();
        }
        let widths = self.widths(room - between);
        let mut lines = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            self.show_row(row, at == 0, &widths, &mut lines);
            if at == 0 {
                let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                lines.push(Line::of(&rule.join("─┼─"), DIM));
            }
        }
        lines
    }

    /// The widest columns give way until all fit.
    fn widths(&self, room: usize) -> Vec<usize> {
        let wanted = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(Line::width).max().unwrap_or(0).max(1)
        };
        let mut widths: Vec<usize> = (0..self.alignments.len()).map(wanted).collect();
        let mut over = widths.iter().sum::<usize>().saturating_sub(room);
        while over > 0 {
            let Some(widest) = (0..widths.len()).max_by_key(|at| widths[*at]) else { break };
            let next = widths.iter().filter(|width| **width < widths[widest]).max().copied().unwrap_or(0);
            let less = (widths[widest] - next.max(NARROWEST.min(widths[widest] - 1))).min(over).max(1);
            widths[widest] -= less;
            over -= less;
        }
        widths
    }

    fn show_row(&self, row: &[Line], is_head: bool, widths: &[usize], lines: &mut Vec<Line>) {
        let cells: Vec<Vec<Line>> = (widths.iter().enumerate())
            .map(|(at, width)| wrap(row.get(at).cloned().unwrap_or_default(), *width))
            .collect();
        for level in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = Line::new();
            for (at, width) in widths.iter().enumerate() {
                if at > 0 {
                    line.push(BETWEEN, DIM);
                }
                let cell = cells[at].get(level).cloned().unwrap_or_default();
                let space = width.saturating_sub(cell.width());
                let before = match self.alignments[at] {
                    Alignment::Right => space,
                    Alignment::Center => space / 2,
                    Alignment::None | Alignment::Left => 0,
                };
                line.push(&" ".repeat(before), PLAIN);
                for (text, style) in cell.runs() {
                    line.push(text, if is_head { over(style, BOLD) } else { style });
                }
                line.push(&" ".repeat(space - before), PLAIN);
            }
            lines.push(line);
        }
    }
}
