//! Parts for people: what was said or done, what of it differs.

use super::draw::Page;
use super::noise::Origin;
use super::parts::{Agents, Paired, Part, Turns, ended};
use super::spell::{Row, between, rows};
use super::{Aspect, Comparison};
use crate::story::{Called, Excerpt, Item, Member, Outcome};
use crate::view::style::{BAD, BOLD, DIM, PLAIN};
use crate::view::wrap::{tidy, tidy_line};
use crate::view::{Line, diff_rows};
use crate::words::{Diff, Side, count};

/// So many lines of a part that only one of them has.
const ALONE: usize = 4;

/// Who it is about: `Agent "Find the bug" (Explore)`.
pub(super) fn agent(agents: &Agents<'_>, page: &Page) -> Line {
    let name = |member: &Member| match &*member.id {
        "main" => "main agent".to_owned(),
        _ => {
            let kind = member.kind.as_deref().map(|kind| format!(" ({kind})")).unwrap_or_default();
            format!("agent “{}”{kind}", member.name())
        }
    };
    match agents.members {
        [Some(one), Some(other)] => {
            let (one, other) = (name(one), name(other));
            let words = if one == other { one } else { format!("{one} in A, {other} in B") };
            Line::of(&page.tidy(&words), BOLD)
        }
        [one, other] => {
            let side = if one.is_some() { "A" } else { "B" };
            let member = one.or(other);
            let words = member.map(name).unwrap_or_default();
            let calls = member.map_or(0, |member| member.calls() as u64);
            Line::of(&page.tidy(&words), BOLD)
                .with(&format!(" only in {side}: {}", count(calls, "call")), PLAIN)
        }
    }
}

/// Which turn it is in each run.
pub(super) fn turn(turns: &Turns<'_>) -> Line {
    let number = |number: Option<u64>| {
        number.map_or_else(|| "before the first turn".to_owned(), |number| format!("turn {number}"))
    };
    let words = match (turns.is_there, turns.numbers) {
        ([true, false], [one, _]) => format!("{} only in A", number(one)),
        ([false, true], [_, other]) => format!("{} only in B", number(other)),
        (_, [one, other]) if one == other => number(one),
        (_, [one, other]) => format!("{} in A, {} in B", number(one), number(other)),
    };
    Line::of(&words, BOLD)
}

/// The parts of a turn, as far as there is room, and how many are left out.
pub(super) fn parts(
    comparison: &Comparison<'_>,
    turns: &Turns<'_>,
    left: &mut usize,
    page: &Page,
) -> (Vec<Row>, usize) {
    let (mut all, mut same, mut hidden) = (Vec::new(), 0, 0);
    for part in &turns.parts {
        if let Paired::Same = part {
            same += 1;
            continue;
        }
        if *left == 0 {
            hidden += 1;
            continue;
        }
        *left -= 1;
        all.extend(equal(std::mem::take(&mut same)));
        match part {
            Paired::Same => {}
            Paired::Changed(pair) => all.extend(changed(comparison, pair, page)),
            Paired::Alone(side, part) => {
                let mut sides = [Vec::new(), Vec::new()];
                sides[*side] = alone(part, page);
                all.push(Row::Sides(sides));
            }
        }
    }
    if hidden == 0 {
        all.extend(equal(same));
    }
    (all, hidden)
}

fn equal(number: u64) -> Option<Row> {
    let words = match number {
        0 => return None,
        1 => "= 1 part is the same".to_owned(),
        number => format!("= {number} parts are the same"),
    };
    Some(Row::Across(Line::of(&words, DIM)))
}

/// What only one of them has.
fn alone(part: &Part<'_>, page: &Page) -> Vec<Line> {
    let (head, text) = told(part);
    let head = page.tidy(&head);
    let mut first = match part.item {
        Item::Call(_) => Line::of(&head, BOLD),
        _ => Line::of(&head, DIM),
    };
    if let Item::Call(call) = part.item {
        outcome(call, &mut first);
    }
    let text = tidy(text.trim()).into_owned();
    let most = if page.is_full() { usize::MAX } else { ALONE };
    let count = text.lines().count();
    let mut lines = text.lines().take(most);
    match lines.next() {
        Some(line) if line.len() + head.len() < 400 => first.push(&format!(" {line}"), PLAIN),
        Some(line) => first.push(&format!(" {}", clipped(line, page)), PLAIN),
        None => {}
    }
    let mut all = vec![first];
    all.extend(lines.map(|line| Line::of(&clipped(line, page), PLAIN)));
    if count > most {
        all.push(Line::of(&format!("… {} more", crate::words::count((count - most) as u64, "line")), DIM));
    }
    all
}

/// A line of which nobody needs all.
fn clipped(line: &str, page: &Page) -> String {
    if page.is_full() { line.to_owned() } else { crate::view::wrap::cut(line, 400).into_owned() }
}

fn outcome(call: &Called, line: &mut Line) {
    match call.outcome() {
        Outcome::Done => {}
        Outcome::Failed => line.push(" failed", BAD),
        Outcome::Denied => line.push(" denied", BAD),
        Outcome::Open => line.push(" has no answer", BAD),
        Outcome::Abandoned => line.push(" was never finished", BAD),
    }
}

/// What it is, in a word or in a line, and its text.
pub(super) fn told<'p>(part: &'p Part<'_>) -> (String, &'p str) {
    let word = |text: &'p str| (format!("{}:", part.kind.word()), text);
    match part.item {
        Item::Call(call) => (call.words.line(), ""),
        Item::Prompt(said) | Item::Text(said) | Item::Thinking(said) => word(&said.text),
        Item::Block { kind, text, .. } => (format!("{kind}:"), &text.head),
        Item::Structured(value) => word(&value.head),
        Item::TurnEnd(end) => word(end.answer.as_deref().unwrap_or_default()),
        Item::Error { kind, text, .. } => (format!("{} {kind}:", part.kind.word()), text),
        _ => word(""),
    }
}

