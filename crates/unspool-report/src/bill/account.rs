//! The events of one file, made a statement.

use super::count::Count;
use super::ledger::Ledger;
use super::statement::{BilledMessage, Brief, Called, ExpensePlace, Reported, Statement, digest};
use crate::denials::Denials;
use crate::outline::Titles;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use unspool::event::{Agent, Event, ModelTokens, Note, Role, What};

/// Keeps the account of one file.
///
/// Of a stream, events tell everything. Of a transcript they tell who said what in which turn, and the figures are
/// those of its [`Ledger`].
#[derive(Default)]
pub struct Account {
    statement: Statement,
    ledger: Option<Ledger>,
    session: Option<String>,
    /// The message that each agent is speaking.
    speaking: HashMap<u32, usize>,
    /// Calls without their answers.
    open: HashMap<String, usize>,
    /// Calls that failed, or were denied.
    failed: Vec<(String, usize)>,
    denials: Denials,
    /// Tokens of messages from here on are in no report yet.
    uncovered: usize,
    /// Nor is the money of those from here on.
    unpaid: usize,
    now: Option<i64>,
    turn: u64,
    titles: Titles,
}

/// Tokens of a message may be told behind those of others.
const RECENT: usize = 64;

impl Account {
    /// The account of a file. If it is that of a session on disk, the name of the file tells the session.
    #[must_use]
    pub fn new(session: Option<String>) -> Self {
        Account { session, ..Account::default() }
    }

    /// Takes an entry of a session on disk, as it stands in the main file or in that of an agent, before its events.
    pub fn entry(&mut self, agent: Option<&Path>, line: &[u8]) {
        self.ledger.get_or_insert_with(|| Ledger::new(self.session.as_deref())).take(agent, line);
    }

    /// Takes an event.
    pub fn step(&mut self, event: &Event<'_>) {
        self.turn = event.turn.unwrap_or(self.turn);
        self.titles.step(event);
        self.denials.step(event);
        match &event.what {
            What::SessionMeta { cwd: Some(cwd), .. } => {
                let session = self.statement.sessions.number(event.session.as_deref().unwrap_or(""));
                let heading = self.statement.headings.entry(session).or_default();
                heading.project.get_or_insert_with(|| cwd.to_string());
            }
            What::Text { .. } | What::Thinking { .. } | What::Block { role: Role::Assistant, .. } => {
                self.part(event);
            }
            What::ToolUse { id, name, abandoned, .. } => {
                let said = self.part(event);
                if *abandoned != Some(true) {
                    self.call(said, id.as_deref(), name.as_deref().unwrap_or("?"));
                }
            }
            What::ToolResult { id, output, is_error, .. } => {
                self.answer(id.as_deref(), output.len(), *is_error)
            }
            What::Usage { model, usage, is_final, message_id, cache_creation_1h, .. } => {
                let at = self.message_of_usage(event, message_id.as_deref().map(digest));
                let model = model.as_deref().map(|model| self.statement.models.number(model));
                if let Some(said) = self.statement.said.get_mut(at) {
                    said.model = model;
                    said.count = Some(Count::of(usage).with_hour(*cache_creation_1h));
                    said.early = !is_final;
                }
            }
            What::AgentStart { kind, description, .. } => {
                let agent = self.statement.agents.number(event.agent.as_str());
                let own = |words: &Option<Cow<'_, str>>| words.as_deref().map(str::to_owned);
                let brief = Brief { kind: own(kind), description: own(description) };
                self.statement.briefs.insert(agent, brief);
            }
            What::TurnComplete { cost_usd, total_cost_usd, models, notes, .. } => {
                self.report(event, *cost_usd, *total_cost_usd, models.as_deref());
                self.note(notes.as_deref().unwrap_or_default());
            }
            _ => {}
        }
    }

    /// The file is at its end.
    #[must_use]
    pub fn finish(mut self) -> Statement {
        for (id, at) in self.failed {
            if let Some(call) = self.statement.calls.get_mut(at) {
                call.failed = !self.denials.has(&id);
            }
        }
        let mut statement = match self.ledger {
            None => self.statement,
            Some(ledger) => attribute(ledger.finish(), self.statement, self.turn),
        };
        statement.entitle(self.titles.best());
        statement
    }

    /// A part of a message: the message it belongs to.
    fn part(&mut self, event: &Event<'_>) -> usize {
        let agent = self.agent(&event.agent);
        let id = event.place.as_ref().and_then(|place| place.message.as_deref()).map(digest);
        let first = event.place.as_ref().is_some_and(|place| place.part == 0);
        if let Some(&at) = self.speaking.get(&agent) {
            let same = match (self.statement.said.get(at).and_then(|said| said.id), id) {
                (Some(one), Some(other)) => one == other,
                (None, None) => !first,
                _ => false,
            };
            if same {
                return at;
            }
        }
        self.begin(event, agent, id)
    }

    /// The message whose tokens are told. Others may have begun since its last part.
    fn message_of_usage(&mut self, event: &Event<'_>, id: Option<u64>) -> usize {
        let agent = self.agent(&event.agent);
        let is_it = |said: &BilledMessage| said.agent == agent && said.id == id && said.count.is_none();
        let recent = self.statement.said.iter().enumerate().rev().take(RECENT);
        match recent.into_iter().find(|(_, said)| is_it(said)) {
            Some((at, _)) => at,
            None => self.begin(event, agent, id),
        }
    }

    fn begin(&mut self, event: &Event<'_>, agent: u32, id: Option<u64>) -> usize {
        let place = self.place(event);
        let is_main = event.agent == Agent::Main;
        self.statement.said.push(BilledMessage { place, id, agent, is_main, ..BilledMessage::default() });
        let at = self.statement.said.len() - 1;
        self.speaking.insert(agent, at);
        at
    }

