//! The Markdown: how it ended, what was answered, what it took.

use super::escape::{block, line, short};
use crate::denials::denied_tool;
use crate::page::{Html, plain_markdown};
use crate::totals::Totals;
use crate::words::{CallWords, count, duration, money, tokens};
use std::fmt::Write;
use unspool::Verdict;
use unspool::event::{Event, Raw, What};
use unspool::verdict::for_people;
use unspool::wire::{PermissionDenial, Wire};

/// The longest answer that is shown, in bytes; GitHub takes a summary of 1 MiB.
const ANSWER: usize = 200 << 10;

/// Rows of a table.
const ROWS: usize = 50;

/// Letters of a name in a table.
const NAME: usize = 200;

/// What went wrong, and is not in the totals.
#[derive(Default)]
pub struct Errors {
    /// Turns that failed, in words.
    texts: Vec<String>,
    number: u64,
}

impl Errors {
    /// Takes an event.
    pub fn step(&mut self, event: &Event<'_>) {
        if let What::Error { text, kind, .. } = &event.what {
            self.number += 1;
            if self.texts.len() < ROWS {
                let text = for_people(text);
                let text = if text.is_empty() { String::new() } else { format!(": {text}") };
                self.texts.push(format!("{kind}{text}"));
            }
        }
    }
}

/// A session as Markdown, less than 1 MB whatever the session is.
#[must_use]
pub fn markdown(totals: &Totals, errors: &Errors) -> String {
    let mut out = String::new();
    verdict(totals, &mut out);
    answer(totals, &mut out);
    problems(totals, errors, &mut out);
    figures(totals, &mut out);
    models(totals, &mut out);
    tools(totals, &mut out);
    files(totals, &mut out);
    out
}

fn verdict(totals: &Totals, out: &mut String) {
    let Some(end) = &totals.end else { return };
    let mark = if end.verdict == Verdict::Ok { "✅" } else { "❌" };
    let _ = writeln!(
        out,
        "## {mark} Claude Code: {}\n\n{}\n",
        line(&end.verdict.to_string()),
        short(&end.reason, 500)
    );
}

/// The answer as HTML of our own making, in one quotation.
fn answer(totals: &Totals, out: &mut String) {
    let Some(answer) = totals.answer().filter(|answer| !answer.trim().is_empty()) else { return };
    let end = (0..=answer.len().min(ANSWER)).rev().find(|at| answer.is_char_boundary(*at)).unwrap_or(0);
    let mut html = Html::default();
    plain_markdown(&answer[..end], &mut html);
    let html = block(&html.take());
    // Escapes make a text longer.
    let html = if html.len() > 2 * ANSWER { block(&plain(&answer[..end.min(ANSWER / 4)])) } else { html };
    let _ = writeln!(out, "<blockquote>\n{html}\n</blockquote>\n");
    if end < answer.len() {
        let _ =
            writeln!(out, "_{} of the answer are left out._\n", count((answer.len() - end) as u64, "byte"));
    }
}

fn plain(text: &str) -> String {
    let end = (0..=text.len()).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let mut html = Html::default();
    html.element("pre", "", &text[..end]);
    html.take()
}

fn problems(totals: &Totals, errors: &Errors, out: &mut String) {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(errors.texts.iter().map(|text| format!("**error** {}", short(text, 500))));
    lines.extend(
        totals
            .denials()
            .iter()
            .take(ROWS)
            .map(|denial| format!("**denied** {}", short(&denied(denial), 500))),
    );
    let failed = totals.tools.iter().filter(|(_, tool)| tool.failed > 0);
    lines.extend(failed.take(ROWS).map(|(name, tool)| {
        format!("**failed** {}, {} of {}", short(name, NAME), tool.failed, count(tool.calls, "call"))
    }));
    if let Some(end) = &totals.end {
        for (word, number) in [("broken", end.malformed), ("not described anywhere", end.unknown)] {
            if number > 0 {
                lines.push(format!("**{word}** {} of the stream", count(number, "line")));
            }
        }
    }
    let more = errors.number.saturating_sub(errors.texts.len() as u64);
    let unlisted = totals.denials().len().saturating_sub(ROWS) as u64;
    for (number, thing) in [(more, "error"), (unlisted, "denial")] {
        if number > 0 {
            lines.push(format!("and {} more", count(number, thing)));
        }
    }
    if !lines.is_empty() {
        let _ = writeln!(out, "- {}\n", lines.join("\n- "));
    }
}

