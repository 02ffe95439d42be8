//! The bill: what each turn cost, from figures that the CLI keeps for the whole session.
//!
//! `total_cost_usd` and `modelUsage` grow over a session, `usage` is the turn's own and the main agent's
//! alone. Nothing here is summed over the lines of a message, which repeat their usage, and nothing is
//! guessed: a figure that was not reported is `None`, with a note that says so.

use crate::digest::ByText;
use crate::event::{ModelTokens, Note, Tokens, Words};
use crate::wire::{Map, ModelUsage, ResultLine, Usage};
use std::collections::{HashMap, VecDeque};

/// Sessions whose highest figures are remembered.
const SESSIONS: usize = 64;

/// Tokens and money by model, in the order the CLI lists them.
pub type Models = Vec<(String, ModelTokens)>;

/// The bill of a stream.
#[derive(Debug, Default)]
pub struct Tally {
    marks: VecDeque<Mark>,
    spent: Option<f64>,
    incomplete: bool,
    total: Option<f64>,
    models: Option<Models>,
    results: u64,
    /// Turns of a transcript since its last totals.
    unreported: u64,
    /// It has had totals.
    reported: bool,
    /// The stream shows that an older session goes on.
    resumed: bool,
}

/// The highest figures of a session.
#[derive(Debug, Default)]
struct Mark {
    session: String,
    cost: f64,
    models: Highest,
}

type Highest = HashMap<String, ModelTokens, ByText>;

/// The figures of a result, as the CLI reports them.
#[derive(Default)]
pub(crate) struct Figures {
    pub(crate) total_cost_usd: Option<f64>,
    pub(crate) total_cost: Option<f64>,
    pub(crate) cost_usd: Option<f64>,
    pub(crate) usage: Option<Tokens>,
    /// Of all agents, since the process began; none where nothing is listed, as for slash commands of 1.0.128 to
    /// 2.1.1, though the total goes on.
    pub(crate) models: Option<Models>,
    /// Of all agents, since the last result; 2.1.325 says it.
    pub(crate) since: Option<Models>,
}

/// What a turn of a transcript came to.
#[derive(Default)]
pub(crate) struct Summed {
    /// The sum of the main agent's messages.
    pub(crate) usage: Option<Tokens>,
    /// The sum of all messages.
    pub(crate) models: Models,
    /// The money that all messages cost, where each says it.
    pub(crate) cost_usd: Option<f64>,
    /// The totals of the session, where the CLI wrote them down.
    pub(crate) report: Option<(f64, Models)>,
    /// The transcript has messages of another session, which the totals include.
    pub(crate) has_copies: bool,
}

/// The figures of one turn.
#[derive(Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Bill {
    /// Money spent since the last result.
    pub cost_usd: Option<f64>,
    /// Money spent in this session.
    pub total_cost_usd: Option<f64>,
    /// Tokens of the main agent.
    pub usage: Option<Tokens>,
    /// Tokens and money of all agents since the last result.
    pub models: Option<Models>,
    /// Why a figure is missing or doubtful.
    pub notes: Vec<Note>,
}

impl Tally {
    /// The stream shows that an older session goes on.
    pub(crate) fn resumes(&mut self) {
        self.resumed = true;
    }

    /// Takes a result; returns the figures of its turn.
    pub fn step(&mut self, session: &str, result: &ResultLine<'_>) -> Bill {
        let figures = Figures {
            total_cost_usd: result.total_cost_usd,
            total_cost: result.total_cost,
            cost_usd: result.cost_usd,
            usage: result.usage.as_ref().map(|usage| tokens(&usage.read())),
            models: result.model_usage.as_ref().filter(|models| !models.is_empty()).map(models),
            since: result.model_usage_since_last_result.as_ref().map(models),
        };
        self.take(session, figures)
    }

    pub(crate) fn take(&mut self, session: &str, result: Figures) -> Bill {
        let mut bill = Bill {
            // 1.0.35 and later; `total_cost` from 0.2.118 to 1.0.0 (fixtures/old/thinktool-1.0.0); before, there is
            // one turn and its `cost_usd` (fixtures/old/hello-0.2.70).
            total_cost_usd: result.total_cost_usd.or(result.total_cost).or(result.cost_usd),
            usage: result.usage,
            ..Bill::default()
        };
        let first = self.results == 0;
        self.results += 1;
        let since = result.since;
        let reported = result.models;
        let mark = self.mark(session);

        bill.cost_usd = match (&since, result.total_cost_usd) {
            (Some(since), _) => since.iter().map(|(_, model)| model.cost_usd).sum(),
            // 2.0.77 reports 0 for a turn that failed before it began.
            (None, Some(total)) if total < mark.cost => {
                note(&mut bill.notes, "cost_usd", "total_below_highest");
                Some(0.0)
            }
            (None, Some(total)) => Some(total - mark.cost),
            (None, None) => result.cost_usd,
        }
        .map(cents);
        let exact = since.is_some();
        bill.models = since.or_else(|| reported.as_ref().map(|reported| growth(&mark.models, reported)));
        if let Some(total) = result.total_cost_usd {
            mark.cost = mark.cost.max(total);
        }
        if let Some(reported) = &reported {
            raise(&mut mark.models, reported);
        }

        // Totals of a resumed session begin at zero up to 2.1.257. 2.1.325 goes on from the old ones, and says what is
        // new (fixtures/cost/resume_2_resume-2.1.325). What versions between them do is not known.
        if !exact && first && self.resumed && bill.cost_usd.is_some() {
            note(&mut bill.notes, "cost_usd", "may_include_resumed");
        }
        bill.check();
        self.total = bill.total_cost_usd.or(self.total);
        self.models = reported.or_else(|| self.models.take());
        match bill.cost_usd {
            Some(cost) => self.spent = Some(cents(self.spent.unwrap_or(0.0) + cost)),
            None => self.incomplete = true,
        }
        bill
    }

