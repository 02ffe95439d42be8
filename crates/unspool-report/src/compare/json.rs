//! The comparison for programs; `docs/diff.md` describes it.

use super::files::FileUse;
use super::part_lines::told;
use super::parts::{Agents, Paired, Part, Turns, ended};
use super::spell::between;
use super::{Aspect, Both, Comparison, Figure, Value as Figured};
use crate::story::{Excerpt, Item, Outcome};
use crate::totals::ToolTotals;
use crate::words::Side;
use serde_json::{Map, Value, json};
use unspool::event::ModelTokens;

/// The version of what [`json()`] makes.
pub const CONTRACT: u64 = 1;

/// Longer texts are cut.
const TEXT: usize = 16 << 10;

/// The comparison as one object.
#[must_use]
pub fn json(comparison: &Comparison<'_>) -> Value {
    let words =
        |aspects: &mut dyn Iterator<Item = Aspect>| -> Vec<&str> { aspects.map(Aspect::word).collect() };
    let side = |side: usize| {
        let take = comparison.takes[side];
        json!({ "name": take.name, "session": take.story.totals.session })
    };
    let aspects: Map<String, Value> = Aspect::ALL
        .iter()
        .map(|aspect| (aspect.word().to_owned(), comparison.same(*aspect).into()))
        .collect();
    let untold = (0..2).flat_map(|at| {
        comparison.untold.of_side(at).map(move |(what, _)| json!({ "side": SIDES[at], "what": what }))
    });
    json!({
        "contract": CONTRACT,
        "same": comparison.is_same(),
        "a": side(0),
        "b": side(1),
        "counted": words(&mut Aspect::ALL.into_iter().filter(|aspect| comparison.counts(*aspect))),
        "differ": words(&mut comparison.differences()),
        "unknown": words(&mut comparison.unknowns()),
        "aspects": aspects,
        "not_told": untold.collect::<Vec<_>>(),
        "figures": comparison.figures.iter().map(figure).collect::<Vec<_>>(),
        "answer": pair(comparison.answers().map(|answer| answer.map(cut)), comparison.same(Aspect::Answer)),
        "offered": comparison.offered().map(|[one, other]| json!({ "only_a": one, "only_b": other })),
        "tools": comparison.tools.iter().map(|tool| named(tool, tool_figures)).collect::<Vec<_>>(),
        "files": comparison.files.iter().map(|file| file_figures(file, comparison)).collect::<Vec<_>>(),
        "models": comparison.models.iter().map(|model| named(model, model_figures)).collect::<Vec<_>>(),
        "agents": comparison.agents.iter().map(agents).collect::<Vec<_>>(),
    })
}

const SIDES: [&str; 2] = ["a", "b"];

fn figure(figure: &Figure) -> Value {
    let value = |value: &Option<Figured>| match value {
        None => Value::Null,
        Some(Figured::Word(word)) => word.as_str().into(),
        Some(Figured::Number(number) | Figured::Tokens(number) | Figured::Ms(number)) => (*number).into(),
        Some(Figured::Usd(usd)) => (*usd).into(),
    };
    json!({
        "name": figure.name,
        "aspect": figure.aspect.map(Aspect::word),
        "a": value(&figure.values[0]),
        "b": value(&figure.values[1]),
        "same": figure.same(),
    })
}

fn pair<T: Into<Value>>([a, b]: [T; 2], same: Option<bool>) -> Value {
    let [a, b]: [Value; 2] = [a.into(), b.into()];
    json!({ "a": a, "b": b, "same": same })
}

fn named<T>(both: &Both<'_, T>, figures: impl Fn(&T) -> Value) -> Value {
    let [a, b] = both.of.map(|it| it.map(&figures));
    json!({ "name": both.name, "a": a, "b": b, "same": both.same })
}

fn tool_figures(tool: &ToolTotals) -> Value {
    let ms = (tool.timed > 0).then_some(tool.ms);
    json!({ "calls": tool.calls, "failed": tool.failed, "denied": tool.denied, "timed": tool.timed, "ms": ms })
}

fn model_figures(spent: &ModelTokens) -> Value {
    json!({
        "input": spent.input,
        "output": spent.output,
        "cache_read": spent.cache_read,
        "cache_creation": spent.cache_creation,
        "cost_usd": spent.cost_usd,
    })
}

fn file_figures(file: &Both<'_, FileUse>, comparison: &Comparison<'_>) -> Value {
    let figures = |file: &FileUse| {
        json!({
            "path": file.path,
            "read": file.read,
            "changed": file.changed,
            "new": file.is_new,
            "added": file.added,
            "removed": file.removed,
            "end_known": file.end.is_some(),
        })
    };
    let mut told = named(file, figures);
    if let [Some(one), Some(other)] = file.of
        && let (Some(one), Some(other)) = (&one.end, &other.end)
        && file.same == Some(false)
        && comparison.counts(Aspect::Files)
    {
        let diff = between(one, other);
        let rows = diff.hunks.iter().flat_map(|hunk| &hunk.rows);
        let rows = rows.map(|row| {
            let of = match row.side {
                Side::Both => Value::Null,
                Side::Old => "a".into(),
                Side::New => "b".into(),
            };
            json!({ "only": of, "text": row.text })
        });
        told["end"] = rows.collect();
    }
    told
}

fn agents(agents: &Agents<'_>) -> Value {
    let one = |side: usize| {
        agents.members[side].map(|member| {
            json!({
                "id": member.id,
                "kind": member.kind,
                "description": member.description,
                "calls": member.calls(),
            })
        })
    };
    json!({
        "a": one(0),
        "b": one(1),
        "same": !agents.differs(),
        "turns": agents.turns.iter().map(turns).collect::<Vec<_>>(),
    })
}

fn turns(turns: &Turns<'_>) -> Value {
    let same = turns.parts.iter().filter(|part| matches!(part, Paired::Same)).count();
    let one = |side: usize| turns.is_there[side].then(|| json!({ "turn": turns.numbers[side] }));
    let differ = turns.parts.iter().filter_map(|paired| match paired {
        Paired::Same => None,
        Paired::Changed([one, other]) => {
            Some(json!({ "kind": one.kind.word(), "a": part(one), "b": part(other) }))
        }
        Paired::Alone(0, alone) => Some(json!({ "kind": alone.kind.word(), "a": part(alone), "b": null })),
        Paired::Alone(_, alone) => Some(json!({ "kind": alone.kind.word(), "a": null, "b": part(alone) })),
    });
    json!({ "a": one(0), "b": one(1), "same_parts": same, "differ": differ.collect::<Vec<_>>() })
}

fn part(part: &Part<'_>) -> Value {
    let Item::Call(call) = part.item else {
        return json!({ "text": cut(told(part).1) });
    };
    let outcome = match call.outcome() {
        Outcome::Denied => "denied",
        _ => ended(call),
    };
    let text = |excerpt: &Excerpt| {
        let text = cut(&excerpt.head);
        if excerpt.left_out > 0 { format!("{text}…") } else { text }
    };
    let input: Map<String, Value> =
        call.input.iter().map(|(name, value)| (name.clone(), text(value).into())).collect();
    json!({
        "id": call.id,
        "tool": call.name,
        "words": call.words.line(),
        "input": input,
        "outcome": outcome,
        "output": call.answer.as_ref().map(|answer| text(&answer.text)),
    })
}

fn cut(text: &str) -> String {
    if text.len() <= TEXT {
        return text.to_owned();
    }
    let end = (0..=TEXT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}…", &text[..end])
}
