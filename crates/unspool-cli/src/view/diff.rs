//! A change of a file, with its lines in colour and their numbers.

use super::line::Line;
use super::style::{ADDED, DIM, PLAIN, REMOVED};
use super::wrap::{cut, tidy};
use crate::words::{Change, Diff, Row, Side, count};

/// Lines of a change that are shown.
const SHOWN: usize = 24;

/// Which file was changed, and by how much: `+3 −1`.
pub(super) fn facts(change: &Change) -> String {
    let mark = if change.is_new { "new, " } else { "" };
    match (change.added, change.removed) {
        (added, 0) => format!("{mark}+{added}"),
        (0, removed) => format!("−{removed}"),
        (added, removed) => format!("+{added} −{removed}"),
    }
}

/// The lines of a change.
pub(super) fn lines(diff: &Diff, columns: usize) -> Vec<Line> {
    let total: usize = diff.hunks.iter().map(|hunk| hunk.rows.len()).sum();
    let last = diff
        .hunks
        .iter()
        .filter_map(|hunk| hunk.starts.map(|(old, new)| old.max(new).saturating_add(hunk.rows.len() as u64)));
    let digits = last.max().map_or(0, |number| number.to_string().len());
    let mut lines = Vec::new();
    let mut shown = 0;
    for (at, hunk) in diff.hunks.iter().enumerate() {
        if shown >= SHOWN {
            break;
        }
        if at > 0 {
            lines.push(Line::of("    ⋮", DIM));
        }
        let mut numbers = hunk.starts;
        for row in hunk.rows.iter().take(SHOWN - shown) {
            lines.push(line(row, &mut numbers, digits, columns));
            shown += 1;
        }
    }
    if total > shown {
        lines.push(Line::of(&format!("    … {}", count((total - shown) as u64, "more line")), DIM));
    }
    lines
}

/// `    12 + the line`
fn line(row: &Row, numbers: &mut Option<(u64, u64)>, digits: usize, columns: usize) -> Line {
    let (mark, style) = match row.side {
        Side::Both => (' ', PLAIN),
        Side::Old => ('-', REMOVED),
        Side::New => ('+', ADDED),
    };
    let mut line = Line::of("    ", PLAIN);
    if let Some((old, new)) = numbers {
        let number = if row.side == Side::Old { *old } else { *new };
        line.push(&format!("{number:>digits$} "), DIM);
        *old = old.saturating_add(u64::from(row.side != Side::New));
        *new = new.saturating_add(u64::from(row.side != Side::Old));
    }
    line.push(&format!("{mark} "), style);
    let room = columns.saturating_sub(line.width());
    let text = tidy(&row.text);
    let text = cut(text.trim_end(), room);
    // What stays is there to find one's way, no more.
    line.push(&text, if row.side == Side::Both { DIM } else { style });
    line
}
