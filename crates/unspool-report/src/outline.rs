//! What is known of a session in one line.

use crate::cost::Cost;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::borrow::Cow;
use unspool::Verdict;
use unspool::event::{Agent, Event, What};
use unspool::transcript::typed;
use unspool::wire::Entry;
use unspool::wire::quirk::SYNTHETIC;

/// The longest prompt or title that is kept.
const LONGEST: usize = 500;

/// A session in one line.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Outline {
    /// Its id.
    pub session: Option<String>,
    /// The first time in it.
    pub began: Option<String>,
    /// The last time in it.
    pub ended: Option<String>,
    /// The folder that it began in.
    pub cwd: Option<String>,
    /// The version of Claude Code.
    pub version: Option<String>,
    /// What it is called.
    pub titles: Titles,
    /// Turns that began.
    pub turns: u64,
    /// Sub-agents that began.
    pub agents: u64,
    /// Money spent.
    pub cost_usd: Option<f64>,
    /// Tokens, of all agents.
    pub spent: Cost,
    /// In the order in which they were first used.
    pub models: Vec<String>,
    /// How it ended.
    pub verdict: Option<Verdict>,
}

/// What a session is called.
#[derive(Debug, Default)]
pub struct Titles {
    custom: Option<String>,
    ai: Option<String>,
    first_prompt: Option<String>,
    summary: Option<String>,
    last_prompt: Option<String>,
}

impl Titles {
    /// The best of them: a title, else the words by which people know their session. A summary may be that of the
    /// session from which this one was resumed.
    pub fn best(&self) -> Option<&str> {
        let Titles { custom, ai, first_prompt, summary, last_prompt } = self;
        [custom, ai, first_prompt, summary, last_prompt].into_iter().find_map(Option::as_deref)
    }
}

impl Outline {
    /// Whether anything was said in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.turns == 0 && self.models.is_empty()
    }

    /// The last time in it.
    #[must_use]
    pub fn when(&self) -> Option<Timestamp> {
        self.ended.as_deref().and_then(|time| time.parse().ok())
    }

    /// Takes an event.
    pub fn step(&mut self, event: &Event<'_>) {
        if let Some(time) = event.time.as_deref() {
            if self.began.as_deref().is_none_or(|began| is_before(time, began)) {
                self.began = Some(time.to_owned());
            }
            if self.ended.as_deref().is_none_or(|ended| is_before(ended, time)) {
                replace(&mut self.ended, time);
            }
        }
        if let Some(session) = event.session.as_deref().filter(|id| self.session.as_deref() != Some(id)) {
            replace(&mut self.session, session);
        }
        self.titles.step(event);
        self.spent.step(event);
        match &event.what {
            What::SessionMeta { cwd, version, .. } => {
                let keep = |old: &mut Option<String>, new: &Option<Cow<'_, str>>| {
                    new.as_deref().into_iter().for_each(|new| replace(old, new));
                };
                keep(&mut self.version, version);
                if self.cwd.is_none() {
                    keep(&mut self.cwd, cwd);
                }
            }
            What::AgentStart { .. } => self.agents += 1,
            What::Usage { model, .. } => {
                let model = model.as_deref().filter(|model| *model != SYNTHETIC);
                if let Some(model) = model.filter(|model| !self.models.iter().any(|known| known == model)) {
                    self.models.push(model.to_owned());
                }
            }
            What::Finished { verdict, turns, cost_usd, .. } => {
                self.verdict = Some(*verdict);
                self.turns = *turns;
                self.cost_usd = *cost_usd;
            }
            _ => {}
        }
    }

    /// The session as one object.
    #[must_use]
    pub fn json(&self) -> Value {
        let Titles { custom, ai, last_prompt, summary, first_prompt } = &self.titles;
        let spent = self.spent.now();
        json!({
            "session": self.session,
            "began": self.began,
            "ended": self.ended,
            "project": self.cwd,
            "version": self.version,
            "title": self.titles.best(),
            "first_prompt": first_prompt,
            "last_prompt": last_prompt,
            "custom_title": custom,
            "ai_title": ai,
            "summary": summary,
            "turns": self.turns,
            "agents": self.agents,
            "cost_usd": self.cost_usd,
            "tokens": { "total_input": spent.input, "output": spent.output },
            "models": self.models,
            "verdict": self.verdict.map(|verdict| verdict.to_string()),
        })
    }
}

impl Titles {
    /// Of a session of which only the first prompt is known.
    #[must_use]
    pub fn first(prompt: &str) -> Self {
        Titles { first_prompt: title(prompt), ..Titles::default() }
    }

