//! Turns: what belongs to which.
//!
//! A result may come while a later turn is under way (CLI 2.1.325, fixtures/agents/bgagent-2.1.325), and a prompt before
//! its turn begins. Both stand where their turn stands, not where they came.

use super::{Item, ItemPlace, Story, TurnEnd, Utterance};
use crate::totals::together;
use crate::words::clean_line;
use std::borrow::Cow;
use unspool::event::{Cause, ErrorKind, Event, Raw, What};
use unspool::json::Json;
use unspool::transcript::typed;

/// One prompt until its result.
pub struct Turn {
    /// Its number; none for what comes before the first turn.
    pub number: Option<u64>,
    /// Who began it.
    pub cause: Cause,
    /// What the main agent said and did in it: ranks among its items.
    pub items: Vec<usize>,
    /// Agents that the main agent started in it.
    pub agents: Vec<usize>,
    /// Whether it succeeded, once it is over.
    pub ok: Option<bool>,
    /// The moment with which it began.
    pub(crate) began: usize,
    /// The rank of the first item that came in it.
    first: usize,
    /// What its beginning gave as the prompt, as far as it was not told again.
    given: String,
}

impl Turn {
    /// What comes before the first turn.
    pub(super) fn before() -> Self {
        Turn::begin(None, Cause::Unknown, 0, 0)
    }

    fn begin(number: Option<u64>, cause: Cause, first: usize, began: usize) -> Self {
        let (items, agents) = Default::default();
        Turn { number, cause, items, agents, ok: None, began, first, given: String::new() }
    }
}

impl Story {
    pub(super) fn turn_start(&mut self, number: Option<u64>, cause: Cause, prompt: Option<&str>) {
        let first = self.agents[0].items.len();
        let mut turn = Turn::begin(number, cause, first, self.now);
        turn.items = std::mem::take(&mut self.waiting);
        let is_told = |rank: &usize| match &self.agents[0].items[*rank] {
            Item::Prompt(said) => prompt.is_some_and(|prompt| said.text.trim() == prompt.trim()),
            _ => false,
        };
        let prompt = prompt.filter(|_| !turn.items.iter().any(is_told));
        turn.given = prompt.unwrap_or_default().to_owned();
        self.turns.push(turn);
        if let Some(prompt) = prompt {
            self.push(0, Item::Prompt(Utterance { text: prompt.to_owned(), ..Utterance::default() }));
        }
    }

    /// Words of the user. A prompt that came before its turn waits for it, and one that is told twice stands once. What
    /// nobody has typed, such as the mark of an interruption, was put in.
    pub(super) fn user_text(&mut self, agent: usize, number: Option<u64>, mut said: Utterance) {
        match typed(&said.text).map(Cow::into_owned) {
            _ if agent != 0 || said.synthetic => {}
            Some(words) => said.text = words,
            None => said.synthetic = true,
        }
        let is_prompt = agent == 0 && !said.synthetic;
        if is_prompt && number.is_none() {
            let place = self.keep(0, Item::Prompt(said));
            return self.waiting.push(place.item);
        }
        let turn = self.turn_at(number);
        if is_prompt && let Some(rest) = self.turns[turn].given.trim_start().strip_prefix(said.text.trim()) {
            self.turns[turn].given = rest.to_owned();
            return;
        }
        self.push(agent, Item::Prompt(said));
    }

    /// A failure. Claude Code often says the same in words of its own before: those are the error then.
    pub(super) fn error(&mut self, number: Option<u64>, kind: ErrorKind, status: Option<u64>, text: &str) {
        let turn = self.turn_at(number);
        let said = self.said_in(&[turn], text);
        let is_synthetic =
            |rank: usize| matches!(&self.agents[0].items[rank], Item::Text(said) if said.synthetic);
        match said {
            Some(rank) if is_synthetic(rank) => {
                self.agents[0].items[rank] = Item::Error { kind, status, text: text.to_owned() };
            }
            Some(_) => self.push_in(number, Item::Error { kind, status, text: String::new() }),
            None => self.push_in(number, Item::Error { kind, status, text: text.to_owned() }),
        }
    }

