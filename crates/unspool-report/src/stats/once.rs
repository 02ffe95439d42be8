//! What stands in several files counts once: a session that was forked or resumed has copies of another's messages, a
//! stream tells what its transcript does.

use super::watch::Run;
use crate::bill::digest;
use jiff::Timestamp;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use unspool::event::{Event, Role, What};

/// What there is in one file, by its ids.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    messages: HashSet<u64>,
    calls: HashSet<u64>,
    turns: BTreeMap<u64, Turn>,
    /// The first time that is told: a copy may have the times of its original, but not where it begins.
    began: Option<Timestamp>,
}

/// A turn: what began it, and its messages in their order.
#[derive(Debug, Default)]
struct Turn {
    prompt: Option<u64>,
    messages: Vec<u64>,
}

/// Of one file, what another one has, too.
#[derive(Debug, Default)]
pub struct Copies {
    messages: HashSet<u64>,
    calls: HashSet<u64>,
    /// Turns that began elsewhere.
    begun: HashSet<u64>,
    /// Those of them that have nothing new.
    whole: HashSet<u64>,
}

/// Sessions, and what is known of several of them.
#[non_exhaustive]
pub struct Sorted<T> {
    /// Those that share nothing with an earlier one.
    pub fresh: Vec<Run>,
    /// Those that are to be read once more, without what they share.
    pub again: Vec<(T, Copies)>,
    /// What stood in several of them.
    pub repeated: Repeated,
}

/// How much stood in several files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Repeated {
    pub messages: u64,
    pub calls: u64,
}

impl Ids {
    pub(super) fn see(&mut self, event: &Event<'_>) {
        if self.began.is_none() {
            self.began = event.time.as_deref().and_then(|time| time.parse().ok());
        }
        let turn = event.turn.map(|turn| self.turns.entry(turn).or_default());
        if let Some(id) = message(event) {
            self.messages.insert(id);
            turn.into_iter().for_each(|turn| turn.messages.push(id));
        } else if let (What::TurnStart { .. }, Some(turn)) = (&event.what, turn) {
            turn.prompt = event.uuid.as_deref().map(digest);
        }
        self.calls.extend(call(event));
    }
}

impl Copies {
    /// Whether this was told elsewhere.
    pub(super) fn has(&self, event: &Event<'_>) -> bool {
        if event.turn.is_some_and(|turn| self.whole.contains(&turn)) {
            return true;
        }
        let known = |set: &HashSet<u64>, id: Option<u64>| id.is_some_and(|id| set.contains(&id));
        match &event.what {
            What::TurnStart { .. } | What::TurnComplete { .. } | What::UserText { .. } => {
                event.turn.is_some_and(|turn| self.begun.contains(&turn))
            }
            What::AgentStart { .. } | What::AgentEnd { .. } => {
                self.calls.contains(&digest(event.agent.as_str()))
            }
            // What stands before the first turn says when the copy was made, or is one itself.
            What::SessionMeta { .. } | What::Notice { .. } => {
                !self.messages.is_empty() && event.turn.is_none()
            }
            _ => known(&self.messages, message(event)) || known(&self.calls, call(event)),
        }
    }

    /// How many turns were told elsewhere.
    pub(super) fn turns(&self) -> u64 {
        self.begun.len() as u64
    }
}

/// The message that this is a part of, or whose tokens it tells.
fn message(event: &Event<'_>) -> Option<u64> {
    match &event.what {
        What::Usage { message_id, .. } => message_id.as_deref(),
        What::Text { .. }
        | What::Thinking { .. }
        | What::ToolUse { .. }
        | What::Block { role: Role::Assistant, .. } => event.place.as_ref()?.message.as_deref(),
        _ => None,
    }
    .map(digest)
}

/// The call that is made.
fn call(event: &Event<'_>) -> Option<u64> {
    let What::ToolUse { id, .. } = &event.what else { return None };
    id.as_deref().map(digest)
}

/// Says who has what first. `is_first` are those that cannot be read again.
pub fn sort<T>(mut runs: Vec<(T, Run)>, is_first: impl Fn(&T) -> bool) -> Sorted<T> {
    runs.sort_by_key(|(source, run)| {
        // Copies may have the time of the copying, and a stream may have none.
        let began = run.ids.began;
        (!is_first(source), began.is_none(), began, Reverse(run.ids.messages.len()))
    });
    let mut known = Known::default();
    let (mut fresh, mut again) = (Vec::new(), Vec::new());
    for (source, run) in runs {
        let copies = known.copies(&run.ids);
        let shares = !copies.messages.is_empty() || !copies.calls.is_empty() || !copies.begun.is_empty();
        let is_whole = shares && run.ids.is_in(&known);
        known.add(&run.ids);
        match (shares, is_whole) {
            (false, _) => fresh.push(run),
            (true, false) => again.push((source, copies)),
            (true, true) => {}
        }
    }
    let Known { repeated: [messages, calls], .. } = &known;
    let repeated = Repeated { messages: messages.len() as u64, calls: calls.len() as u64 };
    Sorted { fresh, again, repeated }
}

/// All that was seen so far.
#[derive(Default)]
struct Known {
    messages: HashSet<u64>,
    calls: HashSet<u64>,
    prompts: HashSet<u64>,
    /// Messages and calls that were seen more than once.
    repeated: [HashSet<u64>; 2],
}

impl Known {
    fn copies(&mut self, ids: &Ids) -> Copies {
        let shared = |known: &HashSet<u64>, own: &HashSet<u64>| known.intersection(own).copied().collect();
        let (messages, calls): (HashSet<u64>, HashSet<u64>) =
            (shared(&self.messages, &ids.messages), shared(&self.calls, &ids.calls));
        self.repeated[0].extend(&messages);
        self.repeated[1].extend(&calls);
        let of = |is: &dyn Fn(&Turn) -> bool| -> HashSet<u64> {
            ids.turns.iter().filter(|(_, turn)| is(turn)).map(|(number, _)| *number).collect()
        };
        let begun = of(&|turn| self.has_begun(turn));
        let whole = of(&|turn| self.has_begun(turn) && turn.messages.iter().all(|id| messages.contains(id)));
        Copies { messages, calls, begun, whole }
    }

    fn has_begun(&self, turn: &Turn) -> bool {
        let prompt = turn.prompt.is_some_and(|prompt| self.prompts.contains(&prompt));
        prompt || turn.messages.first().is_some_and(|first| self.messages.contains(first))
    }

    fn add(&mut self, ids: &Ids) {
        self.messages.extend(&ids.messages);
        self.calls.extend(&ids.calls);
        self.prompts.extend(ids.turns.values().filter_map(|turn| turn.prompt));
    }
}

impl Ids {
    /// Whether there is nothing new in it.
    fn is_in(&self, known: &Known) -> bool {
        self.messages.is_subset(&known.messages)
            && self.calls.is_subset(&known.calls)
            && self.turns.values().all(|turn| known.has_begun(turn))
    }
}
