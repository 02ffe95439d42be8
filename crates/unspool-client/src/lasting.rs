//! A session that outlives its program: what passes is tried again, what was killed is resumed.

use crate::account::Account;
use crate::controls::Prompt;
use crate::error::Failed;
use crate::retry::was_killed;
use crate::transport::Exit;
use crate::{Answer, Claude, Ending, Error, Retry, Session};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::{Mutex, OwnedMutexGuard};
use unspool::event::What;

/// What is said instead of a prompt that Claude Code already has.
const GO_ON: &str = "Continue where you were interrupted.";

/// A session that goes on when its program does not.
///
/// A failure that may pass, such as an overloaded API or a killed program, is tried again after a while. A program that is
/// gone is started anew, with the same session. A prompt is never sent twice: if Claude Code had begun to work on it, it is
/// told to go on instead.
///
/// Its [limits](Claude::limits) hold for all its programs together.
///
/// Cheap to clone: all clones are one session, and ask one after the other. Whoever drops the future of
/// [`ask`](Lasting::ask) interrupts that turn, and the session lives on.
///
/// ```no_run
/// # async fn show() -> Result<(), unspool_client::Error> {
/// use unspool_client::{Claude, Lasting, Options, Retry};
///
/// let session = Lasting::new(Claude::new(Options::new())).retry(Retry::new().attempts(5)).recycle_after(20);
/// let answer = session.ask("Fix the first test.").await?;
/// let answer = session.ask("And the second.").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Lasting {
    claude: Claude,
    account: Arc<Account>,
    retry: Retry,
    recycle_after: Option<u32>,
    go_on: Arc<str>,
    observer: Option<Observer>,
    state: Arc<Mutex<State>>,
}

type Observer = Arc<dyn Fn(&Incident<'_>) + Send + Sync>;

#[derive(Default)]
struct State {
    session: Option<Session>,
    /// The session's id, as soon as it has one.
    id: Option<String>,
    /// It has answered something, which is lost with it.
    answered: bool,
    /// Turns of this program.
    turns: u32,
    /// This program was started to go on with the session, and has not said yet that it does.
    resuming: bool,
}

impl State {
    /// Whether a program that was to go on with the session has nothing to go on with. It then fails before it says what
    /// session this is, with a result or without one, and ends by itself.
    fn is_lost(&self, error: &Error) -> bool {
        let Some(failed) = error.failed() else { return false };
        let by_itself = |exit: Exit| exit.code.is_some_and(|code| code != 0) && !was_killed(exit);
        let has_failed = failed.ending.as_ref().is_none_or(|ending| by_itself(ending.exit));
        self.resuming && !self.answered && has_failed
    }
}

/// Something that [`Lasting`] did about its program.
#[derive(Debug)]
#[non_exhaustive]
pub enum Incident<'a> {
    /// It failed, and is tried again after a while.
    Retry {
        /// How often it has failed.
        attempt: u32,
        /// How long is waited.
        delay: Duration,
        /// How it failed.
        error: &'a Error,
    },
    /// A program was started for a session that had one before.
    Resume {
        /// The session.
        session: &'a str,
    },
    /// Claude Code knows nothing of a session: its program died before it had written anything down. As it had answered
    /// nothing yet, another session begins with the same prompt.
    Lost {
        /// The session.
        session: &'a str,
    },
    /// A program was ended after so many turns; the next prompt starts another.
    Recycle {
        /// So many.
        turns: u32,
    },
}

impl Lasting {
    /// A session that begins with its first prompt.
    pub fn new(claude: Claude) -> Self {
        let (claude, account) = claude.with_account();
        Lasting {
            claude,
            account,
            retry: Retry::new(),
            recycle_after: None,
            go_on: GO_ON.into(),
            observer: None,
            state: Arc::default(),
        }
    }

    /// How often to try, and how long to wait.
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// Ends the program after so many turns, and goes on with another.
    pub fn recycle_after(mut self, turns: u32) -> Self {
        self.recycle_after = Some(turns.max(1));
        self
    }

    /// What is said instead of a prompt that Claude Code already has.
    pub fn go_on_with(mut self, words: impl Into<String>) -> Self {
        self.go_on = words.into().into();
        self
    }

