//! Who was at work from when to when: the models, and the tools they called.
//!
//! A model's time begins with what gave it the floor, a prompt or the answer of a tool, and ends with the last part
//! of its message. A tool's time is that from its call to its answer.

use crate::totals::Clock;
use std::collections::HashMap;
use unspool::event::{Event, Role, What};

/// Some work, in milliseconds on the clock of the session.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Interval {
    /// `main`, or the call that started the sub-agent.
    pub(crate) agent: String,
    /// What was at work.
    pub(crate) work: Work,
    /// The model or the tool; empty where it is not known.
    pub(crate) name: String,
    /// The call; none for a model.
    pub(crate) call: Option<String>,
    /// When it began.
    pub(crate) from: i64,
    /// When it ended.
    pub(crate) to: i64,
}

/// What was at work.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub(crate) enum Work {
    /// A model.
    Model,
    /// A tool.
    Tool,
}

impl Interval {
    /// How long it took.
    pub(crate) fn ms(&self) -> u64 {
        u64::try_from(self.to.saturating_sub(self.from)).unwrap_or(0)
    }
}

/// Gathers intervals from the events of a session, in either grain.
#[derive(Default)]
pub(crate) struct Times {
    /// What has ended, in the order of its end.
    pub(crate) intervals: Vec<Interval>,
    /// Events that should have a time.
    pub(crate) events: u64,
    /// Those that have one.
    pub(crate) timed: u64,
    clock: Clock,
    answers: HashMap<String, usize>,
    agents: HashMap<String, Floor>,
    calls: HashMap<String, Open>,
}

/// Where an agent is.
#[derive(Default)]
struct Floor {
    /// Since when it is the model's turn.
    since: Option<i64>,
    /// The message that is being said.
    message: Option<Speech>,
    /// The last model that was named.
    model: String,
}

struct Speech {
    id: Option<String>,
    from: i64,
    to: i64,
}

/// A call without its answer.
struct Open {
    agent: String,
    name: String,
    from: i64,
}

impl Times {
    pub(crate) fn step(&mut self, event: &Event<'_>) {
        let counted = self.clock.is_counted();
        let now = self.clock.now(event);
        if counted != self.clock.is_counted() {
            let clock = std::mem::take(&mut self.clock);
            *self = Times { clock, ..Times::default() };
        }
        match &event.what {
            What::TurnStart { .. } | What::AgentStart { .. } | What::UserText { .. } => {
                self.floor(event, now)
            }
            What::Text { .. }
            | What::Thinking { .. }
            | What::TextDelta { .. }
            | What::ThinkingDelta { .. }
            | What::ToolInputDelta { .. }
            | What::Block { role: Role::Assistant, .. } => self.said(event, now),
            What::ToolUse { id, name, .. } => {
                self.said(event, now);
                self.called(event, now, id.as_deref(), name.as_deref());
            }
            What::ToolResult { id, name, duration_ms, .. } => {
                self.answered(event, now, id.as_deref(), name.as_deref(), *duration_ms);
                self.floor(event, now);
            }
            What::Usage { model, .. } => self.named(event, now, model.as_deref()),
            What::TurnComplete { .. } | What::AgentEnd { .. } => self.close(event.agent.as_str()),
            What::Finished { .. } => {
                let agents: Vec<String> = self.agents.keys().cloned().collect();
                agents.iter().for_each(|agent| self.close(agent));
            }
            _ => {}
        }
    }

    /// The first and the last moment of all work.
    pub(crate) fn span(&self) -> Option<(i64, i64)> {
        let from = self.intervals.iter().map(|interval| interval.from).min()?;
        let to = self.intervals.iter().map(|interval| interval.to).max()?;
        Some((from, to))
    }

    /// The time of a call that has ended.
    pub(crate) fn of_call(&self, call: &str) -> Option<&Interval> {
        self.answers.get(call).map(|at| &self.intervals[*at])
    }

    fn count(&mut self, now: Option<i64>) {
        self.events += 1;
        self.timed += u64::from(now.is_some());
    }

    fn floor(&mut self, event: &Event<'_>, now: Option<i64>) {
        self.close(event.agent.as_str());
        let agent = self.agent(event.agent.as_str());
        agent.since = now.or(agent.since);
    }

