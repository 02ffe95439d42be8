//! The tokens of messages, told when a message is over.
//!
//! Each line of a message repeats its tokens, and the first lines may have been written before the last tokens
//! were known. So they are held until another message of the agent begins, or the agent or its turn ends.

use super::figures::{Advice, advice};
use crate::digest;
use crate::event::{AgentStatus, ModelTokens, Tokens, What};
use crate::json::{Chart, Str};
use crate::tally::{Models, Summed};
use crate::translate::Translator;
use crate::translate::memory::recent::Recent;
use crate::translate::memory::slot::Slot;
use crate::translate::read::fields;
use crate::translate::read::line::{Counts, Spoken};
use crate::translate::tell::Cx;
use crate::wire::StopReason;
use crate::wire::quirk::SYNTHETIC;
use std::borrow::Cow;
use std::collections::HashMap;

/// Messages whose tokens are known to be told.
const TOLD: usize = 4096;

/// Tokens that are held, and the sums of those that were told since the last turn.
#[derive(Debug)]
pub(super) struct Spent {
    /// By agent; the main one has no name.
    held: HashMap<Box<str>, Held>,
    told: Recent,
    models: Models,
    /// Of the main agent.
    main: Option<Tokens>,
    cost: Option<f64>,
    /// A message did not say what it cost.
    uncosted: bool,
}

/// The tokens of a message that may go on.
#[derive(Debug, Default)]
struct Held {
    message: Option<String>,
    request: Option<String>,
    model: Option<String>,
    counts: Counts,
    stop_reason: Option<String>,
    cost: Option<f64>,
    /// What advisors spent beside it, by model.
    advice: Vec<(String, Tokens)>,
    /// The line that said it last.
    at: At,
}

/// Where and when something stood.
#[derive(Debug, Default)]
pub(super) struct At {
    number: Option<u64>,
    uuid: Slot,
    time: Slot,
    clock: Option<u64>,
}

impl Default for Spent {
    fn default() -> Self {
        Spent {
            held: HashMap::new(),
            told: Recent::new(TOLD),
            models: Models::new(),
            main: None,
            cost: None,
            uncosted: false,
        }
    }
}

impl At {
    /// It is here now.
    pub(super) fn set(&mut self, cx: &Cx<'_, '_>, clock: Option<u64>) {
        self.number = cx.number();
        self.uuid.set(cx.uuid().map(Str::decode).as_deref());
        self.time.set(cx.time().map(Str::decode).as_deref());
        self.clock = clock;
    }

    /// Milliseconds since the transcript began.
    pub(super) fn clock(&self) -> Option<u64> {
        self.clock
    }
}

impl Translator {
    /// Tells something as of another line than this one.
    pub(super) fn tell_at(&mut self, cx: &mut Cx<'_, '_>, at: &At, agent: Option<&str>, what: What<'_>) {
        let mut there = Cx::new(at.number, Chart::EMPTY, cx.sink());
        there.bears(at.uuid.as_deref().map(Str::from), at.time.as_deref().map(Str::from));
        let clock = self.teller.clock();
        self.teller.set_clock(at.clock);
        there.with_kept(|there| self.teller.tell(there, agent, what));
        self.teller.set_clock(clock);
    }

    /// An entry tells the tokens of its message. Those of another message of the agent are told now.
    pub(super) fn hold_usage(
        &mut self,
        cx: &mut Cx<'_, '_>,
        spent: &mut Spent,
        agent: Option<&str>,
        message: &Spoken<'_>,
        entry: &fields::Entry,
    ) {
        let own = |text: Option<Str<'_>>| text.filter(|text| !text.is_empty()).map(|text| text.to_string());
        let key = agent.unwrap_or_default();
        let id = message.id.filter(|id| !id.is_empty());
        let goes_on = |held: &Held| held.message.as_deref().zip(id).is_some_and(|(held, id)| id == held);
        let mut known = spent.held.get(key).map(goes_on);
        if known == Some(false) {
            self.tell_held(cx, spent, agent);
            known = None;
        }
        let Some(counts) = Counts::of(&cx.chart(), message.usage) else { return };
        if known.is_none() {
            let (id, request) = (own(id), own(cx.chart().str(entry.request_id())));
            if spent.told.contains(hash(agent, &id, &request)) {
                return;
            }
            let held = Held { message: id, request, model: own(message.model), ..Held::default() };
            spent.held.insert(key.into(), held);
        }
        let Some(held) = spent.held.get_mut(key) else { return };
        held.counts = held.counts.highest(&counts);
        held.stop_reason = own(message.stop_reason).or(held.stop_reason.take());
        held.cost = cx.chart().f64(entry.cost_usd()).or(held.cost);
        let advice = cx.chart().value(message.usage).map(advice).unwrap_or_default();
        if !advice.is_empty() {
            let of_model = |it: Advice<'_>| Some((it.model?.to_string(), it.tokens));
            held.advice = advice.into_iter().filter_map(of_model).collect();
        }
        held.at.set(cx, self.teller.clock());
    }