/// What differs between two that belong together.
fn changed(comparison: &Comparison<'_>, pair: &[Part<'_>; 2], page: &Page) -> Vec<Row> {
    if let [Item::Call(one), Item::Call(other)] = pair.map(|part| part.item) {
        return calls(comparison, pair, [one, other], page);
    }
    let [(head, one), (_, other)] = [told(&pair[0]), told(&pair[1])];
    let mut all = vec![Row::Across(Line::of(&page.tidy(head.trim_end_matches(':')), DIM))];
    if one.trim_end() == other.trim_end() {
        all.push(Row::Across(Line::of("they differ in what is not shown", DIM)));
        return all;
    }
    let answers = comparison.answers().map(|answer| answer.map(str::trim));
    if answers == [Some(one.trim()), Some(other.trim())] && comparison.counts(Aspect::Answer) {
        return vec![Row::Across(Line::of("the answer, as above", DIM))];
    }
    let noises = comparison.takes.map(|take| &take.noise);
    all.extend(rows([one, other], noises, Origin::Said, page));
    all
}

fn calls(comparison: &Comparison<'_>, pair: &[Part<'_>; 2], calls: [&Called; 2], page: &Page) -> Vec<Row> {
    let noises = comparison.takes.map(|take| &take.noise);
    let given = [0, 1].map(|side| pair[side].given.copied().unwrap_or_default());
    let lines = calls.map(|call| tidy_line(&call.words.line()));
    let mut all = Vec::new();
    if lines[0] == lines[1] {
        all.push(Row::Across(Line::of(&lines[0], BOLD)));
    } else {
        all.extend(rows([&*lines[0], &*lines[1]], noises, Origin::Said, page));
    }
    if given[0].input != given[1].input && lines[0] == lines[1] {
        all.extend(inputs(comparison, calls, page));
    }
    if ended(calls[0]) != ended(calls[1]) {
        let side = |call: &Called| {
            let mut line = Line::of("the call", DIM);
            match call.outcome() {
                Outcome::Done => line.push(" succeeded", PLAIN),
                _ => outcome(call, &mut line),
            }
            vec![line]
        };
        all.push(Row::Sides(calls.map(side)));
    }
    if given[0].output != given[1].output
        && let [Some(one), Some(other)] = calls.map(|call| call.answer.as_ref())
    {
        all.push(Row::Across(Line::of("its output", DIM)));
        all.extend(excerpts([&one.text, &other.text], comparison, page));
    }
    all
}

/// The fields in which two calls differ.
fn inputs(comparison: &Comparison<'_>, calls: [&Called; 2], page: &Page) -> Vec<Row> {
    let noises = comparison.takes.map(|take| &take.noise);
    let mut all = Vec::new();
    let find = |call: &'_ Called, name: &str| -> Option<Excerpt> {
        Some(call.input.iter().find(|(field, _)| field == name)?.1.clone())
    };
    let mut names: Vec<&String> =
        calls.iter().flat_map(|call| call.input.iter().map(|(name, _)| name)).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let [one, other] = calls.map(|call| find(call, name).unwrap_or_default());
        let keys = [&one, &other].map(|text| text.head.clone());
        let is_same = noises[0].key(&keys[0], Origin::Said) == noises[1].key(&keys[1], Origin::Said);
        if !is_same {
            all.push(Row::Across(Line::of(&page.tidy(name), DIM)));
            all.extend(excerpts([&one, &other], comparison, page));
        }
    }
    match calls.map(|call| call.diff.as_ref()) {
        [one, other] if one == other => {}
        // What both would have made of the same text is compared; else both changes are shown.
        [Some(one), Some(other)] if side_of(one, Side::Old) == side_of(other, Side::Old) => {
            all.push(Row::Diff(between(&side_of(one, Side::New), &side_of(other, Side::New))));
        }
        diffs => all.push(Row::Sides(diffs.map(|diff| change(diff, page)))),
    }
    all
}

/// The old or the new text of a change.
fn side_of(diff: &Diff, side: Side) -> String {
    let rows = diff.hunks.iter().flat_map(|hunk| &hunk.rows);
    rows.filter(|row| row.side == side || row.side == Side::Both)
        .map(|row| format!("{}\n", row.text))
        .collect()
}

fn change(diff: Option<&Diff>, page: &Page) -> Vec<Line> {
    let mut lines = diff.map(|diff| diff_rows(diff, usize::MAX)).unwrap_or_default();
    let most = if page.is_full() { usize::MAX } else { super::draw::DIFF };
    let beyond = lines.len().saturating_sub(most);
    lines.truncate(most);
    if beyond > 0 {
        lines.push(Line::of(&format!("… {}", count(beyond as u64, "more line")), DIM));
    }
    lines
}

/// Two texts of which perhaps only the beginning and the end are kept.
fn excerpts(texts: [&Excerpt; 2], comparison: &Comparison<'_>, page: &Page) -> Vec<Row> {
    let noises = comparison.takes.map(|take| &take.noise);
    let shown = texts.map(|text| {
        if text.left_out == 0 { text.head.clone() } else { format!("{}\n…\n{}", text.head, text.tail) }
    });
    let is_alike = noises[0].key(&shown[0], Origin::Output) == noises[1].key(&shown[1], Origin::Output);
    if is_alike {
        return vec![Row::Across(Line::of("they differ in what is not shown", DIM))];
    }
    rows([&*shown[0], &*shown[1]], noises, Origin::Output, page)
}
