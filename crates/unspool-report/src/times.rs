//! Who was at work from when to when: the models, and the tools they called.
//!
//! A model has the floor from what gave it to it, a prompt or the answer of a tool, to the last part of its message. A
//! tool is at work from its call to its answer.

use crate::totals::Clock;
use std::collections::HashMap;
use unspool::event::{Event, Role, What};
use unspool::wire::quirk::SYNTHETIC;

/// From when to when, in milliseconds on the clock of the session.
pub type Span = (i64, i64);

/// What a span lasts.
#[must_use]
pub fn length(span: &Span) -> u64 {
    u64::try_from(span.1.saturating_sub(span.0)).unwrap_or(0)
}

/// Some work that is over.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Worked {
    /// `main`, or the call that started the sub-agent.
    pub agent: String,
    /// What it was.
    pub work: Work,
    /// The model or the tool; `?` where it is not known.
    pub name: String,
    /// The call; none for a model.
    pub call: Option<String>,
    /// When, as far as it is known.
    pub span: Option<Span>,
    /// It is not known when it began: the span is that of what was seen of it.
    pub is_part: bool,
    /// How long by its own account.
    pub told_ms: Option<u64>,
}

/// What was at work.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Work {
    /// A model.
    Model,
    /// A tool.
    Tool,
}

impl Worked {
    /// When it was, if all of it is known.
    #[must_use]
    pub fn whole(&self) -> Option<Span> {
        self.span.filter(|_| !self.is_part)
    }

    /// How long it took: what it says itself, else what the clock says.
    pub fn ms(&self) -> Option<u64> {
        self.told_ms.or(self.whole().as_ref().map(length))
    }
}

/// Watches the events of a session, in the grain `blocks`. What is over is handed out, and kept by whom it concerns.
#[derive(Default)]
pub struct Times {
    /// Parts of messages and answers that have a time.
    pub timed: u64,
    /// Those that have none.
    pub untimed: u64,
    /// Messages of models whose tokens nobody told.
    pub uncounted: u64,
    /// The model of the main agent, where a message does not name its own.
    model: Option<String>,
    clock: Clock,
    agents: HashMap<String, Speaker>,
    calls: HashMap<String, Open>,
}

/// Where an agent is.
#[derive(Default)]
struct Speaker {
    /// Since when it is the model's turn.
    floor: Option<i64>,
    message: Option<Message>,
    /// The model of the message that is to begin, where its tokens were told before it.
    told: Option<Option<String>>,
}

struct Message {
    id: Option<String>,
    began: Option<i64>,
    first: Option<i64>,
    ended: Option<i64>,
    model: Option<String>,
    /// Its tokens were told.
    counted: bool,
}

/// A call without its answer.
struct Open {
    agent: String,
    name: String,
    began: Option<i64>,
}

impl Times {
    /// Takes the next event, and hands out what is over with it. Returns when it happened.
    pub fn step(&mut self, event: &Event<'_>, mut over: impl FnMut(Worked)) -> Option<i64> {
        let now = self.clock.now(event);
        let agent = event.agent.as_str();
        match &event.what {
            What::TurnStart { .. } => {
                over_if(self.close(agent), &mut over);
                self.speaker(agent).floor = now;
            }
            What::SessionMeta { model: Some(model), .. } => self.model = Some(model.to_string()),
            What::UserText { .. } | What::AgentStart { .. } => self.give_floor(agent, now),
            What::Text { .. } | What::Thinking { .. } | What::Block { role: Role::Assistant, .. } => {
                over_if(self.part(event, now), &mut over);
            }
            What::ToolUse { id, name, abandoned, .. } => {
                over_if(self.part(event, now), &mut over);
                if let Some(id) = id.as_deref().filter(|_| *abandoned != Some(true)) {
                    let (agent, name) = (agent.to_owned(), name.as_deref().unwrap_or("?").to_owned());
                    self.calls.insert(id.to_owned(), Open { agent, name, began: now });
                }
            }
            What::ToolResult { id, duration_ms, .. } => {
                self.count(now);
                self.give_floor(agent, now);
                if let Some((call, open)) = id.as_deref().and_then(|id| self.calls.remove_entry(id)) {
                    let span = span(open.began, now);
                    let (agent, name, call) = (open.agent, open.name, Some(call));
                    over(Worked {
                        agent,
                        work: Work::Tool,
                        name,
                        call,
                        span,
                        is_part: false,
                        told_ms: *duration_ms,
                    });
                }
            }
            What::Usage { model, message_id, .. } => {
                self.name(agent, model.as_deref(), message_id.as_deref(), now);
            }
            What::AgentEnd { .. } => over_if(self.close(agent), &mut over),
            What::TurnComplete { .. } => {
                over_if(self.close(agent), &mut over);
                self.speaker(agent).floor = None;
            }
            What::Finished { .. } => {
                let mut agents: Vec<String> = self.agents.keys().cloned().collect();
                agents.sort_unstable();
                agents.iter().for_each(|agent| over_if(self.close(agent), &mut over));
            }
            _ => {}
        }
        now
    }

    /// Whether the times are those of a clock that saw every line.
    #[must_use]
    pub fn by_clock(&self) -> bool {
        self.clock.is_counted()
    }

    fn count(&mut self, now: Option<i64>) {
        match now {
            Some(_) => self.timed += 1,
            None => self.untimed += 1,
        }
    }

