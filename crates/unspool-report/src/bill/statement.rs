//! What one file says about its costs, before it is compared with others.

use super::count::Count;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The figures of one file, in the order they came.
#[derive(Debug, Default)]
pub struct Statement {
    pub(crate) kind: Kind,
    pub(crate) sessions: Names,
    pub(crate) models: Names,
    pub(crate) tools: Names,
    pub(crate) agents: Names,
    /// Of each agent, what it is.
    pub briefs: HashMap<u32, Brief>,
    /// What messages said of themselves.
    pub said: Vec<BilledMessage>,
    /// Messages of a transcript that tell no tokens, but may have called tools. Whoever reads only figures knows nothing of them,
    /// so they are kept apart.
    pub silent: Vec<BilledMessage>,
    /// What Claude Code reported.
    pub reported: Vec<Reported>,
    pub(crate) calls: Vec<Called>,
    /// Notes of turns, by reason, and how many turns have them.
    pub notes: Vec<(String, u64)>,
    /// The first time that is known, in milliseconds.
    pub began: Option<i64>,
    /// Of each session, what it is about.
    pub headings: HashMap<u32, Heading>,
}

/// What a session is about.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    pub title: Option<String>,
    /// The folder that Claude Code worked in.
    pub project: Option<String>,
}

impl Heading {
    /// Takes what another place tells of the same session.
    pub fn join(&mut self, other: Heading) {
        self.title = self.title.take().or(other.title);
        self.project = self.project.take().or(other.project);
    }
}

/// What its reports are.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Kind {
    /// Each says what was added since the one before.
    #[default]
    Stream,
    /// Each says what the session has cost so far, and that includes what its messages said.
    Transcript,
}

/// What an agent is.
#[derive(Clone, Debug, Default)]
pub struct Brief {
    pub kind: Option<String>,
    pub description: Option<String>,
}

/// Where an expense belongs.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExpensePlace {
    pub session: u32,
    /// Its number, from 1; 0 between turns.
    pub turn: u64,
    /// In milliseconds since 1970.
    pub time: Option<i64>,
}

/// A message of a model.
#[derive(Clone, Debug, Default)]
pub struct BilledMessage {
    pub place: ExpensePlace,
    pub id: Option<u64>,
    pub agent: u32,
    /// The main agent said it.
    pub is_main: bool,
    pub model: Option<u32>,
    /// None until the message has told its tokens.
    pub count: Option<Count>,
    /// Its money, where it tells it.
    pub cost: Option<f64>,
    /// It was answered in fast mode, which has prices of its own.
    pub is_fast: bool,
    /// It is what an advisor spent on the message with this id.
    pub advises: Option<u64>,
    /// The output may grow yet.
    pub early: bool,
    /// Tools it has called, each once.
    pub tools: Vec<u32>,
    /// The report that includes its tokens, among those of the statement.
    pub covered_by: Option<usize>,
    /// The report that includes its money.
    pub paid_by: Option<usize>,
}

/// A report of Claude Code.
#[derive(Debug)]
pub struct Reported {
    pub place: ExpensePlace,
    pub id: Option<u64>,
    /// Money that was added, where that is reported.
    pub cost: Option<f64>,
    /// Money of the session so far.
    pub total: Option<f64>,
    /// Tokens and money by model: what was added, or in a transcript all so far.
    pub models: Option<Vec<OfModel>>,
}

/// A model, its tokens, and its money.
pub(super) type OfModel = (u32, Count, Option<f64>);

/// A call of a tool.
#[derive(Debug)]
pub(crate) struct Called {
    pub id: Option<u64>,
    /// The message that made it: among those said, and behind them the silent ones.
    pub said: usize,
    pub tool: u32,
    pub answered: bool,
    pub failed: bool,
    /// Bytes of text that the model was given for it.
    pub bytes: u64,
}

/// Names, each once, known by number.
#[derive(Debug, Default)]
pub struct Names {
    list: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    pub fn get(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    pub fn name(&self, number: u32) -> &str {
        self.list.get(number as usize).map_or("?", String::as_str)
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }
}

/// An id as a number: only whether two are equal matters.
#[must_use]
pub fn digest(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

impl Statement {
    /// Its session is called so.
    pub fn entitle(&mut self, title: Option<&str>) {
        let title = title.map(str::to_owned);
        for session in (0..).take(self.sessions.len()) {
            self.headings.entry(session).or_default().title = title.clone();
        }
    }
}

impl BilledMessage {
    /// Takes what another place tells of the same message: the higher figures.
    pub fn join(&mut self, other: &BilledMessage) {
        self.count = match (self.count, other.count) {
            (Some(mut one), Some(other)) => {
                one.raise(&other);
                Some(one)
            }
            (one, other) => one.or(other),
        };
        self.model = self.model.or(other.model);
        self.cost = self.cost.or(other.cost);
        self.place.time = self.place.time.max(other.place.time);
        self.early &= other.early;
        self.is_fast |= other.is_fast;
    }
}
