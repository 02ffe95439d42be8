//! What was done in one session, how often and how long, from its events.

use super::once::{Copies, Ids};
use crate::times::{Span, Times, Work, Worked};
use crate::totals::{ToolTotals, Totals};
use crate::words::{CallWords, clean_line};
use std::collections::HashMap;
use unspool::event::{Cause, Event, What};

/// Watches one session.
#[derive(Default)]
pub struct Watch<'c> {
    totals: Totals,
    times: Times,
    run: Run,
    numbers: HashMap<String, usize>,
    /// Open calls, in words.
    calls: HashMap<String, CallWords>,
    /// Since when nobody has asked for anything.
    idle: Option<i64>,
    /// What is not to be counted.
    copies: Option<&'c Copies>,
}

/// What was seen of one session.
#[derive(Default)]
pub struct Run {
    /// Its id.
    pub session: String,
    pub(crate) ids: Ids,
    pub(crate) counts: Counts,
    /// Agents, the main one first, each behind the one that called it.
    pub agents: Vec<Row>,
    /// Calls that are over.
    pub(crate) calls: Vec<Timed>,
    /// Tools, and how often they were called.
    pub tools: Vec<(String, ToolTotals)>,
    pub(crate) messages: Vec<Timed>,
    pub(crate) waits: Vec<Wait>,
    /// The first and the last time.
    pub ends: Option<Span>,
    /// Messages and answers that have a time, and those that have none.
    pub timed: u64,
    pub(crate) untimed: u64,
    /// The times are those of a clock that saw every line.
    pub by_clock: bool,
}

/// How often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub turns: u64,
    pub messages: u64,
    pub calls: u64,
    pub failures: u64,
    pub agents: u64,
    pub retries: u64,
    pub denials: u64,
    pub compactions: u64,
}

/// An agent, and what it did when.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub id: String,
    pub label: String,
    pub kind: String,
    pub parent: String,
    pub depth: usize,
    pub model: Vec<Span>,
    pub tools: Vec<Span>,
    /// Calls that another agent answered.
    pub agents: Vec<Span>,
    /// Turns of the main agent, or all of another one.
    pub durations: Vec<u64>,
    pub(super) began: Option<i64>,
}

/// Something with a name that took its time, if that is known.
pub(crate) struct Timed {
    pub name: String,
    pub ms: Option<u64>,
}

/// Something that was waited for.
#[derive(Clone, Debug)]
pub(crate) struct Wait {
    pub what: String,
    pub agent: String,
    pub span: Span,
}

/// More of them say no more; kept lean while a session is long.
const WAITS: usize = 5;

impl<'c> Watch<'c> {
    /// Counts nothing that another file has, too.
    #[must_use]
    pub fn without(copies: Option<&'c Copies>) -> Self {
        Watch { copies, ..Watch::default() }
    }

    /// Takes an event.
    pub fn step(&mut self, event: &Event<'_>) {
        if self.copies.is_some_and(|copies| copies.has(event)) {
            return;
        }
        self.run.ids.see(event);
        self.totals.step(event);
        let mut over = Vec::new();
        let now = self.times.step(event, |worked| over.push(worked));
        if self.times.by_clock() != self.run.by_clock {
            self.run.by_clock = true;
            self.run.ends = None;
        }
        if let Some(now) = now {
            let (first, last) = self.run.ends.unwrap_or((now, now));
            self.run.ends = Some((first.min(now), last.max(now)));
        }
        over.into_iter().for_each(|worked| self.over(worked));
        match &event.what {
            What::TurnStart { cause, .. } => self.turn_begins(*cause, now),
            What::Text { .. } | What::Thinking { .. } => drop(self.agent(event.agent.as_str())),
            What::ToolUse { id: Some(id), name, input, .. } => {
                self.agent(event.agent.as_str());
                self.calls.insert(id.to_string(), CallWords::of(name.as_deref(), input.as_ref()));
            }
            What::Usage { .. } => self.run.counts.messages += 1,
            What::AgentStart { parent, kind, description, .. } => {
                let agent = self.agent(event.agent.as_str());
                let row = &mut self.run.agents[agent];
                row.kind = clean_line(kind.as_deref().unwrap_or("sub-agent"));
                row.label = clean_line(description.as_deref().or(kind.as_deref()).unwrap_or("sub-agent"));
                row.parent = parent.to_string();
                row.began = row.began.or(now);
            }
            What::AgentEnd { duration_ms, .. } => {
                let agent = self.agent(event.agent.as_str());
                let row = &mut self.run.agents[agent];
                let took = row.began.zip(now).and_then(|(from, to)| u64::try_from(to - from).ok());
                row.durations.extend(duration_ms.or(took));
            }
            What::TurnComplete { duration_ms, .. } => {
                let main = self.agent("main");
                self.run.agents[main].durations.extend(*duration_ms);
                self.idle = now;
            }
            What::ApiRetry { .. } => self.run.counts.retries += 1,
            What::Compaction { .. } => self.run.counts.compactions += 1,
            _ => {}
        }
    }

