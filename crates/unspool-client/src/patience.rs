//! How long is waited for what.

use std::time::Duration;

/// How long to wait for Claude Code before something is wrong. `None` is for ever.
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
