//! Values for the steps that follow: a line each.

use crate::totals::Totals;
use crate::words::clean_line;
use std::fmt::Write;
use unspool::event::Tokens;

/// The longest value: a reason may quote an answer.
const LONGEST: usize = 1000;

/// `key=value` lines. A figure that is not known is empty. No value has anything that ends a line.
#[must_use]
pub fn outputs(totals: &Totals) -> String {
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    let spent = totals.models.tokens();
    let sum = |part: fn(&Tokens) -> Option<u64>| number(spent.as_ref().and_then(part));
    let end = totals.end.as_ref();
    let all = |part: fn(&crate::totals::ToolTotals) -> u64| {
        totals.tools.values().map(part).sum::<u64>().to_string()
    };
    let values = [
        ("verdict", end.map(|end| end.verdict.to_string()).unwrap_or_default()),
        ("code", end.map(|end| end.verdict.code().to_string()).unwrap_or_default()),
        ("reason", end.map(|end| end.reason.clone()).unwrap_or_default()),
        ("session_id", totals.session.clone().unwrap_or_default()),
        ("model", totals.model.clone().unwrap_or_default()),
        ("turns", totals.turns.to_string()),
        ("agents", totals.agents.to_string()),
        ("cost_usd", totals.cost_usd.map(|cost| cost.to_string()).unwrap_or_default()),
        ("duration_ms", number(totals.duration_ms())),
        ("tokens", sum(Tokens::known_total)),
        ("input_tokens", sum(|spent| spent.input)),
        ("output_tokens", sum(|spent| spent.output)),
        ("cache_read_tokens", sum(|spent| spent.cache_read)),
        ("cache_creation_tokens", sum(|spent| spent.cache_creation)),
        ("tool_calls", all(|tool| tool.calls)),
        ("tool_failures", all(|tool| tool.failed)),
        ("files_changed", totals.files.len().to_string()),
        ("denials", totals.denials().len().to_string()),
    ];
    let mut out = String::new();
    for (key, value) in values {
        let value: String = clean_line(&value).trim().chars().take(LONGEST).collect();
        let _ = writeln!(out, "{key}={value}");
    }
    out
}