    /// The session is over.
    pub fn finish(self) -> Run {
        let (totals, mut run) = (self.totals, self.run);
        run.session = totals.session.clone().unwrap_or_default();
        run.timed = self.times.timed;
        run.untimed = self.times.untimed;
        let counts = &mut run.counts;
        counts.messages += self.times.uncounted;
        counts.turns = totals.turns.saturating_sub(self.copies.map_or(0, Copies::turns));
        counts.agents = totals.agents;
        counts.denials = totals.denials().len() as u64;
        counts.calls = totals.tools.values().map(|tool| tool.calls).sum();
        counts.failures = totals.tools.values().map(|tool| tool.failed).sum();
        run.tools = totals.tools.into_iter().map(|(name, tool)| (clean_line(&name), tool)).collect();
        run.agents = in_order(run.agents);
        run
    }

    /// The number of an agent.
    fn agent(&mut self, id: &str) -> usize {
        if let Some(agent) = self.numbers.get(id) {
            return *agent;
        }
        let id = id.to_owned();
        let label = if id == "main" { id.clone() } else { "sub-agent".to_owned() };
        self.numbers.insert(id.clone(), self.run.agents.len());
        self.run.agents.push(Row { kind: label.clone(), label, id, ..Row::default() });
        self.run.agents.len() - 1
    }

    fn turn_begins(&mut self, cause: Cause, now: Option<i64>) {
        let main = self.agent("main");
        if let Some(span) = self.idle.take().zip(now)
            && cause != Cause::Task
        {
            self.wait("the next prompt".to_owned(), main, span);
        }
    }

    fn over(&mut self, worked: Worked) {
        let agent = self.agent(&worked.agent);
        let timed = Timed { name: clean_line(&worked.name), ms: worked.ms() };
        let call = worked.call.as_ref();
        let call = call.map(|id| (self.numbers.contains_key(id), self.calls.remove(id)));
        match worked.work {
            Work::Model => self.run.messages.push(timed),
            Work::Tool => self.run.calls.push(timed),
        }
        let Some(span) = worked.whole() else { return };
        let row = &mut self.run.agents[agent];
        match call {
            None => {
                row.model.push(span);
                self.wait(clean_line(&worked.name), agent, span);
            }
            // Who waits for an agent waits for what that one does.
            Some((true, _)) => row.agents.push(span),
            Some((false, call)) => {
                row.tools.push(span);
                self.wait(call.map_or(worked.name, |call| call.line()), agent, span);
            }
        }
    }

    fn wait(&mut self, what: String, agent: usize, span: Span) {
        let waits = &mut self.run.waits;
        waits.push(Wait { what, agent: self.run.agents[agent].id.clone(), span });
        longest(waits, WAITS);
    }
}

/// Keeps the longest.
pub(super) fn longest(waits: &mut Vec<Wait>, most: usize) {
    waits.sort_by_key(|wait| std::cmp::Reverse(wait.span.1 - wait.span.0));
    waits.truncate(most);
}

/// Each agent behind the one that called it, and as deep as it is called; the main agent first, and those whose caller
/// nobody knows last.
pub(super) fn in_order(rows: Vec<Row>) -> Vec<Row> {
    let numbers: HashMap<&str, usize> = rows.iter().enumerate().map(|(at, row)| (&*row.id, at)).collect();
    let mut called = vec![Vec::new(); rows.len()];
    let (mut main, mut orphans) = (Vec::new(), Vec::new());
    for (at, row) in rows.iter().enumerate() {
        match numbers.get(&*row.parent) {
            _ if row.id == "main" => main.push((at, 0)),
            Some(caller) => called[*caller].push(at),
            None => orphans.push((at, 1)),
        }
    }
    // Agents that are said to have called each other belong to nobody else.
    let all = (0..rows.len()).map(|at| (at, 1));
    let mut left: Vec<Option<Row>> = rows.into_iter().map(Some).collect();
    let mut ordered = Vec::new();
    for root in main.into_iter().chain(orphans).chain(all) {
        let mut waiting = vec![root];
        while let Some((at, depth)) = waiting.pop() {
            let Some(row) = left[at].take() else { continue };
            ordered.push(Row { depth, ..row });
            waiting.extend(called[at].iter().rev().map(|called| (*called, depth + 1)));
        }
    }
    ordered
}
