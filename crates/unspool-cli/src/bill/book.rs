//! Statements of many files, made entries that count each thing once.
//!
//! A session that was resumed or forked is in several files, and its totals run on from one to the next; a stream and its
//! transcript tell the same session twice.

use super::count::Count;
use super::prices::Prices;
use super::statement::{Brief, Names, Place, Reported, Said, Statement};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Everything that was spent.
#[derive(Debug, Default)]
pub(crate) struct Book {
    pub(crate) sessions: Names,
    pub(crate) models: Names,
    pub(crate) tools: Names,
    /// By their calls, or, where there are several files, by their kinds.
    pub(crate) agents: Names,
    /// What people call them.
    pub(crate) agent_labels: HashMap<u32, String>,
    several: bool,
    /// What Claude Code reported, and where it did not, what messages said. Of all agents together.
    pub(crate) spent: Vec<Entry>,
    /// What messages said, with their agents and tools.
    pub(crate) said: Vec<Entry>,
    pub(crate) calls: Vec<Call>,
    /// What there is to say about the figures.
    pub(crate) facts: Facts,
    known: HashMap<u64, usize>,
    /// Messages that no report includes: where they are among what was spent.
    unreported: HashMap<usize, usize>,
    /// Reports that were seen, and whether they have been counted as repeated.
    reports: HashMap<u64, bool>,
    /// Messages that have been counted as repeated.
    repeated: HashSet<usize>,
    marks: HashMap<u32, Mark>,
    /// How far the totals had come with each report that told them.
    stages: Vec<Mark>,
    /// Of each message, the stage that includes it.
    included: HashMap<usize, usize>,
}

/// An expense.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) place: Place,
    pub(crate) agent: Option<u32>,
    pub(crate) model: Option<u32>,
    pub(crate) tools: Vec<u32>,
    pub(crate) count: Count,
    /// How many messages it is.
    pub(crate) messages: u64,
    /// As it was reported.
    pub(crate) cost: Option<f64>,
    /// Its money is in another entry, which does not say for which tokens.
    pub(crate) paid: bool,
    /// By given prices, where nothing was reported.
    pub(crate) computed: Option<f64>,
}

impl Entry {
    /// What a report says of a model, or of all of them.
    fn reported(place: Place, model: Option<u32>, count: Count, cost: Option<f64>, paid: bool) -> Self {
        Entry { place, agent: None, model, tools: Vec::new(), count, messages: 0, cost, paid, computed: None }
    }

    /// Whether nobody knows what it cost.
    pub(crate) fn lacks_money(&self) -> bool {
        self.cost.or(self.computed).is_none() && !self.paid && !self.count.is_zero()
    }
}

/// A call of a tool.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The message that made it, among those said.
    pub(crate) said: usize,
    pub(crate) tool: u32,
    pub(crate) failed: bool,
    pub(crate) bytes: u64,
}

/// What there is to say about the figures.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Notes of turns, by reason.
    pub(crate) notes: BTreeMap<String, u64>,
    /// Turns that were reported, and those of them without a cost.
    pub(crate) reports: u64,
    pub(crate) without_cost: u64,
    /// Messages that no report includes.
    pub(crate) unreported: u64,
    /// Those of them whose output may have grown after they told their tokens.
    pub(crate) early_unreported: u64,
    /// Messages that were in several files, and reports that were.
    pub(crate) repeated: Repeated,
    /// Messages whose output may have grown after they told their tokens.
    pub(crate) early: u64,
    /// Reports that go on from those of another file.
    pub(crate) continued: u64,
    /// Tokens of messages that reports include, and what the reports say.
    pub(crate) covered: Count,
    pub(crate) reported: Count,
    /// Tokens that reports have beyond those of messages.
    pub(crate) beyond: Count,
    /// Money that is by turn but not by model.
    pub(crate) by_no_model: bool,
    /// Models that have no price, and those whose price depends on what is not known.
    pub(crate) unpriced: BTreeSet<String>,
    pub(crate) cache_priced: bool,
}

/// What stood in several files.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repeated {
    pub(crate) messages: u64,
    pub(crate) reports: u64,
}

/// How far the totals of a session have come.
#[derive(Clone, Debug, Default)]
struct Mark {
    cost: f64,
    models: HashMap<u32, (Count, f64)>,
}

/// Differences of sums of binary fractions.
const NOISE: f64 = 1e-6;

impl Book {
    /// Takes statements in the order of their beginnings, and of their totals, which grow.
    pub(crate) fn of(mut statements: Vec<Statement>) -> Self {
        let total =
            |statement: &Statement| statement.reported.last().and_then(|last| last.total).unwrap_or(0.0);
        statements.sort_by(|one, other| {
            one.began.cmp(&other.began).then_with(|| total(one).total_cmp(&total(other)))
        });
        let mut book = Book { several: statements.len() > 1, ..Book::default() };
        // Each is let go when it was taken: there may be very many.
        statements.into_iter().for_each(|statement| book.take(&statement));
        book
    }