    /// The message of an agent is over: its tokens are told.
    pub(super) fn tell_held(&mut self, cx: &mut Cx<'_, '_>, spent: &mut Spent, agent: Option<&str>) {
        let Some(held) = spent.held.remove(agent.unwrap_or_default()) else { return };
        if held.message.is_some() && !spent.told.insert(hash(agent, &held.message, &held.request)) {
            return;
        }
        let usage = held.counts.tokens();
        spent.add(agent, &held, &usage);
        let words = |text: &Option<String>| text.clone().map(Cow::Owned);
        let what = What::Usage {
            model: words(&held.model),
            usage,
            stop_reason: words(&held.stop_reason),
            is_final: held.stop_reason.is_some(),
            message_id: words(&held.message),
            request_id: words(&held.request),
            cache_creation_1h: held.counts.for_an_hour(),
        };
        self.tell_at(cx, &held.at, agent, what);
    }

    /// Tells what is held of the main agent and of those that have ended, or of all.
    pub(super) fn tell_all_held(&mut self, cx: &mut Cx<'_, '_>, spent: &mut Spent, all: bool) {
        let is_due = |agent: &str| all || !self.agents.is_live(agent);
        let mut agents: Vec<_> = spent.held.keys().filter(|agent| is_due(agent)).cloned().collect();
        agents.sort_unstable();
        for agent in &agents {
            self.tell_held(cx, spent, Some(&**agent).filter(|agent| !agent.is_empty()));
        }
    }
}

impl Spent {
    /// What messages came to since this was last asked; of the totals of the session nothing.
    pub(super) fn take_sums(&mut self) -> Summed {
        let cost_usd = self.cost.take().filter(|_| !std::mem::take(&mut self.uncosted));
        Summed {
            usage: self.main.take(),
            models: std::mem::take(&mut self.models),
            cost_usd,
            ..Summed::default()
        }
    }

    /// How an agent ended of which nothing more is heard.
    pub(super) fn status(&self, agent: &str) -> AgentStatus {
        let stop_reason = self.held.get(agent).and_then(|held| held.stop_reason.as_deref());
        match stop_reason.map(|reason| StopReason::from(Str::from(reason))) {
            Some(StopReason::EndTurn) => AgentStatus::Completed,
            _ => AgentStatus::Unknown,
        }
    }

    fn add(&mut self, agent: Option<&str>, held: &Held, usage: &Tokens) {
        if agent.is_none() {
            self.main = Some(match self.main.take() {
                None => usage.clone(),
                Some(sum) => sum + usage.clone(),
            });
        }
        let Some(model) = held.model.as_deref().filter(|model| *model != SYNTHETIC) else { return };
        match held.cost {
            Some(cost) => self.cost = Some(self.cost.unwrap_or(0.0) + cost),
            None => self.uncosted = true,
        }
        self.add_to(model, usage, held.cost);
        for (model, tokens) in &held.advice {
            // What the message cost includes it.
            self.add_to(model, tokens, held.cost.map(|_| 0.0));
        }
    }

    fn add_to(&mut self, model: &str, usage: &Tokens, cost: Option<f64>) {
        let at = self.models.iter().position(|(name, _)| name == model).unwrap_or_else(|| {
            let none = Tokens::new(Some(0), Some(0), Some(0), Some(0));
            self.models.push((model.to_owned(), ModelTokens::new(&none, Some(0.0), None, None)));
            self.models.len() - 1
        });
        let sum = &mut self.models[at].1;
        let mut tokens = sum.tokens();
        tokens += usage;
        let cost_usd = sum.cost_usd.zip(cost).map(|(sum, cost)| sum + cost);
        *sum = ModelTokens::new(&tokens, cost_usd, None, None);
    }
}

fn hash(agent: Option<&str>, message: &Option<String>, request: &Option<String>) -> u64 {
    let [agent, message, request] =
        [agent, message.as_deref(), request.as_deref()].map(|text| digest::hash_of(text.unwrap_or_default()));
    digest::join(digest::join(agent, message), request)
}

impl Counts {
    /// The higher figure of each kind.
    fn highest(&self, other: &Counts) -> Counts {
        Counts {
            input_tokens: self.input_tokens.max(other.input_tokens),
            output_tokens: self.output_tokens.max(other.output_tokens),
            cache_read_input_tokens: self.cache_read_input_tokens.max(other.cache_read_input_tokens),
            cache_creation_input_tokens: self
                .cache_creation_input_tokens
                .max(other.cache_creation_input_tokens),
            kept_for_an_hour: self.kept_for_an_hour.max(other.kept_for_an_hour),
        }
    }
}
