//! What is shown of what waits: no more than fits the screen, so that what is asked, and what can be said, is in sight.

use super::{Desk, Matter};
use unspool_report::view::Line;
use unspool_report::view::style::{BOLD, DIM, PLAIN, PROMPT, WARN, over};
use unspool_report::view::wrap::{cut, fold, wrap};
use unspool_report::words::count;

/// The screen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

/// How much of a matter is shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Extent {
    /// What it is about.
    Head,
    /// And as much of the rest as fits.
    Fitting,
    /// All of it, and what it is about once more behind it.
    All,
}

/// What stands before the rows of a matter.
const MARGIN: &str = "   │ ";

/// Of what a matter says, at least so many rows are shown, however small the screen is.
const LEAST: usize = 3;

impl Desk {
    /// What waits, and what can be typed.
    pub(super) fn show(&mut self, room: Room, extent: Extent) -> Vec<Line> {
        let Some(top) = self.top() else { return Vec::new() };
        let mut lines = self.others(top, room);
        let Some(matter) = self.waiting.get(&top) else { return lines };
        let menu = if self.is_open { change(matter, room) } else { self.menu(matter, room) };
        let head = head(top, matter, room);
        let body = matter.body(room.columns.saturating_sub(MARGIN.len()));
        // A blank row above, and the one that is typed in.
        let taken = lines.len() + head.len() + menu.len() + 2;
        let fitting = room.rows.saturating_sub(taken).max(LEAST);
        lines.extend(head.iter().cloned());
        match extent {
            Extent::Head => {}
            Extent::Fitting if body.len() > fitting => {
                let left = count((body.len() + 1 - fitting) as u64, "more line");
                lines.extend(body.iter().take(fitting - 1).map(margined));
                let more = Line::of(&format!("   … {left}"), DIM);
                // Whatever is typed now is no answer.
                let more =
                    if self.is_open { more } else { more.with("; d", BOLD).with(" shows all of it", DIM) };
                lines.push(more.cut(room.columns));
            }
            Extent::Fitting => lines.extend(body.iter().map(margined)),
            Extent::All => {
                lines.extend(body.iter().map(margined));
                lines.extend(head);
            }
        }
        lines.extend(menu);
        self.seen.insert(top);
        lines
    }

    /// Where something is typed.
    pub(super) fn prompt(&self) -> String {
        match self.top().and_then(|top| self.waiting.get(&top)) {
            Some(Matter::Call(call)) if self.is_open => format!("new {}> ", call.subject()),
            Some(_) => "> ".to_owned(),
            None => String::new(),
        }
    }

    /// What can be typed, in a few words.
    pub(super) fn keys(&self) -> String {
        let Some(matter) = self.top().and_then(|top| self.waiting.get(&top)) else { return String::new() };
        let always = matter.always().map(|_| "a");
        let keys = matter.choices().into_iter().map(|(key, _)| key).chain(always);
        keys.filter(|key| !key.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// Those below the top, a row each.
    fn others(&mut self, top: u64, room: Room) -> Vec<Line> {
        let most = (room.rows / 4).max(1);
        let others = self.waiting.iter().filter(|(number, _)| **number != top);
        let left = others.clone().count().saturating_sub(most);
        let mut lines = Vec::new();
        for (number, matter) in others.take(most) {
            let mut line = Line::of(&format!("? {number}  "), WARN);
            line.append(&matter.head(room.columns));
            let is_whole = line.width() <= room.columns && matter.body(room.columns).is_empty();
            if is_whole {
                self.seen.insert(*number);
            }
            lines.push(line.cut(room.columns));
        }
        if left > 0 {
            lines.push(Line::of(&format!("  … {left} more"), DIM));
        }
        lines
    }

    /// `y yes · n no · e edit the command`, and what `a` would allow.
    fn menu(&self, matter: &Matter, room: Room) -> Vec<Line> {
        let mut line = Line::new();
        for (key, words) in matter.choices() {
            if !line.is_empty() {
                line.push(" · ", DIM);
            }
            line.push(key, BOLD);
            line.push(if key.is_empty() { "" } else { " " }, PLAIN);
            line.push(&words, DIM);
        }
        let mut lines = hanging(line, "", "", room);
        if let Some(always) = matter.always() {
            // What it begins with is enough: the command itself stands above.
            let always = cut(&always, 2 * room.columns);
            let words =
                Line::of("a", BOLD).with(&format!(" always: {always}, for the rest of this session"), DIM);
            lines.extend(hanging(words, "", "  ", room));
        }
        if self.waiting.len() > 1 {
            let words = "a number before it answers another one, as in `2 y`; a number alone shows it";
            lines.extend(hanging(Line::of(words, DIM), "", "", room));
        }
        lines
    }
}

/// What is about to be changed, and how.
fn change(matter: &Matter, room: Room) -> Vec<Line> {
    let Matter::Call(call) = matter else { return Vec::new() };
    let what = call.subject();
    let json = if what == "command" { ", or the whole input as a JSON object" } else { " as a JSON object" };
    let words = format!(
        "Type the new {what}{json}. It is shown to you once more before it is done; an empty line leaves it as it is."
    );
    hanging(Line::of(&words, WARN), "", "", room)
}

/// `? 1  Bash: cargo test`, as many rows as it takes, but no more than a third of the screen: its end is in sight.
fn head(number: u64, matter: &Matter, room: Room) -> Vec<Line> {
    let line = matter.head(room.columns);
    let mut rows = hanging(line, &format!("? {number}  "), "     ", room);
    let most = (room.rows / 3).max(4);
    if rows.len() > most {
        let last = rows.split_off(rows.len() - most / 2);
        rows.truncate(most - last.len());
        rows.push(Line::of("     …", DIM));
        rows.extend(last);
    }
    rows
}

/// A line as several rows, of which the first begins with one text and all others with another.
fn hanging(line: Line, first: &str, others: &str, room: Room) -> Vec<Line> {
    let columns = room.columns.saturating_sub(first.len().max(others.len())).max(1);
    // What is broken between words can be read; what has none is broken anywhere.
    let rows = wrap(line, columns).into_iter().flat_map(|row| fold(row, columns));
    let begins = |at| if at == 0 { Line::of(first, over(WARN, BOLD)) } else { Line::of(others, PLAIN) };
    rows.enumerate().map(|(at, row)| begins(at).joined(&row)).collect()
}

fn margined(row: &Line) -> Line {
    Line::of(MARGIN, PROMPT).joined(row)
}
