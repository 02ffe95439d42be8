//! What was said and done in both runs, part by part: by agent, and by turn.

use super::align::{Keys, Step, align, by_rank};
use super::noise::{Origin, hash};
use super::take::{Given, Take};
use super::untold::Untold;
use crate::story::{Called, Item, Member, Outcome};
use std::collections::HashSet;
use unspool::wire::BlockKind;

/// Something that was said or done.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    pub(super) kind: PartKind,
    pub(super) item: &'t Item,
    keys: Keys,
    pub(super) given: Option<&'t Given>,
}

/// What a part is.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) enum PartKind {
    Prompt,
    Text,
    Thinking,
    Call,
    Block,
    Structured,
    Answer,
    Error,
}

impl PartKind {
    pub(super) fn word(self) -> &'static str {
        match self {
            PartKind::Prompt => "prompt",
            PartKind::Text => "text",
            PartKind::Thinking => "thinking",
            PartKind::Call => "call",
            PartKind::Block => "block",
            PartKind::Structured => "structured",
            PartKind::Answer => "answer",
            PartKind::Error => "error",
        }
    }
}

/// Parts that belong together, or one that has no match.
pub(super) enum Paired<'t> {
    Same,
    Changed([Part<'t>; 2]),
    /// Only in the first or only in the second.
    Alone(usize, Part<'t>),
}

/// An agent in both runs, or in one.
pub(super) struct Agents<'t> {
    pub(super) members: [Option<&'t Member>; 2],
    /// Of the main agent by turn, of others one.
    pub(super) turns: Vec<Turns<'t>>,
}

/// A turn in both runs, or in one.
pub(super) struct Turns<'t> {
    pub(super) numbers: [Option<u64>; 2],
    /// In which of the runs it is.
    pub(super) is_there: [bool; 2],
    pub(super) parts: Vec<Paired<'t>>,
}

impl Turns<'_> {
    pub(super) fn differs(&self) -> bool {
        self.parts.iter().any(|part| !matches!(part, Paired::Same))
    }
}

impl Agents<'_> {
    pub(super) fn differs(&self) -> bool {
        self.members.iter().any(Option::is_none) || self.turns.iter().any(Turns::differs)
    }
}

/// All agents of both, the main one first, each behind the one that called it.
pub(super) fn agents<'t>(takes: [&'t Take; 2], untold: &mut Untold) -> Vec<Agents<'t>> {
    let mut all = Vec::new();
    let mut open = vec![[Some(0), Some(0)]];
    while let Some(ranks) = open.pop() {
        let members = [0, 1].map(|side| ranks[side].map(|rank: usize| &takes[side].story.agents[rank]));
        let turns = match (ranks, members) {
            ([Some(0), Some(0)], _) => turns(takes, untold),
            (_, [Some(one), Some(other)]) => {
                let sides = [0, 1].map(|side| {
                    let items = [one, other][side].items.iter();
                    parts(takes[side], items, untold, true)
                });
                match [one, other].map(is_told) {
                    [true, true] | [false, false] => {
                        vec![Turns { numbers: [None; 2], is_there: [true; 2], parts: paired(&sides) }]
                    }
                    told => {
                        untold.some_agents[usize::from(told[0])] = true;
                        Vec::new()
                    }
                }
            }
            _ => Vec::new(),
        };
        if let [Some(_), Some(_)] = members {
            let called = pair_agents(takes, ranks, untold);
            open.extend(called.into_iter().rev());
        }
        all.push(Agents { members, turns });
    }
    all
}

/// What an agent is known by: what it is and is to do, then what it is, then that it was called at all.
fn agent_keys(take: &Take, rank: usize) -> Keys {
    let member = &take.story.agents[rank];
    let to_do = take.noise.key(member.description.as_deref().unwrap_or_default(), Origin::Said);
    let is_called = is_called(take, rank);
    [hash(&(is_called, &member.kind, to_do)), hash(&(is_called, &member.kind)), u64::from(is_called)]
}

/// Whether a call has started an agent.
fn is_called(take: &Take, rank: usize) -> bool {
    take.story.place_of(&take.story.agents[rank].id).is_some()
}

/// Whether anything is told of what an agent did.
fn is_told(member: &Member) -> bool {
    member.items.iter().any(|item| matches!(item, Item::Text(_) | Item::Thinking(_) | Item::Call(_)))
}

/// Which of the agents that these two have called belong together.
fn pair_agents(takes: [&Take; 2], ranks: [Option<usize>; 2], untold: &mut Untold) -> Vec<[Option<usize>; 2]> {
    let mut left = [0, 1].map(|side| {
        let rank = ranks[side].unwrap_or_default();
        takes[side].story.agents[rank].children.clone()
    });
    let mut pairs = Vec::new();
    for tier in 0..3 {
        let keys = [0, 1].map(|side| {
            left[side].iter().map(|rank| agent_keys(takes[side], *rank)[tier]).collect::<Vec<_>>()
        });
        let found = by_rank(&keys[0], &keys[1]);
        let found: Vec<_> = found.into_iter().map(|(one, other)| (left[0][one], left[1][other])).collect();
        let taken: [HashSet<usize>; 2] =
            [found.iter().map(|pair| pair.0).collect(), found.iter().map(|pair| pair.1).collect()];
        (0..2).for_each(|side| left[side].retain(|rank| !taken[side].contains(rank)));
        pairs.extend(found);
    }
    pairs.sort_unstable();
    let mut all: Vec<[Option<usize>; 2]> =
        pairs.into_iter().map(|(one, other)| [Some(one), Some(other)]).collect();
    for (side, rank) in [0, 1].into_iter().flat_map(|side| left[side].iter().map(move |rank| (side, *rank))) {
        // Calls of agents are told by both: where there are no agents at all, they are not told. Nor do all forms tell those that
        // no call has started: CLI 2.0 warms itself up by some.
        let has_none = takes[1 - side].story.agents.len() == 1 && takes[1 - side].calls_agents();
        if has_none || !is_called(takes[side], rank) {
            let what = if has_none { &mut untold.agents } else { &mut untold.some_agents };
            what[1 - side] = true;
            continue;
        }
        let mut alone = [None; 2];
        alone[side] = Some(rank);
        all.push(alone);
    }
    all
}

