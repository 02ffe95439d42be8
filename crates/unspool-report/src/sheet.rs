//! Tables of names and figures, as wide as the paper.

use anstyle::{AnsiColor, Style};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What a report is drawn on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Paper {
    /// Columns.
    pub width: usize,
    /// It can show colours.
    pub colour: bool,
    /// Only ASCII for what is drawn.
    pub plain: bool,
}

impl Paper {
    /// So many columns wide, without colours.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Paper { width, colour: false, plain: false }
    }

    /// Whether it can show colours.
    #[must_use]
    pub fn colour(mut self, colour: bool) -> Self {
        self.colour = colour;
        self
    }

    /// Whether only ASCII may be drawn.
    #[must_use]
    pub fn plain(mut self, plain: bool) -> Self {
        self.plain = plain;
        self
    }

    /// The text in a style, if there are colours.
    #[must_use]
    pub fn paint(&self, style: Style, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// A table: a name to the left, then figures, then a bar.
#[derive(Debug, Default)]
pub struct Sheet {
    /// Columns of figures, in their order.
    columns: Vec<Column>,
    rows: Vec<Row>,
    /// What bars are measured by.
    bars: Option<String>,
}

#[derive(Debug)]
struct Column {
    title: String,
    /// Those with the highest go first where there is no room.
    rank: u8,
}

/// A line of the table.
#[derive(Debug, Default)]
pub struct Row {
    pub(crate) name: String,
    /// How deep it stands in other rows.
    pub depth: usize,
    pub(crate) cells: Vec<String>,
    /// How long its bar is, from 0 to 1.
    pub bar: Option<f64>,
    /// It is a sum of the others.
    pub total: bool,
}

/// Names are cut to this before a column of figures is left out.
const NAME: usize = 16;
/// Columns of this rank are left out before a name is cut.
const DETAIL: u8 = 4;
/// Longer names are cut even where there is room.
const LONGEST: usize = 48;
/// Bars are as long as there is room, within these.
const BAR: std::ops::RangeInclusive<usize> = 6..=24;
const GAP: usize = 2;

/// What matters less.
pub const DIM: Style = Style::new().dimmed();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const BAR_STYLE: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Cyan)));

impl Sheet {
    /// A column of figures; those with a higher rank are left out first.
    #[must_use]
    pub fn column(mut self, title: &str, rank: u8) -> Self {
        self.columns.push(Column { title: title.to_owned(), rank });
        self
    }

    /// Bars behind the figures, and what they are measured by.
    #[must_use]
    pub fn bars(mut self, measure: &str) -> Self {
        self.bars = Some(format!("by {measure}"));
        self
    }

    pub(crate) fn push(&mut self, row: Row) {
        debug_assert_eq!(row.cells.len(), self.columns.len());
        self.rows.push(row);
    }

    /// The lines of the table; the first has the titles, and `title` above the names.
    #[must_use]
    pub fn lines(&self, title: &str, paper: Paper) -> Vec<String> {
        let (shown, name, bar) = self.layout(title, paper.width);
        let titles = self.columns.iter().map(|column| column.title.clone()).collect();
        let head = Row { name: title.to_owned(), cells: titles, ..Row::default() };
        let mut head = self.line(&head, &shown, name, 0, paper);
        if let Some(measure) = self.bars.as_deref().filter(|_| bar > 0) {
            let taken = name + shown.iter().map(|(_, width)| width + GAP).sum::<usize>() + GAP;
            head = pad(&head, taken) + measure;
        }
        let mut lines = vec![paper.paint(DIM, &head)];
        lines.extend(self.rows.iter().map(|row| {
            let line = self.line(row, &shown, name, bar, paper);
            if row.total { paper.paint(BOLD, &line) } else { line }
        }));
        lines
    }

    /// Which columns there is room for, with their widths; the width of names; the width of bars.
    fn layout(&self, title: &str, width: usize) -> (Vec<(usize, usize)>, usize, usize) {
        let needs = |at: usize| {
            let cells = self.rows.iter().map(|row| row.cells[at].width());
            cells.chain([self.columns[at].title.width()]).max().unwrap_or(0)
        };
        let mut shown: Vec<(usize, usize)> = (0..self.columns.len()).map(|at| (at, needs(at))).collect();
        // A column that says nothing is not shown.
        shown.retain(|(at, _)| self.rows.iter().any(|row| !row.cells[*at].is_empty()));
        let names = self.rows.iter().map(|row| row.name.width() + 2 * row.depth);
        let longest = names.chain([title.width()]).max().unwrap_or(0).min(LONGEST);
        let taken = |shown: &[(usize, usize)]| shown.iter().map(|(_, width)| width + GAP).sum::<usize>();
        while let Some(last) = shown.iter().map(|(at, _)| self.columns[*at].rank).max() {
            let least = if last >= DETAIL { longest } else { longest.min(NAME) };
            if least + taken(&shown) <= width {
                break;
            }
            shown.retain(|(at, _)| self.columns[*at].rank < last);
        }
        let rest = width.saturating_sub(taken(&shown));
        let name = longest.min(rest);
        let room = (rest - name).saturating_sub(GAP);
        let drawn = self.rows.iter().any(|row| row.bar.is_some_and(|bar| bar > 0.0));
        let least = self.bars.as_deref().map_or(usize::MAX, |measure| measure.width().max(*BAR.start()));
        let bar = if drawn && room >= least { room.min(*BAR.end()) } else { 0 };
        (shown, name, bar)
    }

