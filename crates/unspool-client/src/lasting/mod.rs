//! A session that outlives its program: what passes is tried again, what was killed is resumed.

mod idle;
mod incident;
mod retry;
mod state;
mod taken;
mod wish;

use crate::controls::{Controls, Prompt};
use crate::error::Failed;
use crate::feed::Feed;
use crate::limits::Account;
use crate::{Answer, Claude, Ending, Error, Session};
pub use incident::Incident;
pub use retry::{Attempts, Retry};
use state::{Asking, State};
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;
use taken::Sent;
use tokio::sync::Mutex;
use unspool::event::What;
use wish::{Desk, Listener};

/// What is said instead of a prompt that Claude Code already has.
const GO_ON: &str = "Continue where you were interrupted.";

/// A session that goes on when its program does not.
///
/// A failure that may pass, such as an overloaded API or a killed program, is tried again after a while. A program that is
/// gone is started anew, with the same session. A prompt is never sent twice: if Claude Code has it, as its transcript or the
/// [store](Claude::store) says, it is told to go on instead; if it has not, the prompt is sent again. Where neither can be read from here
/// (a program in a container with files of its own), it has what it has begun to work on.
///
/// Its [limits](Claude::limits) hold for all its programs together.
///
/// Cheap to clone: all clones are one session, and ask one after the other. An application that drops the future of
/// [`ask`](Lasting::ask) interrupts that turn, and the session lives on; other clones may [interrupt](Lasting::interrupt) or
/// [close](Lasting::close) it at any time.
///
/// ```no_run
/// # async fn show() -> Result<(), unspool_client::Error> {
/// use unspool_client::{Claude, Lasting, Options};
/// use unspool_client::lasting::Retry;
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
    feed: Feed,
    account: Arc<Account>,
    retry: Retry,
    recycle_after: Option<u32>,
    go_on: Arc<str>,
    observer: Option<Observer>,
    /// The clone that asks has it.
    state: Arc<Mutex<State>>,
    desk: Arc<Desk>,
}

