//! What a run came to.

use std::fmt::Write;
use std::time::Duration;
use unspool::event::{Agent, ModelTokens, Raw, Tell, Tokens, What};
use unspool::{Event, Verdict};
use unspool_client::Ending;
use unspool_report::denials::Denied;
use unspool_report::words::count;

/// Of the program's last words, so many lines are shown.
const SHOWN: usize = 5;

/// What a run came to, from its events.
#[derive(Default)]
pub(crate) struct Outcome {
    verdict: Option<Verdict>,
    reason: String,
    answer: Option<String>,
    /// The answer is arriving in pieces.
    is_growing: bool,
    structured: Option<Raw<'static>>,
    session: Option<String>,
    turns: u64,
    cost_usd: Option<f64>,
    usage: Option<Tokens>,
    models: Option<Vec<(String, ModelTokens)>>,
    denials: Denied,
    duration_ms: u64,
    stderr: Option<String>,
    /// Claude Code ended by itself with work to do.
    owes: bool,
}

impl Outcome {
    pub(crate) fn step(&mut self, event: &Event<'_>) {
        if let Some(session) = &event.session {
            self.session = Some(session.to_string());
        }
        match &event.what {
            What::TurnStart { .. } => self.structured = None,
            What::Text { content, .. } if event.agent == Agent::Main => {
                self.answer = Some(content.to_string())
            }
            What::TextDelta { content, .. } if event.agent == Agent::Main => {
                if !std::mem::replace(&mut self.is_growing, true) {
                    self.answer = None;
                }
                self.answer.get_or_insert_default().push_str(content);
            }
            What::BlockEnd { .. } if event.agent == Agent::Main => self.is_growing = false,
            What::StructuredOutput { value, .. } => self.structured = value.clone().map(Tell::own),
            What::TurnComplete { result, usage, denials, .. } => {
                self.answer = result.as_ref().map(ToString::to_string).or(self.answer.take());
                if let Some(usage) = usage {
                    self.usage = Some(sum(self.usage.take(), usage));
                }
                self.denials.extend(denials.as_ref(), |_| {});
            }
            What::Finished { verdict, reason, turns, cost_usd, models, .. } => {
                self.verdict = Some(*verdict);
                self.reason = reason.to_string();
                self.turns = *turns;
                self.cost_usd = *cost_usd;
                self.models = models.clone();
            }
            _ => {}
        }
    }

    /// What only the end knows.
    pub(crate) fn end(&mut self, ending: Option<&Ending>, lasted: Duration) {
        self.duration_ms = u64::try_from(lasted.as_millis()).unwrap_or(u64::MAX);
        let Some(ending) = ending else { return };
        // Any other verdict says by itself that something is missing.
        if let (Verdict::Ok, Some(owed)) = (ending.verdict, &ending.owed) {
            self.owes = true;
            self.reason = format!("{}; Claude Code ended with {owed}", self.reason);
        }
        if matches!(ending.verdict, Verdict::NotStarted | Verdict::Truncated) {
            self.reason = format!("{} ({})", self.reason, ending.exit);
            self.stderr = Some(ending.stderr.clone()).filter(|words| !words.is_empty());
        }
    }

    /// Without a verdict it was torn down before it could be told.
    pub(crate) fn verdict(&self) -> Verdict {
        self.verdict.unwrap_or(Verdict::Truncated)
    }

    /// Why, in words.
    pub(crate) fn reason(&self) -> &str {
        &self.reason
    }

    pub(crate) fn is_ok(&self) -> bool {
        self.verdict() == Verdict::Ok
    }

    /// Whether something is to be said of the end that no event tells.
    pub(crate) fn has_last_words(&self) -> bool {
        self.stderr.is_some() || self.owes
    }

    /// Whether a call was not allowed, by Claude Code's own account.
    pub(crate) fn has_denials(&self) -> bool {
        !self.denials.is_empty()
    }

    /// `failed: max_turns: … (3 turns, $0.0123, 12.3 s)`, then the program's last words if it had any to say.
    pub(crate) fn sentence(&self) -> String {
        let mut facts = vec![count(self.turns, "turn")];
        facts.extend(self.cost_usd.map(|usd| format!("${usd:.4}")));
        if !self.denials.is_empty() {
            facts.push(format!("{} denied", count(self.denials.len() as u64, "call")));
        }
        facts.push(format!("{:.1} s", self.duration_ms as f64 / 1000.0));
        let mut sentence = format!("{}: {}", self.verdict(), self.reason);
        if self.turns > 0 {
            let _ = write!(sentence, " ({})", facts.join(", "));
        }
        let words: Vec<&str> = self.stderr.iter().flat_map(|words| words.lines()).collect();
        for line in &words[words.len().saturating_sub(SHOWN)..] {
            let _ = write!(sentence, "\n  {line}");
        }
        sentence
    }

    /// All of it as one object.
    pub(crate) fn json(&self) -> String {
        let verdict = self.verdict();
        let mut out = String::from("{");
        field(&mut out, "verdict", &verdict);
        field(&mut out, "code", &verdict.code());
        field(&mut out, "reason", &self.reason);
        field(&mut out, "answer", &self.answer);
        field(&mut out, "structured", &self.structured);
        field(&mut out, "session", &self.session);
        field(&mut out, "turns", &self.turns);
        field(&mut out, "cost_usd", &self.cost_usd);
        field(&mut out, "usage", &self.usage);
        field(&mut out, "models", &self.models);
        field(&mut out, "denials", &self.denials.to_vec());
        field(&mut out, "duration_ms", &self.duration_ms);
        field(&mut out, "stderr", &self.stderr);
        out.push('}');
        out
    }
}

fn field(out: &mut String, name: &str, value: &impl Tell) {
    if !out.ends_with('{') {
        out.push(',');
    }
    let _ = write!(out, "\"{name}\":");
    value.write(out);
}

fn sum(before: Option<Tokens>, more: &Tokens) -> Tokens {
    let Some(before) = before else { return more.clone() };
    let add = |one: Option<u64>, other: Option<u64>| Some(one?.saturating_add(other?));
    Tokens::new(
        add(before.input, more.input),
        add(before.output, more.output),
        add(before.cache_read, more.cache_read),
        add(before.cache_creation, more.cache_creation),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::{Grain, Spool};

    #[test]
    fn a_turn_without_a_result_has_its_last_words_in_either_grain() {
        let said = |words: &str, id: u8| {
            format!(
                r#"{{"type":"assistant","message":{{"id":"m{id}","content":[{{"type":"text","text":"{words}"}}]}},"session_id":"s"}}"#
            )
        };
        let stream = format!("{}\n{}\n", said("One.", 1), said("Two.", 2));
        for grain in [Grain::Blocks, Grain::Deltas] {
            let mut outcome = Outcome::default();
            Spool::read(grain, stream.as_bytes()).iter().for_each(|event| outcome.step(event));
            assert!(outcome.json().contains(r#""answer":"Two.""#), "{}", outcome.json());
        }
    }
}