    fn line(&self, row: &Row, shown: &[(usize, usize)], name: usize, bar: usize, paper: Paper) -> String {
        let indent = " ".repeat(2 * row.depth.min(name / 4));
        let mut line = pad(&cut(&format!("{indent}{}", row.name), name, paper.plain), name);
        for (at, width) in shown {
            let cell = &row.cells[*at];
            line.push_str(&" ".repeat(GAP + width - cell.width().min(*width)));
            line.push_str(cell);
        }
        if let Some(share) = row.bar.filter(|_| bar > 0) {
            let drawn = draw_bar(share, bar, paper.plain);
            if !drawn.is_empty() {
                line.push_str(&" ".repeat(GAP));
                line.push_str(&paper.paint(BAR_STYLE, &drawn));
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// A bar of so many columns at the most.
fn draw_bar(share: f64, columns: usize, plain: bool) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let share = share.clamp(0.0, 1.0);
    if plain {
        return "#".repeat((share * columns as f64).round() as usize);
    }
    let eighths = (share * columns as f64 * 8.0).round() as usize;
    // What is there at all is seen.
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    let mut bar = "█".repeat(eighths / 8);
    if eighths % 8 > 0 {
        bar.push(EIGHTHS[eighths % 8]);
    }
    bar
}

/// The text, cut to so many columns.
#[must_use]
pub fn cut(text: &str, columns: usize, plain: bool) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mark = if plain { "~" } else { "…" };
    let room = columns.saturating_sub(1);
    let mut kept = String::new();
    let mut taken = 0;
    for letter in text.graphemes(true) {
        taken += letter.width();
        if taken > room {
            break;
        }
        kept.push_str(letter);
    }
    kept.push_str(if columns > 0 { mark } else { "" });
    kept
}

/// The text, followed by blanks to so many columns.
#[must_use]
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

/// Sentences, wrapped; the first line begins with `mark`, the others are as far in.
#[must_use]
pub fn wrap(mark: &str, text: &str, width: usize) -> Vec<String> {
    let indent = " ".repeat(mark.width());
    let mut lines = vec![mark.to_owned()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always one");
        let empty = line.width() <= mark.width();
        if empty || line.width() + 1 + word.width() <= width {
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
        } else {
            lines.push(format!("{indent}{word}"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let mut sheet = Sheet::default().column("tokens", 2).column("cost", 0).bars("cost");
        for (name, tokens, cost, bar) in [("one 漢字", "1,234", "$1.00", 1.0), ("two", "5", "", 0.01)] {
            let cells = vec![tokens.to_owned(), cost.to_owned()];
            sheet.push(Row { name: name.to_owned(), cells, bar: Some(bar), ..Row::default() });
        }
        sheet
    }

    fn paper(width: usize, plain: bool) -> Paper {
        Paper { width, colour: false, plain }
    }

    #[test]
    fn figures_stand_to_the_right_and_bars_behind_them() {
        let lines = sheet().lines("name", paper(34, false));
        assert_eq!(
            lines,
            [
                "name      tokens   cost  by cost",
                "one 漢字   1,234  $1.00  █████████",
                "two            5         ▏"
            ]
        );
        let lines = sheet().lines("name", paper(34, true));
        assert_eq!(lines[1..], ["one 漢字   1,234  $1.00  #########", "two            5"]);
    }

    #[test]
    fn what_has_no_room_is_left_out_and_no_line_is_too_long() {
        let lines = sheet().lines("name", paper(16, false));
        assert_eq!(lines, ["name       cost", "one 漢字  $1.00", "two"]);
        for width in 1..60 {
            for line in sheet().lines("name", paper(width.max(7), false)) {
                assert!(line.width() <= width.max(7), "{width}: {line}");
            }
        }
    }

    #[test]
    fn long_sentences_are_wrapped() {
        assert_eq!(wrap("* ", "one two three", 9), ["* one two", "  three"]);
        assert_eq!(wrap("* ", "extraordinary", 5), ["* extraordinary"]);
    }
}
