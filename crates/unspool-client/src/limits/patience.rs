//! How long is waited for what.

use std::time::Duration;

/// How long to wait for Claude Code before something is wrong. `None` is for ever.
///
/// ```
/// # use std::time::Duration;
/// use unspool_client::limits::Patience;
///
/// let patience = Patience::new().total(Duration::from_secs(600)).silence(None);
/// # drop(patience);
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Patience {
    /// For the first line, once something was asked. A minute.
    pub start: Option<Duration>,
    /// For the next line while a turn is running and neither the application nor the user is asked anything. A quarter of
    /// an hour: a tool may run for ten minutes without a word.
    pub silence: Option<Duration>,
    /// For all of it. For ever.
    pub total: Option<Duration>,
    /// For a login that is refused to be taken after all. No time at all, although Claude Code would try for three minutes: a key that
    /// was given in `ANTHROPIC_API_KEY` is given up the first time, any other login the second time, because the first makes Claude
    /// Code renew it.
    ///
    /// Versions that do not tell that they try again, such as 2.0.77, are waited for. They try as often as
    /// `CLAUDE_CODE_MAX_RETRIES` says, whatever the failure is, and ten times without it:
    ///
    /// ```
    /// # use unspool_client::Options;
    /// let options = Options::new().env("CLAUDE_CODE_MAX_RETRIES", "3"); // four seconds
    /// # drop(options);
    /// ```
    pub login: Option<Duration>,
    /// For background agents, once the last turn has its result. Ten minutes, as Claude Code itself waits.
    pub background: Option<Duration>,
    /// For a turn that was interrupted to end. Ten seconds.
    pub interrupt: Duration,
    /// For the program to end by itself once its input is closed, and again once it was told to end. Ten seconds: it stops
    /// background shells first, which takes five.
    pub exit: Duration,
}

impl Patience {
    /// As much as is usually wanted; the fields say how much that is.
    #[must_use]
    pub fn new() -> Self {
        Patience::default()
    }

    /// Sets [`start`](field@Self::start).
    #[must_use]
    pub fn start(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.start = limit.into();
        self
    }

    /// Sets [`silence`](field@Self::silence).
    #[must_use]
    pub fn silence(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.silence = limit.into();
        self
    }

    /// Sets [`total`](field@Self::total).
    #[must_use]
    pub fn total(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.total = limit.into();
        self
    }

    /// Sets [`login`](field@Self::login).
    #[must_use]
    pub fn login(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.login = limit.into();
        self
    }

    /// Sets [`background`](field@Self::background).
    #[must_use]
    pub fn background(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.background = limit.into();
        self
    }

    /// Sets [`interrupt`](field@Self::interrupt).
    #[must_use]
    pub fn interrupt(mut self, limit: Duration) -> Self {
        self.interrupt = limit;
        self
    }

    /// Sets [`exit`](field@Self::exit).
    #[must_use]
    pub fn exit(mut self, limit: Duration) -> Self {
        self.exit = limit;
        self
    }
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            start: Some(Duration::from_secs(60)),
            silence: Some(Duration::from_secs(15 * 60)),
            total: None,
            login: Some(Duration::ZERO),
            background: Some(Duration::from_secs(10 * 60)),
            interrupt: Duration::from_secs(10),
            exit: Duration::from_secs(10),
        }
    }
}
