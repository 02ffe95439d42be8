//! Sessions as a table that is as wide as the screen.

use super::Row;
use jiff::tz::TimeZone;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;
use unspool_report::words::{money, one_line, tokens};

/// A column beside the title.
struct Column {
    name: &'static str,
    to_the_right: bool,
    /// It is never wider.
    most: usize,
    cell: fn(&Row, &Now) -> String,
}

/// When the table is made, and for whom.
struct Now {
    zone: TimeZone,
    ms: u64,
}

/// In their order. Where there is no room, the last ones of [`SPARED`] go first.
const COLUMNS: &[Column] = &[
    Column { name: "WHEN", to_the_right: false, most: 16, cell: when },
    Column {
        name: "ID",
        to_the_right: false,
        most: 8,
        cell: |row, _| row.session.clone().unwrap_or_default(),
    },
    Column {
        name: "STATE",
        to_the_right: false,
        most: 10,
        cell: |row, now| row.state.at(now.ms).to_string(),
    },
    Column { name: "TURNS", to_the_right: true, most: 6, cell: |row, _| row.turns.to_string() },
    Column {
        name: "COST",
        to_the_right: true,
        most: 10,
        cell: |row, _| row.cost_usd.map_or("–".into(), money),
    },
    Column { name: "TOKENS", to_the_right: true, most: 6, cell: |row, _| tokens(row.spent.now().tokens()) },
    Column { name: "MODEL", to_the_right: false, most: 18, cell: |row, _| model(&row.models) },
    Column { name: "PROJECT", to_the_right: false, most: 20, cell: |row, _| project(row) },
];

/// Which columns to leave out, the first one first.
const SPARED: &[usize] = &[6, 7, 5, 3, 4, 2];

/// Titles are at least as wide as this before a column is left out.
const TITLE: usize = 24;

const GAP: &str = "  ";

/// The lines of the table, the first one with the names of the columns.
pub(crate) fn table(rows: &[Row], width: usize, zone: &TimeZone, now: u64) -> Vec<String> {
    let now = Now { zone: zone.clone(), ms: now };
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| COLUMNS.iter().map(|column| fit(&one_line(&(column.cell)(row, &now)), column)).collect())
        .collect();
    let widths: Vec<usize> = COLUMNS
        .iter()
        .enumerate()
        .map(|(at, column)| cells.iter().map(|row| row[at].width()).max().unwrap_or(0).max(column.name.len()))
        .collect();
    let mut shown: Vec<usize> = (0..COLUMNS.len()).collect();
    let taken = |shown: &[usize]| shown.iter().map(|at| widths[*at] + GAP.len()).sum::<usize>();
    for spared in SPARED {
        if taken(&shown) + TITLE > width {
            shown.retain(|at| at != spared);
        }
    }
    let room = width.saturating_sub(taken(&shown));
    let line = |cells: &dyn Fn(usize) -> String, title: &str| {
        let mut line = String::new();
        for &at in &shown {
            let cell = cells(at);
            let pad = " ".repeat(widths[at].saturating_sub(cell.width()));
            let (before, behind) =
                if COLUMNS[at].to_the_right { (pad, String::new()) } else { (String::new(), pad) };
            line += &format!("{before}{cell}{behind}{GAP}");
        }
        line += &cut(title, room);
        line.trim_end().to_owned()
    };
    let head = line(&|at| COLUMNS[at].name.to_owned(), "TITLE");
    let body = rows.iter().zip(&cells).map(|(row, cells)| {
        let title = one_line(row.titles.best().unwrap_or("–"));
        line(&|at| cells[at].clone(), &title)
    });
    std::iter::once(head).chain(body).collect()
}

fn fit(text: &str, column: &Column) -> String {
    // Of an id the beginning is enough, and says so by itself.
    if column.name == "ID" { text.chars().take(column.most).collect() } else { cut(text, column.most) }
}

/// The text, cut to so many columns.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut taken = 1;
    for letter in text.graphemes(true) {
        taken += letter.width();
        if taken > width {
            break;
        }
        out.push_str(letter);
    }
    if width > 0 {
        out.push('…');
    }
    out
}

fn when(row: &Row, now: &Now) -> String {
    row.when()
        .map_or("–".into(), |time| time.to_zoned(now.zone.clone()).strftime("%Y-%m-%d %H:%M").to_string())
}

/// `opus-5-5`, `sonnet-4 +1`: without what all names have, and without dates.
fn model(models: &[String]) -> String {
    let Some(first) = models.first() else { return "–".into() };
    let name = first.strip_prefix("claude-").unwrap_or(first);
    let is_date = |part: &str| part.len() == 8 && part.bytes().all(|byte| byte.is_ascii_digit());
    let name = name.rsplit_once('-').filter(|(_, last)| is_date(last)).map_or(name, |(name, _)| name);
    if models.len() > 1 { format!("{name} +{}", models.len() - 1) } else { name.to_owned() }
}

/// The last folder of its path.
fn project(row: &Row) -> String {
    let cwd = row.cwd.as_deref().unwrap_or("–").trim_end_matches(['/', '\\']);
    cwd.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use unspool::{Grain, Spool};
    use unspool_report::outline::{Outline, Titles};

    const RESULT: &[u8] = br#"{"type":"result","modelUsage":{"x":{"inputTokens":44430,"outputTokens":90}}}"#;

    fn rows() -> Vec<Row> {
        let row = |title: &str, models: &[&str], cost| {
            let mut outline = Outline::default();
            Spool::read(Grain::Blocks, RESULT).iter().for_each(|event| outline.step(event));
            outline.session = Some("b837353a-cbb2-42ae-8e45-3716e025b6d3".into());
            outline.ended = Some("2026-11-15T06:48:16.272Z".into());
            outline.cwd = Some("/home/user/project".into());
            outline.turns = 3;
            outline.cost_usd = cost;
            outline.models = models.iter().map(|model| (*model).to_owned()).collect();
            outline.titles = Titles::first(title);
            let mut row = Row::new(&Source::of("x".into()));
            row.outline = outline;
            row
        };
        vec![
            row("Fix the tests,\nplease", &["claude-opus-5-5"], Some(0.031492)),
            row(
                "漢字 und \u{1b}[2J mehr, was nicht in eine Zeile passt",
                &["claude-sonnet-4-20250514", "x"],
                None,
            ),
        ]
    }

    #[test]
    fn it_is_as_wide_as_the_screen() {
        let wide = "\
WHEN              ID        STATE     TURNS     COST  TOKENS  MODEL        PROJECT  TITLE
2026-11-15 06:48  b837353a  starting      3  $0.0315     45k  opus-5-5     project  Fix the tests, ⏎ please
2026-11-15 06:48  b837353a  starting      3        –     45k  sonnet-4 +1  project  漢字 und \u{fffd}[2J mehr, was nicht in ei…";
        assert_eq!(table(&rows(), 120, &TimeZone::UTC, 0).join("\n"), wide);
        let narrow = "\
WHEN              ID        TITLE
2026-11-15 06:48  b837353a  Fix the tests, ⏎ please
2026-11-15 06:48  b837353a  漢字 und \u{fffd}[2J mehr, was nicht i…";
        assert_eq!(table(&rows(), 60, &TimeZone::UTC, 0).join("\n"), narrow);
        for width in [20, 40, 60, 80, 120, 200] {
            let lines = table(&rows(), width, &TimeZone::UTC, 0);
            assert!(lines.iter().all(|line| line.width() <= width.max(26)), "{width}: {lines:#?}");
        }
    }
}