fn denied(denial: &Raw<'_>) -> String {
    let input = PermissionDenial::of(denial.json()).and_then(|denial| denial.tool_input).map(Raw::new);
    CallWords::of(Some(&denied_tool(denial)), input.as_ref()).line()
}

fn figures(totals: &Totals, out: &mut String) {
    let unknown = || "not reported".to_owned();
    let spent = totals.models.tokens().and_then(|spent| spent.known_total());
    let rows = [
        ("Cost", totals.cost_usd.map(money).unwrap_or_else(unknown)),
        ("Tokens", spent.map(tokens).unwrap_or_else(unknown)),
        ("Time", totals.duration_ms().map(duration).unwrap_or_else(unknown)),
        ("Turns", totals.turns.to_string()),
        ("Sub-agents", totals.agents.to_string()),
        ("Model", totals.model.clone().unwrap_or_else(unknown)),
        ("Claude Code", totals.version.clone().unwrap_or_else(unknown)),
        ("Session", totals.session.clone().unwrap_or_else(unknown)),
    ];
    out.push_str("| | |\n|---|---|\n");
    for (name, value) in rows {
        let _ = writeln!(out, "| {name} | {} |", short(&value, NAME));
    }
    out.push('\n');
}

fn models(totals: &Totals, out: &mut String) {
    if totals.models.is_empty() {
        return;
    }
    out.push_str("| Model | Input | Cache read | Cache write | Output | Cost |\n|---|--:|--:|--:|--:|--:|\n");
    let unknown = || "–".to_owned();
    for (name, spent) in totals.models.iter().take(ROWS) {
        let [input, read, write, output] =
            [spent.input, spent.cache_read, spent.cache_creation, spent.output]
                .map(|number| number.map(tokens).unwrap_or_else(unknown));
        let cost = spent.cost_usd.map(|cost| line(&money(cost))).unwrap_or_else(unknown);
        let _ = writeln!(out, "| {} | {input} | {read} | {write} | {output} | {cost} |", short(name, NAME));
    }
    rest(totals.models.len(), "model", out);
}

fn tools(totals: &Totals, out: &mut String) {
    if totals.tools.is_empty() {
        return;
    }
    let has_denied = totals.tools.values().any(|tool| tool.denied > 0);
    let (head, rule) = if has_denied { (" Denied |", "--:|") } else { ("", "") };
    let _ = writeln!(out, "| Tool | Calls | Failed |{head} Time |\n|---|--:|--:|{rule}--:|");
    for (name, tool) in totals.tools.iter().take(ROWS) {
        let time = if tool.timed > 0 { duration(tool.ms) } else { "–".to_owned() };
        let denied = if has_denied { format!(" {} |", tool.denied) } else { String::new() };
        let _ =
            writeln!(out, "| {} | {} | {} |{denied} {time} |", short(name, NAME), tool.calls, tool.failed);
    }
    rest(totals.tools.len(), "tool", out);
}

fn files(totals: &Totals, out: &mut String) {
    if totals.files.is_empty() {
        return;
    }
    out.push_str("| File changed | Added | Removed |\n|---|--:|--:|\n");
    for (path, change) in totals.files.iter().take(ROWS) {
        let new = if change.is_new { " (new)" } else { "" };
        let _ = writeln!(out, "| {}{new} | +{} | −{} |", short(path, NAME), change.added, change.removed);
    }
    rest(totals.files.len(), "file", out);
}

fn rest(number: usize, thing: &str, out: &mut String) {
    if number > ROWS {
        let _ = writeln!(out, "\n_And {} more._", count((number - ROWS) as u64, thing));
    }
    out.push('\n');
}
