//! What the screen shows: the end of what was said and done, what is going on, and a line with the keys.

use super::super::cue::EVENLY;
use unspool_report::view::Line;
use unspool_report::view::style::{BAD, BOLD, DIM, PLAIN};
use unspool_report::view::wrap::width;

const BEGIN: &str = "\u{1b}[?2026h\u{1b}[H";
const END: &str = "\u{1b}[?2026l";
const ERASE_LINE: &str = "\u{1b}[K";

/// Rows at the bottom that may change, at the most, as in the live view.
pub(super) const LIVE: usize = 16;

/// Columns and rows of a screen.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Size {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl Size {
    /// Rows above the line with the keys.
    pub(super) fn body(self) -> usize {
        self.rows.saturating_sub(1).max(1)
    }
}

/// What the line at the bottom says.
pub(super) struct State<'s> {
    pub(super) mark: &'static str,
    pub(super) at: u64,
    pub(super) length: u64,
    pub(super) speed: &'s str,
    pub(super) has_times: bool,
    /// The turn, and how many there are.
    pub(super) turn: (u64, u64),
    /// The stop, and how many there are.
    pub(super) stop: (usize, usize),
    /// What was looked for was not found.
    pub(super) hint: Option<&'static str>,
}

/// The rows of a screen: the end of these lines, or what stands from `top` on, and what is going on.
pub(super) fn rows(lines: &[Line], live: Vec<Line>, top: Option<usize>, size: Size) -> Vec<Line> {
    let all = lines.len() + live.len();
    let from = top.unwrap_or(usize::MAX).min(all.saturating_sub(size.body()));
    let lines = lines.iter().skip(from).cloned();
    let skipped = from.saturating_sub(all - live.len());
    lines.chain(live.into_iter().skip(skipped)).take(size.body()).map(|line| line.cut(size.columns)).collect()
}

/// A screen as a terminal is told it.
pub(super) fn paint(mut rows: Vec<Line>, bottom: Line, size: Size, colors: bool) -> String {
    rows.resize(size.body(), Line::new());
    rows.push(bottom.cut(size.columns.saturating_sub(1)));
    let mut frame = String::from(BEGIN);
    for (at, line) in rows.iter().take(size.rows.max(1)).enumerate() {
        if at > 0 {
            frame.push_str("\r\n");
        }
        line.paint(colors, &mut frame);
        // A line that fills its row has nothing behind it to erase, and some terminals would erase its end.
        if line.width() < size.columns {
            frame.push_str(ERASE_LINE);
        }
    }
    frame.push_str(END);
    frame
}

/// What the keys do, in the order in which they are left out where there is no room.
const HINTS: [(&str, &str); 7] = [
    ("?", "help"),
    ("q", "quit"),
    ("space", "pause"),
    ("←→", "event"),
    ("PgUp/PgDn", "turn"),
    ("e", "error"),
    ("+-", "speed"),
];

/// `▶ 1:04 / 3:20  10x  turn 2/5  event 12/87    space pause  ←→ event  ? help  q quit`
pub(super) fn bottom(state: &State<'_>, columns: usize) -> Line {
    let mut line = Line::of(&format!("{} ", state.mark), BOLD);
    line.push(&format!("{} / {}", clock(state.at), clock(state.length)), PLAIN);
    line.push(&format!("  {}", state.speed), PLAIN);
    let room = columns.saturating_sub(1);
    if let Some(hint) = state.hint {
        return line.with(&format!("  {hint}"), BAD).cut(room);
    }
    let (turn, turns) = state.turn;
    let (stop, stops) = state.stop;
    let facts = [
        (turns > 1).then(|| format!("turn {turn}/{turns}")),
        Some(format!("event {stop}/{stops}")),
        (!state.has_times).then(|| "no times".to_owned()),
    ];
    let least: usize = HINTS[..2].iter().map(hint_width).sum();
    for fact in facts.into_iter().flatten() {
        if line.width() + 2 + width(&fact) + least <= room {
            line.push(&format!("  {fact}"), DIM);
        }
    }
    let left = room.saturating_sub(line.width());
    let mut used = 0;
    let fits = |hint: &&(&str, &str)| {
        used += hint_width(hint);
        used <= left
    };
    let mut shown: Vec<_> = HINTS.iter().take_while(fits).collect();
    let gap = " ".repeat(left - shown.iter().map(|hint| hint_width(hint)).sum::<usize>());
    // What everybody needs stands at the end, in the corner.
    let corner = shown.len().min(2);
    shown.rotate_left(corner);
    line.push(if shown.is_empty() { "" } else { &gap }, PLAIN);
    for (key, words) in shown {
        line.push("  ", PLAIN);
        line.push(key, BOLD);
        line.push(&format!(" {words}"), DIM);
    }
    line.cut(room)
}