    /// A part of a message: it goes on, or a new one begins where the last one ended.
    fn said(&mut self, event: &Event<'_>, now: Option<i64>) {
        self.count(now);
        let Some(now) = now else { return };
        let id = event.place.as_ref().and_then(|place| place.message.as_deref());
        let agent = self.agent(event.agent.as_str());
        if let Some(speech) = agent.message.as_mut().filter(|speech| speech.id.as_deref() == id) {
            speech.to = speech.to.max(now);
            return;
        }
        self.close(event.agent.as_str());
        let agent = self.agent(event.agent.as_str());
        let from = agent.since.unwrap_or(now).min(now);
        agent.message = Some(Speech { id: id.map(str::to_owned), from, to: now });
    }

    fn named(&mut self, event: &Event<'_>, now: Option<i64>, model: Option<&str>) {
        let agent = self.agent(event.agent.as_str());
        agent.model = model.unwrap_or_default().to_owned();
        if let Some((speech, now)) = agent.message.as_mut().zip(now) {
            speech.to = speech.to.max(now);
        }
    }

    fn called(&mut self, event: &Event<'_>, now: Option<i64>, id: Option<&str>, name: Option<&str>) {
        let Some((id, from)) = id.zip(now) else { return };
        let (agent, name) = (event.agent.as_str().to_owned(), name.unwrap_or("?").to_owned());
        self.calls.insert(id.to_owned(), Open { agent, name, from });
    }

    fn answered(
        &mut self,
        event: &Event<'_>,
        now: Option<i64>,
        id: Option<&str>,
        name: Option<&str>,
        ms: Option<u64>,
    ) {
        self.count(now);
        let Some(to) = now else { return };
        let Some(id) = id else { return };
        let took = ms.and_then(|ms| i64::try_from(ms).ok());
        let open = self.calls.remove(id).or_else(|| {
            let (agent, name) = (event.agent.as_str().to_owned(), name?.to_owned());
            Some(Open { agent, name, from: to.saturating_sub(took?) })
        });
        let Some(Open { agent, name, from }) = open else { return };
        let call = Some(id.to_owned());
        self.answers.insert(id.to_owned(), self.intervals.len());
        self.intervals.push(Interval { agent, work: Work::Tool, name, call, from: from.min(to), to });
    }

    /// The model has said its message.
    fn close(&mut self, agent: &str) {
        let Some(floor) = self.agents.get_mut(agent) else { return };
        let Some(Speech { from, to, .. }) = floor.message.take() else { return };
        floor.since = Some(to);
        let (agent, name) = (agent.to_owned(), floor.model.clone());
        self.intervals.push(Interval { agent, work: Work::Model, name, call: None, from, to });
    }

    fn agent(&mut self, agent: &str) -> &mut Floor {
        if !self.agents.contains_key(agent) {
            self.agents.insert(agent.to_owned(), Floor::default());
        }
        self.agents.get_mut(agent).expect("it was put there")
    }
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
            r#"{"type":"assistant","uuid":"6","message":{"id":"m2","model":"opus","content":[{"type":"text","text":"Done"}]}}"#,
        ),
    ];

    fn told(clock: bool) -> Times {
        let mut times = Times::default();
        let mut spool = Spool::new(Grain::Blocks);
        for (at, line) in STREAM {
            if clock {
                spool.set_clock(at);
            }
            spool.feed(format!("{line}\n").as_bytes(), |event| times.step(&event));
        }
        spool.finish(|event| times.step(&event));
        times
    }

    #[test]
    fn models_have_the_floor_and_tools_run_side_by_side() {
        let times = told(true);
        let told: Vec<_> = times.intervals.iter().map(|it| (it.work, &*it.name, it.from, it.to)).collect();
        let expected = [
            (Work::Tool, "Read", 1100, 1500),
            (Work::Model, "opus", 0, 1100),
            (Work::Tool, "Bash", 1000, 3000),
            (Work::Model, "opus", 3000, 4000),
        ];
        assert_eq!(told, expected);
        assert_eq!((times.events, times.timed, times.span()), (6, 6, Some((0, 4000))));
    }

    #[test]
    fn without_times_there_is_nothing_to_tell() {
        let times = told(false);
        assert_eq!((times.intervals.len(), times.events, times.timed, times.span()), (0, 6, 0, None));
    }
}
