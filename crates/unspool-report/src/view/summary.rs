//! What it all came to, at the end.

use super::line::Line;
use super::style::{ADDED, BAD, BOLD, DIM, GOOD, PLAIN, REMOVED, WARN};
use super::wrap::{cut, tidy_line, width, wrap};
use crate::denials::denied_tool;
use crate::totals::{ToolTotals, Totals};
use crate::words::{count, duration, failure, money, tokens};
use unspool::Verdict;
use unspool::event::ModelTokens;

/// Rows of a kind that are shown.
const SHOWN: usize = 12;

/// Columns of what stands before a row.
const LABEL: usize = 8;

/// The lines of it; an error that was shown is not said again.
pub(super) fn lines(totals: &Totals, failure: Option<&str>, columns: usize) -> Vec<Line> {
    let mut lines = vec![Line::of(&"─".repeat(columns.min(60)), DIM)];
    lines.extend(verdict(totals, failure, columns));
    lines.extend(wrap(figures(totals), columns.saturating_sub(2)).into_iter().map(indented));
    models("models", &totals.models, columns, &mut lines);
    // Nobody has added up a turn that was cut; what its messages tell is all there is.
    if totals.end.as_ref().is_some_and(|end| end.verdict != Verdict::Ok) {
        models("so far", &totals.unreported, columns, &mut lines);
    }
    tools(totals, columns, &mut lines);
    files(totals, columns, &mut lines);
    lines
}

fn verdict(totals: &Totals, shown: Option<&str>, columns: usize) -> Vec<Line> {
    let Some(end) = &totals.end else { return Vec::new() };
    let mut line = match end.verdict {
        Verdict::Ok => Line::of("✓ ok", GOOD),
        verdict => Line::of(&format!("✗ {verdict}"), BAD),
    };
    let style = if end.verdict == Verdict::Ok { DIM } else { PLAIN };
    line.push(&format!(" · {}", tidy_line(&why(&end.reason, shown))), style);
    let mut lines = wrap(line, columns);
    lines.truncate(6);
    if !totals.denials().is_empty() {
        let tools: Vec<String> =
            totals.denials().iter().take(SHOWN).map(|it| tidy_line(&denied_tool(it))).collect();
        let words =
            format!("✗ {} denied: {}", count(totals.denials().len() as u64, "call"), tools.join(", "));
        lines.push(Line::of(&cut(&words, columns), BAD));
    }
    for (number, thing) in [(end.malformed, "broken line"), (end.unknown, "unknown line")] {
        if number > 0 {
            lines.push(Line::of(&format!("! {}", count(number, thing)), WARN));
        }
    }
    lines
}

/// Why it ended so, for people: `kind: what was said`, and nothing that stands above.
fn why(reason: &str, shown: Option<&str>) -> String {
    match reason.split_once(": ") {
        Some(("other", said)) if shown == Some(said) => "the last turn failed".to_owned(),
        Some(("api", said)) if shown == Some(said) => "the API failed".to_owned(),
        Some((kind, said)) if shown == Some(said) => kind.replace('_', " "),
        Some((kind, said)) => format!("{kind}: {}", failure(said)),
        None => reason.to_owned(),
    }
}

fn indented(line: Line) -> Line {
    let mut shown = Line::of("  ", PLAIN);
    shown.append(&line);
    shown
}

/// `2 turns · 1m 04s · $0.12 · 2 agents`
fn figures(totals: &Totals) -> Line {
    let mut facts = vec![count(totals.turns, "turn")];
    facts.extend(totals.duration_ms().map(duration));
    facts.extend(totals.cost_usd.map(money));
    if totals.agents > 0 {
        facts.push(count(totals.agents, "sub-agent"));
    }
    Line::of(&facts.join(" · "), BOLD)
}

fn models(title: &str, models: &[(String, ModelTokens)], columns: usize, lines: &mut Vec<Line>) {
    let shown = models.iter().take(SHOWN);
    let names: Vec<String> =
        shown.clone().map(|(name, _)| cut(&tidy_line(name), columns / 2).into_owned()).collect();
    let name_width = names.iter().map(|name| width(name)).max().unwrap_or(0);
    for (at, (name, (_, spent))) in names.iter().zip(shown).enumerate() {
        let mut line = label(title, at, columns);
        line.push(name, PLAIN);
        line.push(&" ".repeat(name_width - width(name)), PLAIN);
        let room = columns.saturating_sub(line.width() + 2);
        line.push(&format!("  {}", spending(spent, room)), DIM);
        lines.push(line.cut(columns));
    }
    more(models.len(), "model", lines);
}

/// What was spent with a model, as exactly as there is room for; the money comes first.
fn spending(spent: &ModelTokens, room: usize) -> String {
    let cost = spent.cost_usd.map(money);
    let output = spent.output.map(|output| format!("{} out", tokens(output)));
    let cached = spent.total_input.filter(|input| *input > 0).zip(spent.cache_read);
    let cached = cached.map(|(input, read)| format!(" ({:.0} % cached)", read as f64 / input as f64 * 100.0));
    let input = |more: &str| spent.total_input.map(|input| format!("{} in{more}", tokens(input)));
    let both = spent.tokens().known_total().map(|both| format!("{} tokens", tokens(both)));
    let told = [
        vec![input(&cached.unwrap_or_default()), output.clone(), cost.clone()],
        vec![input(""), output, cost.clone()],
        vec![both, cost.clone()],
        vec![cost],
    ];
    let mut told = told.map(|facts| facts.into_iter().flatten().collect::<Vec<_>>().join(" · ")).into_iter();
    let first = told.next().unwrap_or_default();
    if width(&first) <= room {
        return first;
    }
    told.find(|facts| !facts.is_empty() && width(facts) <= room).unwrap_or(first)
}

