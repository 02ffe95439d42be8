//! Limits on turns, money, tokens and time, checked as figures arrive.
//!
//! Events go in; out comes what was exceeded, in words. Whoever drives the session then interrupts it, so that
//! the answer paid for is kept.

use crate::cost::{Cost, Spending};
use std::fmt;
use std::time::Duration;
use unspool::Event;
use unspool::event::What;
use unspool::verdict::Cut;

/// What may be spent. Nothing is limited unless said so, and what is exactly at its limit is within it.
///
/// ```
/// use unspool_client::Limits;
///
/// let limits = Limits::new().usd(2.0).turns(10);
/// assert!(limits.check().is_ok());
/// assert!(Limits::new().usd(-1.0).check().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// Turns that may begin.
    pub turns: Option<u64>,
    /// Money, in dollars. Claude Code tells it at the end of a turn; its own limit, an option, holds within one.
    pub usd: Option<f64>,
    /// Tokens of all agents, input (cached or not) and output.
    pub tokens: Option<u64>,
    /// Time since the stream began.
    pub time: Option<Duration>,
}

/// A limit that cannot be meant.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a limit of {usd} dollars is neither zero nor more")]
#[non_exhaustive]
pub struct BadLimit {
    /// The limit.
    pub usd: f64,
}

impl Limits {
    /// No limits.
    #[must_use]
    pub fn new() -> Self {
        Limits::default()
    }

    /// Turns that may begin.
    #[must_use]
    pub fn turns(mut self, turns: u64) -> Self {
        self.turns = Some(turns);
        self
    }

    /// Money, in dollars.
    #[must_use]
    pub fn usd(mut self, usd: f64) -> Self {
        self.usd = Some(usd);
        self
    }

    /// Tokens of all agents.
    #[must_use]
    pub fn tokens(mut self, tokens: u64) -> Self {
        self.tokens = Some(tokens);
        self
    }

    /// Time since the stream began.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Whether the limits can be meant: money is finite and not below zero.
    pub fn check(&self) -> Result<(), BadLimit> {
        match self.usd {
            Some(usd) if !usd.is_finite() || usd < 0.0 => Err(BadLimit { usd }),
            _ => Ok(()),
        }
    }
}

/// Limits, and what was spent of them by one stream after the other. For streams side by side there is
/// [`SharedBudget`](crate::limits::SharedBudget).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Budget {
    limits: Limits,
    cost: Cost,
    /// What other programs have spent on the same session.
    before: Spending,
    /// Turns that have begun.
    begun: u64,
    /// How long the stream has lasted.
    lasted: Duration,
}

/// A limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Spent {
    /// Too many turns.
    Turns {
        /// How many turns have begun.
        begun: u64,
        /// How many turns may begin.
        limit: u64,
    },
    /// Too much money.
    Usd {
        /// How much was spent.
        spent: f64,
        /// How much may be spent.
        limit: f64,
    },
    /// Too many tokens.
    Tokens {
        /// How many tokens were used.
        spent: u64,
        /// How many tokens may be used.
        limit: u64,
    },
    /// Too much time.
    Time {
        /// How long it may take.
        limit: Duration,
    },
}

impl Budget {
    /// Nothing was spent of these limits yet.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Budget { limits, ..Budget::default() }
    }

    /// Another stream follows, of a program that goes on with the session. What a turn has cost is told for itself: 2.1.325 says
    /// so, and older versions count from zero.
    pub fn resume(&mut self) {
        self.before = self.now();
        self.cost.reset();
    }

    /// Takes note of an event. If it says that something was spent, returns the first limit that is exceeded.
    pub fn step(&mut self, event: &Event<'_>) -> Option<Spent> {
        let mut more = self.cost.step(event).is_some();
        if let What::TurnStart { .. } = event.what {
            self.begun += 1;
            more = true;
        }
        if let Some(at) = event.at {
            let lasted = Duration::from_millis(at);
            more |= self.limits.time.is_some_and(|limit| lasted > limit);
            self.lasted = self.lasted.max(lasted);
        }
        more.then(|| self.spent()).flatten()
    }

    /// The first limit that is exceeded.
    #[must_use]
    pub fn spent(&self) -> Option<Spent> {
        exceeded(&self.limits, self.begun, self.now(), self.lasted)
    }

    /// What was spent so far.
    #[must_use]
    pub fn now(&self) -> Spending {
        self.before + self.cost.now()
    }

    /// The limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}

/// The first limit that is exceeded, if so many turns have begun, and that was spent in that time.
pub(crate) fn exceeded(limits: &Limits, begun: u64, now: Spending, lasted: Duration) -> Option<Spent> {
    let Limits { turns, usd, tokens, time } = *limits;
    let turns = turns.filter(|limit| begun > *limit);
    let usd = usd.filter(|limit| now.usd > *limit);
    let tokens = tokens.filter(|limit| now.tokens() > *limit);
    let time = time.filter(|limit| lasted > *limit);
    None.or(turns.map(|limit| Spent::Turns { begun, limit }))
        .or(usd.map(|limit| Spent::Usd { spent: now.usd, limit }))
        .or(tokens.map(|limit| Spent::Tokens { spent: now.tokens(), limit }))
        .or(time.map(|limit| Spent::Time { limit }))
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spent::Turns { begun, limit } => write!(f, "turn {begun} has begun, the limit is {limit}"),
            Spent::Usd { spent, limit } => write!(f, "${spent:.4} spent, the limit is ${limit:.4}"),
            Spent::Tokens { spent, limit } => write!(f, "{spent} tokens spent, the limit is {limit}"),
            Spent::Time { limit } => write!(f, "not done within {} s", limit.as_secs_f64()),
        }
    }
}

/// What the verdict on a stream is made from.
impl From<Spent> for Cut {
    fn from(spent: Spent) -> Self {
        let words = spent.to_string();
        match spent {
            Spent::Turns { .. } => Cut::MaxTurns(words),
            Spent::Usd { .. } | Spent::Tokens { .. } => Cut::OverBudget(words),
            Spent::Time { .. } => Cut::Hung(words),
        }
    }
}