    /// Computes what was not reported.
    pub(crate) fn price(&mut self, prices: &Prices) {
        let Book { spent, said, models, facts, .. } = self;
        for entry in spent.iter_mut().chain(said) {
            if entry.cost.is_some() || entry.paid || entry.count.is_zero() {
                continue;
            }
            let Some(model) = entry.model.map(|model| models.name(model)) else { continue };
            entry.computed = prices.cost(model, &entry.count);
            if entry.computed.is_none() {
                facts.unpriced.insert(model.to_owned());
            }
            facts.cache_priced |= entry.computed.is_some() && prices.depends_on_cache(model, &entry.count);
        }
    }

    fn take(&mut self, statement: &Statement) {
        let numbers = Numbers::of(self, statement);
        let places: Vec<(usize, bool)> =
            statement.said.iter().map(|said| self.take_said(said, statement, &numbers)).collect();
        for call in &statement.calls {
            if let (said, true) = places[call.said] {
                let tool = numbers.tools[call.tool as usize];
                self.calls.push(Call { said, tool, failed: call.failed, bytes: call.bytes });
            }
        }
        self.take_reports(statement, &numbers, &places);
        for (reason, turns) in &statement.notes {
            *self.facts.notes.entry(reason.clone()).or_default() += turns;
        }
    }

    fn take_reports(&mut self, statement: &Statement, numbers: &Numbers, places: &[(usize, bool)]) {
        let shared = places.iter().filter(|(_, fresh)| !fresh).map(|(at, _)| *at);
        let shared: Vec<usize> = shared.collect();
        let goes_on = self.goes_on(statement, numbers, !shared.is_empty());
        // A fork has an id of its own, and totals that go on from where it was forked.
        let forked = shared
            .iter()
            .filter_map(|at| self.included.get(at))
            .max()
            .map(|stage| self.stages[*stage].clone());
        let mut stages = Vec::new();
        for (at, reported) in statement.reported.iter().enumerate() {
            let session = numbers.place(reported.place).session;
            if let Some(forked) = forked.as_ref().filter(|_| reported.total.is_some()) {
                self.marks.entry(session).or_insert_with(|| forked.clone());
            }
            self.take_reported(reported, numbers, goes_on);
            if reported.tokens_are_new {
                let mark = self.marks.entry(session).or_default();
                let told = places.iter().zip(&statement.said).filter(|(_, said)| said.paid_by == Some(at));
                for ((place, _), _) in told.filter(|((_, fresh), _)| *fresh) {
                    let Entry { model: Some(model), count, .. } = &self.said[*place] else { continue };
                    mark.models.entry(*model).or_default().0.add(count);
                }
            }
            stages.push(self.stages.len());
            self.stages.push(self.marks.get(&session).cloned().unwrap_or_default());
        }
        for ((at, _), said) in places.iter().zip(&statement.said) {
            if let Some(report) = said.paid_by {
                self.included.entry(*at).or_insert(stages[report]);
            }
        }
    }

    /// Where it is among those said, and whether it is new.
    fn take_said(&mut self, said: &Said, statement: &Statement, numbers: &Numbers) -> (usize, bool) {
        let count = said.count.unwrap_or_default();
        let known = said.id.and_then(|id| self.known.get(&id).copied());
        if let Some(at) = known {
            self.facts.repeated.messages += u64::from(self.repeated.insert(at));
            self.said[at].count.raise(&count);
            let unpaid = self.unreported.get(&at).is_some_and(|spent| !self.spent[*spent].paid);
            if said.covered
                && unpaid
                && let Some(spent) = self.unreported.remove(&at)
            {
                self.facts.unreported = self.facts.unreported.saturating_sub(1);
                self.facts.covered.add(&count);
                self.spent[spent].count = Count::default();
                self.spent[spent].messages = 0;
            }
            return (at, false);
        }
        let entry = Entry {
            place: numbers.place(said.place),
            agent: Some(numbers.agents[said.agent as usize]),
            model: said.model.map(|model| numbers.models[model as usize]),
            tools: said.tools.iter().map(|tool| numbers.tools[*tool as usize]).collect(),
            count,
            messages: u64::from(said.count.is_some()),
            cost: said.cost,
            paid: said.paid_by.is_some(),
            computed: None,
        };
        if said.covered {
            self.facts.covered.add(&count);
        } else if !count.is_zero() {
            // Totals of a transcript include its messages without saying so.
            let in_totals = said.paid_by.is_some_and(|report| statement.reported[report].tokens_are_new);
            self.facts.unreported += u64::from(!in_totals);
            self.facts.early_unreported += u64::from(said.early && !in_totals);
            self.unreported.insert(self.said.len(), self.spent.len());
            self.spent.push(Entry { agent: None, tools: Vec::new(), ..entry.clone() });
        }
        self.facts.early += u64::from(said.early && said.count.is_some());
        let at = self.said.len();
        // No report tells what a message cost.
        self.said.push(Entry { paid: false, ..entry });
        if let Some(id) = said.id {
            self.known.insert(id, at);
        }
        (at, true)
    }

