//! A picture of a session: a row for each agent, what it did over time.

use super::report::Picture;
use super::spans::{inside, union};
use super::watch::Row;
use crate::sheet::Paper;
use crate::sheet::{DIM, cut, pad};
use crate::times::{Span, length};
use crate::words::{duration, round_step};
use anstyle::{AnsiColor, Color, Style};

const MODEL: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Blue)));
const TOOL: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow)));
const SHORT: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow)));

/// Labels are cut to this.
const LABEL: usize = 24;
/// Time in which nobody works is cut out if it is longer than this, and than a tenth of the rest.
const PAUSE: i64 = 60_000;

/// What a column of the picture stands for.
#[derive(Clone, Copy, Debug)]
enum Column {
    Time(Span),
    /// A pause that was cut out.
    Pause,
}

/// The lines of the picture: rows, axis, legend.
pub(super) fn timeline(picture: &Picture, paper: Paper) -> Vec<String> {
    let indented = |row: &Row| format!("{}{}", "  ".repeat(row.depth), row.label);
    let longest = picture.rows.iter().map(|row| unicode_width::UnicodeWidthStr::width(&*indented(row))).max();
    let label = longest.unwrap_or(0).min(LABEL).min(paper.width / 3);
    let columns = columns(picture, paper.width.saturating_sub(label + 2).max(10));
    let mut lines = Vec::new();
    for row in &picture.rows {
        let name = pad(&cut(&indented(row), label, paper.plain), label);
        let line = format!("{name}  {}", draw(row, &columns, paper));
        lines.push(line.trim_end().to_owned());
    }
    let axis = format!("{}  {}", " ".repeat(label), axis(&columns, picture.ends.0));
    lines.push(paper.paint(DIM, axis.trim_end()));
    lines.push(String::new());
    lines.extend(legend(picture, &columns, paper));
    lines
}

/// Time, cut into so many columns.
fn columns(picture: &Picture, width: usize) -> Vec<Column> {
    let all =
        picture.rows.iter().flat_map(|row| row.model.iter().chain(&row.tools).chain(&row.agents).copied());
    let busy = union(all.chain([(picture.ends.0, picture.ends.0 + 1), (picture.ends.1 - 1, picture.ends.1)]));
    let worked: i64 = busy.iter().map(|span| span.1 - span.0).sum();
    let mut stretches: Vec<Span> = Vec::new();
    for (from, to) in busy {
        match stretches.last_mut() {
            Some(last) if from - last.1 <= PAUSE.max(worked / 10) => last.1 = to,
            _ => stretches.push((from, to)),
        }
    }
    // The last moment alone is no stretch.
    if stretches.len() > 1 && stretches.last().is_some_and(|last| length(last) <= 1) {
        stretches.pop();
    }
    let shown: i64 = stretches.iter().map(|span| span.1 - span.0).sum::<i64>().max(1);
    let room = width.saturating_sub(stretches.len() - 1).max(stretches.len());
    let mut columns = Vec::new();
    for (at, (from, to)) in stretches.iter().copied().enumerate() {
        if at > 0 {
            columns.push(Column::Pause);
        }
        let wide =
            (((to - from) as f64 / shown as f64 * room as f64).floor() as usize).clamp(1, width) as i64;
        let edge = |at: i64| from + ((to - from) as i128 * i128::from(at) / i128::from(wide)) as i64;
        columns.extend((0..wide).map(|at| Column::Time((edge(at), edge(at + 1)))));
    }
    // Many short stretches may need more than there is; the end is then cut off.
    columns.truncate(width);
    columns
}