fn tools(totals: &Totals, columns: usize, lines: &mut Vec<Line>) {
    let mut tools: Vec<_> = totals.tools.iter().collect();
    tools.sort_by_key(|(_, tool)| std::cmp::Reverse((tool.calls, tool.ms)));
    let mut items: Vec<Line> = tools.iter().take(SHOWN).map(|(name, it)| tool(name, it)).collect();
    if tools.len() > SHOWN {
        items.push(Line::of(&format!("{} more", tools.len() - SHOWN), DIM));
    }
    let room = columns.saturating_sub(label("tools", 0, columns).width());
    lines.extend(packed(items, room).iter().enumerate().map(|(at, row)| {
        let mut line = label("tools", at, columns);
        line.append(row);
        line
    }));
}

/// `Bash ×4 1.0 s 1 failed`
fn tool(name: &str, tool: &ToolTotals) -> Line {
    let mut line = Line::of(&cut(&tidy_line(name), 40), PLAIN);
    line.push(&format!(" ×{}", tool.calls), PLAIN);
    if tool.timed > 0 {
        line.push(&format!(" {}", duration(tool.ms)), DIM);
    }
    for (number, word) in [(tool.failed, "failed"), (tool.denied, "denied")] {
        if number > 0 {
            line.push(&format!(" {number} {word}"), BAD);
        }
    }
    line
}

/// Rows of items with commas between them; one is broken only if it is too wide for a row of its own.
fn packed(items: Vec<Line>, room: usize) -> Vec<Line> {
    let mut rows: Vec<Line> = Vec::new();
    let last = items.len().saturating_sub(1);
    for (at, mut item) in items.into_iter().enumerate() {
        if at < last {
            item.push(",", DIM);
        }
        match rows.last_mut().filter(|row| row.width() + 1 + item.width() <= room) {
            Some(row) => {
                row.push(" ", DIM);
                row.append(&item);
            }
            None => rows.extend(wrap(item, room)),
        }
    }
    rows
}

fn files(totals: &Totals, columns: usize, lines: &mut Vec<Line>) {
    for (at, file) in totals.files.values().take(SHOWN).enumerate() {
        let mut line = label("files", at, columns);
        let mut change = Line::new();
        if file.is_new {
            change.push(" new", DIM);
        }
        if file.added > 0 {
            change.push(&format!(" +{}", file.added), ADDED);
        }
        if file.removed > 0 {
            change.push(&format!(" −{}", file.removed), REMOVED);
        }
        let room = columns.saturating_sub(line.width() + change.width());
        let path = totals.cwd.as_deref().and_then(|cwd| file.path.strip_prefix(cwd)?.strip_prefix('/'));
        line.push(&cut(&tidy_line(path.unwrap_or(&file.path)), room), PLAIN);
        line.append(&change);
        lines.push(line.cut(columns));
    }
    more(totals.files.len(), "file", lines);
}

/// What a row is about, before the first of its kind. A narrow screen has no room for it.
fn label(name: &str, at: usize, columns: usize) -> Line {
    let name = if at == 0 { name } else { "" };
    let name = if columns < 60 { String::new() } else { format!("{name:LABEL$}") };
    Line::of("  ", PLAIN).with(&name, DIM)
}

fn more(total: usize, thing: &str, lines: &mut Vec<Line>) {
    if total > SHOWN {
        lines
            .push(Line::of(&format!("  … {}", count((total - SHOWN) as u64, &format!("more {thing}"))), DIM));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::event::Tokens;

    #[test]
    fn the_money_is_told_however_narrow_it_is() {
        let tokens = Tokens::new(Some(11_100), Some(222), Some(99_900), None);
        let spent = ModelTokens::new(&tokens, Some(0.0421), None, None);
        for (room, told) in [
            (60, "111k in (90 % cached) · 222 out · $0.0421"),
            (40, "111k in · 222 out · $0.0421"),
            (25, "111k tokens · $0.0421"),
            (10, "$0.0421"),
        ] {
            assert_eq!(spending(&spent, room), told);
        }
        let unpriced = ModelTokens::new(&tokens, None, None, None);
        assert_eq!(spending(&unpriced, 20), "111k in · 222 out");
    }

    #[test]
    fn tools_are_not_broken_in_the_middle() {
        let of = |calls, ms, failed| ToolTotals { calls, ms, timed: 1, failed, ..ToolTotals::default() };
        let tools =
            [("Read", of(2, 127, 0)), ("Write", of(1, 89, 1)), ("Edit", of(1, 18, 0)), ("Bash", of(1, 9, 0))];
        let mut totals = Totals::default();
        totals.tools.extend(tools.map(|(name, tool)| (name.to_owned(), tool)));
        for columns in 26..100 {
            let mut rows = Vec::new();
            super::tools(&totals, columns, &mut rows);
            let last = rows.pop().unwrap();
            assert!(rows.iter().all(|row| row.text().ends_with(',')), "{columns}: {rows:?}");
            assert!(rows.iter().chain([&last]).all(|row| row.width() <= columns), "{columns}: {rows:?}");
        }
    }

    #[test]
    fn what_was_shown_is_not_said_again() {
        let text = "API Error: 400 mock: bad request";
        let reason = format!("api: {text}");
        assert_eq!(why(&reason, Some(text)), "the API failed");
        assert_eq!(why(&reason, None), "api: mock: bad request");
        assert_eq!(why("max_turns: too many", Some("too many")), "max turns");
        assert_eq!(why("there is no result", None), "there is no result");
    }
}