type Observer = Arc<dyn Fn(&Incident<'_>) + Send + Sync>;

impl Lasting {
    /// A session that begins with its first prompt.
    #[must_use]
    pub fn new(claude: Claude) -> Self {
        let (claude, account) = claude.with_account();
        let (claude, feed) = claude.with_feed();
        Lasting {
            claude,
            feed,
            account,
            retry: Retry::new(),
            recycle_after: None,
            go_on: GO_ON.into(),
            observer: None,
            state: Arc::default(),
            desk: Arc::default(),
        }
    }

    /// How often to try, and how long to wait.
    #[must_use]
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// Ends the program after so many turns, and goes on with another.
    #[must_use]
    pub fn recycle_after(mut self, turns: u32) -> Self {
        self.recycle_after = Some(turns.max(1));
        self
    }

    /// What is said instead of a prompt that Claude Code already has.
    #[must_use]
    pub fn go_on_with(mut self, words: impl Into<String>) -> Self {
        self.go_on = words.into().into();
        self
    }

    /// Is told of what goes wrong and what is done about it.
    #[must_use]
    pub fn observe(mut self, observer: impl Fn(&Incident<'_>) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Sends a prompt and waits for its answer, through as many programs as it takes.
    pub async fn ask(&self, prompt: impl Into<Prompt>) -> Result<Answer, Error> {
        let mut wishes = self.desk.listen();
        let mut state = tokio::select! {
            biased;
            left = wishes.close() => return Err(left),
            state = Asking::begin(&self.state) => state,
        };
        wishes.begin();
        let mut attempts = self.retry.start();
        let original = prompt.into();
        let mut prompt = original.clone();
        loop {
            if let Some(spent) = self.account.ask() {
                let text = spent.to_string();
                return Err(Error::cut(&spent.into(), Failed { text, ..Failed::default() }));
            }
            let Attempt { sent, begun, outcome } = tokio::select! {
                biased;
                left = wishes.any() => return Err(left),
                attempt = self.attempt(&mut state, prompt.clone()) => attempt,
            };
            let error = match outcome {
                Ok(answer) => {
                    state.answered = true;
                    self.recycle(state, wishes);
                    return Ok(answer);
                }
                Err(error) => error,
            };
            if state.is_lost(&error)
                && let Some(session) = self.forget_id()
            {
                // Its program is about to end, and takes no other prompt.
                state.session = None;
                self.tell(&Incident::Lost { session: &session });
                prompt = original.clone();
                continue;
            }
            let Some(delay) = attempts.failed(&error, SystemTime::now()) else { return Err(error) };
            self.tell(&Incident::Retry { attempt: attempts.count(), delay, error: &error });
            if self.has_prompt(&state, sent, begun).await {
                prompt = (&*self.go_on).into();
            }
            tokio::select! {
                left = wishes.any() => return Err(left),
                () = tokio::time::sleep(delay) => {}
            }
        }
    }

    /// The session's id, once it has one.
    #[must_use]
    pub fn id(&self) -> Option<String> {
        self.desk.known().id.clone()
    }

    /// The events of all its programs, for any number of readers; see [`Feed`]. There may be subscribers before the first prompt.
    ///
    /// What follows a restart: its numbers go on, and [`Fed::Event::program`](crate::feed::Fed::Event::program) is that of the new program. The
    /// events themselves begin anew, with `seq` 1 and turn 1, as each program's own stream does; `session` is the same in all of them,
    /// and a program that is gone was told of by its own `finished`. One that was given up while it was ending may tell of that
    /// when the next one has begun already.
    #[must_use]
    pub fn feed(&self) -> Feed {
        self.feed.clone()
    }

    /// For commands to the program that runs, if one does. The next program has others.
    #[must_use]
    pub fn controls(&self) -> Option<Controls> {
        self.desk.known().controls.clone()
    }

    /// Interrupts what is being asked, which fails with [`Error::Interrupted`]; what waits to be asked is asked next. The session lives on.
    pub fn interrupt(&self) {
        self.desk.interrupt();
    }

    /// Ends the program, if one runs. What is being asked, or waits to be, fails with [`Error::Interrupted`]; what is asked after
    /// that goes on with the session.
    pub async fn close(&self) -> Option<Ending> {
        self.desk.close();
        let mut state = Asking::begin(&self.state).await;
        self.desk.known().controls = None;
        match state.session.take() {
            Some(session) => Some(session.close().await),
            None => None,
        }
    }

    /// One try.
    async fn attempt(&self, state: &mut State, prompt: Prompt) -> Attempt {
        let session = match self.session(state).await {
            Ok(session) => session,
            Err(error) => return Attempt::vain(error),
        };
        let mut goes_on = false;
        let asked = match session.turn(prompt).await {
            Ok(mut turn) => {
                let sent = Sent::now(turn.prompt().to_owned());
                while let Some(event) = turn.shared().await {
                    goes_on |= matches!(event.what, What::SessionMeta { .. });
                    self.note_id(event.session.as_deref());
                }
                Ok((sent, turn.has_begun(), turn.answer().await))
            }
            Err(error) => Err(error),
        };
        let (sent, begun, outcome) = match (asked, state.session.take()) {
            (Ok(asked), session) => {
                state.session = session;
                asked
            }
            // Its program is ending. How it ends says whether there is a point in another.
            (Err(_), Some(session)) => return Attempt::vain(Error::unanswered(session.close().await)),
            (Err(error), None) => return Attempt::vain(error),
        };
        self.note_id(state.session.as_ref().and_then(Session::id));
        state.turns += 1;
        state.resuming &= !goes_on;
        Attempt { sent: Some(sent), begun, outcome }
    }

    async fn session<'s>(&self, state: &'s mut State) -> Result<&'s mut Session, Error> {
        if !state.is_alive() {
            let id = self.id();
            state.resuming = id.is_some();
            let session = match &id {
                Some(id) => {
                    self.tell(&Incident::Resume { session: id });
                    self.claude.resuming(id).session().await?
                }
                None => self.claude.session().await?,
            };
            state.turns = 0;
            self.desk.known().controls = Some(session.controls());
            state.session = Some(session);
        }
        Ok(state.session.as_mut().expect("it was put there"))
    }

    /// Whether Claude Code has the prompt that it gave no answer to, and is to go on with it.
    async fn has_prompt(&self, state: &State, sent: Option<Sent>, begun: bool) -> bool {
        // Without an id nothing can be resumed.
        let (Some(sent), Some(session)) = (sent, self.id()) else { return false };
        if state.is_alive() {
            return begun;
        }
        sent.is_kept(&self.claude, &session).await.unwrap_or(begun)
    }

    fn note_id(&self, id: Option<&str>) {
        let mut known = self.desk.known();
        if let Some(id) = id.filter(|id| known.id.as_deref() != Some(id)) {
            known.id = Some(id.to_owned());
        }
    }

    fn forget_id(&self) -> Option<String> {
        self.desk.known().id.take()
    }

    /// Ends a program that has had its turns. That may take a while, if agents are at work: only the clone that
    /// asks next waits for it.
    fn recycle(&self, mut state: Asking, mut wishes: Listener) {
        let turns = state.turns;
        if self.recycle_after.is_some_and(|most| turns >= most)
            && let Some(session) = state.session.take()
        {
            let lasting = self.clone();
            tokio::spawn(async move {
                tokio::select! {
                    _ = session.finish() => {}
                    _ = wishes.close() => {}
                }
                lasting.desk.known().controls = None;
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

/// What a try came to.
struct Attempt {
    /// The prompt, if it was sent.
    sent: Option<Sent>,
    /// Claude Code had begun to work on it.
    begun: bool,
    outcome: Result<Answer, Error>,
}

impl Attempt {
    fn vain(error: Error) -> Self {
        Attempt { sent: None, begun: false, outcome: Err(error) }
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