    pub(super) fn turn_end(&mut self, event: &Event<'_>) {
        let What::TurnComplete { ok, result, stop_reason, cost_usd, models, duration_ms, merged, .. } =
            &event.what
        else {
            return;
        };
        let listed = self.totals.denials().len();
        let denials = listed - std::mem::replace(&mut self.listed, listed);
        let merged = merged.iter().flatten().map(|number| self.turn_at(Some(*number)));
        let turns: Vec<usize> = merged.chain([self.turn_at(event.turn)]).collect();
        let answer = result.as_deref().filter(|answer| *ok && !answer.trim().is_empty());
        let said = match answer {
            None if *ok && result.is_none() => self.last_words(&turns),
            answer => answer.and_then(|answer| self.said_in(&turns, answer)),
        };
        let is_told = said.is_some() || answer.is_some_and(|answer| self.is_structured(&turns, answer));
        let end = TurnEnd {
            number: event.turn,
            ok: *ok,
            answer: answer.filter(|_| !is_told).map(str::to_owned),
            said,
            cost_usd: *cost_usd,
            ms: *duration_ms,
            tokens: models.as_deref().map(together).and_then(|spent| spent.total_input.zip(spent.output)),
            stop: stop_reason.as_deref().map(clean_line),
            denials,
        };
        turns.iter().for_each(|turn| self.turns[*turn].ok = Some(*ok));
        self.push_in(event.turn, Item::TurnEnd(Box::new(end)));
    }

    /// Prompts that no turn has taken up, and the answer of a session that is over.
    pub(super) fn settle_turns(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.last_turn().items.extend(waiting);
        self.answer = self.find_answer();
    }

    /// The turn in which an item of the main agent came.
    #[must_use]
    pub fn turn_of(&self, rank: usize) -> usize {
        self.turns.partition_point(|turn| turn.first <= rank).saturating_sub(1)
    }

    /// The last turn, and where the words of its answer stand.
    fn find_answer(&self) -> Option<(usize, usize)> {
        let turn = self.turns.len() - 1;
        let items = &self.turns[turn].items;
        let find = |wanted: fn(&Item) -> bool| {
            items.iter().rev().copied().find(|it| wanted(&self.agents[0].items[*it]))
        };
        let end = find(|item| matches!(item, Item::TurnEnd(_)))?;
        let Item::TurnEnd(told) = &self.agents[0].items[end] else { return None };
        if !told.ok {
            return None;
        }
        let own = told.answer.is_some().then_some(end);
        let structured = find(|item| matches!(item, Item::Structured(_)));
        structured.or(told.said).or(own).map(|rank| (turn, rank))
    }

    pub(super) fn push_in(&mut self, number: Option<u64>, item: Item) {
        let turn = self.turn_at(number);
        let ItemPlace { item, .. } = self.keep(0, item);
        self.turns[turn].items.push(item);
    }

    pub(super) fn last_turn(&mut self) -> &mut Turn {
        let last = self.turns.len() - 1;
        &mut self.turns[last]
    }

    /// Turns are numbered from 1, and before the first stands what came before it.
    fn turn_at(&self, number: Option<u64>) -> usize {
        let at = number.and_then(|number| usize::try_from(number).ok());
        let is_it = |at: &usize| self.turns.get(*at).is_some_and(|turn| turn.number == number);
        at.filter(is_it).unwrap_or(self.turns.len() - 1)
    }

    /// Where the main agent has said this in these turns, last first.
    fn said_in(&self, turns: &[usize], words: &str) -> Option<usize> {
        let words = words.trim();
        let ranks = turns.iter().rev().flat_map(|turn| self.turns[*turn].items.iter().rev());
        ranks.copied().find(|rank| match &self.agents[0].items[*rank] {
            Item::Text(said) => !words.is_empty() && said.text.trim().ends_with(words),
            _ => false,
        })
    }

    /// The last words of the main agent in these turns: the answer of one that has no result, as those of CLI 0.2.70.
    fn last_words(&self, turns: &[usize]) -> Option<usize> {
        let mut ranks = turns.iter().rev().flat_map(|turn| self.turns[*turn].items.iter().rev());
        ranks.find(|rank| matches!(&self.agents[0].items[**rank], Item::Text(_))).copied()
    }

    /// Whether an answer is the text of the structured answer that stands there.
    fn is_structured(&self, turns: &[usize], answer: &str) -> bool {
        let Ok(json) = Json::new(answer) else { return false };
        let shown = self.json(&Raw::new(json));
        turns
            .iter()
            .flat_map(|turn| &self.turns[*turn].items)
            .any(|rank| matches!(&self.agents[0].items[*rank], Item::Structured(value) if *value == shown))
    }
}
