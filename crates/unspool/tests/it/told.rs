//! What a stream tells, whatever the grain, and what a session ought to tell.

use crate::session::{Message, Part, Session, Step};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use unspool::event::{Event, PartKind, Raw, What};

/// A part: the message's id, the rank, the kind, the content.
type Shown = (Option<String>, u64, &'static str, Value);

/// The story of a session as far as every dialect tells it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Told {
    /// Per agent, in order.
    parts: BTreeMap<String, Vec<Shown>>,
    /// Per agent, in order: the call, the output, whether it failed.
    answers: BTreeMap<String, Vec<(String, String, bool)>>,
    user_texts: BTreeMap<String, Vec<String>>,
    /// The agents that began, and how often each ended.
    agents: BTreeMap<String, u64>,
    /// What each turn answered, and whether it was well.
    results: Vec<(Option<String>, bool)>,
    turns: u64,
    verdict: String,
    /// Parts that still grow; none in the end.
    open: BTreeSet<(String, Option<String>, u64)>,
}

impl Told {
    /// What ought to be told.
    pub(crate) fn expected(session: &Session) -> Self {
        let mut told = Told { verdict: "not_started".into(), ..Told::default() };
        for turn in &session.turns {
            told.turns += 1;
            told.user_text("main", &turn.prompt);
            for phase in &turn.phases {
                told.message("main", &phase.message);
                for (agent, steps) in phase.strands.iter().filter(|(_, steps)| !steps.is_empty()) {
                    told.agents.insert(agent.clone(), 1);
                    for step in steps {
                        match step {
                            Step::Said(message) => {
                                told.message(agent, message);
                                told.answered(agent, message);
                            }
                            Step::Told(words) => told.user_text(agent, words),
                        }
                    }
                }
                told.answered("main", &phase.message);
            }
            told.results.push((Some(turn.result()), !turn.failed));
            told.verdict = if turn.failed { "failed" } else { "ok" }.into();
        }
        told
    }

    /// Says where two stories part ways.
    pub(crate) fn difference(&self, expected: &Told) -> Option<String> {
        if self == expected {
            return None;
        }
        let agents = self.parts.keys().chain(expected.parts.keys());
        for agent in agents {
            let (ours, theirs) = (self.parts.get(agent), expected.parts.get(agent));
            if ours != theirs {
                return Some(format!("{agent} says\n{}\ninstead of\n{}", list(ours), list(theirs)));
            }
        }
        let rest = |told: &Told| {
            let Told { answers, user_texts, agents, results, turns, verdict, .. } = told;
            format!("{answers:?}\n{user_texts:?}\n{agents:?}\n{results:?}\n{turns} turns, {verdict}")
        };
        Some(format!("{}\ninstead of\n{}", rest(self), rest(expected)))
    }

    fn user_text(&mut self, agent: &str, words: &str) {
        self.user_texts.entry(agent.into()).or_default().push(words.into());
    }

    fn message(&mut self, agent: &str, message: &Message) {
        let told = message.parts.iter().filter(|part| !part.is_empty());
        for (rank, part) in (0..).zip(told) {
            let (kind, content) = match part {
                Part::Text(words) => ("text", json!(words)),
                Part::Thinking(words) => ("thinking", json!(words)),
                Part::Call { id, name, input, .. } => ("tool_use", json!([id, name, input])),
                Part::Other(raw) => ("block", raw.clone()),
            };
            let part = (Some(message.id.clone()), rank, kind, content);
            self.parts.entry(agent.into()).or_default().push(part);
        }
    }

    fn answered(&mut self, agent: &str, message: &Message) {
        for part in &message.parts {
            if let Part::Call { id, answer, failed, .. } = part {
                let answer = (id.clone(), answer.clone(), *failed);
                self.answers.entry(agent.into()).or_default().push(answer);
            }
        }
    }