    /// Takes a turn of a transcript. Its messages are summed up; the CLI writes down what it spent only when it
    /// ends, for all turns since it last did: 2.1.325 does (fixtures/transcripts/2.1.325-multi3), 2.1.112 does not.
    pub(crate) fn take_summed(&mut self, session: &str, turn: Summed) -> Bill {
        let Summed { usage, models, cost_usd, report, has_copies } = turn;
        self.unreported += 1;
        let mut bill = match report {
            Some((total, models)) => {
                let figures = Figures {
                    total_cost_usd: Some(total),
                    models: Some(models),
                    usage,
                    ..Figures::default()
                };
                let mut bill = self.take(session, figures);
                if self.unreported > 1 {
                    note(&mut bill.notes, "cost_usd", "includes_earlier_turns");
                }
                if has_copies && !std::mem::replace(&mut self.reported, true) {
                    note(&mut bill.notes, "cost_usd", "may_include_resumed");
                }
                // Whatever was missing before is in the totals.
                self.incomplete = false;
                self.unreported = 0;
                bill
            }
            None => {
                let summed = Figures { cost_usd, usage, since: Some(models), ..Figures::default() };
                self.take_messages(session, summed)
            }
        };
        if bill.usage.is_some() {
            note(&mut bill.notes, "usage", "summed_from_messages");
        }
        bill
    }

    /// Takes what messages say, which a later report says again.
    fn take_messages(&mut self, session: &str, summed: Figures) -> Bill {
        self.results += 1;
        let models = summed.since.unwrap_or_default();
        add(&mut self.mark(session).models, &models);
        let mut bill = Bill {
            cost_usd: summed.cost_usd.map(cents),
            usage: summed.usage,
            models: Some(models),
            ..Bill::default()
        };
        bill.check();
        note(&mut bill.notes, "models", "summed_from_messages");
        match bill.cost_usd {
            Some(cost) => self.spent = Some(cents(self.spent.unwrap_or(0.0) + cost)),
            None => self.incomplete = true,
        }
        bill
    }

    /// The figures of the whole stream: what the turns told here cost, and what the CLI last reported.
    #[must_use]
    pub fn finish(&self) -> Bill {
        let mut bill = Bill {
            cost_usd: self.spent,
            total_cost_usd: self.total,
            models: self.models.clone(),
            ..Bill::default()
        };
        let why = if self.results == 0 { "no_result" } else { "not_reported" };
        if self.spent.is_none() {
            note(&mut bill.notes, "cost_usd", why);
        } else if self.incomplete {
            note(&mut bill.notes, "cost_usd", "incomplete");
        }
        if self.total.is_none() {
            note(&mut bill.notes, "total_cost_usd", why);
        }
        match &self.models {
            None => note(&mut bill.notes, "models", why),
            Some(models) => note_models(models, &mut bill.notes),
        }
        bill
    }

    /// The highest figures of a session. `/clear` gives a new id, whose totals begin at zero:
    /// fixtures/turns/slash_stream-2.1.325.
    fn mark(&mut self, session: &str) -> &mut Mark {
        let at = match self.marks.iter().position(|mark| mark.session == session) {
            Some(at) => at,
            None => {
                if self.marks.len() == SESSIONS {
                    self.marks.pop_front();
                }
                self.marks.push_back(Mark { session: session.to_owned(), ..Mark::default() });
                self.marks.len() - 1
            }
        };
        &mut self.marks[at]
    }
}

impl Bill {
    /// Every figure that is missing gets its note, and figures that contradict each other too.
    fn check(&mut self) {
        let notes = &mut self.notes;
        if self.cost_usd.is_none() {
            note(notes, "cost_usd", "not_reported");
        }
        if self.total_cost_usd.is_none() {
            note(notes, "total_cost_usd", "not_reported");
        }
        match &self.usage {
            None => note(notes, "usage", "not_reported"),
            Some(usage) => note_tokens(|| "usage".to_owned(), usage, notes),
        }
        let Some(models) = &self.models else { return note(notes, "models", "not_reported") };
        note_models(models, notes);
        // 2.1.197: a result that was held back has the total of its turn's end, and the models of now.
        let sum: Option<f64> = models.iter().map(|(_, model)| model.cost_usd).sum();
        if let (Some(cost), Some(sum)) = (self.cost_usd, sum)
            && (cost - sum).abs() > 1e-6
        {
            note(notes, "cost_usd", "cost_models_disagree");
        }
    }
}

