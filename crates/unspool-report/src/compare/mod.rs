//! Two runs side by side: what is the same, what differs, and what cannot be said.
//!
//! ```text
//! events --take--> Take                 a run: its story, figures, files and times, each from the fold that has it
//! two Takes --compare--> Comparison     figures, tools, files, models; parts brought together by agent and turn
//! Comparison --json, lines--> text
//! ```
//!
//! What is random by nature does not count ([`Take::exact`] counts it), and neither do times. What one run does not tell is no
//! difference: it is said.

mod align;
mod draw;
mod figures;
mod files;
mod json;
mod lines;
mod noise;
mod part_lines;
mod parts;
mod spell;
mod tables;
mod take;
#[cfg(test)]
mod tests;
mod untold;

pub use figures::{Figure, Value};
pub use json::{CONTRACT, json};
pub use lines::{Layout, lines};
pub use take::Take;

use crate::totals::ToolTotals;
use figures::{KINDS, excuse, figures, is_unlike};
use files::FileUse;
use noise::Origin;
use parts::{Agents, agents};
use std::collections::{BTreeMap, BTreeSet};
use unspool::event::ModelTokens;
use untold::Untold;

/// What two runs can differ in.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Aspect {
    /// How it ended.
    Verdict,
    /// The model of the main agent.
    Model,
    /// The version of Claude Code.
    Version,
    /// The permission mode, and the tools that are offered.
    Setup,
    /// How many turns there are.
    Turns,
    /// The last answer.
    Answer,
    /// What was said and done, part by part.
    Parts,
    /// How often each tool was called, failed and was denied.
    Tools,
    /// Which files were read and changed, and how they ended.
    Files,
    /// Tokens, by kind and model.
    Tokens,
    /// Money, by model.
    Cost,
}

/// Two runs, compared.
pub struct Comparison<'t> {
    takes: [&'t Take; 2],
    /// Every figure of both.
    pub figures: Vec<Figure>,
    tools: Vec<Both<'t, ToolTotals>>,
    files: Vec<Both<'t, FileUse>>,
    models: Vec<Both<'t, ModelTokens>>,
    agents: Vec<Agents<'t>>,
    untold: Untold,
    /// What counts.
    aspects: Vec<Aspect>,
}

/// Something with a name in both runs, or in one.
struct Both<'t, T> {
    pub name: &'t str,
    pub of: [Option<&'t T>; 2],
    /// Nothing where it cannot be said.
    pub same: Option<bool>,
}

impl Aspect {
    /// All of them, in the order in which people are told them.
    pub const ALL: [Aspect; 11] = [
        Aspect::Verdict,
        Aspect::Model,
        Aspect::Version,
        Aspect::Setup,
        Aspect::Turns,
        Aspect::Answer,
        Aspect::Parts,
        Aspect::Tools,
        Aspect::Files,
        Aspect::Tokens,
        Aspect::Cost,
    ];

    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Aspect::Verdict => "verdict",
            Aspect::Model => "model",
            Aspect::Version => "version",
            Aspect::Setup => "setup",
            Aspect::Turns => "turns",
            Aspect::Answer => "answer",
            Aspect::Parts => "parts",
            Aspect::Tools => "tools",
            Aspect::Files => "files",
            Aspect::Tokens => "tokens",
            Aspect::Cost => "cost",
        }
    }
}

impl<'t> Comparison<'t> {
    /// Compares two runs that are over.
    #[must_use]
    pub fn of(first: &'t Take, second: &'t Take) -> Self {
        let takes = [first, second];
        let mut untold = Untold::of(takes);
        let agents = agents(takes, &mut untold);
        let mut figures = figures(takes);
        excuse(&mut figures, takes, &untold);
        let (tools, files) = (tools(takes, &untold), files(takes, &untold));
        let models = models(takes);
        Comparison { takes, figures, tools, files, models, agents, untold, aspects: Aspect::ALL.to_vec() }
    }

    /// Only these count.
    #[must_use]
    pub fn only(mut self, aspects: &[Aspect]) -> Self {
        self.aspects = Aspect::ALL.into_iter().filter(|aspect| aspects.contains(aspect)).collect();
        self
    }

    /// Whether this counts.
    #[must_use]
    pub fn counts(&self, aspect: Aspect) -> bool {
        self.aspects.contains(&aspect)
    }

