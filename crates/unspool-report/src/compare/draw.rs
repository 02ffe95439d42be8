//! Tables and rows on paper: side by side, or one below the other.

use super::lines::Layout;
use super::spell::Row;
use crate::view::style::{ADDED, BOLD, DIM, PLAIN, REMOVED, WARN};
use crate::view::wrap::{cut, fold, tidy_line, width, wrap};
use crate::view::{Line, diff_rows};
use crate::words::{Diff, Side, count};
use anstyle::Style;

/// Lines of a comparison line by line that are shown.
pub(super) const DIFF: usize = 16;

/// Names are not longer than this.
const NAME: usize = 32;

/// Between two columns.
const GAP: usize = 2;

/// How a row of a table stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Mark {
    None,
    Differs,
    Unknown,
}

/// A row of a table.
pub(super) struct Entry {
    pub(super) mark: Mark,
    pub(super) name: String,
    pub(super) cells: [String; 2],
    pub(super) delta: String,
}

/// What is written so far.
pub(super) struct Page {
    layout: Layout,
    lines: Vec<Line>,
}

impl Page {
    pub(super) fn new(layout: Layout) -> Self {
        Page { layout, lines: Vec::new() }
    }

    pub(super) fn colour(&self) -> bool {
        self.layout.paper.colour
    }

    /// Whether both stand side by side.
    pub(super) fn has_columns(&self) -> bool {
        self.layout.columns
    }

    pub(super) fn is_full(&self) -> bool {
        self.layout.full
    }

    /// Text of a session as it may stand in a line.
    pub(super) fn tidy(&self, text: &str) -> String {
        tidy_line(text)
    }

    /// What a run is called: where there is no room, the end of it says most.
    pub(super) fn name(&mut self, side: &str, name: &str) {
        let name = tidy_line(name);
        let room = self.layout.paper.width.saturating_sub(width(side) + 2);
        let from = name.char_indices().map(|(at, _)| at).find(|at| width(&name[*at..]) < room);
        let name =
            if width(&name) <= room { name } else { format!("…{}", &name[from.unwrap_or(name.len())..]) };
        self.lines.push(Line::of(side, BOLD).with("  ", PLAIN).with(&name, PLAIN));
    }

