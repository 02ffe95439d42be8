//! Who had the floor from when to when, from the events of one session.
//!
//! A model has the floor from what gave it to it, a prompt or the last answer of a tool, to the end of its message.

use super::spans::Span;
use crate::totals::{Clock, Totals};
use crate::words::{Call, clean_line};
use std::collections::HashMap;
use unspool::event::{Cause, Event, Role, What};

/// Watches one session.
#[derive(Default)]
pub(crate) struct Watch {
    totals: Totals,
    clock: Clock,
    run: Run,
    numbers: HashMap<String, usize>,
    speakers: Vec<Speaker>,
    calls: HashMap<String, Open>,
    /// Since when nobody has asked for anything.
    idle: Option<i64>,
}

/// What was seen of one session.
#[derive(Default)]
pub(crate) struct Run {
    pub(crate) session: String,
    pub(crate) counts: Counts,
    /// Agents, the main one first, each behind the one that called it.
    pub(crate) agents: Vec<Row>,
    pub(crate) calls: Vec<Timed>,
    pub(crate) messages: Vec<Timed>,
    pub(crate) waits: Vec<Wait>,
    /// The first and the last time.
    pub(crate) ends: Option<Span>,
    /// Messages and answers that have a time, and those that have none.
    pub(crate) timed: u64,
    pub(crate) untimed: u64,
    /// The times are those of a clock that saw every line.
    pub(crate) by_clock: bool,
}

/// How often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) turns: u64,
    pub(crate) messages: u64,
    pub(crate) calls: u64,
    pub(crate) failures: u64,
    pub(crate) agents: u64,
    pub(crate) retries: u64,
    pub(crate) denials: u64,
    pub(crate) compactions: u64,
}

/// An agent, and what it did when.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) kind: String,
    pub(crate) parent: String,
    pub(crate) depth: usize,
    pub(crate) model: Vec<Span>,
    pub(crate) tools: Vec<Span>,
    /// Calls that another agent answered.
    pub(crate) agents: Vec<Span>,
    /// Turns of the main agent, or all of another one.
    pub(crate) durations: Vec<u64>,
    began: Option<i64>,
}

/// Something with a name that took its time, if that is known.
pub(crate) struct Timed {
    pub(crate) name: String,
    pub(crate) ms: Option<u64>,
    pub(crate) failed: bool,
}

/// Something that was waited for.
#[derive(Clone, Debug)]
pub(crate) struct Wait {
    pub(crate) what: String,
    pub(crate) agent: String,
    pub(crate) span: Span,
}

#[derive(Default)]
struct Speaker {
    floor: Option<i64>,
    message: Option<Message>,
    /// Of the message that is to begin, where its tokens were told before it.
    model: Option<String>,
}

struct Message {
    id: Option<String>,
    began: Option<i64>,
    ended: Option<i64>,
    model: Option<String>,
}

struct Open {
    agent: usize,
    call: Call,
    name: String,
    began: Option<i64>,
}

/// More of them say no more; kept lean while a session is long.
const WAITS: usize = 5;

impl Watch {
    pub(crate) fn step(&mut self, event: &Event<'_>) {
        self.totals.step(event);
        let now = self.clock.now(event);
        if self.clock.is_counted() != self.run.by_clock {
            self.run.by_clock = true;
            self.run.ends = None;
        }
        if let Some(now) = now {
            let (first, last) = self.run.ends.unwrap_or((now, now));
            self.run.ends = Some((first.min(now), last.max(now)));
        }
        match &event.what {
            What::TurnStart { cause, .. } => self.turn_begins(*cause, now),
            What::UserText { .. } => {
                let agent = self.agent(event.agent.as_str());
                self.prompted(agent, now);
            }
            What::Text { .. } | What::Thinking { .. } | What::Block { role: Role::Assistant, .. } => {
                self.part(event, now);
            }
            What::ToolUse { id, name, input, abandoned, .. } => {
                let agent = self.part(event, now);
                if let Some(id) = id.as_deref().filter(|_| *abandoned != Some(true)) {
                    let call = Call::of(name.as_deref(), input.as_ref());
                    let name = name.as_deref().unwrap_or("?").to_owned();
                    self.calls.insert(id.to_owned(), Open { agent, call, name, began: now });
                }
            }
            What::ToolResult { id, is_error, duration_ms, .. } => {
                self.see(now);
                let agent = self.agent(event.agent.as_str());
                self.speakers[agent].floor = self.speakers[agent].floor.max(now);
                if let Some((id, open)) = id.as_deref().and_then(|id| self.calls.remove_entry(id)) {
                    self.answered(&id, open, *is_error, *duration_ms, now);
                }
            }
            What::Usage { model, message_id, .. } => {
                self.run.counts.messages += 1;
                let agent = self.agent(event.agent.as_str());
                let speaker = &mut self.speakers[agent];
                let model = model.as_deref().map(str::to_owned);
                match &mut speaker.message {
                    Some(message) if message.id.as_deref() == message_id.as_deref() => {
                        message.model = model;
                        message.ended = message.ended.max(now);
                    }
                    _ => speaker.model = model,
                }
            }
            What::AgentStart { parent, kind, description, .. } => {
                let agent = self.agent(event.agent.as_str());
                self.prompted(agent, now);
                let row = &mut self.run.agents[agent];
                row.kind = clean_line(kind.as_deref().unwrap_or("sub-agent"));
                row.label = clean_line(description.as_deref().or(kind.as_deref()).unwrap_or("sub-agent"));
                row.parent = parent.to_string();
                row.began = row.began.or(now);
            }
            What::AgentEnd { duration_ms, .. } => {
                let agent = self.agent(event.agent.as_str());
                self.close(agent);
                let row = &mut self.run.agents[agent];
                let took = row.began.zip(now).and_then(|(from, to)| u64::try_from(to - from).ok());
                row.durations.extend(duration_ms.or(took));
            }
            What::TurnComplete { duration_ms, .. } => {
                let main = self.agent("main");
                self.close(main);
                self.speakers[main].floor = None;
                self.run.agents[main].durations.extend(*duration_ms);
                self.idle = now;
            }
            What::ApiRetry { .. } => self.run.counts.retries += 1,
            What::Compaction { .. } => self.run.counts.compactions += 1,
            _ => {}
        }
    }

