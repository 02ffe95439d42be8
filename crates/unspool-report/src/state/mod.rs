//! What a session is doing right now: one of eight states, from its events and a clock that is passed in.
//!
//! ```text
//! starting ──> working <──> waiting            something is asked of a person
//!                 │  ▲
//!                 ▼  └──────────┐
//!             background ──> idle ──> done     the turn is over: agents or tasks still run, or nothing does
//!
//! working ──silence──> stuck                   and back as soon as something comes
//! any     ──gone─────> away                    whoever tells of it has left
//! ```
//!
//! Times are milliseconds of one clock, whichever that is: that of the events (`at`), or of the wall.

mod activity;
mod ask;
mod json;
#[cfg(test)]
mod tests;

pub use activity::{Activity, Doing, OpenCall, Worker};
pub use ask::{Ask, AskKind};

use crate::words::CallWords;
use ask::Asks;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use unspool::Verdict;
use unspool::event::{Event, What};
use unspool::wire::Envelope;
use unspool::wire::system::System;

/// Nothing has to come for so long before a session that is at work counts as stuck, unless somebody says otherwise.
pub const PATIENCE_MS: u64 = 10 * 60 * 1000;

/// Follows what a session does.
///
/// ```
/// use unspool::{Grain, Spool};
/// use unspool_report::state::{Standing, State};
///
/// let (mut spool, mut state) = (Spool::new(Grain::Deltas), State::new(0));
/// let line = br#"{"type":"system","subtype":"init","session_id":"s","model":"m"}
/// "#;
/// spool.feed(line, |event| state.step(&event, 40));
/// assert!(matches!(state.at(50), Standing::Working { since: 40 }));
/// assert_eq!(state.at(50).to_string(), "working");
/// ```
#[derive(Debug)]
pub struct State {
    patience: u64,
    /// When the state that the events say began.
    since: u64,
    /// When something came last, and what it was.
    heard: u64,
    last: &'static str,
    /// A turn has begun, ever.
    begun: bool,
    /// Turns that have no end yet.
    turns: BTreeSet<u64>,
    activity: Activity,
    asks: Asks,
    /// Tasks that run beside the conversation, and since when.
    tasks: BTreeMap<String, u64>,
    done: Option<(Verdict, String)>,
    gone: Option<u64>,
}

/// One of eight states.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Standing {
    /// No turn has begun yet.
    Starting {
        /// Since when.
        since: u64,
    },
    /// A turn is running; [`State::activity`] says which agent does what.
    Working {
        /// Since when.
        since: u64,
    },
    /// A person is asked something; [`State::asks`] says what.
    Waiting {
        /// Since when, of what was asked first.
        since: u64,
    },
    /// The turn is over, and agents or tasks still run.
    Background {
        /// Since when.
        since: u64,
    },
    /// The next prompt is waited for.
    Idle {
        /// Since when.
        since: u64,
    },
    /// It should be at work, and nothing has come for too long.
    Stuck {
        /// When something came last.
        since: u64,
        /// What that was: the type of an event.
        last: &'static str,
    },
    /// Whoever tells of the session has left.
    Away {
        /// Since when.
        since: u64,
        /// What it was doing then.
        was: Box<Standing>,
    },
    /// It is over.
    Done {
        /// How it ended.
        verdict: Verdict,
        /// Why.
        reason: String,
    },
}

impl State {
    /// Of a session of which nothing has come yet.
    #[must_use]
    pub fn new(now: u64) -> Self {
        State {
            patience: PATIENCE_MS,
            since: now,
            heard: now,
            last: "",
            begun: false,
            turns: BTreeSet::new(),
            activity: Activity::default(),
            asks: Asks::default(),
            tasks: BTreeMap::new(),
            done: None,
            gone: None,
        }
    }

    /// Nothing has to come for so many milliseconds before it counts as stuck.
    #[must_use]
    pub fn patience(mut self, ms: u64) -> Self {
        self.patience = ms;
        self
    }

    /// Takes an event, which came now.
    pub fn step(&mut self, event: &Event<'_>, now: u64) {
        let before = self.kind();
        (self.heard, self.last) = (now, event.what.name());
        self.gone = None;
        self.activity.step(event, now);
        if !self.activity.was_held_back(event) {
            self.asks.step(event, now);
        }
        self.note(event, now);
        if self.kind() != before {
            self.since = now;
        }
    }

    /// The main agent has said its last word of a turn, as who reads the entries of a transcript knows
    /// ([`ends_turn`](unspool::transcript::ends_turn)): their events tell it only when something follows.
    pub fn rest(&mut self, now: u64) {
        let before = self.kind();
        self.activity.come_to_rest();
        if self.kind() != before {
            self.since = now;
        }
    }

    /// A call that was begun is made otherwise.
    pub(crate) fn change(&mut self, call: &str, words: &CallWords) {
        self.activity.change(call, words);
    }

