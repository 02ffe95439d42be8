//! What other clones want of a session while one asks it something, and what they may know of it.

use crate::controls::Controls;
use crate::error::{Error, Failed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// What all clones of a session share, and none holds for longer than a moment.
#[derive(Debug, Default)]
pub(super) struct Desk {
    known: Mutex<Known>,
    wishes: watch::Sender<Wishes>,
}

#[derive(Debug, Default)]
pub(super) struct Known {
    /// The session's id, as soon as it has one.
    pub(super) id: Option<String>,
    /// Of the program that runs.
    pub(super) controls: Option<Controls>,
}

/// How often what was wanted.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Wishes {
    closes: u64,
    interrupts: u64,
}

impl Desk {
    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The clone that asks is to leave, and those that wait to ask.
    pub(super) fn close(&self) {
        self.wishes.send_modify(|wishes| wishes.closes += 1);
    }

    /// The clone that asks is to leave.
    pub(super) fn interrupt(&self) {
        self.wishes.send_modify(|wishes| wishes.interrupts += 1);
    }

    /// For a clone that begins to ask now: what was wanted before is none of its business.
    pub(super) fn listen(&self) -> Listener {
        let wishes = self.wishes.subscribe();
        let begun = *wishes.borrow();
        Listener { wishes, begun }
    }
}

/// Hears what is wanted of the clone that asks.
#[derive(Debug)]
pub(super) struct Listener {
    wishes: watch::Receiver<Wishes>,
    begun: Wishes,
}

impl Listener {
    /// Waits for the session to be closed.
    pub(super) async fn close(&mut self) -> Error {
        let begun = self.begun;
        // The sender is there as long as the session is, which the clone that listens has.
        let _ = self.wishes.wait_for(|wishes| wishes.closes != begun.closes).await;
        left("the session was closed")
    }

    /// Waits for the session to be closed, or interrupted since it was `begun`.
    pub(super) async fn any(&mut self) -> Error {
        let begun = self.begun;
        let wishes = self.wishes.wait_for(|wishes| *wishes != begun).await;
        let closed = wishes.is_ok_and(|wishes| wishes.closes != begun.closes);
        left(if closed { "the session was closed" } else { "the session was interrupted" })
    }

    /// It is the turn of a clone that has waited: interrupts before were meant for another.
    pub(super) fn begin(&mut self) {
        self.begun.interrupts = self.wishes.borrow().interrupts;
    }
}

fn left(why: &str) -> Error {
    Error::Interrupted(Box::new(Failed { text: why.to_owned(), ..Failed::default() }))
}
