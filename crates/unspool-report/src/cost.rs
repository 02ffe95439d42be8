//! What was spent, from events: so far, on average, and probably in the end.
//!
//! Results say what was spent since the result before, all agents included; what they say is summed, and nothing
//! else. Between results each message says its tokens once; they count until a result has the exact figures. A stream
//! that ends before its turn does never says what that turn cost. After a result without figures by model the messages still
//! count: the `usage` of CLI 1.0.35 and 1.0.60 has most requests twice (fixtures/control/perm_deny-1.0.60.ndjson).

use std::collections::BTreeSet;
use std::mem::take;
use std::ops::Add;
use unspool::Event;
use unspool::event::{Tokens, What};

/// Keeps count of what a stream costs.
///
/// ```
/// # use unspool::{Grain, Spool};
/// # let stream = br#"{"type":"result","subtype":"success","session_id":"s","total_cost_usd":0.1}
/// # "#;
/// # let mut spool = Spool::new(Grain::Blocks);
/// let mut cost = unspool_report::cost::Cost::new();
/// spool.feed(stream, |event| {
///     if let Some(now) = cost.step(&event) {
///         println!("{now}");
///     }
/// });
/// assert_eq!(cost.now().usd, 0.1);
/// assert_eq!(cost.after_turns(4), 0.5);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// What results have said.
    settled: Spending,
    /// What messages have said that are in no result.
    running: Tokens,
    /// How many messages came since the last result.
    requests: u64,
    /// Turns that have begun and have no result.
    open: BTreeSet<u64>,
}

/// What was spent. Agents of every kind count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Spending {
    /// Money, in dollars. Claude Code tells it at the end of a turn. Where some turns are [unpriced](Self::unpriced) that is the
    /// least it can be.
    pub usd: f64,
    /// All input, cached or not.
    pub input: u64,
    /// Output. While a turn is running that is the least it can be.
    pub output: u64,
    /// Input that was read from the cache.
    pub cache_read: u64,
    /// Input that was written to the cache.
    pub cache_creation: u64,
    /// Turns that have their result.
    pub turns: u64,
    /// Answers of a model; a turn has one for each round of tools.
    pub requests: u64,
    /// Turns of which Claude Code did not say what they cost: their results do not say it, or they have none and never will.
    pub unpriced: u64,
}

impl Cost {
    /// Nothing was spent yet.
    #[must_use]
    pub fn new() -> Self {
        Cost::default()
    }

    /// Takes note of an event. Returns what was spent so far if that has changed; at the end of the stream, what was spent in all.
    pub fn step(&mut self, event: &Event<'_>) -> Option<Spending> {
        match &event.what {
            What::Usage { usage, .. } => {
                self.running += usage;
                self.requests += 1;
            }
            What::TurnStart { .. } => {
                self.open.extend(event.turn);
                return None;
            }
            What::Finished { .. } => {
                let (tokens, requests) = (take(&mut self.running), take(&mut self.requests));
                let unpriced = take(&mut self.open).len().max(usize::from(requests > 0)) as u64;
                self.settle(Spending { requests, unpriced, ..Spending::of(&tokens) });
            }
            What::TurnComplete { cost_usd, models, merged, .. } => {
                let merged = merged.as_deref().unwrap_or_default();
                self.open.retain(|turn| Some(*turn) != event.turn && !merged.contains(turn));
                let mut tokens = Tokens::default();
                if let Some(models) = models {
                    tokens = models.iter().map(|(_, model)| model.tokens()).sum();
                    self.running = Tokens::default();
                }
                let (usd, unpriced) = (cost_usd.unwrap_or(0.0), u64::from(cost_usd.is_none()));
                let requests = take(&mut self.requests);
                self.settle(Spending { usd, unpriced, turns: 1, requests, ..Spending::of(&tokens) });
            }
            _ => return None,
        }
        Some(self.now())
    }

    /// What was spent so far.
    #[must_use]
    pub fn now(&self) -> Spending {
        self.settled + Spending { requests: self.requests, ..Spending::of(&self.running) }
    }

    fn settle(&mut self, spent: Spending) {
        self.settled = self.settled + spent;
    }

    /// What a turn cost, on average.
    #[must_use]
    pub fn per_turn(&self) -> f64 {
        share(self.settled.usd, self.settled.turns)
    }

    /// What an answer of a model cost, on average.
    #[must_use]
    pub fn per_request(&self) -> f64 {
        share(self.settled.usd, self.settled.requests)
    }

    /// What will have been spent after so many more turns, if they cost what turns have cost so far.
    #[must_use]
    pub fn after_turns(&self, turns: u64) -> f64 {
        self.settled.usd + self.per_turn() * turns as f64
    }

    /// What will have been spent after so many more answers of a model.
    #[must_use]
    pub fn after_requests(&self, requests: u64) -> f64 {
        self.settled.usd + self.per_request() * requests as f64
    }

    /// Counts from zero again.
    pub fn reset(&mut self) {
        *self = Cost::default();
    }
}

impl Spending {
    /// Money, in dollars, if all of it is known.
    ///
    /// ```
    /// # let spent = unspool_report::cost::Cost::new().now();
    /// match spent.all_usd() {
    ///     Some(usd) => println!("${usd:.4}"),
    ///     None => println!("${:.4} or more: {} turns did not say", spent.usd, spent.unpriced),
    /// }
    /// ```
    #[must_use]
    pub fn all_usd(&self) -> Option<f64> {
        (self.unpriced == 0).then_some(self.usd)
    }

    /// What a turn cost of which nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        Spending { unpriced: 1, ..Spending::default() }
    }

    /// All tokens.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// These tokens; what is not known counts as none.
    fn of(tokens: &Tokens) -> Self {
        Spending {
            input: tokens.total_input.unwrap_or(0),
            output: tokens.output.unwrap_or(0),
            cache_read: tokens.cache_read.unwrap_or(0),
            cache_creation: tokens.cache_creation.unwrap_or(0),
            ..Spending::default()
        }
    }
}

/// Limits compare plain numbers, which `Tokens` are not: here what is not known counts as none, and money and turns are added, too.
impl Add for Spending {
    type Output = Spending;

    fn add(self, other: Spending) -> Spending {
        Spending {
            usd: cents(self.usd + other.usd),
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_creation: self.cache_creation.saturating_add(other.cache_creation),
            turns: self.turns + other.turns,
            requests: self.requests + other.requests,
            unpriced: self.unpriced + other.unpriced,
        }
    }
}

/// One line for people.
impl std::fmt::Display for Spending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Spending { usd, input, output, turns, .. } = self;
        if self.unpriced > 0 {
            f.write_str("at least ")?;
        }
        write!(f, "${usd:.4} for {turns} turns: {input} tokens in, {output} out")
    }
}

fn share(usd: f64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { usd / of as f64 }
}

/// Sums of binary fractions end in noise; a millionth of a millionth of a dollar is none.
fn cents(usd: f64) -> f64 {
    let rounded = (usd * 1e12).round() / 1e12;
    if rounded.is_finite() { rounded } else { usd }
}
