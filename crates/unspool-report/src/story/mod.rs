//! What a session comes to when it is told as a whole: who did what, under whom, and when.
//!
//! Memory grows with what is kept of it: outputs by `Limit`, all else whole.

mod call;
mod excerpt;
mod figures;
mod image;
mod item;
mod pretty;
mod tell;
#[cfg(test)]
pub(crate) mod tests;
mod turn;

pub use excerpt::{Excerpt, Limit};
pub use figures::Figures;
pub use image::Image;
pub use item::{Answer, Called, Item, Outcome, Permission, TurnEnd, Utterance};
pub use turn::Turn;

use crate::cost::Cost;
use crate::moments::Moments;
use crate::times::{Span, Times, Worked, length};
use crate::totals::Totals;
use std::collections::HashMap;
use unspool::event::{AgentStatus, Note};

/// Agents that are nested deeper are shown under the main agent.
const DEEPEST: usize = 8;

/// A session.
pub struct Story {
    /// Who took part: the main agent first, everybody behind the one that called it.
    pub agents: Vec<Member>,
    /// The turns of the main agent, behind what came before the first.
    pub turns: Vec<Turn>,
    /// What it came to.
    pub totals: Totals,
    /// Who was at work when, as far as it is known, in the order of its end.
    pub work: Vec<Worked>,
    /// Who was at work, as far as it is known now.
    pub times: Times,
    /// What somebody saw happen, in order.
    pub moments: Moments,
    /// What was known of its figures, and from which moment on.
    pub figures: Vec<(usize, Figures)>,
    /// The title, where one was told.
    pub title: Option<String>,
    /// The first wall-clock time that the stream has.
    pub began: Option<String>,
    /// The last turn and the rank of its answer, once the session is over and if that turn succeeded.
    pub answer: Option<(usize, usize)>,
    limit: Limit,
    cost: Cost,
    /// The moment with which is seen what comes now.
    now: usize,
    /// The session has been introduced.
    met: bool,
    by_id: HashMap<String, usize>,
    calls: HashMap<String, ItemPlace>,
    /// Calls that somebody is asked about, by the question.
    requests: HashMap<String, ItemPlace>,
    /// Prompts whose turn has not begun.
    waiting: Vec<usize>,
    /// How many denials the turns that are over have listed.
    listed: usize,
    /// Calls that are over, by their rank in `work`.
    answers: HashMap<String, usize>,
}

/// Where an item stands: the agent's rank, and its rank among that agent's items.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "two ranks say where an item stands")]
pub struct ItemPlace {
    /// The agent.
    pub agent: usize,
    /// The item.
    pub item: usize,
}

/// One who took part.
#[derive(Default)]
#[non_exhaustive]
pub struct Member {
    /// `main`, or the call that started it.
    pub id: String,
    /// How deep it is nested.
    pub depth: usize,
    /// What kind of agent it is.
    pub kind: Option<String>,
    /// What it is to do.
    pub description: Option<String>,
    /// Nobody waits for it.
    pub background: bool,
    /// How it ended.
    pub status: Option<AgentStatus>,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// Its tokens.
    pub tokens: Option<u64>,
    /// Whom it called, in order.
    pub children: Vec<usize>,
    /// What it said and did, in order.
    pub items: Vec<Item>,
    /// The moments with which these came, in the same order.
    pub(crate) came: Vec<usize>,
    /// The moment with which it began.
    pub(crate) began: usize,
    /// The moment with which it was over.
    pub(crate) ended: Option<usize>,
}

impl Member {
    /// How it is called in headings.
    #[must_use]
    pub fn name(&self) -> String {
        let name = self.description.as_deref().filter(|words| !words.is_empty()).unwrap_or(&self.id);
        crate::words::one_line(name)
    }

    /// How many calls of tools it made, without those that it never finished.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.items.iter().filter(|item| matches!(item, Item::Call(call) if !call.abandoned)).count()
    }
}

impl Story {
    /// Nothing yet. Outputs are kept as far as `limit` says.
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        Story {
            agents: vec![Member { id: "main".to_owned(), ..Default::default() }],
            turns: vec![Turn::before()],
            totals: Totals::default(),
            work: Vec::new(),
            times: Times::default(),
            moments: Moments::default(),
            figures: Vec::new(),
            title: None,
            began: None,
            answer: None,
            limit,
            cost: Cost::new(),
            now: 0,
            met: false,
            by_id: HashMap::from([("main".to_owned(), 0)]),
            calls: HashMap::new(),
            requests: HashMap::new(),
            waiting: Vec::new(),
            listed: 0,
            answers: HashMap::new(),
        }
    }

    /// Where a call stands.
    #[must_use]
    pub fn place_of(&self, call: &str) -> Option<ItemPlace> {
        self.calls.get(call).copied()
    }

    /// The moment with which an item came, from 1.
    #[must_use]
    pub fn came(&self, place: ItemPlace) -> usize {
        self.agents[place.agent].came[place.item]
    }

    /// How long a call took by the clock.
    pub fn tool_ms(&self, call: &str) -> Option<u64> {
        self.work[*self.answers.get(call)?].span.as_ref().map(length)
    }

    /// The first and the last moment of all work.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        let spans = || self.work.iter().filter_map(|worked| worked.span);
        Some((spans().map(|span| span.0).min()?, spans().map(|span| span.1).max()?))
    }

    /// Why figures that are shown are missing or doubtful.
    #[must_use]
    pub fn notes(&self) -> Vec<&Note> {
        self.totals.notes.iter().filter(|note| tell::matters(note)).collect()
    }

    /// Everything that failed or was not allowed, in the order of the agents.
    pub fn problems(&self) -> impl Iterator<Item = (ItemPlace, &Item)> {
        let all = self.agents.iter().enumerate().flat_map(|(agent, member)| {
            member.items.iter().enumerate().map(move |(item, it)| (ItemPlace { agent, item }, it))
        });
        all.filter(|(_, item)| item.is_bad())
    }
}