fn draw(row: &Row, columns: &[Column], paper: Paper) -> String {
    let (model, tools, agents) = (
        union(row.model.iter().copied()),
        union(row.tools.iter().copied()),
        union(row.agents.iter().copied()),
    );
    let mut line = String::new();
    for column in columns {
        let Column::Time(frame) = *column else {
            line.push_str(&paper.paint(DIM, if paper.plain { ":" } else { "┊" }));
            continue;
        };
        let (thinks, works) = (inside(&model, frame), inside(&tools, frame));
        let touches = |spans: &[Span]| spans.iter().any(|span| span.0 < frame.1 && span.1 >= frame.0);
        let glyphs = if paper.plain { PLAIN } else { FINE };
        if works > 0 && works * 2 >= thinks {
            let at_once = (inside(&row.tools, frame) + works / 2) / works;
            let glyph = match at_once {
                0 | 1 => glyphs.tool.to_owned(),
                2..=9 => at_once.to_string(),
                _ => "+".to_owned(),
            };
            line.push_str(&paper.paint(if at_once > 1 { TOOL.invert() } else { TOOL }, &glyph));
        } else if touches(&row.tools) {
            line.push_str(&paper.paint(SHORT, glyphs.short));
        } else if thinks > 0 || touches(&row.model) {
            line.push_str(&paper.paint(MODEL, glyphs.model));
        } else if inside(&agents, frame) > 0 {
            line.push_str(&paper.paint(DIM, glyphs.agent));
        } else {
            line.push(' ');
        }
    }
    line
}

struct Glyphs {
    model: &'static str,
    tool: &'static str,
    short: &'static str,
    agent: &'static str,
}

const FINE: Glyphs = Glyphs { model: "─", tool: "█", short: "┼", agent: "·" };
const PLAIN: Glyphs = Glyphs { model: "-", tool: "#", short: "|", agent: "." };

/// Times below the columns: at the beginning, behind each pause, and at round figures.
fn axis(columns: &[Column], begin: i64) -> String {
    let widest = columns.iter().filter_map(|column| match column {
        Column::Time(frame) => Some(length(frame)),
        Column::Pause => None,
    });
    let step = round_step(widest.max().unwrap_or(1).max(1) * 12);
    let mut line = String::new();
    let mut behind_pause = true;
    for (at, column) in columns.iter().enumerate() {
        let Column::Time(frame) = *column else {
            behind_pause = true;
            continue;
        };
        let (from, to) = (frame.0 - begin, frame.1 - begin);
        let round = (from + step - 1).div_euclid(step) * step;
        let time = if behind_pause { Some(from) } else { Some(round).filter(|round| *round < to) };
        behind_pause = false;
        let label = time.map(|time| duration(u64::try_from(time).unwrap_or(0)));
        // A label must neither touch the one before it nor stand beyond the end.
        if let Some(label) = label
            && (at == 0 || line.len() + 1 < at)
            && at + label.len() <= columns.len()
        {
            line = format!("{}{label}", pad(&line, at));
        }
    }
    line
}

fn legend(picture: &Picture, columns: &[Column], paper: Paper) -> Vec<String> {
    let glyphs = if paper.plain { PLAIN } else { FINE };
    let bare = Paper { colour: false, ..paper };
    let drawn: String = picture.rows.iter().map(|row| draw(row, columns, bare)).collect();
    let pause = if paper.plain { ":" } else { "┊" };
    let mut lines = vec![String::new()];
    let mut taken = 0;
    for (style, glyph, words, is_there) in [
        (MODEL, glyphs.model, "model", true),
        (TOOL, glyphs.tool, "tool", true),
        (SHORT, glyphs.short, "short call", drawn.contains(glyphs.short)),
        (TOOL.invert(), "2", "tools at once", drawn.contains(|letter: char| letter.is_ascii_digit())),
        (DIM, glyphs.agent, "waits for an agent", drawn.contains(glyphs.agent)),
        (DIM, pause, "pause", drawn.contains(pause)),
    ] {
        if !is_there {
            continue;
        }
        let wide = words.len() + 2;
        if taken > 0 && taken + 3 + wide > paper.width {
            lines.push(String::new());
            taken = 0;
        }
        let gap = if taken > 0 { "   " } else { "" };
        taken += gap.len() + wide;
        let line = lines.last_mut().expect("there is always one");
        line.push_str(&format!("{gap}{} {words}", paper.paint(style, glyph)));
    }
    lines
}