    /// Whether the totals of this file are those of a session that another file had: they are never below what that
    /// one came to, or the two share messages.
    fn goes_on(&self, statement: &Statement, numbers: &Numbers, shares: bool) -> bool {
        let above = |reported: &Reported| {
            let mark = self.marks.get(&numbers.place(reported.place).session);
            mark.is_some_and(|mark| reported.total.is_some_and(|total| total + NOISE >= mark.cost))
        };
        shares || statement.reported.last().is_some_and(above)
    }

    fn take_reported(&mut self, reported: &Reported, numbers: &Numbers, goes_on: bool) {
        if let Some(id) = reported.id {
            if let Some(counted) = self.reports.get_mut(&id) {
                self.facts.repeated.reports += u64::from(!std::mem::replace(counted, true));
                return;
            }
            self.reports.insert(id, false);
        }
        let place = numbers.place(reported.place);
        let mark = self.marks.entry(place.session).or_default();
        let before = (reported.total.filter(|_| goes_on)).map(|total| (total - mark.cost).max(0.0));
        let cost = match (reported.cost, before) {
            (Some(cost), Some(before)) if before + NOISE < cost => Some(before),
            (cost, _) => cost,
        };
        let continued = cost != reported.cost;
        if continued && cost.is_some_and(|cost| cost <= NOISE) {
            self.facts.repeated.reports += 1;
            return;
        }
        let models = reported.models.iter().flatten().map(|(model, count, cost)| {
            let model = numbers.models[*model as usize];
            let had = mark.models.get(&model).copied().unwrap_or_default();
            if continued {
                let count = if reported.tokens_are_new { *count } else { count.minus(&had.0) };
                (model, count, cost.map(|cost| (cost - had.1).max(0.0)))
            } else {
                (model, *count, *cost)
            }
        });
        let models: Vec<_> = models.collect();
        mark.raise(reported.total, cost, &models);
        let facts = &mut self.facts;
        facts.reports += 1;
        facts.continued += u64::from(continued);
        facts.without_cost += u64::from(cost.is_none());
        let mut rest = cost;
        for (model, count, of_model) in models {
            let sum = if reported.tokens_are_new { &mut facts.beyond } else { &mut facts.reported };
            sum.add(&count);
            rest = rest.map(|rest| rest - of_model.unwrap_or(0.0));
            self.spent.push(Entry::reported(place, Some(model), count, of_model, cost.is_some()));
        }
        if let Some(rest) = rest.filter(|rest| rest.abs() > NOISE) {
            facts.by_no_model = true;
            self.spent.push(Entry::reported(place, None, Count::default(), Some(rest), true));
        }
    }
}

impl Mark {
    fn raise(&mut self, total: Option<f64>, cost: Option<f64>, models: &[(u32, Count, Option<f64>)]) {
        let sum = self.cost + cost.unwrap_or(0.0);
        self.cost = total.map_or(sum, |total| total.max(self.cost));
        for (model, count, cost) in models {
            let mark = self.models.entry(*model).or_default();
            mark.0.add(count);
            mark.1 += cost.unwrap_or(0.0);
        }
    }
}

/// The numbers that the names of a statement have in the book.
struct Numbers {
    sessions: Vec<u32>,
    models: Vec<u32>,
    tools: Vec<u32>,
    agents: Vec<u32>,
}

impl Numbers {
    fn of(book: &mut Book, statement: &Statement) -> Self {
        let all = |names: &Names, book: &mut Names| -> Vec<u32> {
            (0..names.len() as u32).map(|number| book.number(names.name(number))).collect()
        };
        let sessions = all(&statement.sessions, &mut book.sessions);
        let models = all(&statement.models, &mut book.models);
        let tools = all(&statement.tools, &mut book.tools);
        let agents =
            (0..statement.agents.len() as u32).map(|agent| agent_number(book, statement, agent)).collect();
        Numbers { sessions, models, tools, agents }
    }

    fn place(&self, place: Place) -> Place {
        Place { session: self.sessions[place.session as usize], ..place }
    }
}

fn agent_number(book: &mut Book, statement: &Statement, agent: u32) -> u32 {
    let id = statement.agents.name(agent);
    let Brief { kind, description } = statement.briefs.get(&agent).cloned().unwrap_or_default();
    if id == "main" || !book.several && kind.is_none() && description.is_none() {
        return book.agents.number(id);
    }
    let kind = kind.unwrap_or_else(|| "sub-agent".to_owned());
    if book.several {
        return book.agents.number(&kind);
    }
    let number = book.agents.number(id);
    let label = description.map_or(kind.clone(), |description| format!("{description} · {kind}"));
    book.agent_labels.insert(number, label);
    number
}
