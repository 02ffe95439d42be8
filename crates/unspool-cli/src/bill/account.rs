//! The events of one file, made a statement.

use super::count::Count;
use super::statement::{Brief, Called, Day, Place, Reported, Said, Statement, digest};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::collections::HashMap;
use unspool::event::{Agent, Event, ModelTokens, Note, Raw, Role, What};
use unspool::json::Json;

/// Keeps the account of one file.
pub(crate) struct Account {
    statement: Statement,
    day: Day,
    /// The message that each agent is speaking.
    speaking: HashMap<u32, usize>,
    /// Calls without their answers.
    open: HashMap<String, usize>,
    /// Calls that failed, until it is known whether somebody denied them.
    failed: HashMap<u64, usize>,
    /// Tokens of messages from here on are in no report yet.
    uncovered: usize,
    /// Nor is the money of those from here on.
    unpaid: usize,
    now: Option<i64>,
    /// The last totals of a transcript include what agents have said since.
    in_totals: bool,
}

/// Tokens of a message may be told behind those of others.
const RECENT: usize = 64;

/// Differences of sums of binary fractions.
const NOISE: f64 = 1e-9;

/// The note of figures that are no reports.
const SUMMED: &str = "summed_from_messages";

impl Account {
    /// Days are those of this time zone.
    pub(crate) fn new(zone: TimeZone) -> Self {
        Account {
            statement: Statement::default(),
            day: Day::new(zone),
            speaking: HashMap::new(),
            open: HashMap::new(),
            failed: HashMap::new(),
            uncovered: 0,
            unpaid: 0,
            now: None,
            in_totals: false,
        }
    }

    pub(crate) fn step(&mut self, event: &Event<'_>) {
        match &event.what {
            What::Text { .. } | What::Thinking { .. } | What::Block { role: Role::Assistant, .. } => {
                self.part(event);
            }
            What::TurnStart { .. } => self.in_totals = false,
            What::ToolUse { id, name, abandoned, .. } => {
                let said = self.part(event);
                if *abandoned != Some(true) {
                    self.call(said, id.as_deref(), name.as_deref().unwrap_or("?"));
                }
            }
            What::ToolResult { id, output, is_error, .. } => {
                if let Some((id, at)) = id.as_deref().and_then(|id| self.open.remove_entry(id)) {
                    let call = &mut self.statement.calls[at];
                    call.failed = *is_error;
                    call.bytes = output.len() as u64;
                    if *is_error {
                        self.failed.insert(digest(&id), at);
                    }
                }
            }
            What::Usage { model, usage, is_final, message_id, cache_creation_1h, .. } => {
                let in_totals = self.in_totals;
                let said = self.message_of_usage(event, message_id.as_deref().map(digest));
                let model = model.as_deref().map(|model| self.statement.models.number(model));
                let said = &mut self.statement.said[said];
                said.model = model;
                said.count = Some(Count::of(usage).with_hour(*cache_creation_1h));
                said.covered |= in_totals;
                said.early = !is_final;
            }
            What::AgentStart { kind, description, .. } => {
                let agent = self.statement.agents.number(event.agent.as_str());
                let own = |words: &Option<std::borrow::Cow<'_, str>>| words.as_deref().map(str::to_owned);
                let brief = Brief { kind: own(kind), description: own(description) };
                self.statement.briefs.insert(agent, brief);
            }
            What::TurnComplete { cost_usd, total_cost_usd, models, denials, notes, .. } => {
                self.deny(denials.as_ref());
                let notes = notes.as_deref().unwrap_or_default();
                self.report(event, *cost_usd, *total_cost_usd, models.as_deref(), notes);
                self.note(notes);
            }
            What::Finished { cost_usd: Some(cost), total_cost_usd, models, .. } => {
                self.rest(event, *cost, *total_cost_usd, models.as_deref().unwrap_or_default());
            }
            _ => {}
        }
    }

