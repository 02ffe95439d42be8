//! Many sessions: not more than so many at once, some of them started before they are wanted.

use crate::{Answer, Claude, Error, Prompt, Session};
use std::collections::VecDeque;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Hands out sessions, not more than so many at once.
///
/// A program takes a while to start. A pool can keep some that have started and wait for their first prompt; each is
/// handed out once, and a new one is started in its place. Cheap to clone: all clones are one pool.
///
/// ```no_run
/// # async fn show() -> Result<(), unspool_client::Error> {
/// use unspool_client::{Claude, Options, Pool};
///
/// let pool = Pool::new(Claude::new(Options::new().model("haiku")), 4).warm(1);
/// let answer = pool.ask("What is 2 + 2?").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Pool {
    claude: Claude,
    places: Arc<Semaphore>,
    warm: usize,
    waiting: Arc<Mutex<VecDeque<Session>>>,
}

impl Pool {
    /// A pool of at most so many sessions at once; whoever wants one more waits.
    pub fn new(claude: Claude, most: usize) -> Self {
        let places = Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS)));
        Pool { claude, places, warm: 0, waiting: Arc::default() }
    }

    /// Keeps so many programs started that wait for their first prompt. They do not count as sessions.
    pub fn warm(mut self, programs: usize) -> Self {
        self.warm = programs;
        self
    }

    /// Starts the programs that are to be kept ready; otherwise the first session does that.
    pub async fn prepare(&self) -> Result<(), Error> {
        while self.waiting().len() < self.warm {
            let session = self.claude.session().await?;
            self.waiting().push_back(session);
        }
        Ok(())
    }

    /// A session of one's own, as soon as there is a place.
    pub async fn session(&self) -> Result<Pooled, Error> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.expect("nobody closes the places of a pool");
        let ready = std::iter::from_fn(|| self.waiting().pop_front()).find(Session::is_alive);
        let session = match ready {
            Some(session) => session,
            None => self.claude.session().await?,
        };
        // What cannot be started ahead is told to whoever needs it.
        let _ = self.prepare().await;
        Ok(Pooled { session, _place: place })
    }

    /// Asks one thing in a session of its own, and waits until nothing is at work any more.
    pub async fn ask(&self, prompt: impl Into<Prompt>) -> Result<Answer, Error> {
        let mut session = self.session().await?;
        let answer = session.ask(prompt).await;
        session.controls().finish();
        while session.next().await.is_some() {}
        answer
    }

    /// How many sessions there could be besides those that are out.
    pub fn free(&self) -> usize {
        self.places.available_permits()
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Session>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("claude", &self.claude)
            .field("free", &self.free())
            .finish_non_exhaustive()
    }
}

/// A session of a [`Pool`]; its place is free again when it is dropped.
#[derive(Debug)]
pub struct Pooled {
    session: Session,
    _place: OwnedSemaphorePermit,
}

impl Deref for Pooled {
    type Target = Session;
    fn deref(&self) -> &Session {
        &self.session
    }
}

impl DerefMut for Pooled {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}
