//! What a run came to.

use crate::redact;
use std::fmt::Write;
use std::time::Duration;
use unspool::event::Tell;
use unspool::{Event, Verdict};
use unspool_client::Ending;
use unspool_report::totals::Totals;
use unspool_report::words::count;

/// Of the program's last words, so many lines are shown.
const SHOWN: usize = 5;

/// What a run came to.
#[derive(Default)]
pub(crate) struct Outcome {
    totals: Totals,
    /// What is to be said beyond the reason that the events give.
    beyond: String,
    duration_ms: u64,
    stderr: Option<String>,
    /// Claude Code ended by itself with work to do.
    owes: bool,
}

impl Outcome {
    pub(crate) fn step(&mut self, event: &Event<'_>) {
        self.totals.step(event);
    }

    /// What only the end knows.
    pub(crate) fn end(&mut self, ending: Option<&Ending>, lasted: Duration) {
        self.duration_ms = u64::try_from(lasted.as_millis()).unwrap_or(u64::MAX);
        let Some(ending) = ending else { return };
        // Any other verdict says by itself that something is missing.
        if let (Verdict::Ok, Some(owed)) = (ending.verdict, &ending.owed) {
            self.owes = true;
            self.beyond = format!("; Claude Code ended with {owed}");
        }
        if matches!(ending.verdict, Verdict::NotStarted | Verdict::Truncated) {
            self.beyond = format!(" ({})", ending.exit);
            self.stderr = Some(redact::text(&ending.stderr).into_owned()).filter(|words| !words.is_empty());
        }
    }

    /// Without a verdict it was torn down before it could be told.
    pub(crate) fn verdict(&self) -> Verdict {
        self.totals.end.as_ref().map_or(Verdict::Truncated, |end| end.verdict)
    }

    /// Why, in words.
    pub(crate) fn reason(&self) -> String {
        let reason = self.totals.end.as_ref().map_or("", |end| &end.reason);
        format!("{reason}{}", self.beyond)
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
        !self.totals.denials().is_empty()
    }

    /// Whether this call was not allowed, as far as it is known.
    pub(crate) fn is_denied(&self, call: &str) -> bool {
        self.totals.is_denied(call)
    }

    fn turns(&self) -> u64 {
        self.totals.end.as_ref().map_or(0, |_| self.totals.turns)
    }

    /// `failed: max_turns: … (3 turns, $0.0123, 12.3 s)`, then the program's last words if it had any to say.
    pub(crate) fn sentence(&self) -> String {
        let cost_usd = self.totals.cost_usd;
        let mut facts = vec![count(self.turns(), "turn")];
        facts.extend(cost_usd.map(|usd| format!("${usd:.4}")));
        let denied = self.totals.denials().len() as u64;
        if denied > 0 {
            facts.push(format!("{} denied", count(denied, "call")));
        }
        facts.push(format!("{:.1} s", self.duration_ms as f64 / 1000.0));
        let mut sentence = format!("{}: {}", self.verdict(), self.reason());
        if self.turns() > 0 {
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
        let Totals { session, end, cost_usd, usage, .. } = &self.totals;
        field(&mut out, "reason", &self.reason());
        field(&mut out, "answer", &self.totals.answer().map(str::to_owned));
        field(&mut out, "structured", &self.totals.structured().cloned());
        field(&mut out, "session", session);
        field(&mut out, "turns", &self.turns());
        field(&mut out, "cost_usd", cost_usd);
        field(&mut out, "usage", usage);
        field(&mut out, "models", &end.as_ref().and_then(|end| end.models.clone()));
        field(&mut out, "denials", &self.totals.denials().to_vec());
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
