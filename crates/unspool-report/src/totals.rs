//! What a session came to: the figures that the closing summary, the page and the reports show.

use crate::answer::TurnAnswer;
use crate::denials::{Denials, denied_tool};
use crate::words::Change;
use jiff::Timestamp;
use std::collections::{BTreeMap, HashMap};
use unspool::Verdict;
use unspool::event::{Event, ModelTokens, Note, Raw, Tell, Tokens, What};
use unspool::wire::quirk::SYNTHETIC;
use unspool::wire::{PermissionDenial, Wire};

/// Sums over the events of one session. Memory grows with its open calls, its tools, the files it changes, and what the main agent
/// says in a turn.
#[derive(Default)]
pub struct Totals {
    /// The last session id.
    pub session: Option<String>,
    /// The last model of the main agent.
    pub model: Option<String>,
    /// The version of Claude Code.
    pub version: Option<String>,
    /// The folder.
    pub cwd: Option<String>,
    /// How it ended; none while it goes on.
    pub end: Option<End>,
    /// Turns that began.
    pub turns: u64,
    /// Sub-agents that began.
    pub agents: u64,
    /// What the turns say that they took, in sum.
    pub turns_ms: Option<u64>,
    /// From the first to the last time that is known, in milliseconds.
    pub span: Span,
    /// Money spent.
    pub cost_usd: Option<f64>,
    /// Tokens of the main agent, by what its turns report.
    pub usage: Option<Tokens>,
    /// Tokens and money by model, of all agents.
    pub models: ModelSums,
    /// Tokens by model that the messages tell of a turn without a report: it was cut, or goes on.
    pub unreported: ModelSums,
    /// Calls by tool.
    pub tools: BTreeMap<String, ToolTotals>,
    /// Files that were changed, by path.
    pub files: BTreeMap<String, Change>,
    /// Why figures are missing or doubtful.
    pub notes: Vec<Note>,
    answer: TurnAnswer,
    denials: Denials,
    open: HashMap<String, Open>,
    /// The tools of calls that failed, by call: a turn says at its end which of them were denied.
    failed: HashMap<String, String>,
    clock: Clock,
}

/// How a session ended.
#[non_exhaustive]
pub struct End {
    /// The verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// Lines that were not JSON objects.
    pub malformed: u64,
    /// Lines that nobody has described.
    pub unknown: u64,
    /// Tokens and money by model, where all of it was reported.
    pub models: Option<Vec<(String, ModelTokens)>>,
}

/// Calls of one tool.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolTotals {
    /// How many.
    pub calls: u64,
    /// How many failed; those that were not allowed are not among them.
    pub failed: u64,
    /// How many were not allowed.
    pub denied: u64,
    /// How long they took, those whose time is known.
    pub ms: u64,
    /// How many have a known time.
    pub timed: u64,
}

/// The first and the last time that was seen, in milliseconds; on the clock of the wire where it has one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    ends: Option<(i64, i64)>,
}

/// A call without its answer.
struct Open {
    name: String,
    /// Kept only for tools that change files.
    input: Option<Raw<'static>>,
    began: Option<i64>,
}