fn note(notes: &mut Vec<Note>, field: impl Into<Words<'static>>, reason: &'static str) {
    notes.push(Note::new(field, reason));
}

fn note_tokens(name: impl Fn() -> String, tokens: &Tokens, notes: &mut Vec<Note>) {
    let Tokens { input, output, cache_read, cache_creation, total_input, .. } = tokens;
    let figures = [
        ("input", input),
        ("output", output),
        ("cache_read", cache_read),
        ("cache_creation", cache_creation),
        ("total_input", total_input),
    ];
    for (field, _) in figures.iter().filter(|(_, figure)| figure.is_none()) {
        note(notes, format!("{}.{field}", name()), "not_reported");
    }
}

fn note_models(models: &Models, notes: &mut Vec<Note>) {
    for (name, model) in models {
        let name = || format!("models.{name}");
        note_tokens(name, &model.tokens(), notes);
        for (field, missing) in [
            ("cost_usd", model.cost_usd.is_none()),
            ("context_window", model.context_window.is_none()),
            ("max_output", model.max_output.is_none()),
        ] {
            if missing {
                note(notes, format!("{}.{field}", name()), "not_reported");
            }
        }
    }
}

/// The tokens of a message or a turn.
#[must_use]
pub fn tokens(usage: &Usage<'_>) -> Tokens {
    let Usage { input_tokens, output_tokens, .. } = *usage;
    Tokens::new(input_tokens, output_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens)
}

fn models(models: &Map<'_, ModelUsage<'_>>) -> Models {
    models.iter().map(|(name, usage)| (name.to_string(), model(&usage))).collect()
}

fn model(usage: &ModelUsage<'_>) -> ModelTokens {
    let ModelUsage { input_tokens, output_tokens, .. } = *usage;
    let (read, creation) = (usage.cache_read_input_tokens, usage.cache_creation_input_tokens);
    let tokens = Tokens::new(input_tokens, output_tokens, read, creation);
    ModelTokens::new(&tokens, usage.cost_usd, usage.context_window, usage.max_output_tokens)
}

/// What was added since the highest figures; models that added nothing are left out.
fn growth(highest: &Highest, now: &Models) -> Models {
    let grown = |(name, now): &(String, ModelTokens)| {
        let zero = ModelTokens::default();
        let was = highest.get(name).unwrap_or(&zero);
        let count = |now: Option<u64>, was: Option<u64>| now.map(|now| now.saturating_sub(was.unwrap_or(0)));
        let tokens = Tokens::new(
            count(now.input, was.input),
            count(now.output, was.output),
            count(now.cache_read, was.cache_read),
            count(now.cache_creation, was.cache_creation),
        );
        let cost_usd = now.cost_usd.map(|now| cents((now - was.cost_usd.unwrap_or(0.0)).max(0.0)));
        let grown = ModelTokens::new(&tokens, cost_usd, now.context_window, now.max_output);
        let something = [grown.input, grown.output, grown.cache_read, grown.cache_creation]
            .iter()
            .any(|figure| figure.is_some_and(|figure| figure > 0))
            || grown.cost_usd.is_some_and(|cost| cost > 0.0);
        something.then(|| (name.clone(), grown))
    };
    now.iter().filter_map(grown).collect()
}

/// Adds what was spent to the highest figures.
fn add(highest: &mut Highest, spent: &Models) {
    let sum = |one: Option<u64>, other: Option<u64>| {
        other.map(|other| one.unwrap_or(0).saturating_add(other)).or(one)
    };
    for (name, spent) in spent {
        let was = highest.entry(name.clone()).or_default();
        was.input = sum(was.input, spent.input);
        was.output = sum(was.output, spent.output);
        was.cache_read = sum(was.cache_read, spent.cache_read);
        was.cache_creation = sum(was.cache_creation, spent.cache_creation);
    }
}

fn raise(highest: &mut Highest, now: &Models) {
    for (name, now) in now {
        match highest.get_mut(name) {
            None => {
                highest.insert(name.clone(), now.clone());
            }
            Some(was) => {
                was.input = was.input.max(now.input);
                was.output = was.output.max(now.output);
                was.cache_read = was.cache_read.max(now.cache_read);
                was.cache_creation = was.cache_creation.max(now.cache_creation);
                was.cost_usd = match (was.cost_usd, now.cost_usd) {
                    (Some(was), Some(now)) => Some(was.max(now)),
                    (was, now) => was.or(now),
                };
            }
        }
    }
}

/// Sums and differences of binary fractions end in noise; a millionth of a millionth of a dollar is none.
fn cents(money: f64) -> f64 {
    let rounded = (money * 1e12).round() / 1e12;
    // No sum of nothing is -0, and what is beyond all money stays as it is.
    if rounded.is_finite() { rounded + 0.0 } else { money }
}

#[cfg(test)]
mod tests;
