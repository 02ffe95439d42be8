//! What both runs came to, figure by figure.

use super::untold::Untold;
use super::{Aspect, Take};
use crate::totals::Totals;
use unspool::event::Tokens;

/// A figure of both runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Figure {
    /// Its name, the same in JSON and for people.
    pub name: &'static str,
    /// What it belongs to; nothing if it counts for nothing, as times do.
    pub aspect: Option<Aspect>,
    /// What it is in each run; nothing where that run does not say it.
    pub values: [Option<Value>; 2],
    /// They are figures of different things: reported in one run, summed up from messages in the other.
    pub is_unlike: bool,
}

/// A value of a figure.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A word, a name, a path.
    Word(String),
    /// How many.
    Number(u64),
    /// Tokens.
    Tokens(u64),
    /// Dollars.
    Usd(f64),
    /// Milliseconds.
    Ms(u64),
}

impl Figure {
    /// Whether it is the same in both; nothing where that cannot be said.
    #[must_use]
    pub fn same(&self) -> Option<bool> {
        match &self.values {
            [None, None] => Some(true),
            [Some(one), Some(other)] if !self.is_unlike => Some(one.is(other)),
            _ => None,
        }
    }

    /// Whether neither run says it.
    pub(super) fn is_empty(&self) -> bool {
        self.values.iter().all(Option::is_none)
    }
}

impl Value {
    fn is(&self, other: &Value) -> bool {
        match (self, other) {
            // Sums of binary fractions end in noise.
            (Value::Usd(one), Value::Usd(other)) => (one - other).abs() < 1e-9,
            _ => self == other,
        }
    }
}

/// All figures, in the order in which people are told them.
pub(super) fn figures(takes: [&Take; 2]) -> Vec<Figure> {
    let totals = takes.map(|take| &take.story.totals);
    let of = |name, aspect, values| Figure { name, aspect: Some(aspect), values, is_unlike: false };
    let word = |name, aspect, get: fn(&Totals) -> Option<String>| {
        of(name, aspect, totals.map(|totals| get(totals).map(Value::Word)))
    };
    let number = |name, aspect, get: fn(&Take) -> u64| {
        of(name, aspect, takes.map(|take| Some(Value::Number(get(take)))))
    };
    let mut figures = vec![
        word("verdict", Aspect::Verdict, |totals| Some(totals.end.as_ref()?.verdict.to_string())),
        Figure {
            aspect: None,
            ..word("reason", Aspect::Verdict, |totals| Some(totals.end.as_ref()?.reason.clone()))
        },
        word("model", Aspect::Model, |totals| totals.model.clone()),
        word("version", Aspect::Version, |totals| totals.version.clone()),
        of("permission_mode", Aspect::Setup, takes.map(|take| take.mode.clone().map(Value::Word))),
        Figure { aspect: None, ..word("folder", Aspect::Setup, |totals| totals.cwd.clone()) },
        number("turns", Aspect::Turns, |take| take.story.totals.turns),
        number("calls", Aspect::Tools, |take| take.story.totals.tools.values().map(|tool| tool.calls).sum()),
        number("failures", Aspect::Tools, |take| {
            take.story.totals.tools.values().map(|tool| tool.failed).sum()
        }),
        of(
            "denials",
            Aspect::Tools,
            takes.map(|take| {
                take.tells_denials.then(|| Value::Number(take.story.totals.denials().len() as u64))
            }),
        ),
        number("files_changed", Aspect::Files, |take| take.story.totals.files.len() as u64),
    ];
    figures.extend(spent(takes));
    figures.extend(times(takes));
    figures
}

/// What calls came to cannot be said to differ where one run does not tell all of them; nor which failed, where it does not tell
/// which were denied.
pub(super) fn excuse(figures: &mut [Figure], takes: [&Take; 2], untold: &Untold) {
    let has_all = untold.has_all_calls();
    let tells = takes[0].tells_denials == takes[1].tells_denials;
    for figure in figures {
        let is_told = match figure.name {
            "calls" | "files_changed" => has_all,
            "failures" => has_all && tells,
            _ => true,
        };
        figure.is_unlike |= !is_told && figure.same() == Some(false);
    }
}

/// A kind of tokens.
pub(super) type Kind = (&'static str, fn(&Tokens) -> Option<u64>);

pub(super) const KINDS: [Kind; 4] = [
    ("input", |spent| spent.input),
    ("cache_read", |spent| spent.cache_read),
    ("cache_creation", |spent| spent.cache_creation),
    ("output", |spent| spent.output),
];

fn spent(takes: [&Take; 2]) -> Vec<Figure> {
    const NAMES: [&str; 4] = ["input_tokens", "cache_read_tokens", "cache_creation_tokens", "output_tokens"];
    let is_unlike = is_unlike(takes);
    let sum = |take: &Take, kind: Kind| {
        take.story.totals.models.tokens().as_ref().and_then(kind.1).map(Value::Tokens)
    };
    let tokens = NAMES.into_iter().zip(KINDS).map(|(name, kind)| Figure {
        name,
        aspect: Some(Aspect::Tokens),
        values: takes.map(|take| sum(take, kind)),
        is_unlike,
    });
    let cost = Figure {
        name: "cost_usd",
        aspect: Some(Aspect::Cost),
        values: takes.map(|take| take.story.totals.cost_usd.map(Value::Usd)),
        is_unlike: false,
    };
    tokens.chain([cost]).collect()
}

/// What is reported also has what no message tells, such as requests for a title.
pub(super) fn is_unlike(takes: [&Take; 2]) -> bool {
    takes[0].is_summed != takes[1].is_summed
}

/// Times are never the same twice, so they do not count.
fn times(takes: [&Take; 2]) -> Vec<Figure> {
    let ms = |name, get: fn(&Take) -> Option<u64>| Figure {
        name,
        aspect: None,
        values: takes.map(|take| get(take).map(Value::Ms)),
        is_unlike: false,
    };
    vec![
        ms("time_ms", |take| take.story.totals.duration_ms()),
        ms("model_ms", |take| waited(take, take.report.time.model)),
        ms("tools_ms", |take| waited(take, take.report.time.tools)),
        ms("waiting_ms", |take| waited(take, take.report.time.neither())),
    ]
}

fn waited(take: &Take, ms: u64) -> Option<u64> {
    (take.report.time.model + take.report.time.tools > 0).then_some(ms)
}