    /// What was reported in the end, and with no turn: the last one was left in the middle.
    fn rest(&mut self, event: &Event<'_>, cost: f64, total: Option<f64>, totals: &[(String, ModelTokens)]) {
        let told: f64 = self.statement.reported.iter().filter_map(|reported| reported.cost).sum();
        if cost - told < NOISE {
            return;
        }
        let place = self.statement.said.last().map(|said| said.place);
        let place = place.unwrap_or_else(|| self.place(event));
        let mut models = Vec::new();
        for (name, spent) in totals {
            let model = self.statement.models.number(name);
            let Statement { said, reported, .. } = &self.statement;
            let own = said.iter().filter(|said| said.model == Some(model) && !said.covered);
            let mut count =
                own.fold(Count::of_model(spent), |left, said| left.minus(&said.count.unwrap_or_default()));
            let mut cost = spent.cost_usd;
            for (_, had, paid) in
                reported.iter().flat_map(|it| &it.models).flatten().filter(|it| it.0 == model)
            {
                count = count.minus(had);
                cost = cost.map(|cost| cost - paid.unwrap_or(0.0));
            }
            models.push((model, count, cost));
        }
        let report = Some(self.statement.reported.len());
        self.statement.said[self.unpaid..].iter_mut().for_each(|said| said.paid_by = report);
        let (id, cost, models) = (None, Some(cost - told), Some(models));
        self.statement.reported.push(Reported { place, id, cost, total, models, tokens_are_new: true });
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
            let same = match (self.statement.said[at].id, id) {
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
        let is_it = |said: &Said| said.agent == agent && said.id == id && said.count.is_none();
        let recent = self.statement.said.iter().enumerate().rev().take(RECENT);
        match recent.into_iter().find(|(_, said)| is_it(said)) {
            Some((at, _)) => at,
            None => self.begin(event, agent, id),
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
            cost: None,
            early: false,
            tools: Vec::new(),
            covered: false,
            paid_by: None,
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

    /// A call that was denied did not fail.
    fn deny(&mut self, denials: Option<&Raw<'_>>) {
        for denial in denials.iter().flat_map(|denials| denials.json().items()) {
            let call = denial.get("tool_use_id").and_then(Json::as_str);
            if let Some(at) = call.and_then(|call| self.failed.remove(&digest(&call.decode()))) {
                self.statement.calls[at].failed = false;
            }
        }
    }

    fn report(
        &mut self,
        event: &Event<'_>,
        cost: Option<f64>,
        total: Option<f64>,
        models: Option<&[(String, ModelTokens)]>,
        notes: &[Note],
    ) {
        let place = self.place(event);
        let id = event.uuid.as_deref().map(digest);
        let names = &mut self.statement.models;
        let mut number = |(name, spent): &(String, ModelTokens)| {
            (names.number(name), Count::of_model(spent), spent.cost_usd)
        };
        let has = |reason: &str, field: &str| {
            notes.iter().any(|note| note.reason == reason && (field.is_empty() || note.field == field))
        };
        let models = models.filter(|_| !has(SUMMED, "models"));
        let models: Option<Vec<_>> = models.map(|models| models.iter().map(&mut number).collect());
        let tokens_are_new = has(SUMMED, "");
        let mut models = models;
        let said = &mut self.statement.said;
        for said in &mut said[self.uncovered..] {
            match &mut models {
                // Messages of a transcript tell their tokens in full, on their days; the report adds what it has beyond.
                Some(models) if tokens_are_new => {
                    let count = said.count.unwrap_or_default();
                    let its_own = models.iter_mut().find(|(model, ..)| Some(*model) == said.model);
                    its_own.into_iter().for_each(|(_, reported, _)| *reported = reported.minus(&count));
                }
                Some(_) => said.covered = true,
                None => {}
            }
        }
        self.in_totals = models.is_some() && tokens_are_new;
        if models.is_some() || tokens_are_new {
            self.uncovered = said.len();
        }
        if cost.is_some() {
            let report = Some(self.statement.reported.len());
            said[self.unpaid..].iter_mut().for_each(|said| said.paid_by = report);
            self.unpaid = said.len();
        }
        if cost.is_some() || models.is_some() {
            self.statement.reported.push(Reported { place, id, cost, total, models, tokens_are_new });
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
        self.now = time.map(Timestamp::as_millisecond).or(self.now);
        let now = self.now?;
        self.statement.began.get_or_insert(now);
        self.day.of(now)
    }
}