impl Totals {
    /// Takes an event.
    pub fn step(&mut self, event: &Event<'_>) {
        self.deny(event);
        self.answer.step(event);
        let (counted, now) = (self.clock.is_counted(), self.clock.now(event));
        if counted != self.clock.is_counted() {
            self.span = Span::default();
        }
        self.span.see(now);
        if let Some(session) = &event.session
            && self.session.as_deref() != Some(session)
        {
            self.session = Some(session.to_string());
        }
        match &event.what {
            What::SessionMeta { model, version, cwd, .. } => {
                let keep = |old: &mut Option<String>, new: &Option<std::borrow::Cow<'_, str>>| {
                    *old = new.as_deref().map(str::to_owned).or(old.take());
                };
                keep(&mut self.model, model);
                keep(&mut self.version, version);
                keep(&mut self.cwd, cwd);
            }
            What::TurnStart { .. } => self.turns += 1,
            What::Usage { model, usage, .. } if model.as_deref() != Some(SYNTHETIC) => {
                let spent = ModelTokens::new(usage, None, None, None);
                self.unreported.add(model.as_deref().unwrap_or("?"), &spent);
            }
            What::AgentStart { .. } => self.agents += 1,
            What::ToolUse { id, name, input, abandoned, .. } if *abandoned != Some(true) => {
                self.called(id.as_deref(), name.as_deref().unwrap_or("?"), input.as_ref(), now);
            }
            What::ToolResult { id, detail, is_error, duration_ms, .. } => {
                if let Some((id, open)) = id.as_deref().and_then(|id| self.open.remove_entry(id)) {
                    self.answered(id, open, *is_error, detail.as_ref(), *duration_ms, now);
                }
            }
            What::TurnComplete { duration_ms, usage, models, .. } => {
                self.turns_ms =
                    duration_ms.map(|ms| ms.saturating_add(self.turns_ms.unwrap_or(0))).or(self.turns_ms);
                if let Some(usage) = usage {
                    let sum = self.usage.as_ref().map(|sum| sum.complete_sum(usage));
                    self.usage = sum.or_else(|| Some(usage.clone()));
                }
                if let Some(models) = models {
                    models.iter().for_each(|(name, spent)| self.models.add(name, spent));
                    self.unreported = ModelSums::default();
                }
            }
            What::Finished {
                verdict, reason, turns, cost_usd, models, malformed, unknown, notes, ..
            } => {
                self.turns = *turns;
                self.cost_usd = *cost_usd;
                self.notes = notes.clone().unwrap_or_default();
                let (malformed, unknown, models) = (*malformed, *unknown, models.clone());
                self.end =
                    Some(End { verdict: *verdict, reason: reason.to_string(), malformed, unknown, models });
            }
            _ => {}
        }
    }

    /// Whether this call was not allowed, as far as it is known.
    #[must_use]
    pub fn is_denied(&self, call: &str) -> bool {
        self.denials.has(call)
    }

    /// The calls that were not allowed, each once, as results list them.
    #[must_use]
    pub fn denials(&self) -> &[Raw<'static>] {
        self.denials.listed()
    }

    /// The answer: that of the last turn that has answered anything.
    #[must_use]
    pub fn answer(&self) -> Option<&str> {
        self.answer.last()
    }

    /// The structured answer of the last turn.
    #[must_use]
    pub fn structured(&self) -> Option<&Raw<'static>> {
        self.answer.structured()
    }

    /// How long it took: by the clock where there is one, else what the turns say.
    #[must_use]
    pub fn duration_ms(&self) -> Option<u64> {
        self.span.ms().filter(|ms| *ms > 0).max(self.turns_ms)
    }

    fn called(&mut self, id: Option<&str>, name: &str, input: Option<&Raw<'_>>, now: Option<i64>) {
        match self.tools.get_mut(name) {
            Some(tool) => tool.calls += 1,
            None => drop(self.tools.insert(name.to_owned(), ToolTotals { calls: 1, ..Default::default() })),
        }
        let Some(id) = id else { return };
        let input = input.filter(|_| Change::is_made_by(name)).cloned().map(Tell::own);
        self.open.insert(id.to_owned(), Open { name: name.to_owned(), input, began: now });
    }

    fn answered(
        &mut self,
        id: String,
        open: Open,
        is_error: bool,
        detail: Option<&Raw<'_>>,
        ms: Option<u64>,
        now: Option<i64>,
    ) {
        let waited = || open.began.zip(now).and_then(|(from, to)| u64::try_from(to - from).ok());
        let tool = self.tools.entry(open.name.clone()).or_default();
        let has_failed = is_error && !self.denials.has(&id);
        tool.failed += u64::from(has_failed);
        if let Some(ms) = ms.or_else(waited) {
            tool.ms = tool.ms.saturating_add(ms);
            tool.timed += 1;
        }
        if let Some(change) = Change::of(&open.name, open.input.as_ref(), detail).filter(|_| !is_error) {
            match self.files.get_mut(&change.path) {
                Some(file) => {
                    file.added += change.added;
                    file.removed += change.removed;
                }
                None => drop(self.files.insert(change.path.clone(), change)),
            }
        }
        if has_failed {
            self.failed.insert(id, open.name);
        }
    }

    /// A call that failed may turn out to have been denied when its turn ends.
    fn deny(&mut self, event: &Event<'_>) {
        let Totals { denials, failed, tools, .. } = self;
        for denial in denials.step(event) {
            let call = PermissionDenial::of(denial.json()).and_then(|denial| denial.tool_use_id);
            let failing = call.and_then(|call| failed.remove(&*call.to_string()));
            let has_failed = failing.is_some();
            if let Some(tool) = tools.get_mut(&failing.unwrap_or_else(|| denied_tool(denial))) {
                tool.denied += 1;
                tool.failed -= u64::from(has_failed);
            }
        }
    }
}

