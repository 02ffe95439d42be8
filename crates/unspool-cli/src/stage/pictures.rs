//! Pictures for the README: the screen of the real program, as SVG.
//!
//! They are made again with `UNSPOOL_PICTURES=1 cargo test -p unspool-cli pictures`; otherwise this says when they are
//! out of date.

use super::paper::Paper;
use super::screen::Screen;
use std::fmt::Write;
use std::path::Path;
use unspool::{Grain, Spool};
use unspool_report::view::{Settings, View};
use vt100::Color;

const RECORDING: &str = include_str!("../../demo/fix-the-tests.ndjson");
const TIMES: &str = include_str!("../../demo/fix-the-tests.ndjson.times");

/// Size of a cell.
const WIDE: f64 = 8.4;
const HIGH: f64 = 18.0;

/// The sixteen colours, on a dark ground.
const COLORS: [&str; 16] = [
    "#2b303b", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#abb2bf", "#5c6370",
    "#ff7b86", "#b5e890", "#ffd580", "#82c4ff", "#e0a0f7", "#7fdbe6", "#ffffff",
];

#[test]
fn pictures_are_those_of_the_program() {
    let mut settings = Settings::new(90);
    settings.colors = true;
    check("live.svg", (90, 26), 120, settings.clone());
    check("end.svg", (90, 42), usize::MAX, settings);
}

/// The screen after so many lines of the demo.
fn check(name: &str, size: (u16, u16), lines: usize, settings: Settings) {
    let paper = Paper::default();
    let mut screen = Screen::over(Box::new(paper.clone()), || Some((90, 100)), true);
    let mut view = View::new(settings);
    let mut spool = Spool::new(Grain::Deltas);
    let times = TIMES.lines().filter_map(|line| line.split('\t').next()?.parse::<u64>().ok());
    let mut now = 0;
    for (line, time) in RECORDING.split_inclusive('\n').zip(times).take(lines) {
        now = time;
        spool.set_clock(now);
        view.set_now(now);
        spool.feed(line.as_bytes(), |event| view.step(&event));
        screen.draw(view.take(), view.live(16, now)).unwrap();
    }
    if lines == usize::MAX {
        spool.finish(|event| view.step(&event));
    }
    screen.draw(view.take(), view.live(16, now)).unwrap();
    let mut terminal = vt100::Parser::new(size.1, size.0, 0);
    terminal.process(&paper.0.lock().unwrap());
    let picture = svg(terminal.screen());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images").join(name);
    if std::env::var_os("UNSPOOL_PICTURES").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &picture).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == picture, "docs/images/{name} is out of date: make it again with UNSPOOL_PICTURES=1");
}

/// A screen as a picture.
fn svg(screen: &vt100::Screen) -> String {
    let (rows, columns) = screen.size();
    let (width, height) = (f64::from(columns) * WIDE + 32.0, f64::from(rows) * HIGH + 32.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e222a\"/>\n\
         <g font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"14\" fill=\"#d7dae0\">\n"
    );
    for row in 0..rows {
        let y = 16.0 + f64::from(row) * HIGH + 13.0;
        for (start, count, text, style) in runs(screen, row, columns) {
            let (x, length) = (16.0 + f64::from(start) * WIDE, f64::from(count) * WIDE);
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\"{style}>{}</text>",
                escaped(&text)
            );
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// Pieces of a row that look alike: where they begin, how many columns they take, their text and style.
fn runs(screen: &vt100::Screen, row: u16, columns: u16) -> Vec<(u16, u16, String, String)> {
    let mut runs: Vec<(u16, u16, String, String)> = Vec::new();
    for column in 0..columns {
        let Some(cell) = screen.cell(row, column).filter(|cell| !cell.is_wide_continuation()) else {
            continue;
        };
        let text = if cell.has_contents() { cell.contents() } else { " " };
        let style = style(cell);
        let wide = if cell.is_wide() { 2 } else { 1 };
        match runs.last_mut() {
            Some((start, count, words, last)) if *last == style && *start + *count == column => {
                words.push_str(text);
                *count += wide;
            }
            _ => runs.push((column, wide, text.to_owned(), style)),
        }
    }
    let spaces = |text: &str, rest: &str| u16::try_from(text.len() - rest.len()).unwrap();
    for (start, count, text, _) in &mut runs {
        let before = spaces(text, text.trim_start());
        *start += before;
        *count -= before + spaces(text.trim_start(), text.trim());
        // What draws it would make one space of several.
        *text = text.trim().replace(' ', "\u{a0}");
    }
    runs.retain(|(_, _, text, _)| !text.is_empty());
    runs
}

fn style(cell: &vt100::Cell) -> String {
    let mut style = String::new();
    if let Color::Idx(number) = cell.fgcolor() {
        let _ = write!(style, " fill=\"{}\"", COLORS[usize::from(number) % 16]);
    }
    for (is_so, words) in [
        (cell.dim(), " opacity=\"0.6\""),
        (cell.bold(), " font-weight=\"bold\""),
        (cell.italic(), " font-style=\"italic\""),
        (cell.underline(), " text-decoration=\"underline\""),
    ] {
        style.push_str(if is_so { words } else { "" });
    }
    style
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