    /// Whoever tells of the session has left, and may come back. Only who knows the source can say so, such as a server to which the
    /// program that drives the session is connected: a file does not tell whether anybody still writes to it.
    pub fn leave(&mut self, now: u64) {
        self.gone.get_or_insert(now);
    }

    /// Whoever tells of the session is there again; what it does is what it did.
    pub fn come_back(&mut self, now: u64) {
        self.gone = None;
        self.heard = now;
    }

    /// What it is doing at this time.
    #[must_use]
    pub fn at(&self, now: u64) -> Standing {
        let standing = self.standing(now);
        match (self.gone, &self.done) {
            (Some(since), None) => Standing::Away { since, was: Box::new(standing) },
            _ => standing,
        }
    }

    /// Which agent does what, since when.
    #[must_use]
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// What a person is asked, the oldest first.
    pub fn asks(&self) -> impl Iterator<Item = &Ask> {
        self.asks.iter()
    }

    /// Tasks that run beside the conversation, by id.
    pub fn tasks(&self) -> impl Iterator<Item = &str> {
        self.tasks.keys().map(String::as_str)
    }

    fn note(&mut self, event: &Event<'_>, now: u64) {
        match &event.what {
            What::TurnStart { .. } => {
                self.begun = true;
                self.turns.extend(event.turn);
                // Entries of a transcript that goes on may follow its end.
                self.done = None;
            }
            What::TurnComplete { merged, .. } => {
                let merged = merged.as_deref().unwrap_or_default();
                self.turns.retain(|turn| Some(*turn) != event.turn && !merged.contains(turn));
            }
            What::Task { .. } => self.on_task(event.what.envelope(), now),
            What::Finished { verdict, reason, .. } => {
                self.turns.clear();
                self.tasks.clear();
                self.done = Some((*verdict, reason.to_string()));
            }
            _ => {}
        }
    }

    fn on_task(&mut self, line: Option<Envelope<'_>>, now: u64) {
        let Some(Envelope::System(line)) = line else { return };
        let ended = match line {
            System::TaskStarted(task) => {
                self.tasks.extend(task.task_id.map(|task| (task.to_string(), now)));
                None
            }
            System::TaskNotification(task) => task.task_id,
            System::TaskUpdated(task) => task.task_id.filter(|_| task.is_over()),
            _ => None,
        };
        if let Some(task) = ended {
            self.tasks.remove(&*task.decode());
        }
    }

    fn standing(&self, now: u64) -> Standing {
        let since = self.since;
        match self.kind() {
            Kind::Done => match &self.done {
                Some((verdict, reason)) => Standing::Done { verdict: *verdict, reason: reason.clone() },
                None => Standing::Idle { since },
            },
            Kind::Waiting => {
                Standing::Waiting { since: self.asks.iter().next().map_or(since, |ask| ask.since) }
            }
            Kind::Working | Kind::Background if now.saturating_sub(self.heard) >= self.patience => {
                Standing::Stuck { since: self.heard, last: self.last }
            }
            Kind::Starting => Standing::Starting { since },
            Kind::Working => Standing::Working { since },
            Kind::Background => Standing::Background { since },
            Kind::Idle => Standing::Idle { since },
        }
    }

    /// What the events say, whatever the clock says.
    fn kind(&self) -> Kind {
        if self.done.is_some() {
            return Kind::Done;
        }
        if !self.asks.is_empty() {
            return Kind::Waiting;
        }
        if !self.begun {
            return Kind::Starting;
        }
        // A transcript says only by its last message that a turn is over.
        if !self.turns.is_empty() && !self.activity.is_at_rest() {
            return Kind::Working;
        }
        if self.activity.has_agents() || !self.tasks.is_empty() { Kind::Background } else { Kind::Idle }
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Starting,
    Working,
    Waiting,
    Background,
    Idle,
    Done,
}

impl Standing {
    /// The state in one word, as programs are told it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Standing::Starting { .. } => "starting",
            Standing::Working { .. } => "working",
            Standing::Waiting { .. } => "waiting",
            Standing::Background { .. } => "background",
            Standing::Idle { .. } => "idle",
            Standing::Stuck { .. } => "stuck",
            Standing::Away { .. } => "away",
            Standing::Done { .. } => "done",
        }
    }

    /// Since when it is so; of one that is over that is not said.
    #[must_use]
    pub fn since(&self) -> Option<u64> {
        match self {
            Standing::Starting { since }
            | Standing::Working { since }
            | Standing::Waiting { since }
            | Standing::Background { since }
            | Standing::Idle { since }
            | Standing::Stuck { since, .. }
            | Standing::Away { since, .. } => Some(*since),
            Standing::Done { .. } => None,
        }
    }
}

/// The state in one word.
impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
