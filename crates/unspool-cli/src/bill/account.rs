//! The events of one file, made a statement.

use super::count::Count;
use super::statement::{Brief, Called, Place, Reported, Said, Statement, digest};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::collections::HashMap;
use unspool::event::{Agent, Event, ModelTokens, Note, Role, What};

/// Keeps the account of one file.
pub(crate) struct Account {
    statement: Statement,
    zone: TimeZone,
    /// The message that each agent is speaking.
    speaking: HashMap<u32, usize>,
    /// Calls without their answers.
    open: HashMap<String, usize>,
    /// Tokens of messages from here on are in no report yet.
    uncovered: usize,
    /// Nor is the money of those from here on.
    unpaid: usize,
    now: Option<Timestamp>,
}

impl Account {
    /// Days are those of this time zone.
    pub(crate) fn new(zone: TimeZone) -> Self {
        Account {
            statement: Statement::default(),
            zone,
            speaking: HashMap::new(),
            open: HashMap::new(),
            uncovered: 0,
            unpaid: 0,
            now: None,
        }
    }

    pub(crate) fn step(&mut self, event: &Event<'_>) {
        match &event.what {
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
                if let Some(call) = id.as_deref().and_then(|id| self.open.remove(id)) {
                    let call = &mut self.statement.calls[call];
                    call.failed = *is_error;
                    call.bytes = output.len() as u64;
                }
            }
            What::Usage { model, usage, is_final, .. } => {
                let said = self.message_of_usage(event);
                let model = model.as_deref().map(|model| self.statement.models.number(model));
                let said = &mut self.statement.said[said];
                said.model = model;
                said.count = Some(Count::of(usage));
                said.early = !is_final;
            }
            What::AgentStart { kind, description, .. } => {
                let agent = self.statement.agents.number(event.agent.as_str());
                let own = |words: &Option<std::borrow::Cow<'_, str>>| words.as_deref().map(str::to_owned);
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
    pub(crate) fn finish(self) -> Statement {
        self.statement
    }

    /// A part of a message: the message it belongs to.
    fn part(&mut self, event: &Event<'_>) -> usize {
        let agent = self.agent(&event.agent);
        let id = event.place.as_ref().and_then(|place| place.message.as_deref()).map(digest);
        let first = event.place.as_ref().is_some_and(|place| place.part == 0);
        if let Some(&at) = self.speaking.get(&agent) {
            let said = &mut self.statement.said[at];
            let same = match (said.id, id) {
                (Some(one), Some(other)) => one == other,
                // Tokens may be told before the first part.
                (None, Some(_)) => first && said.count.is_some() && said.tools.is_empty(),
                (None, None) => !first,
                (Some(_), None) => false,
            };
            if same {
                said.id = said.id.or(id);
                return at;
            }
        }
        self.begin(event, agent, id)
    }

    /// The message whose tokens are told.
    fn message_of_usage(&mut self, event: &Event<'_>) -> usize {
        let agent = self.agent(&event.agent);
        match self.speaking.get(&agent) {
            Some(&at) if self.statement.said[at].count.is_none() => at,
            _ => self.begin(event, agent, None),
        }
    }

    fn begin(&mut self, event: &Event<'_>, agent: u32, id: Option<u64>) -> usize {
        let place = self.place(event);
        self.statement.said.push(Said {
            place,
            id,
            agent,
            model: None,
            count: None,
            early: false,
            tools: Vec::new(),
            covered: false,
            paid: false,
        });
        let at = self.statement.said.len() - 1;
        self.speaking.insert(agent, at);
        at
    }

    fn call(&mut self, said: usize, id: Option<&str>, name: &str) {
        let tool = self.statement.tools.number(name);
        let tools = &mut self.statement.said[said].tools;
        if !tools.contains(&tool) {
            tools.push(tool);
        }
        self.statement.calls.push(Called { said, tool, failed: false, bytes: 0 });
        if let Some(id) = id {
            self.open.insert(id.to_owned(), self.statement.calls.len() - 1);
        }
    }

    fn report(
        &mut self,
        event: &Event<'_>,
        cost: Option<f64>,
        total: Option<f64>,
        models: Option<&[(String, ModelTokens)]>,
    ) {
        let place = self.place(event);
        let id = event.uuid.as_deref().map(digest);
        let names = &mut self.statement.models;
        let mut number = |(name, spent): &(String, ModelTokens)| {
            (names.number(name), Count::of_model(spent), spent.cost_usd)
        };
        let models: Option<Vec<_>> = models.map(|models| models.iter().map(&mut number).collect());
        if models.is_some() {
            self.statement.said[self.uncovered..].iter_mut().for_each(|said| said.covered = true);
            self.uncovered = self.statement.said.len();
        }
        if cost.is_some() {
            self.statement.said[self.unpaid..].iter_mut().for_each(|said| said.paid = true);
            self.unpaid = self.statement.said.len();
        }
        if cost.is_some() || models.is_some() {
            self.statement.reported.push(Reported { place, id, cost, total, models });
        }
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

    fn place(&mut self, event: &Event<'_>) -> Place {
        let session = self.statement.sessions.number(event.session.as_deref().unwrap_or(""));
        let day = self.day(event);
        Place { session, turn: event.turn.unwrap_or(0), day }
    }

    /// The day of the event; a line without a time is as old as the last one that had one.
    fn day(&mut self, event: &Event<'_>) -> Option<Date> {
        let time = event.time.as_deref().and_then(|time| time.parse::<Timestamp>().ok());
        self.now = time.or(self.now);
        let now = self.now?;
        self.statement.began.get_or_insert(now.as_millisecond());
        Some(self.zone.to_datetime(now).date())
    }
}