    fn give_floor(&mut self, agent: &str, now: Option<i64>) {
        let speaker = self.speaker(agent);
        speaker.floor = speaker.floor.max(now);
    }

    /// A part of a message: it goes on, or the one before is over.
    fn part(&mut self, event: &Event<'_>, now: Option<i64>) -> Option<Worked> {
        self.count(now);
        let agent = event.agent.as_str();
        let id = event.place.as_ref().and_then(|place| place.message.as_deref());
        let first = event.place.as_ref().is_none_or(|place| place.part == 0);
        match &mut self.speaker(agent).message {
            Some(message) if message.id.as_deref() == id && (id.is_some() || !first) => {
                message.ended = message.ended.max(now);
                None
            }
            before => {
                let before_ended = before.as_ref().and_then(|before| before.ended);
                let over = self.close(agent);
                let speaker = self.speaker(agent);
                let began = speaker.floor.take().or(before_ended);
                let (id, told) = (id.map(str::to_owned), speaker.told.take());
                let (counted, model) = (told.is_some(), told.flatten());
                speaker.message = Some(Message { id, began, first: now, ended: now, model, counted });
                over
            }
        }
    }

    fn name(&mut self, agent: &str, model: Option<&str>, message: Option<&str>, now: Option<i64>) {
        let speaker = self.speaker(agent);
        let model = model.map(str::to_owned);
        match &mut speaker.message {
            Some(said) if said.id.as_deref() == message => {
                said.model = model;
                said.counted = true;
                said.ended = said.ended.max(now);
            }
            _ => speaker.told = Some(model),
        }
    }

    /// The agent's message is over.
    fn close(&mut self, agent: &str) -> Option<Worked> {
        let message = self.agents.get_mut(agent)?.message.take()?;
        let by_session = || self.model.clone().filter(|_| agent == "main");
        let name = message.model.or_else(by_session).unwrap_or_else(|| "?".to_owned());
        // What the CLI says in place of a model took no model's time.
        if name == SYNTHETIC {
            return None;
        }
        self.uncounted += u64::from(!message.counted);
        let (agent, span) = (agent.to_owned(), span(message.began.or(message.first), message.ended));
        let is_part = message.began.is_none();
        Some(Worked { agent, work: Work::Model, name, call: None, span, is_part, told_ms: None })
    }

    fn speaker(&mut self, agent: &str) -> &mut Speaker {
        if !self.agents.contains_key(agent) {
            self.agents.insert(agent.to_owned(), Speaker::default());
        }
        self.agents.get_mut(agent).expect("it was put there")
    }
}

fn over_if(worked: Option<Worked>, over: &mut impl FnMut(Worked)) {
    if let Some(worked) = worked {
        over(worked);
    }
}

fn span(from: Option<i64>, to: Option<i64>) -> Option<Span> {
    from.zip(to).filter(|(from, to)| from <= to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::{Grain, Spool};

    const STREAM: [(u64, &str); 7] = [
        (0, r#"{"type":"system","subtype":"init","session_id":"s","model":"opus"}"#),
        (
            900,
            r#"{"type":"assistant","uuid":"1","message":{"id":"m1","model":"opus","content":[{"type":"text","text":"Look"}],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
        ),
        (
            1000,
            r#"{"type":"assistant","uuid":"2","message":{"id":"m1","model":"opus","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}"#,
        ),
        (
            1100,
            r#"{"type":"assistant","uuid":"3","message":{"id":"m1","model":"opus","content":[{"type":"tool_use","id":"t2","name":"Read","input":{}}]}}"#,
        ),
        (
            1500,
            r#"{"type":"user","uuid":"4","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"a"}]}}"#,
        ),
        (
            3000,
            r#"{"type":"user","uuid":"5","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"b"}]}}"#,
        ),
        (
            4000,
            r#"{"type":"assistant","uuid":"6","message":{"id":"m2","model":"opus","content":[{"type":"text","text":"Done"}],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
        ),
    ];

    fn told(clock: bool) -> (Times, Vec<Worked>) {
        let (mut times, mut over) = (Times::default(), Vec::new());
        let mut spool = Spool::new(Grain::Blocks);
        for (at, line) in STREAM {
            if clock {
                spool.set_clock(at);
            }
            let line = format!("{line}\n");
            spool.feed(line.as_bytes(), |event| {
                times.step(&event, |worked| over.push(worked));
            });
        }
        spool.finish(|event| {
            times.step(&event, |worked| over.push(worked));
        });
        (times, over)
    }

    #[test]
    fn models_have_the_floor_and_tools_run_side_by_side() {
        let (times, over) = told(true);
        let told: Vec<_> = over.iter().map(|it| (it.work, &*it.name, it.span)).collect();
        let expected = [
            (Work::Tool, "Read", Some((1100, 1500))),
            (Work::Tool, "Bash", Some((1000, 3000))),
            (Work::Model, "opus", Some((0, 1100))),
            (Work::Model, "opus", Some((3000, 4000))),
        ];
        assert_eq!(told, expected);
        assert_eq!((times.timed, times.untimed, times.by_clock()), (6, 0, true));
    }

    #[test]
    fn without_times_nothing_is_said_about_them() {
        let (times, over) = told(false);
        assert_eq!(over.len(), 4);
        assert!(over.iter().all(|worked| worked.span.is_none() && worked.ms().is_none()));
        assert_eq!((times.timed, times.untimed, times.by_clock()), (0, 6, false));
    }
}
