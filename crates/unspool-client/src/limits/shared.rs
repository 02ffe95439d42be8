//! What may be spent through several streams: the programs of one session, or many sessions side by side.

use super::budget::exceeded;
use crate::Limits;
use crate::controls::{Controls, Order};
use crate::cost::{Cost, Spending};
use crate::limits::Spent;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use unspool::Event;
use unspool::event::What;
use unspool::verdict::Cut;

/// Limits that any number of sessions have together. Cheap to clone: all clones are one budget.
///
/// All sessions that share it hear when it is used up: what is running is interrupted, and what is asked later is refused
/// before anything is started. Its time begins with the first session.
///
/// ```no_run
/// use unspool_client::{Claude, Limits, Options, Pool};
/// use unspool_client::limits::SharedBudget;
///
/// # async fn show() -> Result<(), unspool_client::Error> {
/// let budget = SharedBudget::new(Limits::new().usd(5.0));
/// let pool = Pool::new(Claude::new(Options::new().model("haiku")).budget(budget.clone()), 4);
/// let (one, other) = tokio::join!(pool.ask("What is 2 + 2?"), pool.ask("And 3 + 3?"));
/// println!("{}", budget.now());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct SharedBudget(pub(crate) Arc<Account>);

impl SharedBudget {
    /// Nothing was spent of these limits yet.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        SharedBudget(Arc::new(Account::new(limits)))
    }

    /// What was spent so far, by sessions that run and by those that have ended.
    #[must_use]
    pub fn now(&self) -> Spending {
        self.0.lock().now()
    }

    /// The first limit that is exceeded.
    #[must_use]
    pub fn spent(&self) -> Option<Spent> {
        self.0.spent()
    }

    /// The limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Ends a session as soon as the budget is used up, also while it says nothing.
    pub(crate) fn watch(&self, controls: &Controls) {
        let (account, controls) = (Arc::clone(&self.0), controls.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = account.used_up.cancelled() => {}
                () = controls.orders.closed() => return,
            }
            if let Some(spent) = account.spent() {
                // A session that is gone spends nothing.
                let _ = controls.orders.send(Order::Cut(Cut::from(spent)));
            }
        });
    }
}

#[derive(Debug)]
pub(crate) struct Account {
    limits: Limits,
    spending: Mutex<Streams>,
    /// When the first thing was asked.
    began: OnceLock<Instant>,
    used_up: CancellationToken,
}

/// What each stream has spent: a result says what is true of its own stream, whatever the others do meanwhile.
#[derive(Debug, Default)]
struct Streams {
    opened: u64,
    running: BTreeMap<u64, Spending>,
    ended: Spending,
    /// Turns that have begun.
    begun: u64,
}

impl Streams {
    fn now(&self) -> Spending {
        self.running.values().fold(self.ended, |sum, stream| sum + *stream)
    }
}

impl Account {
    pub(crate) fn new(limits: Limits) -> Self {
        let (spending, began) = (Mutex::default(), OnceLock::new());
        Account { limits, spending, began, used_up: CancellationToken::new() }
    }

    /// A program begins, or goes on with a session. What a turn has cost is told for itself: 2.1.325 says so, and older versions
    /// count from zero.
    pub(crate) fn open(self: &Arc<Self>) -> Tab {
        self.began.get_or_init(Instant::now);
        let mut streams = self.lock();
        streams.opened += 1;
        Tab { account: Arc::clone(self), number: streams.opened, cost: Cost::new() }
    }

    /// Something is asked. Says what there is nothing left of, if so.
    pub(crate) fn ask(&self) -> Option<Spent> {
        self.began.get_or_init(Instant::now);
        self.spent()
    }

    /// The time that is left, if it is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let passed = self.began.get().map(Instant::elapsed).unwrap_or_default();
        self.limits.time.map(|limit| limit.saturating_sub(passed))
    }

    fn spent(&self) -> Option<Spent> {
        let late = self.limits.time.filter(|_| self.time_left().is_some_and(|left| left.is_zero()));
        self.spent_by_events().or(late.map(|limit| Spent::Time { limit }))
    }

    /// Time is not among it: it passes without events too.
    fn spent_by_events(&self) -> Option<Spent> {
        let streams = self.lock();
        exceeded(&Limits { time: None, ..self.limits }, streams.begun, streams.now(), Duration::ZERO)
    }

    fn lock(&self) -> MutexGuard<'_, Streams> {
        self.spending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one stream spends of an account.
#[derive(Debug)]
pub(crate) struct Tab {
    account: Arc<Account>,
    number: u64,
    cost: Cost,
}

impl Tab {
    /// Takes note of an event. If it says that something was spent, returns the first limit that is exceeded.
    pub(crate) fn step(&mut self, event: &Event<'_>) -> Option<Spent> {
        let spending = self.cost.step(event);
        let begins = matches!(event.what, What::TurnStart { .. });
        if spending.is_none() && !begins {
            return None;
        }
        let mut streams = self.account.lock();
        streams.begun += u64::from(begins);
        if let Some(spending) = spending {
            streams.running.insert(self.number, spending);
        }
        drop(streams);
        let spent = self.account.spent_by_events();
        if spent.is_some() {
            self.account.used_up.cancel();
        }
        spent
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let mut streams = self.account.lock();
        if let Some(spending) = streams.running.remove(&self.number) {
            streams.ended = streams.ended + spending;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::{Grain, Spool};

    const MESSAGE: &str = r#"{"type":"assistant","message":{"id":"ID","role":"assistant","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":100,"output_tokens":10}},"session_id":"s"}"#;
    const RESULT: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"x","total_cost_usd":0.5,"usage":{"input_tokens":100,"output_tokens":20},"session_id":"s"}"#;

    /// One stream: its reader and its tab.
    struct Stream(Spool, Tab);

    impl Stream {
        fn of(account: &Arc<Account>) -> Self {
            Stream(Spool::new(Grain::Blocks), account.open())
        }

        fn says(&mut self, line: &str) -> Option<Spent> {
            let mut spent = None;
            let line = format!("{line}\n");
            self.0.feed(line.as_bytes(), |event| spent = spent.or(self.1.step(&event)));
            spent
        }
    }

    /// The result of one says nothing of what the other is about to spend.
    #[test]
    fn streams_side_by_side_are_counted_apart() {
        let budget = SharedBudget::new(Limits::new().usd(1.2));
        let (mut one, mut other) = (Stream::of(&budget.0), Stream::of(&budget.0));
        assert_eq!(one.says(&MESSAGE.replace("ID", "a")), None);
        assert_eq!(other.says(&MESSAGE.replace("ID", "b")), None);
        assert_eq!(one.says(RESULT), None);
        let now = budget.now();
        assert_eq!((now.turns, now.requests, now.input), (1, 2, 200), "{now:?}");
        assert_eq!(other.says(RESULT), None);
        drop(one);
        assert_eq!(budget.now().usd, 1.0);
        let mut third = Stream::of(&budget.0);
        assert_eq!(third.says(RESULT), Some(Spent::Usd { spent: 1.5, limit: 1.2 }));
        assert_eq!(budget.spent(), Some(Spent::Usd { spent: 1.5, limit: 1.2 }));
    }
}
