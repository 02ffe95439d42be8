//! Statements of many files, made entries that count each thing once.
//!
//! ```text
//! messages   of all files, each once, with the highest figures that any file has     (take)
//! reports    include messages, also those that stand in another file only            (cover)
//!            and run on: each adds what its session had not come to                   (settle)
//! entries    what reports added, and the messages that are in none                    (enter)
//! ```
//!
//! A session that was resumed or forked is in several files, and its totals run on from one to the next; a stream and
//! its transcript tell the same session twice. No step depends on the order in which files are named.

use super::count::Count;
use super::cover::cover;
use super::facts::Facts;
use super::messages::{File, Message, Messages, Paid};
use super::prices::{Prices, Speed};
use super::settle::settle;
use super::statement::{BilledMessage, Brief, ExpensePlace, Heading, Kind, Names, Statement};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Everything that was spent.
#[derive(Debug, Default)]
pub struct Book {
    /// Their names.
    pub sessions: Names,
    pub(crate) models: Names,
    pub(crate) tools: Names,
    /// By their calls, or, where there are several files, by their kinds.
    pub agents: Names,
    /// What people call them.
    pub agent_labels: HashMap<u32, String>,
    /// Folders that Claude Code worked in.
    pub projects: Names,
    /// Of sessions, what they are about.
    pub headings: HashMap<u32, Heading>,
    several: bool,
    /// How many files were taken.
    pub(super) files: usize,
    /// What Claude Code reported, and where it did not, what messages said. Of all agents together.
    pub spent: Vec<Entry>,
    /// What messages said, with their agents and tools.
    pub said: Vec<Entry>,
    pub(crate) calls: Vec<BilledCall>,
    /// What there is to say about the figures.
    pub facts: Facts,
}

/// An expense.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    pub place: ExpensePlace,
    pub agent: Option<u32>,
    pub model: Option<u32>,
    pub tools: Vec<u32>,
    pub count: Count,
    /// How many messages it is.
    pub messages: u64,
    /// It is one request, in fast mode or not; several make no difference.
    pub request: Option<Speed>,
    /// As it was reported.
    pub cost: Option<f64>,
    /// Its money is in another entry, which does not say for which tokens.
    pub paid: bool,
    /// By given prices, where nothing was reported.
    pub computed: Option<f64>,
}

impl Entry {
    /// Whether nobody knows what it cost.
    pub fn lacks_money(&self) -> bool {
        self.cost.or(self.computed).is_none() && !self.paid && !self.count.is_zero()
    }
}

/// A call of a tool.
#[derive(Clone, Debug)]
pub(crate) struct BilledCall {
    /// The message that made it, among those said.
    pub said: usize,
    pub tool: u32,
    pub failed: bool,
    pub bytes: u64,
}

impl Book {
    /// Adds up statements.
    pub fn of(mut statements: Vec<Statement>) -> Self {
        statements.sort_by_cached_key(Rank::of);
        let mut book = Book { several: statements.len() > 1, ..Book::default() };
        let mut messages = Messages::default();
        // Each is let go when it was taken: there may be very many.
        let files: Vec<File> = statements.into_iter().map(|it| messages.take(&mut book, it)).collect();
        let mut messages = messages.finish(&mut book);
        cover(&files, &mut messages, &book.models);
        settle(&mut book, &files, &mut messages);
        messages.into_iter().for_each(|message| book.enter(message));
        book
    }

    /// Computes what was not reported.
    pub fn price(&mut self, prices: &Prices) {
        let Book { spent, said, models, facts, .. } = self;
        facts.price_list = prices.name();
        for entry in spent.iter_mut().chain(said) {
            if entry.cost.is_some() || entry.paid || entry.count.is_zero() {
                continue;
            }
            let Some(model) = entry.model.map(|model| models.name(model)) else { continue };
            entry.computed = prices.cost(model, &entry.count, entry.request);
            facts.tier_unknown |= entry.request.is_none() && prices.has_tier(model, &entry.count);
            if entry.computed.is_none() {
                facts.unpriced.insert(model.to_owned());
            }
            facts.cache_priced |= entry.computed.is_some() && prices.depends_on_cache(model, &entry.count);
        }
    }

    /// A message, when it is known which reports include it.
    fn enter(&mut self, Message { said, covered, paid, is_repeated, .. }: Message) {
        let count = said.count.unwrap_or_default();
        let entry = Entry {
            place: said.place,
            agent: Some(said.agent),
            model: said.model,
            tools: said.tools,
            count,
            messages: u64::from(said.count.is_some() && said.advises.is_none()),
            request: Some(if said.is_fast { Speed::Fast } else { Speed::Standard }),
            cost: said.cost,
            paid: false,
            computed: None,
        };
        let facts = &mut self.facts;
        facts.repeated.messages += u64::from(is_repeated);
        facts.early += u64::from(said.early && said.count.is_some());
        if covered {
            facts.covered.add(&count);
        } else if !count.is_zero() || said.cost.is_some() {
            // Totals of a transcript include its messages without saying so.
            let is_in_none = paid != Some(Paid::ByTotals) && said.advises.is_none();
            facts.unreported += u64::from(is_in_none);
            facts.early_unreported += u64::from(said.early && is_in_none);
            // What a report includes is not paid twice.
            let cost = said.cost.filter(|_| paid.is_none());
            let (agent, tools) = (None, Vec::new());
            self.spent.push(Entry { agent, tools, cost, paid: paid.is_some(), ..entry.clone() });
        }
        self.said.push(entry);
    }

    /// The folder in which a session was.
    #[must_use]
    pub fn project_of(&self, session: u32) -> Option<u32> {
        let project = self.headings.get(&session)?.project.as_deref()?;
        self.projects.get(project)
    }

    /// The number that an agent of a statement has in the book.
    pub(super) fn agent_number(&mut self, statement: &Statement, agent: u32) -> u32 {
        let id = statement.agents.name(agent);
        let Brief { kind, description } = statement.briefs.get(&agent).cloned().unwrap_or_default();
        if id == "main" || !self.several && kind.is_none() && description.is_none() {
            return self.agents.number(id);
        }
        let kind = kind.unwrap_or_else(|| "sub-agent".to_owned());
        if self.several {
            return self.agents.number(&kind);
        }
        let number = self.agents.number(id);
        let label = description.map_or(kind.clone(), |description| format!("{description} · {kind}"));
        self.agent_labels.insert(number, label);
        number
    }
}

/// The order in which files are taken, whatever the order they were named in: as they began, as their totals grew, by their
/// sessions, and then by their content. What all ways of reading a file tell comes before what only its events do, so that
/// each of them takes files in the same order.
#[derive(Eq, Ord, PartialEq, PartialOrd)]
struct Rank(Option<i64>, u64, Kind, Option<String>, u64, u64);

impl Rank {
    fn of(statement: &Statement) -> Self {
        let total = statement.reported.last().and_then(|last| last.total).unwrap_or(0.0);
        // Money is never below nothing, so its bits are in its order.
        let total = total.max(0.0).to_bits();
        let Statement { sessions, models, .. } = statement;
        let (mut figures, mut events) = (DefaultHasher::new(), DefaultHasher::new());
        for BilledMessage { id, count, model, place, agent, tools, .. } in &statement.said {
            let names = (sessions.name(place.session), model.map(|model| models.name(model)));
            (id, count.map(|count| count.figures()), place.time, names).hash(&mut figures);
            (place.turn, agent, tools).hash(&mut events);
        }
        let session = statement.said.first().map(|said| sessions.name(said.place.session).to_owned());
        Rank(statement.began, total, statement.kind, session, figures.finish(), events.finish())
    }
}
