//! Statistics for people.

use super::once::Repeated;
use super::report::{Durations, Report};
use super::timeline::timeline;
use crate::sheet::Paper;
use crate::sheet::{BOLD, DIM, Row, Sheet, cut, wrap};
use crate::times::length;
use crate::words::{count, duration, grouped};
use std::collections::BTreeMap;

/// Statistics as lines.
#[must_use]
pub fn table(report: &Report, paper: Paper) -> Vec<String> {
    let mut lines = wrap("", &counts(report), paper.width);
    lines.extend(time(report, paper));
    lines.extend(durations("tool", &report.tools, paper));
    lines.extend(durations("model", &report.models, paper));
    lines.extend(durations("agent", &report.agents, paper));
    lines.extend(waits(report, paper));
    if let Some(picture) = &report.picture {
        lines.push(String::new());
        if report.sessions > 1 {
            let text = format!("the longest of {}: {}", count(report.sessions, "session"), picture.session);
            lines.push(paper.paint(BOLD, &cut(&crate::words::clean_line(&text), paper.width, paper.plain)));
        }
        lines.extend(timeline(picture, paper));
    }
    let remarks: Vec<String> = remark(report).into_iter().chain(repeated(report)).collect();
    if !remarks.is_empty() {
        lines.push(String::new());
    }
    for remark in remarks {
        lines.extend(wrap("* ", &remark, paper.width).iter().map(|line| paper.paint(DIM, line)));
    }
    lines
}

/// What there is to say about copies.
fn repeated(report: &Report) -> Option<String> {
    let Repeated { messages, calls } = report.repeated;
    let kinds = [(messages, "message"), (calls, "call")].into_iter().filter(|(number, _)| *number > 0);
    let what = kinds.map(|(number, word)| count(number, word)).collect::<Vec<_>>().join(" and ");
    let be = if messages + calls == 1 { "is" } else { "are" };
    (!what.is_empty()).then(|| format!("{what} stood in several files and {be} counted once"))
}

/// What there is to say about the times.
pub(super) fn remark(report: &Report) -> Option<String> {
    let Report { timed, untimed, .. } = *report;
    if timed == 0 && untimed == 0 {
        return None;
    }
    if timed == 0 {
        return Some(
            "there are no times: the lines have none, and no times were recorded beside them; so there is no timeline"
                .to_owned(),
        );
    }
    if untimed > 0 {
        return Some(format!(
            "{} of {} parts and answers have no time; what is between them is not counted",
            grouped(untimed),
            grouped(timed + untimed)
        ));
    }
    (report.by_clock < report.sessions).then(|| {
        "times are those that lines tell; not every line has one, so what comes first in a turn may be missing".to_owned()
    })
}

fn counts(report: &Report) -> String {
    let counts = &report.counts;
    let always = [
        count(counts.turns, "turn"),
        count(counts.messages, "message"),
        count(counts.calls, "call"),
        count(counts.failures, "failure"),
    ];
    let seldom = [
        (counts.agents, count(counts.agents, "sub-agent")),
        (
            counts.retries,
            if counts.retries == 1 { "1 retry".into() } else { format!("{} retries", counts.retries) },
        ),
        (counts.denials, count(counts.denials, "denial")),
        (counts.compactions, count(counts.compactions, "compaction")),
    ];
    let sessions = (report.sessions > 1).then(|| count(report.sessions, "session"));
    let seldom = seldom.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text);
    sessions.into_iter().chain(always).chain(seldom).collect::<Vec<_>>().join(" · ")
}

fn time(report: &Report, paper: Paper) -> Vec<String> {
    let time = &report.time;
    if time.model + time.tools == 0 {
        return Vec::new();
    }
    let mut sheet = Sheet::default().column("wall time", 0).column("share", 1).column("sum", 2).bars("share");
    let wall = time.wall.max(1) as f64;
    for (name, ms, sum) in [
        ("waiting for models", time.model, Some(time.model_sum)),
        ("waiting for tools", time.tools, Some(time.tools_sum)),
        ("for both at once", time.both, None),
        ("for neither", time.neither(), None),
    ] {
        let share = ms as f64 / wall;
        let cells = vec![
            duration(ms),
            format!("{:.0} %", share * 100.0),
            sum.map(duration).filter(|sum| *sum != duration(ms)).unwrap_or_default(),
        ];
        sheet.push(Row { name: name.to_owned(), cells, bar: Some(share), ..Row::default() });
    }
    let cells = vec![duration(time.wall), "100 %".to_owned(), String::new()];
    sheet.push(Row { name: "all".to_owned(), cells, total: true, ..Row::default() });
    let mut lines = vec![String::new()];
    lines.extend(sheet.lines("time", paper));
    lines
}

fn durations(title: &str, all: &BTreeMap<String, Durations>, paper: Paper) -> Vec<String> {
    if all.is_empty() || title == "agent" && all.values().all(|it| it.known.is_empty()) {
        return Vec::new();
    }
    let what = match title {
        "tool" => "calls",
        "model" => "messages",
        _ => "runs",
    };
    let mut sheet = Sheet::default().column(what, 0).column("failed", 3).column("timed", 4);
    for (title, rank) in [("p50", 1), ("p95", 2), ("max", 1), ("sum", 3)] {
        sheet = sheet.column(title, rank);
    }
    sheet = sheet.bars("sum");
    let most = all.values().map(Durations::sum).max().unwrap_or(0).max(1) as f64;
    let mut rows: Vec<(&String, &Durations)> = all.iter().collect();
    rows.sort_by_key(|(_, it)| std::cmp::Reverse((it.sum(), it.count)));
    for (name, it) in rows {
        let of = |percent: u64| it.percentile(percent).map(duration).unwrap_or_default();
        let unlike = |number: u64, usual: u64| if number == usual { String::new() } else { grouped(number) };
        let known = it.known.len() as u64;
        let sum = if known == 0 { String::new() } else { duration(it.sum()) };
        let cells = vec![
            grouped(it.count),
            unlike(it.failed, 0),
            unlike(known, it.count),
            of(50),
            of(95),
            of(100),
            sum,
        ];
        sheet.push(Row { name: name.clone(), cells, bar: Some(it.sum() as f64 / most), ..Row::default() });
    }
    let mut lines = vec![String::new()];
    lines.extend(sheet.lines(title, paper));
    lines
}

fn waits(report: &Report, paper: Paper) -> Vec<String> {
    if report.waits.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), paper.paint(DIM, "longest waits")];
    for (wait, agent) in &report.waits {
        let took = duration(length(&wait.span));
        let whose = if agent == "main" { String::new() } else { format!(" ({agent})") };
        lines.push(cut(&format!("{took:>8}  {}{whose}", wait.what), paper.width, paper.plain));
    }
    lines
}
