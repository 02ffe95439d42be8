//! A change of a file, with its lines in colour and their numbers.

use super::line::Line;
use super::style::{ADDED, DIM, PLAIN, REMOVED};
use super::wrap::{fold, tidy};
use crate::words::{Diff, Row, Side, count};

/// Lines of a change that are shown.
const SHOWN: usize = 24;

/// By how much a file is changed: `+3 −1`.
#[must_use]
pub fn facts(is_new: bool, diff: &Diff) -> String {
    amounts(is_new, diff.added(), diff.removed())
}

/// By how many lines a file is changed: `+3 −1`.
pub(super) fn amounts(is_new: bool, added: u64, removed: u64) -> String {
    let mark = if is_new { "new, " } else { "" };
    match (added, removed) {
        (added, 0) => format!("{mark}+{added}"),
        (0, removed) => format!("−{removed}"),
        (added, removed) => format!("+{added} −{removed}"),
    }
}

/// The lines of a change, of which the first are shown.
pub(super) fn lines(diff: &Diff, columns: usize) -> Vec<Line> {
    let total: usize = diff.hunks.iter().map(|hunk| hunk.rows.len()).sum();
    let mut lines: Vec<Line> = drawn(diff, SHOWN, "    ").into_iter().map(|line| line.cut(columns)).collect();
    if total > SHOWN {
        lines.push(Line::of(&format!("    … {}", count((total - SHOWN) as u64, "more line")), DIM));
    }
    lines
}

/// All of a change, row by row, and nothing of it is cut.
#[must_use]
pub fn rows(diff: &Diff, columns: usize) -> Vec<Line> {
    drawn(diff, usize::MAX, "").into_iter().flat_map(|line| fold(line, columns)).collect()
}

/// At most so many lines of a change, however wide.
fn drawn(diff: &Diff, most: usize, indent: &str) -> Vec<Line> {
    let last = diff
        .hunks
        .iter()
        .filter_map(|hunk| hunk.starts.map(|(old, new)| old.max(new).saturating_add(hunk.rows.len() as u64)));
    let digits = last.max().map_or(0, |number| number.to_string().len());
    let mut lines = Vec::new();
    let mut shown = 0;
    for (at, hunk) in diff.hunks.iter().enumerate() {
        if shown >= most {
            break;
        }
        if at > 0 {
            lines.push(Line::of(&format!("{indent}⋮"), DIM));
        }
        let mut numbers = hunk.starts;
        for row in hunk.rows.iter().take(most - shown) {
            lines.push(line(row, &mut numbers, digits, indent));
            shown += 1;
        }
    }
    lines
}

/// `    12 + the line`
fn line(row: &Row, numbers: &mut Option<(u64, u64)>, digits: usize, indent: &str) -> Line {
    let (mark, style) = match row.side {
        Side::Both => (' ', PLAIN),
        Side::Old => ('-', REMOVED),
        Side::New => ('+', ADDED),
    };
    let mut line = Line::of(indent, PLAIN);
    if let Some((old, new)) = numbers {
        let number = if row.side == Side::Old { *old } else { *new };
        line.push(&format!("{number:>digits$} "), DIM);
        *old = old.saturating_add(u64::from(row.side != Side::New));
        *new = new.saturating_add(u64::from(row.side != Side::Old));
    }
    line.push(&format!("{mark} "), style);
    let text = tidy(&row.text);
    // What stays is there to find one's way, no more.
    line.push(text.trim_end(), if row.side == Side::Both { DIM } else { style });
    line
}