fn hint_width((key, words): &(&str, &str)) -> usize {
    width(key) + width(words) + 3
}

/// All keys, in the place of the session.
pub(super) fn help(has_times: bool) -> Vec<Line> {
    const KEYS: [(&str, &str); 12] = [
        ("space", "pause, and go on"),
        ("+ -", "faster, slower"),
        ("← →", "to the event before, to the next one"),
        ("PageUp PageDown", "to the turn before, to the next one"),
        ("a A", "to where another agent goes on, or back"),
        ("e E", "to what went wrong next, or before"),
        ("g G", "to the beginning, to the end; Home and End, too"),
        ("↑ ↓", "read what has scrolled away"),
        ("Ctrl-Z", "back to the shell for a while"),
        ("?", "this"),
        ("q", "quit; Ctrl-C, too"),
        ("", ""),
    ];
    let mut lines = vec![Line::new()];
    for (key, words) in KEYS {
        let gap = " ".repeat(18_usize.saturating_sub(width(key)));
        lines.push(Line::of("  ", PLAIN).with(key, BOLD).with(&gap, PLAIN).with(words, PLAIN));
    }
    if !has_times {
        let words = format!(
            "  Nobody knows when its lines came: they are played evenly, {} a second.",
            1000 / EVENLY
        );
        lines.push(Line::of(&words, DIM));
    }
    lines.push(Line::of("  Any key goes back.", DIM));
    lines
}

/// `1:04`, `1:02:03`.
fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<Line> {
        texts.iter().map(|text| Line::of(text, PLAIN)).collect()
    }

    fn shown(rows: &[Line]) -> Vec<&str> {
        rows.iter().map(Line::text).collect()
    }

    #[test]
    fn the_end_is_shown_or_what_somebody_reads() {
        let size = Size { columns: 10, rows: 4 };
        let all = lines(&["one", "two", "three", "four"]);
        assert_eq!(shown(&rows(&all[..1], lines(&["s"]), None, size)), ["one", "s"]);
        assert_eq!(shown(&rows(&all, lines(&["s"]), None, size)), ["three", "four", "s"]);
        assert_eq!(shown(&rows(&all, lines(&["s"]), Some(1), size)), ["two", "three", "four"]);
        assert_eq!(shown(&rows(&all, lines(&["s"]), Some(9), size)), ["three", "four", "s"]);
        assert_eq!(shown(&rows(&[], lines(&["1", "2", "3", "4", "5"]), None, size)), ["3", "4", "5"]);
        assert_eq!(shown(&rows(&lines(&["a line too long"]), Vec::new(), None, size)), ["a line to…"]);
    }

    #[test]
    fn a_frame_fills_the_screen_whatever_was_there() {
        let size = Size { columns: 10, rows: 4 };
        let mut terminal = vt100::Parser::new(4, 10, 0);
        terminal.process(&b"x".repeat(40));
        for (texts, expected) in
            [(&["one", "0123456789"][..], "one\n0123456789\n\nkeys"), (&["two"], "two\n\n\nkeys")]
        {
            let frame = paint(lines(texts), Line::of("keys", PLAIN), size, false);
            terminal.process(frame.as_bytes());
            assert_eq!(terminal.screen().contents(), expected);
        }
        for rows in [0, 1, 2] {
            let frame = paint(lines(&["one"]), Line::of("keys", PLAIN), Size { columns: 1, rows }, true);
            assert!(frame.matches("\r\n").count() <= 1, "{rows}: {frame:?}");
        }
    }

    #[test]
    fn the_line_at_the_bottom_says_what_there_is_room_for() {
        let mut state = State {
            mark: "▶",
            at: 64_000,
            length: 3_800_000,
            speed: "10x",
            has_times: true,
            turn: (2, 5),
            stop: (12, 87),
            hint: None,
        };
        for (columns, expected) in [
            (
                110,
                "▶ 1:04 / 1:03:20  10x  turn 2/5  event 12/87   space pause  ←→ event  PgUp/PgDn turn  e error  ? help  q quit",
            ),
            (61, "▶ 1:04 / 1:03:20  10x  turn 2/5  event 12/87  ? help  q quit"),
            (42, "▶ 1:04 / 1:03:20  10x      ? help  q quit"),
            (20, "▶ 1:04 / 1:03:20  …"),
        ] {
            let line = bottom(&state, columns);
            assert_eq!((line.text(), line.width() < columns), (expected, true), "{columns}");
        }
        state.hint = Some("nothing more went wrong");
        assert_eq!(bottom(&state, 80).text(), "▶ 1:04 / 1:03:20  10x  nothing more went wrong");
    }
}
