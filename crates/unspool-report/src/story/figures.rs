//! What was known of a session's figures, as it went on.

use super::Story;
use unspool::Event;

/// Figures of a session, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Figures {
    /// Money, once a turn has said what it cost, and if all have.
    pub usd: Option<f64>,
    /// Tokens of all models, in and out.
    pub tokens: u64,
    /// Turns that have begun.
    pub turns: u64,
    /// Sub-agents that have begun.
    pub agents: u64,
}

impl Story {
    /// Keeps the figures if this event has changed them; one moment has one of each.
    pub(super) fn reckon(&mut self, event: &Event<'_>) {
        self.cost.step(event);
        let spent = self.cost.now();
        let figures = Figures {
            usd: spent.all_usd().filter(|_| spent.turns > 0),
            tokens: spent.tokens(),
            turns: self.totals.turns,
            agents: self.totals.agents,
        };
        match self.figures.last_mut() {
            Some((_, last)) if *last == figures => {}
            Some((moment, last)) if *moment == self.now => *last = figures,
            _ => self.figures.push((self.now, figures)),
        }
    }
}