/// What all these models spent: what one of them does not say is unknown.
pub(crate) fn together(models: &[(String, ModelTokens)]) -> Tokens {
    let none = Tokens::new(Some(0), Some(0), Some(0), Some(0));
    models.iter().fold(none, |sum, (_, spent)| sum.complete_sum(&spent.tokens()))
}

/// What was spent, by model, in the order in which the models were first named.
#[derive(Debug, Default)]
pub struct ModelSums {
    models: Vec<(String, ModelTokens)>,
    places: HashMap<String, usize>,
}

impl ModelSums {
    /// What all of them spent: what one of them does not say is unknown. None if there are none.
    #[must_use]
    pub fn tokens(&self) -> Option<Tokens> {
        (!self.is_empty()).then(|| together(self))
    }

    fn add(&mut self, name: &str, spent: &ModelTokens) {
        let Some(place) = self.places.get(name) else {
            self.places.insert(name.to_owned(), self.models.len());
            return self.models.push((name.to_owned(), spent.clone()));
        };
        let sum = &mut self.models[*place].1;
        let cost_usd = sum.cost_usd.zip(spent.cost_usd).map(|(one, other)| one + other);
        let tokens = sum.tokens().complete_sum(&spent.tokens());
        *sum = ModelTokens::new(&tokens, cost_usd, sum.context_window, sum.max_output);
    }
}

impl std::ops::Deref for ModelSums {
    type Target = [(String, ModelTokens)];

    fn deref(&self) -> &Self::Target {
        &self.models
    }
}

impl<'s> IntoIterator for &'s ModelSums {
    type Item = &'s (String, ModelTokens);
    type IntoIter = std::slice::Iter<'s, (String, ModelTokens)>;

    fn into_iter(self) -> Self::IntoIter {
        self.models.iter()
    }
}

impl Span {
    fn see(&mut self, now: Option<i64>) {
        let Some(now) = now else { return };
        self.ends = Some(self.ends.map_or((now, now), |(first, last)| (first.min(now), last.max(now))));
    }

    /// Its length.
    #[must_use]
    pub fn ms(self) -> Option<u64> {
        self.ends.and_then(|(first, last)| u64::try_from(last - first).ok())
    }
}

/// Tells when events happened, in milliseconds: by our own clock where there is one, else by the wire's times. The
/// two begin at different times, so they are never mixed: as soon as the clock has begun, it alone counts.
#[derive(Default)]
pub struct Clock {
    counted: bool,
}

impl Clock {
    /// When it happened, if that is known.
    pub fn now(&mut self, event: &Event<'_>) -> Option<i64> {
        self.counted |= event.at.is_some();
        if self.counted {
            return event.at.and_then(|at| i64::try_from(at).ok());
        }
        event.time.as_deref()?.parse::<Timestamp>().ok().map(Timestamp::as_millisecond)
    }

    /// Whether our own clock counts: times that were told before mean nothing any more.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.counted
    }
}
