//! What a call changed: lines with their numbers, in the colours of their language.

use super::code::paint_line;
use super::{Html, Page};
use crate::view::Painter;
use crate::words::{Diff, Row, Side, count};

/// Rows of a diff that are shown, unless everything is wanted.
const ROWS: usize = 400;

impl Page<'_> {
    /// A change of the file of this name.
    pub(super) fn diff(&self, diff: &Diff, file: &str, html: &mut Html) {
        html.raw("<div class=\"diff\" tabindex=\"0\" role=\"group\" aria-label=\"Changes\">");
        let language = file.rsplit_once('.').map_or("", |(_, end)| end);
        let ends = diff.hunks.iter().filter_map(|hunk| {
            hunk.starts.map(|(old, new)| old.max(new).saturating_add(hunk.rows.len() as u64))
        });
        let digits = ends.max().map_or(0, |number| number.to_string().len());
        let mut left = if self.full { usize::MAX } else { ROWS };
        for (at, hunk) in diff.hunks.iter().enumerate() {
            if left == 0 {
                break;
            }
            if at > 0 {
                html.raw("<div class=\"hunk\">⋮</div>");
            }
            let mut rows = Rows::new(language, hunk.starts, digits);
            hunk.rows.iter().take(left).for_each(|row| rows.row(row, html));
            left -= hunk.rows.len().min(left);
        }
        html.raw("</div>");
        let all: usize = diff.hunks.iter().map(|hunk| hunk.rows.len()).sum();
        let hidden = all.saturating_sub(if self.full { usize::MAX } else { ROWS });
        if hidden > 0 {
            html.raw("<p class=\"left-out\">").text(&count(hidden as u64, "line")).raw(" left out</p>");
        }
    }
}

/// The rows of one hunk, in their order.
struct Rows {
    numbers: Option<(u64, u64)>,
    digits: usize,
    /// A text that was begun on one side is not open on the other.
    old: Painter,
    new: Painter,
}

impl Rows {
    fn new(language: &str, numbers: Option<(u64, u64)>, digits: usize) -> Self {
        let painter = Painter::new(language);
        Rows { numbers, digits, old: painter.clone(), new: painter }
    }

    fn row(&mut self, row: &Row, html: &mut Html) {
        let (begins, mark, ends) = match row.side {
            Side::Both => ("<div>", "<span class=\"sign\">\u{a0} </span>", "</span></div>"),
            Side::Old => ("<del>", "<span class=\"sign\">− </span>", "</span></del>"),
            Side::New => ("<ins>", "<span class=\"sign\">+ </span>", "</span></ins>"),
        };
        html.raw(begins);
        if let Some((old, new)) = &mut self.numbers {
            let number = if row.side == Side::Old { *old } else { *new };
            html.element("span", "rank", &format!("{number:>digits$} ", digits = self.digits));
            *old = old.saturating_add(u64::from(row.side != Side::New));
            *new = new.saturating_add(u64::from(row.side != Side::Old));
        }
        html.raw(mark).raw("<span class=\"line\">");
        let painter = if row.side == Side::Old { &mut self.old } else { &mut self.new };
        paint_line(painter, &row.text, html);
        html.raw(ends);
        if row.side == Side::Both {
            self.old.clone_from(&self.new);
        }
    }
}

/// `+3 −1`, without what is none.
pub(super) fn changed(added: u64, removed: u64, html: &mut Html) {
    html.raw(" <span class=\"changed\">");
    if added > 0 || removed == 0 {
        html.raw("<ins>+").show(added).raw("</ins> ");
    }
    if removed > 0 {
        html.raw("<del>−").show(removed).raw("</del>");
    }
    html.raw("</span>");
}
