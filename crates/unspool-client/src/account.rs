//! What a session may spend, through all the programs that it takes.

use crate::{Budget, Limits, Spent};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use unspool::Event;

#[derive(Debug)]
pub(crate) struct Account {
    /// Time is not among its limits: it passes without events too.
    budget: Mutex<Budget>,
    time: Option<Duration>,
    /// When the first thing was asked.
    began: OnceLock<Instant>,
}

impl Account {
    pub(crate) fn new(limits: Limits) -> Self {
        let budget = Mutex::new(Budget::new(Limits { time: None, ..limits }));
        Account { budget, time: limits.time, began: OnceLock::new() }
    }

    /// A program begins, or goes on with the session.
    pub(crate) fn open(&self) {
        self.budget().resume();
    }

    pub(crate) fn step(&self, event: &Event<'_>) -> Option<Spent> {
        self.budget().step(event)
    }

    /// Something is asked. Says what there is nothing left of, if so.
    pub(crate) fn ask(&self) -> Option<Spent> {
        self.began.get_or_init(Instant::now);
        let late = self.time.filter(|_| self.time_left().is_some_and(|left| left.is_zero()));
        self.budget().spent().or(late.map(|limit| Spent::Time { limit }))
    }

    /// The time that is left, if it is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let passed = self.began.get().map(Instant::elapsed).unwrap_or_default();
        self.time.map(|limit| limit.saturating_sub(passed))
    }

    fn budget(&self) -> MutexGuard<'_, Budget> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
