//! Many sessions: not more than so many at once, some of them started before they are wanted.

mod spare;

pub use spare::Spare;

use crate::controls::{Controls, Prompt};
use crate::feed::Feed;
use crate::{Answer, Claude, Error, Session};
use std::collections::VecDeque;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, RwLock, Semaphore};
use tokio_util::sync::CancellationToken;

/// Hands out sessions, not more than so many at once.
///
/// A program takes a while to start. A pool can keep some that have started and wait for their first prompt; each is
/// handed out once, and a new one is started in its place, as for one that has died. Cheap to clone: all clones are one pool.
///
/// A pool ends with [`close`](Self::close) or [`finish`](Self::finish), which wait until its programs are gone. Where the last
/// clone is dropped, the programs that wait are ended as well, and dropping does not wait for that.
///
/// ```no_run
/// # async fn show() -> Result<(), unspool_client::Error> {
/// use unspool_client::{Claude, Options, Pool};
///
/// let pool = Pool::new(Claude::new(Options::new().model("haiku")), 4).warm(1);
/// let answer = pool.ask("What is 2 + 2?").await?;
/// pool.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Pool {
    claude: Claude,
    feed: Feed,
    places: Arc<Semaphore>,
    warm: usize,
    ready: Arc<Mutex<Ready>>,
    /// A call that starts a program reads it until the program is in the list, so that `close`, which writes it, knows all.
    closed: Arc<RwLock<bool>>,
}

/// The programs of a pool.
#[derive(Default)]
struct Ready {
    /// Those that wait for their first prompt.
    waiting: VecDeque<Session>,
    /// So many more are being started, to wait.
    starting: usize,
    /// All that have been started and may not be gone yet.
    started: Vec<Started>,
}

#[derive(Clone)]
struct Started {
    controls: Controls,
    gone: CancellationToken,
}

impl Pool {
    /// A pool of at most so many sessions at once; a caller that wants one more waits.
    #[must_use]
    pub fn new(claude: Claude, most: usize) -> Self {
        let (claude, feed) = claude.with_feed();
        let places = Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS)));
        Pool { claude, feed, places, warm: 0, ready: Arc::default(), closed: Arc::default() }
    }

    /// Keeps so many programs started that wait for their first prompt. They do not count as sessions.
    #[must_use]
    pub fn warm(mut self, programs: usize) -> Self {
        self.warm = programs;
        self
    }

    /// Starts the programs that are to be kept ready; otherwise the first session does that.
    pub async fn prepare(&self) -> Result<(), Error> {
        while let Some(starting) = self.begin_to_start() {
            starting.end_with(self.start().await?);
        }
        Ok(())
    }

    /// A session of one's own, as soon as there is a place.
    pub async fn session(&self) -> Result<Pooled, Error> {
        Ok(self.take().await?.0)
    }

    /// Asks one thing in a session of its own, and waits until nothing is at work any more.
    pub async fn ask(&self, prompt: impl Into<Prompt>) -> Result<Answer, Error> {
        let prompt = prompt.into();
        let (mut session, was_ready) = self.take().await?;
        let (begun, mut answer) = ask(&mut session, prompt.clone()).await;
        if answer.is_err() && !begun && self.places.is_closed() {
            return Err(Error::PoolClosed);
        }
        if was_ready && !begun && !session.is_alive() {
            // It has died while it waited, and was found to be dead only now.
            session.session = self.start().await?;
            (_, answer) = ask(&mut session, prompt).await;
        }
        session.controls().finish();
        while session.told().await.is_some() {}
        answer
    }

    /// The events of all its sessions, those that wait for their first prompt too, for any number of readers; see [`Feed`].
    /// [`Pooled::program`] says under which number a session is told of. The [history](Claude::history) is that of all together.
    #[must_use]
    pub fn feed(&self) -> Feed {
        self.feed.clone()
    }

    /// How many sessions there could be besides those that are out.
    #[must_use]
    pub fn free(&self) -> usize {
        self.places.available_permits()
    }

    /// Ends the pool, and what is at work in it: sessions that are out are interrupted and end, with what they have come to so far
    /// as their last events, and "the pool was closed" as the reason. Those who wait for a place, and all who come
    /// later, have [`Error::PoolClosed`]. Programs that wait for their first prompt end.
    ///
    /// Returns when all programs are gone, and what they have started. Those who have a session need not have read it to
    /// its end, nor dropped it.
    pub async fn close(&self) {
        self.end(|started| started.controls.end("the pool was closed")).await;
    }

    /// Ends the pool as [`close`](Self::close) does, but lets those who have a session keep it until they drop or end it, and waits
    /// for that. A caller that waits here with a session in hand waits for ever.
    pub async fn finish(&self) {
        self.end(|_| ()).await;
    }

    async fn end(&self, tell: impl Fn(&Started)) {
        self.places.close();
        *self.closed.write().await = true;
        let (waiting, started) = {
            let mut ready = lock(&self.ready);
            (std::mem::take(&mut ready.waiting), ready.started.clone())
        };
        drop(waiting);
        started.iter().for_each(tell);
        for started in started {
            started.gone.cancelled().await;
        }
    }

    /// Starts a program, unless the pool is closed.
    async fn start(&self) -> Result<Session, Error> {
        let closed = self.closed.read().await;
        if *closed {
            return Err(Error::PoolClosed);
        }
        let session = self.claude.session().await?;
        let started = &mut lock(&self.ready).started;
        started.retain(|other| !other.gone.is_cancelled());
        started.push(Started { controls: session.controls(), gone: session.gone() });
        Ok(session)
    }

    /// A session, and whether its program was ready.
    async fn take(&self) -> Result<(Pooled, bool), Error> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|_| Error::PoolClosed)?;
        let ready = std::iter::from_fn(|| lock(&self.ready).waiting.pop_front()).find(Session::is_running);
        let was_ready = ready.is_some();
        let session = match ready {
            Some(session) => session,
            None => self.start().await?,
        };
        // What cannot be started ahead is told to whoever needs it.
        let _ = self.prepare().await;
        Ok((Pooled { session, _place: place }, was_ready))
    }

    /// The right to start a program that is to be kept ready, if one is missing.
    fn begin_to_start(&self) -> Option<Starting> {
        let mut ready = lock(&self.ready);
        ready.waiting.retain(Session::is_running);
        (ready.waiting.len() + ready.starting < self.warm).then(|| {
            ready.starting += 1;
            Starting(Arc::clone(&self.ready))
        })
    }
}

/// Sends a prompt and waits for its answer; says also whether Claude Code had begun to work on it.
async fn ask(session: &mut Session, prompt: Prompt) -> (bool, Result<Answer, Error>) {
    let mut turn = match session.turn(prompt).await {
        Ok(turn) => turn,
        Err(error) => return (false, Err(error)),
    };
    while turn.shared().await.is_some() {}
    (turn.has_begun(), turn.answer().await)
}

/// A program is being started. A caller that drops it has given up.
struct Starting(Arc<Mutex<Ready>>);

impl Starting {
    fn end_with(self, session: Session) {
        lock(&self.0).waiting.push_back(session);
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        lock(&self.0).starting -= 1;
    }
}

fn lock(ready: &Mutex<Ready>) -> MutexGuard<'_, Ready> {
    ready.lock().unwrap_or_else(PoisonError::into_inner)
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

impl Pooled {
    /// Under which number the [feed of the pool](Pool::feed) tells of this session. Its [own feed](Session::feed) has no other than
    /// itself.
    #[must_use]
    pub fn program(&self) -> u64 {
        self.session.program()
    }
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