    /// The session is over.
    pub(crate) fn finish(mut self) -> Run {
        for agent in 0..self.speakers.len() {
            self.close(agent);
        }
        let (totals, mut run) = (self.totals, self.run);
        run.session = totals.session.unwrap_or_default();
        let counts = &mut run.counts;
        counts.turns = totals.turns;
        counts.agents = totals.agents;
        counts.denials = totals.denials.len() as u64;
        counts.calls = totals.tools.values().map(|tool| tool.calls).sum();
        counts.failures = totals.tools.values().map(|tool| tool.failed).sum();
        run.calls.extend(self.calls.into_values().map(|open| Timed {
            name: open.name,
            ms: None,
            failed: false,
        }));
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
        self.numbers.insert(id.clone(), self.speakers.len());
        self.speakers.push(Speaker::default());
        self.run.agents.push(Row { kind: label.clone(), label, id, ..Row::default() });
        self.speakers.len() - 1
    }

    fn turn_begins(&mut self, cause: Cause, now: Option<i64>) {
        let main = self.agent("main");
        self.close(main);
        self.speakers[main].floor = now;
        if let Some((from, to)) = self.idle.take().zip(now)
            && cause != Cause::Task
        {
            self.wait("the next prompt".to_owned(), main, (from, to));
        }
    }

    fn prompted(&mut self, agent: usize, now: Option<i64>) {
        self.speakers[agent].floor = self.speakers[agent].floor.max(now);
    }

    fn see(&mut self, now: Option<i64>) {
        match now {
            Some(_) => self.run.timed += 1,
            None => self.run.untimed += 1,
        }
    }

    /// A part of a message; returns its agent.
    fn part(&mut self, event: &Event<'_>, now: Option<i64>) -> usize {
        self.see(now);
        let agent = self.agent(event.agent.as_str());
        let id = event.place.as_ref().and_then(|place| place.message.as_deref());
        let first = event.place.as_ref().is_none_or(|place| place.part == 0);
        match &mut self.speakers[agent].message {
            Some(message) if message.id.as_deref() == id && (id.is_some() || !first) => {
                message.ended = message.ended.max(now);
            }
            _ => {
                let before = self.close(agent);
                let speaker = &mut self.speakers[agent];
                let began = speaker.floor.take().or(before);
                let id = id.map(str::to_owned);
                speaker.message = Some(Message { id, began, ended: now, model: speaker.model.take() });
            }
        }
        agent
    }

    /// The agent's message is over. Returns when.
    fn close(&mut self, agent: usize) -> Option<i64> {
        let message = self.speakers[agent].message.take()?;
        let span = message.began.zip(message.ended).filter(|(from, to)| from <= to);
        let name = message.model.unwrap_or_else(|| "?".to_owned());
        // What the CLI says in place of a model took no model's time.
        if name == "<synthetic>" {
            return message.ended;
        }
        if let Some(span) = span {
            self.run.agents[agent].model.push(span);
            self.wait(clean_line(&name), agent, span);
        }
        let ms = span.map(|(from, to)| (to - from) as u64);
        self.run.messages.push(Timed { name: clean_line(&name), ms, failed: false });
        message.ended
    }

    fn answered(&mut self, id: &str, open: Open, failed: bool, ms: Option<u64>, now: Option<i64>) {
        let span = open.began.zip(now).filter(|(from, to)| from <= to);
        let ms = ms.or(span.map(|(from, to)| (to - from) as u64));
        self.run.calls.push(Timed { name: clean_line(&open.name), ms, failed });
        let Some(span) = span else { return };
        // Who waits for an agent waits for what that one does.
        if self.numbers.contains_key(id) {
            self.run.agents[open.agent].agents.push(span);
        } else {
            self.run.agents[open.agent].tools.push(span);
            self.wait(open.call.line(), open.agent, span);
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

/// Each agent behind the one that called it, and as deep as it is called.
fn in_order(rows: Vec<Row>) -> Vec<Row> {
    let (mut ordered, mut left): (Vec<Row>, Vec<Row>) = (Vec::new(), rows);
    if let Some(main) = left.iter().position(|row| row.id == "main") {
        let main = left.remove(main);
        ordered.push(main);
    }
    while !left.is_empty() {
        let called = |row: &Row| ordered.iter().any(|other| other.id == row.parent);
        let at = left.iter().position(called).unwrap_or(0);
        let mut row = left.remove(at);
        let parent = ordered.iter().position(|other| other.id == row.parent);
        row.depth = parent.map_or(1, |parent| ordered[parent].depth + 1);
        let behind = parent.map_or(ordered.len(), |parent| {
            let inside = |other: &&Row| other.depth > ordered[parent].depth;
            parent + 1 + ordered[parent + 1..].iter().take_while(inside).count()
        });
        ordered.insert(behind, row);
    }
    ordered
}