    /// What was told. Deltas are joined, and a part that grew is one part.
    pub(crate) fn of(events: &[Event<'_>]) -> Self {
        let mut told = Told::default();
        for event in events {
            let agent = event.agent.as_str();
            match &event.what {
                What::Text { content, more, .. } => {
                    told.words(event, "text", content, Join::of(*more, Join::New));
                }
                What::Thinking { content, more, .. } => {
                    told.words(event, "thinking", content, Join::of(*more, Join::New));
                }
                What::TextDelta { content, more, .. } => {
                    told.words(event, "text", content, Join::of(*more, Join::Open));
                }
                What::ThinkingDelta { content, more, .. } => {
                    told.words(event, "thinking", content, Join::of(*more, Join::Open));
                }
                What::BlockEnd { kind, .. } => {
                    let open = told.open.remove(&key(event));
                    assert_eq!(open, *kind != PartKind::ToolUse, "closed, but not open: {event}");
                }
                What::ToolUse { id, name, input, .. } => {
                    told.part(event, "tool_use", json!([id, name, raw(input)]));
                }
                What::Block { raw: block, .. } => told.part(event, "block", raw(block)),
                What::ToolResult { id, output, is_error, .. } => {
                    let answer = (id.as_deref().unwrap_or("?").into(), output.to_string(), *is_error);
                    told.answers.entry(agent.into()).or_default().push(answer);
                }
                What::UserText { content, .. } => told.user_text(agent, content),
                What::AgentStart { .. } => drop(told.agents.insert(agent.into(), 0)),
                What::AgentEnd { .. } => *told.agents.entry(agent.into()).or_default() += 1,
                What::TurnComplete { result, ok, .. } => {
                    told.results.push((result.as_deref().map(str::to_owned), *ok));
                }
                What::Finished { verdict, turns, .. } => {
                    told.verdict = verdict.to_string();
                    told.turns = *turns;
                }
                What::Malformed { .. } | What::Unknown { .. } => panic!("not understood: {event}"),
                _ => {}
            }
        }
        told
    }

    fn part(&mut self, event: &Event<'_>, kind: &'static str, content: Value) {
        let place = event.place.as_ref().expect("a part has a place");
        let message = place.message.as_deref().map(str::to_owned);
        let parts = self.parts.entry(event.agent.as_str().into()).or_default();
        parts.push((message, place.part, kind, content));
    }

    fn words(&mut self, event: &Event<'_>, kind: &'static str, words: &str, join: Join) {
        let place = event.place.as_ref().expect("a part has a place");
        let joins = match join {
            Join::New => false,
            Join::Open => !self.open.insert(key(event)),
            Join::Grown => true,
        };
        let parts = self.parts.entry(event.agent.as_str().into()).or_default();
        let same = parts.iter_mut().rfind(|(message, rank, ..)| {
            (message.as_deref(), *rank) == (place.message.as_deref(), place.part)
        });
        match same {
            Some((_, _, was, Value::String(content))) if joins && *was == kind => content.push_str(words),
            _ if joins => panic!("nothing to join to: {event}"),
            _ => self.part(event, kind, json!(words)),
        }
    }

    /// Parts of a message in the order of their ranks, wherever they were told; messages keep their order.
    pub(crate) fn by_rank(mut self) -> Self {
        for parts in self.parts.values_mut() {
            let order: Vec<_> = parts.iter().map(|part| part.0.clone()).collect();
            parts.sort_by_key(|part| (order.iter().position(|id| *id == part.0), part.1));
        }
        self
    }

    /// Without the ids of messages, for dialects that have none.
    pub(crate) fn without_ids(mut self) -> Self {
        self.parts.values_mut().flatten().for_each(|part| part.0 = None);
        self
    }
}

/// Where words belong.
#[derive(Clone, Copy)]
enum Join {
    /// To a part of their own.
    New,
    /// To the part that is open there, or to a new one.
    Open,
    /// To the part that was told there.
    Grown,
}

impl Join {
    fn of(more: Option<bool>, otherwise: Join) -> Join {
        if more.is_some() { Join::Grown } else { otherwise }
    }
}

fn list(parts: Option<&Vec<impl std::fmt::Debug>>) -> String {
    parts.into_iter().flatten().map(|part| format!("{part:?}")).collect::<Vec<_>>().join("\n")
}

fn key(event: &Event<'_>) -> (String, Option<String>, u64) {
    let place = event.place.as_ref().expect("a part has a place");
    (event.agent.as_str().into(), place.message.as_deref().map(str::to_owned), place.part)
}

fn raw(raw: &Option<Raw<'_>>) -> Value {
    raw.as_ref().map_or(Value::Null, |raw| serde_json::from_str(&raw.text()).unwrap())
}
