//! Tables of what differs: figures, tools, files, models.

use super::draw::{Entry, Mark, Page};
use super::files::FileUse;
use super::lines::SHOWN;
use super::noise::FOLDER;
use super::spell::{Row, between};
use super::{Aspect, Both, Comparison, Figure, Value};
use crate::totals::ToolTotals;
use crate::view::Line;
use crate::view::style::{BOLD, DIM};
use crate::words::{count, duration, grouped, money};
use unspool::event::ModelTokens;

/// What everybody wants to know, and what differs.
pub(super) fn is_shown(figure: &Figure) -> bool {
    const ALWAYS: [&str; 10] = [
        "verdict",
        "model",
        "version",
        "turns",
        "calls",
        "cost_usd",
        "time_ms",
        "model_ms",
        "tools_ms",
        "waiting_ms",
    ];
    // That nothing happened in one of them, while the other does not tell, is not worth a line.
    let is_nothing = figure.values.iter().flatten().all(|value| matches!(value, Value::Number(0)));
    let is_needed = figure.same() == Some(false) || figure.same().is_none() && !is_nothing;
    !figure.is_empty() && (ALWAYS.contains(&figure.name) || is_needed)
}

/// A figure as a row.
pub(super) fn entry(comparison: &Comparison<'_>, figure: &Figure) -> Entry {
    let counts = figure.aspect.is_some_and(|aspect| comparison.counts(aspect));
    let mark = match figure.same() {
        Some(false) if counts => Mark::Differs,
        None if figure.aspect.is_some() => Mark::Unknown,
        _ => Mark::None,
    };
    let cells = [0, 1].map(|side| figure.values[side].as_ref().map_or_else(|| "not told".to_owned(), shown));
    let delta = match &figure.values {
        [Some(one), Some(other)] if figure.same() == Some(false) => delta(one, other),
        _ => String::new(),
    };
    Entry { mark, name: called(figure.name).to_owned(), cells, delta }
}

/// What people call it.
fn called(name: &str) -> &str {
    match name {
        "permission_mode" => "permissions",
        "files_changed" => "files changed",
        "input_tokens" => "fresh input",
        "cache_read_tokens" => "cache read",
        "cache_creation_tokens" => "cache written",
        "output_tokens" => "output",
        "cost_usd" => "cost",
        "time_ms" => "time",
        "model_ms" => "  for models",
        "tools_ms" => "  for tools",
        "waiting_ms" => "  for neither",
        name => name,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Word(word) => crate::view::wrap::tidy_line(word),
        Value::Number(number) | Value::Tokens(number) => grouped(*number),
        Value::Usd(usd) => money(*usd),
        Value::Ms(ms) => duration(*ms),
    }
}

/// By how much it has become more.
fn delta(one: &Value, other: &Value) -> String {
    let signed = |less: bool, amount: String, share: f64| {
        let share = if share.is_finite() && share >= 0.005 {
            format!(" ({:.0} %)", share * 100.0)
        } else {
            String::new()
        };
        format!("{}{amount}{share}", if less { "−" } else { "+" })
    };
    let of = |one: u64, other: u64, words: fn(u64) -> String| {
        let by = one.abs_diff(other);
        signed(other < one, words(by), by as f64 / one as f64)
    };
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            format!("{}{}", if other < one { "−" } else { "+" }, grouped(one.abs_diff(*other)))
        }
        (Value::Tokens(one), Value::Tokens(other)) => of(*one, *other, grouped),
        (Value::Ms(one), Value::Ms(other)) => of(*one, *other, duration),
        (Value::Usd(one), Value::Usd(other)) => {
            let by = (one - other).abs();
            let amount = if by < 0.00005 { "less than $0.0001".to_owned() } else { money(by) };
            signed(other < one, amount, by / one)
        }
        _ => String::new(),
    }
}