    pub(super) fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_empty()) {
            self.lines.push(Line::new());
        }
    }

    pub(super) fn heading(&mut self, words: &str) {
        self.gap();
        self.line(Line::of(words, BOLD));
    }

    pub(super) fn line(&mut self, line: Line) {
        let lines = wrap(line, self.layout.paper.width);
        self.lines.extend(lines);
    }

    /// Names to the left, then both sides.
    pub(super) fn table(&mut self, titles: [&str; 3], entries: &[Entry]) {
        let all = self.layout.paper.width;
        let widest = |of: &dyn Fn(&Entry) -> usize| entries.iter().map(of).max().unwrap_or(0);
        let name = widest(&|entry| width(&entry.name)).min(NAME).min(all / 3);
        let delta = widest(&|entry| width(&entry.delta));
        let room = all.saturating_sub(2 + name + GAP + GAP);
        // What stands last goes first.
        let delta = if delta > 0 && room > delta + GAP + 24 { delta } else { 0 };
        let half = (room - if delta > 0 { delta + GAP } else { 0 }) / 2;
        let cells =
            [0, 1].map(|side| widest(&|entry| width(&entry.cells[side])).max(width(titles[side])).min(half));
        let mut head = Line::of(&" ".repeat(2 + name + GAP), PLAIN);
        head.push(&padded(titles[0], cells[0] + GAP), DIM);
        head.push(&padded(titles[1], cells[1] + GAP), DIM);
        if delta > 0 {
            head.push(titles[2], DIM);
        }
        self.lines.push(head);
        for entry in entries {
            let (mark, style) = match entry.mark {
                Mark::None => (" ", PLAIN),
                Mark::Differs => (if self.layout.paper.plain { "!" } else { "≠" }, WARN),
                Mark::Unknown => ("?", DIM),
            };
            let weight = if entry.mark == Mark::Differs { BOLD } else { PLAIN };
            let mut line = Line::of(mark, style).with(" ", PLAIN);
            line.push(&padded(&cut(&entry.name, name), name + GAP), weight);
            for (side, columns) in cells.into_iter().enumerate() {
                line.push(&padded(&cut(&entry.cells[side], columns), columns + GAP), PLAIN);
            }
            if delta > 0 {
                line.push(&entry.delta, DIM);
            }
            self.lines.push(line);
        }
    }

    pub(super) fn rows(&mut self, rows: Vec<Row>) {
        for row in rows {
            match row {
                Row::Across(line) => {
                    let width = self.layout.paper.width.saturating_sub(2);
                    let wrapped = wrap(line, width);
                    self.lines.extend(wrapped.into_iter().map(|line| Line::of("  ", PLAIN).joined(&line)));
                }
                Row::Sides(sides) if self.layout.columns => self.beside(sides),
                Row::Sides(sides) => self.below(sides),
                Row::Diff(diff) if self.layout.columns => self.diff_beside(&diff),
                Row::Diff(diff) => self.diff_below(&diff),
            }
        }
    }

    /// One below the other, with a mark before each line.
    fn below(&mut self, sides: [Vec<Line>; 2]) {
        for (lines, (mark, style)) in sides.into_iter().zip([("- ", REMOVED), ("+ ", ADDED)]) {
            for line in lines {
                let wrapped = wrap(line, self.layout.paper.width.saturating_sub(4));
                self.lines.extend(wrapped.into_iter().map(|line| marked("  ", mark, style, &line)));
            }
        }
    }

    /// Side by side, and between them a mark: what is there only once, or twice and not the same.
    fn beside(&mut self, sides: [Vec<Line>; 2]) {
        let mark = match sides.each_ref().map(Vec::is_empty) {
            [false, true] => ("<", REMOVED),
            [true, false] => (">", ADDED),
            _ => ("|", WARN),
        };
        let half = self.half();
        let [left, right] =
            sides.map(|lines| lines.into_iter().flat_map(|line| wrap(line, half)).collect::<Vec<_>>());
        self.columns(&left, &right, mark);
    }

    fn columns(&mut self, left: &[Line], right: &[Line], (mark, style): (&str, Style)) {
        let half = self.half();
        for at in 0..left.len().max(right.len()) {
            let empty = Line::new();
            let one = left.get(at).unwrap_or(&empty);
            let mut line = Line::of("  ", PLAIN).joined(one);
            line.push(&" ".repeat(half.saturating_sub(one.width())), PLAIN);
            line.push(&format!(" {mark} "), style);
            line.append(right.get(at).unwrap_or(&empty));
            self.lines.push(line);
        }
    }

    fn half(&self) -> usize {
        (self.layout.paper.width.saturating_sub(5) / 2).max(1)
    }

    fn diff_below(&mut self, diff: &Diff) {
        let lines = diff_rows(diff, self.layout.paper.width.saturating_sub(2));
        let total = lines.len();
        let most = if self.layout.full { usize::MAX } else { DIFF };
        self.lines.extend(lines.into_iter().take(most).map(|line| Line::of("  ", PLAIN).joined(&line)));
        self.beyond(total.saturating_sub(most));
    }

    /// What goes and what comes stands beside each other.
    fn diff_beside(&mut self, diff: &Diff) {
        let (half, most) = (self.half(), if self.layout.full { usize::MAX } else { DIFF });
        let (mut shown, mut total) = (0, 0);
        for hunk in &diff.hunks {
            for run in hunk.rows.chunk_by(|one, other| (one.side == Side::Both) == (other.side == Side::Both))
            {
                let is_both = run[0].side == Side::Both;
                let side = |side: Side, style: Style| -> Vec<Line> {
                    let rows = run.iter().filter(|row| row.side == side || row.side == Side::Both);
                    rows.flat_map(|row| fold(Line::of(&tidy_line(&row.text), style), half)).collect()
                };
                let [mut left, mut right] = if is_both {
                    [side(Side::Both, DIM), side(Side::Both, DIM)]
                } else {
                    [side(Side::Old, REMOVED), side(Side::New, ADDED)]
                };
                let height = left.len().max(right.len());
                total += height;
                let room = most.saturating_sub(shown);
                left.truncate(room);
                right.truncate(room);
                shown += height.min(room);
                let mark = match (is_both, left.is_empty(), right.is_empty()) {
                    (true, ..) => (" ", PLAIN),
                    (_, false, true) => ("<", REMOVED),
                    (_, true, false) => (">", ADDED),
                    _ => ("|", WARN),
                };
                self.columns(&left, &right, mark);
            }
        }
        self.beyond(total.saturating_sub(shown));
    }

    fn beyond(&mut self, lines: usize) {
        if lines > 0 {
            self.line(Line::of(&format!("  … {}: --full shows all", count(lines as u64, "more line")), DIM));
        }
    }

    /// All lines, painted.
    pub(super) fn finish(self) -> Vec<String> {
        let Layout { paper, .. } = self.layout;
        let paint = |line: Line| {
            let mut out = String::new();
            line.paint(paper.colour, &mut out);
            if paper.plain { ascii(&out) } else { out }
        };
        self.lines.into_iter().map(paint).collect()
    }
}

/// Signs of ours for terminals that have only ASCII.
fn ascii(text: &str) -> String {
    text.replace('…', "~").replace(['−', '–'], "-").replace(['“', '”'], "\"")
}

fn marked(indent: &str, mark: &str, style: Style, line: &Line) -> Line {
    Line::of(indent, PLAIN).with(mark, style).joined(line)
}

fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}