    /// Whether nothing that counts differs, as far as both runs tell it.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.differences().next().is_none()
    }

    /// What counts and differs.
    pub fn differences(&self) -> impl Iterator<Item = Aspect> + '_ {
        self.aspects.iter().copied().filter(|aspect| self.same(*aspect) == Some(false))
    }

    /// What counts, and of which cannot be said whether it is the same.
    pub fn unknowns(&self) -> impl Iterator<Item = Aspect> + '_ {
        self.aspects.iter().copied().filter(|aspect| self.same(*aspect).is_none())
    }

    /// Whether this is the same in both; nothing where that cannot be said.
    #[must_use]
    pub fn same(&self, aspect: Aspect) -> Option<bool> {
        let of = |figure: &&Figure| figure.aspect == Some(aspect);
        let figures = self.figures.iter().filter(of).map(Figure::same);
        let others: Box<dyn Iterator<Item = Option<bool>> + '_> = match aspect {
            Aspect::Setup => Box::new(std::iter::once(self.offered_same())),
            Aspect::Answer => Box::new(std::iter::once(self.answer_same())),
            Aspect::Parts => Box::new(self.agents.iter().map(|agents| Some(!agents.differs()))),
            Aspect::Tools => Box::new(self.tools.iter().map(|tool| tool.same)),
            Aspect::Files => Box::new(self.files.iter().map(|file| file.same)),
            Aspect::Tokens => Box::new(self.models.iter().map(|model| same_tokens(model, self.takes))),
            Aspect::Cost => Box::new(self.models.iter().map(same_cost)),
            _ => Box::new(std::iter::empty()),
        };
        all(figures.chain(others))
    }

    /// The last answers.
    fn answers(&self) -> [Option<&'t str>; 2] {
        self.takes.map(|take| take.story.totals.answer())
    }

    fn answer_same(&self) -> Option<bool> {
        let keys = self.takes.map(|take| {
            let answer = take.story.totals.answer()?;
            Some(take.noise.key(answer.trim(), Origin::Said))
        });
        match keys {
            [Some(one), Some(other)] => Some(one == other),
            [None, None] => Some(true),
            // A turn that did not get so far has none.
            _ => Some(false),
        }
    }

    /// Tools that only one of them offers the model.
    fn offered(&self) -> Option<[Vec<&'t str>; 2]> {
        let [one, other] = self.takes.map(|take| take.offered.as_ref());
        let beyond = |these: &'t BTreeSet<String>, those: &BTreeSet<String>| {
            these.iter().filter(|tool| !those.contains(*tool)).map(String::as_str).collect()
        };
        Some([beyond(one?, other?), beyond(other?, one?)])
    }

    fn offered_same(&self) -> Option<bool> {
        match self.takes.map(|take| take.offered.is_some()) {
            [false, false] => Some(true),
            _ => self.offered().map(|only| only.iter().all(Vec::is_empty)),
        }
    }
}

/// Whether all are the same: one that differs says more than one of which it is not known.
fn all(each: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for same in each {
        match same {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

/// What is there by name on either side.
fn both<'t, T>(
    maps: [BTreeMap<&'t str, &'t T>; 2],
    same: impl Fn([Option<&'t T>; 2]) -> Option<bool>,
) -> Vec<Both<'t, T>> {
    let names: BTreeSet<&str> = maps.iter().flat_map(|map| map.keys().copied()).collect();
    let one = |name: &'t str| {
        let of = [0, 1].map(|side| maps[side].get(name).copied());
        Both { name, of, same: same(of) }
    };
    names.into_iter().map(one).collect()
}

fn tools<'t>(takes: [&'t Take; 2], untold: &Untold) -> Vec<Both<'t, ToolTotals>> {
    let maps = takes.map(|take| take.story.totals.tools.iter().map(|(name, tool)| (&**name, tool)).collect());
    let tells = takes.map(|take| take.tells_denials) == [true; 2];
    both(maps, |of| {
        let [one, other] = of.map(|tool| tool.cloned().unwrap_or_default());
        let failed = (one.failed, one.denied) == (other.failed, other.denied);
        match (one.calls == other.calls, failed) {
            (true, true) => Some(true),
            (false, _) => untold.has_all_calls().then_some(false),
            (true, false) => (untold.has_all_calls() && tells).then_some(false),
        }
    })
}

fn files<'t>(takes: [&'t Take; 2], untold: &Untold) -> Vec<Both<'t, FileUse>> {
    let maps = takes.map(|take| take.files.all.iter().map(|(name, file)| (&**name, file)).collect());
    both(maps, |of| match of {
        [Some(one), Some(other)]
            if (one.read > 0, one.changed > 0) == (other.read > 0, other.changed > 0) =>
        {
            let key = |side: usize, end: &str| takes[side].noise.key(end, Origin::Said);
            match (&one.end, &other.end) {
                _ if one.changes == other.changes => Some(true),
                (Some(one), Some(other)) => Some(key(0, one) == key(1, other)),
                _ => None,
            }
        }
        _ => untold.has_all_calls().then_some(false),
    })
}

fn models<'t>(takes: [&'t Take; 2]) -> Vec<Both<'t, ModelTokens>> {
    let maps =
        takes.map(|take| take.story.totals.models.iter().map(|(name, spent)| (&**name, spent)).collect());
    both(maps, |_| None)
        .into_iter()
        .map(|model| Both { same: all([same_tokens(&model, takes), same_cost(&model)].into_iter()), ..model })
        .collect()
}

fn same_tokens(model: &Both<'_, ModelTokens>, takes: [&Take; 2]) -> Option<bool> {
    let has_figures = |take: &Take| !take.story.totals.models.is_empty();
    match model.of {
        _ if is_unlike(takes) || !takes.into_iter().all(has_figures) => None,
        [Some(one), Some(other)] => {
            all(KINDS.into_iter().map(|(_, kind)| match (kind(&one.tokens()), kind(&other.tokens())) {
                (Some(one), Some(other)) => Some(one == other),
                (None, None) => Some(true),
                _ => None,
            }))
        }
        _ => Some(false),
    }
}

fn same_cost(model: &Both<'_, ModelTokens>) -> Option<bool> {
    match model.of.map(|spent| spent.and_then(|spent| spent.cost_usd)) {
        [Some(one), Some(other)] => Some((one - other).abs() < 1e-9),
        [None, None] => Some(true),
        _ => None,
    }
}