    /// Is told of what goes wrong and what is done about it.
    pub fn observe(mut self, observer: impl Fn(&Incident<'_>) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Sends a prompt and waits for its answer, through as many programs as it takes.
    pub async fn ask(&self, prompt: impl Into<Prompt>) -> Result<Answer, Error> {
        let mut state = Arc::clone(&self.state).lock_owned().await;
        let mut attempts = self.retry.start();
        let original = prompt.into();
        let mut prompt = original.clone();
        loop {
            if let Some(spent) = self.account.ask() {
                let text = spent.to_string();
                return Err(Error::cut(&spent.into(), Failed { text, ..Failed::default() }));
            }
            let (accepted, outcome) = self.attempt(&mut state, prompt.clone()).await;
            let error = match outcome {
                Ok(answer) => {
                    state.answered = true;
                    self.recycle(state);
                    return Ok(answer);
                }
                Err(error) => error,
            };
            if state.is_lost(&error)
                && let Some(session) = state.id.take()
            {
                // Its program is about to end, and takes no other prompt.
                state.session = None;
                self.tell(&Incident::Lost { session: &session });
                prompt = original.clone();
                continue;
            }
            let Some(delay) = attempts.failed(&error, SystemTime::now()) else { return Err(error) };
            self.tell(&Incident::Retry { attempt: attempts.count(), delay, error: &error });
            if accepted {
                prompt = (&*self.go_on).into();
            }
            tokio::time::sleep(delay).await;
        }
    }

    /// The session's id, once it has one.
    pub async fn id(&self) -> Option<String> {
        self.state.lock().await.id.clone()
    }

    /// Ends the program, if one runs.
    pub async fn close(&self) -> Option<Ending> {
        let session = self.state.lock().await.session.take();
        match session {
            Some(session) => Some(session.close().await),
            None => None,
        }
    }

    /// One try. Says also whether Claude Code had begun to work on the prompt.
    async fn attempt(&self, state: &mut State, prompt: Prompt) -> (bool, Result<Answer, Error>) {
        let session = match self.session(state).await {
            Ok(session) => session,
            Err(error) => return (false, Err(error)),
        };
        let mut goes_on = false;
        let asked = match session.turn(prompt).await {
            Ok(mut turn) => {
                while let Some(event) = turn.next().await {
                    goes_on |= matches!(event.what, What::SessionMeta { .. });
                }
                let begun = turn.has_begun();
                Ok((begun, turn.answer().await))
            }
            Err(error) => Err(error),
        };
        let (begun, outcome) = match (asked, state.session.take()) {
            (Ok(asked), session) => {
                state.session = session;
                asked
            }
            // Its program is ending. How it ends says whether there is a point in another.
            (Err(_), Some(session)) => return (false, Err(Error::unanswered(session.close().await))),
            (Err(error), None) => return (false, Err(error)),
        };
        let id = state.session.as_ref().and_then(Session::id).map(str::to_owned);
        state.id = id.or(state.id.take());
        state.turns += 1;
        state.resuming &= !goes_on;
        // Without an id nothing can be resumed, so nothing has been accepted.
        (begun && state.id.is_some(), outcome)
    }

    async fn session<'s>(&self, state: &'s mut State) -> Result<&'s mut Session, Error> {
        if state.session.as_ref().is_none_or(|session| !session.is_alive()) {
            state.resuming = state.id.is_some();
            let session = match &state.id {
                Some(id) => {
                    self.tell(&Incident::Resume { session: id });
                    self.claude.resuming(id).session().await?
                }
                None => self.claude.session().await?,
            };
            state.turns = 0;
            state.session = Some(session);
        }
        Ok(state.session.as_mut().expect("it was put there"))
    }

    /// Ends a program that has had its turns. That may take a while, if agents are at work: nobody waits for it but
    /// whoever asks next.
    fn recycle(&self, mut state: OwnedMutexGuard<State>) {
        let turns = state.turns;
        if self.recycle_after.is_some_and(|most| turns >= most)
            && let Some(session) = state.session.take()
        {
            let lasting = self.clone();
            tokio::spawn(async move {
                session.finish().await;
                lasting.tell(&Incident::Recycle { turns });
                drop(state);
            });
        }
    }

    fn tell(&self, incident: &Incident<'_>) {
        tracing::info!(?incident, "lasting session");
        if let Some(observer) = &self.observer {
            observer(incident);
        }
    }
}

impl fmt::Debug for Lasting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lasting")
            .field("claude", &self.claude)
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}