pub(super) fn tools(comparison: &Comparison<'_>, page: &mut Page) {
    if !comparison.counts(Aspect::Tools) {
        return;
    }
    let words = |tool: Option<&ToolTotals>| {
        let Some(tool) = tool else { return "–".to_owned() };
        let mut words = vec![count(tool.calls, "call")];
        words.extend((tool.failed > 0).then(|| format!("{} failed", tool.failed)));
        words.extend((tool.denied > 0).then(|| format!("{} denied", tool.denied)));
        words.extend((tool.timed > 0).then(|| duration(tool.ms)));
        words.join(", ")
    };
    let delta = |of: [Option<&ToolTotals>; 2]| {
        let [one, other] = of.map(|tool| tool.map_or(0, |tool| tool.calls));
        if one == other { String::new() } else { delta(&Value::Number(one), &Value::Number(other)) }
    };
    table("tools", &comparison.tools, words, delta, |name| name, page);
}

pub(super) fn files(comparison: &Comparison<'_>, page: &mut Page) {
    if !comparison.counts(Aspect::Files) {
        return;
    }
    let words = |file: Option<&FileUse>| {
        let Some(file) = file else { return "–".to_owned() };
        let mut words = Vec::new();
        words.extend((file.read > 0).then(|| format!("read {}", times(file.read))));
        let changed = format!("changed {}, +{} −{}", times(file.changed), file.added, file.removed);
        words.extend((file.changed > 0).then_some(changed));
        words.extend(file.is_new.then(|| "new".to_owned()));
        words.join("; ")
    };
    table("files", &comparison.files, words, |_| String::new(), in_folder, page);
    for file in comparison.files.iter().filter(|file| file.same != Some(true)) {
        let [Some(one), Some(other)] = file.of else { continue };
        if one.changed == 0 || other.changed == 0 {
            continue;
        }
        let heading = Line::of(&page.tidy(in_folder(file.name)), BOLD);
        match (&one.end, &other.end) {
            (Some(one), Some(other)) if one == other => {}
            (Some(one), Some(other)) => {
                page.gap();
                page.line(heading.with(", as it was in the end", DIM));
                page.rows(vec![Row::Diff(between(one, other))]);
            }
            _ => {
                page.gap();
                page.line(
                    heading.with(" was changed otherwise; not both say what was in it in the end", DIM),
                );
            }
        }
    }
}

/// Paths in the folder of a run are told from there.
fn in_folder(path: &str) -> &str {
    path.strip_prefix(FOLDER).and_then(|path| path.strip_prefix('/')).unwrap_or(path)
}

fn times(number: u64) -> String {
    match number {
        1 => "once".to_owned(),
        number => format!("{number} times"),
    }
}

pub(super) fn models(comparison: &Comparison<'_>, page: &mut Page) {
    let counts = comparison.counts(Aspect::Tokens) || comparison.counts(Aspect::Cost);
    if comparison.models.len() < 2 || !counts {
        return;
    }
    let words = |spent: Option<&ModelTokens>| {
        let Some(spent) = spent else { return "–".to_owned() };
        let known = |tokens: Option<u64>| tokens.map_or_else(|| "?".to_owned(), grouped);
        let cost = spent.cost_usd.map(|usd| format!("{}, ", money(usd))).unwrap_or_default();
        format!("{cost}{} in, {} out", known(spent.total_input), known(spent.output))
    };
    table("models", &comparison.models, words, |_| String::new(), |name| name, page);
}

/// What differs of these.
fn table<'t, T>(
    title: &str,
    all: &[Both<'t, T>],
    words: impl Fn(Option<&'t T>) -> String,
    delta: impl Fn([Option<&'t T>; 2]) -> String,
    name: impl Fn(&str) -> &str,
    page: &mut Page,
) {
    let differ: Vec<&Both<'_, T>> = all.iter().filter(|it| it.same != Some(true)).collect();
    if differ.is_empty() {
        return;
    }
    page.heading(title);
    let most = if page.is_full() { usize::MAX } else { SHOWN };
    let entries = differ.iter().take(most).map(|it| Entry {
        mark: if it.same.is_none() { Mark::Unknown } else { Mark::Differs },
        name: page.tidy(name(it.name)),
        cells: it.of.map(&words),
        delta: delta(it.of),
    });
    let entries: Vec<Entry> = entries.collect();
    page.table(["A", "B", ""], &entries);
    page.rest(differ.len().saturating_sub(most), "row");
}
