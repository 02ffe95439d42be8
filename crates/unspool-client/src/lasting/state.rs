//! The program of a session, if one runs, and who asks it.

use super::idle::Idle;
use super::retry::was_killed;
use crate::transport::Exit;
use crate::{Error, Session};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use tokio::sync::{Mutex, OwnedMutexGuard};

#[derive(Default)]
pub(super) struct State {
    pub(super) session: Option<Session>,
    /// The session, while nobody asks.
    idle: Option<Idle>,
    /// It has answered something, which is lost with it.
    pub(super) answered: bool,
    /// Turns of this program.
    pub(super) turns: u32,
    /// This program was started to go on with the session, and has not said yet that it does.
    pub(super) resuming: bool,
}

impl State {
    /// Somebody asks again.
    async fn wake(&mut self) {
        if let Some(idle) = &mut self.idle {
            if let Some((session, said)) = idle.end().await {
                self.session = Some(session);
                self.resuming &= !said;
            }
            self.idle = None;
        }
    }

    /// Nobody asks any more.
    fn rest(&mut self) {
        if let Some(session) = self.session.take() {
            match Idle::begin(session) {
                Ok(idle) => self.idle = Some(idle),
                Err(session) => self.session = Some(*session),
            }
        }
    }

    /// Whether a program runs.
    pub(super) fn is_alive(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_alive)
    }

    /// Whether a program that was to go on with the session has nothing to go on with. It then fails before it says what
    /// session this is, with a result or without one, and ends by itself.
    pub(super) fn is_lost(&self, error: &Error) -> bool {
        let Some(failed) = error.failed() else { return false };
        let by_itself = |exit: Exit| exit.code.is_some_and(|code| code != 0) && !was_killed(exit);
        let has_failed = failed.ending.as_ref().is_none_or(|ending| by_itself(ending.exit));
        self.resuming && !self.answered && has_failed
    }
}

/// The clone that asks. Once it does not any more, however it ends, the session is read for its feed.
pub(super) struct Asking(OwnedMutexGuard<State>);

impl Asking {
    pub(super) async fn begin(state: &Arc<Mutex<State>>) -> Self {
        let mut asking = Asking(Arc::clone(state).lock_owned().await);
        asking.wake().await;
        asking
    }
}

impl Deref for Asking {
    type Target = State;
    fn deref(&self) -> &State {
        &self.0
    }
}

impl DerefMut for Asking {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.0
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.rest();
    }
}