    fn call(&mut self, said: usize, id: Option<&str>, name: &str) {
        let tool = self.statement.tools.number(name);
        if let Some(said) = self.statement.said.get_mut(said)
            && !said.tools.contains(&tool)
        {
            said.tools.push(tool);
        }
        if let Some(id) = id {
            self.open.insert(id.to_owned(), self.statement.calls.len());
        }
        let id = id.map(digest);
        self.statement.calls.push(Called { id, said, tool, answered: false, failed: false, bytes: 0 });
    }

    fn answer(&mut self, id: Option<&str>, bytes: usize, is_error: bool) {
        let Some((id, at)) = id.and_then(|id| self.open.remove_entry(id)) else { return };
        if let Some(call) = self.statement.calls.get_mut(at) {
            (call.answered, call.failed, call.bytes) = (true, is_error, bytes as u64);
        }
        if is_error {
            self.failed.push((id, at));
        }
    }

    fn report(
        &mut self,
        event: &Event<'_>,
        cost: Option<f64>,
        total: Option<f64>,
        models: Option<&[(String, ModelTokens)]>,
    ) {
        if cost.is_none() && models.is_none() {
            return;
        }
        let place = self.place(event);
        let id = event.uuid.as_deref().map(digest);
        let Statement { models: names, said, reported, .. } = &mut self.statement;
        let number = |(name, spent): &(String, ModelTokens)| {
            (names.number(name), Count::of_model(spent), spent.cost_usd)
        };
        let models: Option<Vec<_>> = models.map(|models| models.iter().map(number).collect());
        let report = Some(reported.len());
        if models.is_some() {
            said.iter_mut().skip(self.uncovered).for_each(|said| said.covered_by = report);
            self.uncovered = said.len();
        }
        if cost.is_some() {
            said.iter_mut().skip(self.unpaid).for_each(|said| said.paid_by = report);
            self.unpaid = said.len();
        }
        reported.push(Reported { place, id, cost, total, models });
    }

    fn note(&mut self, notes: &[Note]) {
        let mut reasons: Vec<&str> = notes.iter().map(|note| &*note.reason).collect();
        reasons.sort_unstable();
        reasons.dedup();
        for reason in reasons {
            match self.statement.notes.iter_mut().find(|(known, _)| known == reason) {
                Some((_, turns)) => *turns += 1,
                None => self.statement.notes.push((reason.to_owned(), 1)),
            }
        }
    }

    fn agent(&mut self, agent: &Agent<'_>) -> u32 {
        self.statement.agents.number(agent.as_str())
    }

    fn place(&mut self, event: &Event<'_>) -> ExpensePlace {
        let session = self.statement.sessions.number(event.session.as_deref().unwrap_or(""));
        // A line without a time is as old as the last one that had one.
        let time = event.time.as_deref().and_then(|time| time.parse::<Timestamp>().ok());
        self.now = time.map(Timestamp::as_millisecond).or(self.now);
        self.statement.began = self.statement.began.or(self.now);
        ExpensePlace { session, turn: event.turn.unwrap_or(0), time: self.now }
    }
}

/// Says of the figures of a transcript who said what, and in which turn.
fn attribute(mut figures: Statement, told: Statement, last_turn: u64) -> Statement {
    let Statement { sessions, tools, agents, briefs, calls, notes, said: told, .. } = told;
    let places = figures.said.iter().enumerate();
    let by_id: HashMap<u64, usize> = places.clone().filter_map(|(at, said)| Some((said.id?, at))).collect();
    let nameless: Vec<usize> = places.filter(|(_, said)| said.id.is_none()).map(|(at, _)| at).collect();
    let mut nameless = nameless.into_iter();
    let mut now_at = Vec::with_capacity(told.len());
    for BilledMessage { place, id, agent, is_main, count, tools, .. } in told {
        let known = match id {
            Some(id) => by_id.get(&id).copied(),
            None => count.and_then(|_| nameless.next()),
        };
        let at = known.unwrap_or(figures.said.len() + figures.silent.len());
        now_at.push(at);
        if let Some(known) = figures.said.get_mut(at) {
            (known.place.turn, known.agent) = (place.turn, agent);
            known.tools.extend(tools);
            known.tools.sort_unstable();
            known.tools.dedup();
        } else {
            let session = figures.sessions.number(sessions.name(place.session));
            let place = ExpensePlace { session, ..place };
            figures.silent.push(BilledMessage {
                place,
                id,
                agent,
                is_main,
                tools,
                ..BilledMessage::default()
            });
        }
    }
    let advised = |said: &BilledMessage| Some(*by_id.get(&said.advises?)?);
    let advised: Vec<Option<usize>> = figures.said.iter().map(advised).collect();
    for (at, advised) in advised.into_iter().enumerate() {
        let Some(BilledMessage { place, agent, .. }) = advised.and_then(|at| figures.said.get(at)).cloned()
        else {
            continue;
        };
        if let Some(said) = figures.said.get_mut(at) {
            (said.place.turn, said.agent) = (place.turn, agent);
        }
    }
    figures.reported.iter_mut().for_each(|reported| reported.place.turn = last_turn);
    for said in figures.said.iter().filter(|said| said.is_main) {
        if let Some(reported) = said.paid_by.and_then(|at| figures.reported.get_mut(at)) {
            reported.place.turn = said.place.turn;
        }
    }
    let calls = calls.into_iter().filter_map(|call| Some(Called { said: *now_at.get(call.said)?, ..call }));
    let calls = calls.collect();
    Statement { tools, agents, briefs, calls, notes, ..figures }
}