    /// Takes an event.
    pub fn step(&mut self, event: &Event<'_>) {
        match &event.what {
            What::UserText { content, synthetic: false, .. }
                if event.agent == Agent::Main && self.first_prompt.is_none() && event.turn.is_some() =>
            {
                self.first_prompt = typed(content).and_then(|words| title(&words));
            }
            What::Notice { .. } => self.note(event.what.entry()),
            _ => {}
        }
    }

    fn note(&mut self, entry: Option<Entry<'_>>) {
        let (words, place) = match entry {
            Some(Entry::CustomTitle(entry)) => (entry.custom_title, &mut self.custom),
            Some(Entry::AiTitle(entry)) => (entry.ai_title, &mut self.ai),
            Some(Entry::LastPrompt(entry)) => (entry.last_prompt, &mut self.last_prompt),
            Some(Entry::Summary(entry)) => (entry.summary, &mut self.summary),
            _ => return,
        };
        if let Some(words) = words {
            *place = title(&words.decode()).or(place.take());
        }
    }
}

/// Words of bearable length; none if there are none.
fn title(words: &str) -> Option<String> {
    let words = words.trim_start();
    let end = words.char_indices().nth(LONGEST).map_or(words.len(), |(at, _)| at);
    Some(words[..end].trim().to_owned()).filter(|words| !words.is_empty())
}

/// Claude Code writes times so that they sort as they are; others have an offset.
fn is_before(one: &str, other: &str) -> bool {
    if one.ends_with('Z') && other.ends_with('Z') {
        return one < other;
    }
    let [one, other] = [one, other].map(|time| time.parse::<Timestamp>().ok());
    one.zip(other).is_some_and(|(one, other)| one < other)
}

/// Sets a text without new memory where there is enough.
fn replace(place: &mut Option<String>, text: &str) {
    let kept = place.get_or_insert_default();
    kept.clear();
    kept.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::Grain;
    use unspool::line::{End, Line};
    use unspool::transcript::Transcript;

    fn row(entries: &[Value]) -> Outline {
        let (mut row, mut transcript) = (Outline::default(), Transcript::new(Grain::Blocks));
        for (number, entry) in (1..).zip(entries) {
            let entry = entry.to_string();
            transcript.step(Line::whole(number, entry.as_bytes(), End::Newline), |event| row.step(&event));
        }
        transcript.finish(|event| row.step(&event));
        row
    }

    fn says(id: &str, time: &str, advisor: Option<u64>) -> Value {
        let own = json!({"type": "message", "input_tokens": 100, "output_tokens": 50});
        let advice = advisor.map(|tokens| {
            json!({"type": "advisor_message", "model": "y", "input_tokens": tokens, "output_tokens": 30})
        });
        let iterations: Vec<Value> = std::iter::once(own).chain(advice).collect();
        json!({"type": "assistant", "sessionId": "s", "uuid": id, "timestamp": time, "message": {"id": id, "model": "x",
            "stop_reason": "end_turn", "content": [{"type": "text", "text": "hi"}],
            "usage": {"input_tokens": 100, "output_tokens": 50, "iterations": iterations}}})
    }

    #[test]
    fn what_advisors_spent_counts() {
        let noon = "2026-01-02T12:00:00Z";
        let prompt = json!({"type": "user", "sessionId": "s", "uuid": "p", "timestamp": noon, "message": {"content": "go"}});
        for (advisor, tokens) in [(None, (200, 100)), (Some(300), (500, 130))] {
            let spent = row(&[prompt.clone(), says("a", noon, advisor), says("b", noon, None)]).spent.now();
            assert_eq!((spent.input, spent.output), tokens);
        }
    }

    #[test]
    fn times_with_an_offset_are_in_their_order() {
        let [first, second, third] =
            ["2026-01-02T14:00:00+02:00", "2026-01-02T12:30:00Z", "2026-01-02T11:00:00-02:00"];
        let row = row(&[says("a", second, None), says("b", third, None), says("c", first, None)]);
        assert_eq!((row.began.as_deref(), row.ended.as_deref()), (Some(first), Some(third)));
    }

    #[test]
    fn a_title_goes_before_the_first_prompt_and_that_before_the_last() {
        let some = |words: &str| Some(words.to_owned());
        let mut titles = Titles { last_prompt: some("last"), ..Titles::default() };
        assert_eq!(titles.best(), Some("last"));
        titles.summary = some("summary");
        titles.first_prompt = some("first");
        assert_eq!(titles.best(), Some("first"));
        titles.ai = some("ai");
        assert_eq!(titles.best(), Some("ai"));
        titles.custom = some("custom");
        assert_eq!(titles.best(), Some("custom"));
    }
}