/// The turns of the main agent.
fn turns<'t>(takes: [&'t Take; 2], untold: &mut Untold) -> Vec<Turns<'t>> {
    let mut listed = [0, 1].map(|side| {
        let take = takes[side];
        let items = &take.story.agents[0].items;
        take.story
            .turns
            .iter()
            .map(|turn| {
                (turn.number, parts(take, turn.items.iter().map(|rank| &items[*rank]), untold, false))
            })
            .collect::<Vec<_>>()
    });
    // A turn is known by its prompt, and where one run does not tell prompts, by its place.
    let keys = [0, 1].map(|side| {
        let key = |(number, parts): &(Option<u64>, Vec<Part<'_>>)| -> Keys {
            let prompts = parts.iter().filter(|part| part.kind == PartKind::Prompt).map(|part| part.keys[0]);
            let said: Vec<u64> = prompts.collect();
            let is_first = u64::from(number.is_none());
            [hash(&(&said, is_first)), is_first, is_first]
        };
        listed[side].iter().map(key).collect::<Vec<_>>()
    });
    let steps = align(&keys[0], &keys[1]);
    let mut take = |side: usize, at: usize| std::mem::take(&mut listed[side][at].1);
    let mut all = Vec::new();
    for step in steps {
        let places = match step {
            Step::Both(one, other) => [Some(one), Some(other)],
            Step::First(one) => [Some(one), None],
            Step::Second(other) => [None, Some(other)],
        };
        let sides = [0, 1].map(|side| places[side].map(|at| take(side, at)).unwrap_or_default());
        let parts = paired(&sides);
        let is_there = places.map(|at| at.is_some());
        let numbers = [0, 1].map(|side| takes[side].story.turns.get(places[side]?)?.number);
        all.push(Turns { numbers, is_there, parts });
    }
    all
}

fn paired<'t>(sides: &[Vec<Part<'t>>; 2]) -> Vec<Paired<'t>> {
    let keys = [0, 1].map(|side| sides[side].iter().map(|part| part.keys).collect::<Vec<_>>());
    let steps = align(&keys[0], &keys[1]);
    let pair = |step| match step {
        Step::Both(one, other) if sides[0][one].keys[0] == sides[1][other].keys[0] => Paired::Same,
        Step::Both(one, other) => Paired::Changed([sides[0][one], sides[1][other]]),
        Step::First(one) => Paired::Alone(0, sides[0][one]),
        Step::Second(other) => Paired::Alone(1, sides[1][other]),
    };
    steps.into_iter().map(pair).collect()
}

/// The parts among what stands in a story, as far as both runs tell such parts.
fn parts<'t>(
    take: &'t Take,
    items: impl Iterator<Item = &'t Item>,
    untold: &Untold,
    is_agent: bool,
) -> Vec<Part<'t>> {
    items.filter_map(|item| part(take, item)).filter(|part| untold.compares(part.kind, is_agent)).collect()
}

fn part<'t>(take: &'t Take, item: &'t Item) -> Option<Part<'t>> {
    let said = |kind: PartKind, text: &str, more: u64| {
        let key = hash(&(kind, take.noise.key(text, Origin::Said), more));
        Some(Part { kind, item, keys: [key, hash(&kind), hash(&kind)], given: None })
    };
    match item {
        Item::Prompt(prompt) if !prompt.synthetic => said(PartKind::Prompt, prompt.text.trim(), 0),
        Item::Text(text) => said(PartKind::Text, &text.text, u64::from(text.abandoned)),
        Item::Thinking(thought) => said(PartKind::Thinking, &thought.text, u64::from(thought.abandoned)),
        // What nobody can read is never the same twice.
        Item::Block { kind, .. } if BlockKind::of(kind) == Some(BlockKind::RedactedThinking) => {
            said(PartKind::Block, kind, 0)
        }
        Item::Block { kind, text, image, .. } => {
            said(PartKind::Block, &text.head, hash(&(kind, format!("{image:?}"), &text.tail, text.omitted)))
        }
        Item::Structured(value) => {
            said(PartKind::Structured, &value.head, hash(&(&value.tail, value.omitted)))
        }
        Item::TurnEnd(end) => said(PartKind::Answer, end.answer.as_deref()?, 0),
        Item::Error { kind, status, .. } => said(PartKind::Error, &kind.to_string(), hash(status)),
        Item::Call(call) => Some(called(take, item, call)),
        _ => None,
    }
}

fn called<'t>(take: &'t Take, item: &'t Item, call: &'t Called) -> Part<'t> {
    let given = call.id.as_deref().and_then(|id| take.given(id));
    let kind = PartKind::Call;
    let words = || hash(&call.words.line());
    let keys = match given {
        Some(given) => [hash(&(given.input, given.output, ended(call))), given.subject, given.kind],
        None => [words(), words(), hash(&call.name)],
    };
    Part { kind, item, keys: keys.map(|key| hash(&(kind, key))), given }
}

/// How a call ended, as far as all forms of a session say it: not all tell what was denied from what failed.
pub(super) fn ended(call: &Called) -> &'static str {
    match call.outcome() {
        Outcome::Done => "done",
        Outcome::Failed | Outcome::Denied => "failed",
        Outcome::Open => "open",
        Outcome::Abandoned => "abandoned",
    }
}
