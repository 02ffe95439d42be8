//! What can go wrong, by what a caller would do about it.

use crate::json::JsonError;
use crate::limits::BadLimit;
use crate::options::OptionsError;
use crate::program::NotFound;
use crate::store::StoreError;
use crate::{Answer, Ending};
use std::io;
use std::path::PathBuf;
use unspool::Verdict;
use unspool::event::ErrorKind;
use unspool::verdict::Cut;

/// Why there is no answer. The kind comes from what Claude Code says on its wire, never from words on standard
/// error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Claude Code is not installed, or not where it was looked for.
    #[error(transparent)]
    NotInstalled(#[from] NotFound),
    /// The options contradict each other.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A limit cannot be meant.
    #[error(transparent)]
    Limits(#[from] BadLimit),
    /// There is an answer, but not as it was asked for.
    #[error("the answer is not as it was asked for")]
    Json {
        /// What is wrong with it.
        source: JsonError,
        /// The answer.
        answer: Box<Answer>,
    },
    /// The store does not give the session that is to go on.
    #[error("the store does not give the session")]
    Store(#[source] StoreError),
    /// The program was found, but could not be started.
    #[error("cannot start {}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The [`Pool`](crate::Pool) was closed: nothing more is begun in it.
    #[error("the pool is closed")]
    PoolClosed,
    /// Claude Code has started, and could not begin: log in, mend its settings, look at [`Ending::stderr`].
    #[error("Claude Code could not begin: {0}")]
    NotStarted(Box<Failed>),
    /// The session that was to go on ([`Options::resume`](crate::Options::resume)) does not exist. Versions that do not say so on
    /// their wire, such as 2.0.77, are [`NotStarted`](Self::NotStarted).
    #[error("there is no session {session}")]
    NoSession {
        /// The session.
        session: String,
        /// What else is known.
        failed: Box<Failed>,
    },
    /// Nobody is logged in, or the key is not taken. If Claude Code would try again, it is not let
    /// ([`Patience::login`](crate::limits::Patience::login)).
    #[error("not logged in: {0}")]
    NotLoggedIn(Box<Failed>),
    /// There is no money.
    #[error("not paid for: {0}")]
    Billing(Box<Failed>),
    /// Too many requests; to be tried again later.
    #[error("rate limited: {failed}")]
    RateLimited {
        /// When it may be tried again, in seconds since 1970, if that was said.
        until: Option<u64>,
        /// What else is known.
        failed: Box<Failed>,
    },
    /// The API is overloaded; to be tried again soon.
    #[error("overloaded: {0}")]
    Overloaded(Box<Failed>),
    /// Any other failure of the API.
    #[error("the API failed: {0}")]
    Api(Box<Failed>),
    /// The conversation is too long.
    #[error("the context is full: {0}")]
    ContextFull(Box<Failed>),
    /// The answer is too long.
    #[error("the answer is too long: {0}")]
    TooLong(Box<Failed>),
    /// The model refused.
    #[error("refused: {0}")]
    Refused(Box<Failed>),
    /// Too many turns.
    #[error("too many turns: {0}")]
    MaxTurns(Box<Failed>),
    /// Too much money or tokens of our own limits, or money of Claude Code's.
    #[error("over budget: {0}")]
    OverBudget(Box<Failed>),
    /// The user or the application interrupted it.
    #[error("interrupted: {0}")]
    Interrupted(Box<Failed>),
    /// The answer does not fit its schema.
    #[error("no structured answer: {0}")]
    StructuredOutput(Box<Failed>),
    /// A tool was not allowed, and the caller wants to know.
    #[error("denied: {0}")]
    Denied(Box<Failed>),
    /// Nothing came any more, or it was not done in time.
    #[error("hung: {0}")]
    Hung(Box<Failed>),
    /// The stream ended before its turn did.
    #[error("cut off: {0}")]
    Truncated(Box<Failed>),
    /// Anything else that Claude Code says.
    #[error("failed: {0}")]
    Other(Box<Failed>),
}

/// What is known of a failure.
#[derive(Clone, Debug, Default, PartialEq, thiserror::Error)]
#[error("{text}")]
#[non_exhaustive]
pub struct Failed {
    /// Why, in words.
    pub text: String,
    /// The HTTP status, if the API failed.
    pub status: Option<u64>,
    /// Trying again may help.
    pub retryable: bool,
    /// What the turn came to all the same: words, figures, the session to resume.
    pub answer: Option<Answer>,
    /// How the run ended, if it has.
    pub ending: Option<Ending>,
}

impl Error {
    /// A turn failed so.
    pub(crate) fn of(kind: ErrorKind, failed: Failed, until: Option<u64>) -> Self {
        let failed = Box::new(failed);
        match kind {
            ErrorKind::MaxTurns => Error::MaxTurns(failed),
            ErrorKind::MaxBudget => Error::OverBudget(failed),
            ErrorKind::StructuredOutput => Error::StructuredOutput(failed),
            ErrorKind::Interrupted => Error::Interrupted(failed),
            ErrorKind::Refusal => Error::Refused(failed),
            ErrorKind::Context => Error::ContextFull(failed),
            ErrorKind::Startup => Error::NotStarted(failed),
            ErrorKind::MaxTokens => Error::TooLong(failed),
            ErrorKind::Auth => Error::NotLoggedIn(failed),
            ErrorKind::Billing => Error::Billing(failed),
            ErrorKind::RateLimit => Error::RateLimited { until, failed },
            ErrorKind::Overloaded => Error::Overloaded(failed),
            ErrorKind::Api => Error::Api(failed),
            _ => Error::Other(failed),
        }
    }

    /// We have interrupted a turn, for this reason.
    pub(crate) fn cut(cut: &Cut, failed: Failed) -> Self {
        let with = |words: &String| Box::new(Failed { text: words.clone(), ..failed.clone() });
        match cut {
            Cut::Hung(words) => Error::Hung(with(words)),
            Cut::OverBudget(words) => Error::OverBudget(with(words)),
            Cut::MaxTurns(words) => Error::MaxTurns(with(words)),
            Cut::NotStarted(words) => Error::NotStarted(with(words)),
            Cut::Interrupted(words) => Error::Interrupted(with(words)),
            Cut::NotLoggedIn(words) => Error::NotLoggedIn(with(words)),
            _ => Error::Interrupted(Box::new(failed)),
        }
    }

    /// A program that fails before it begins, and names the session that it was to go on with, does not know it.
    pub(crate) fn of_session(self, resumed: Option<&str>) -> Self {
        let is_said = |failed: &Failed| {
            let on_the_wire = failed.ending.as_ref().is_none_or(|ending| ending.verdict == Verdict::Failed);
            on_the_wire && resumed.is_some_and(|session| failed.text.contains(session))
        };
        match self {
            Error::NotStarted(failed) if is_said(&failed) => {
                Error::NoSession { session: resumed.unwrap_or_default().to_owned(), failed }
            }
            other => other,
        }
    }

    /// The program ended so, with a prompt that has no answer. What the verdict says of an earlier turn does not count.
    pub(crate) fn unanswered(ending: Ending) -> Self {
        if ending.is_ours() || ending.kind.is_some() {
            return Error::ended(ending, None);
        }
        let text = format!("Claude Code ended before it answered{}", ending.words());
        Error::Truncated(Box::new(Failed { text, ending: Some(ending), ..Failed::default() }))
    }

    /// The run ended so, with this turn as its last.
    pub(crate) fn ended(ending: Ending, answer: Option<Answer>) -> Self {
        let (verdict, kind) = (ending.verdict, ending.kind);
        let mut text = ending.reason.clone();
        if let (Verdict::Ok, Some(owed)) = (verdict, &ending.owed) {
            text = format!("Claude Code ended with {owed}{}", ending.words());
        } else if matches!(verdict, Verdict::NotStarted | Verdict::Truncated) {
            text.push_str(&ending.words());
        }
        let failed = Failed { text, answer, ending: Some(ending), ..Failed::default() };
        if let (Verdict::Failed | Verdict::ApiError, Some(kind)) = (verdict, kind) {
            return Error::of(kind, failed, None);
        }
        let failed = Box::new(failed);
        match verdict {
            Verdict::Hung => Error::Hung(failed),
            Verdict::OverBudget => Error::OverBudget(failed),
            Verdict::Truncated | Verdict::Ok => Error::Truncated(failed),
            Verdict::NotStarted => Error::NotStarted(failed),
            Verdict::Denied => Error::Denied(failed),
            _ => Error::Other(failed),
        }
    }

    /// What is known of the failure; nothing if the program never ran.
    #[must_use]
    pub fn failed(&self) -> Option<&Failed> {
        match self {
            Error::NotInstalled(_)
            | Error::Options(_)
            | Error::Limits(_)
            | Error::Json { .. }
            | Error::Store(_)
            | Error::PoolClosed
            | Error::Start { .. } => None,
            Error::RateLimited { failed, .. } | Error::NoSession { failed, .. } => Some(failed),
            Error::NotStarted(failed)
            | Error::NotLoggedIn(failed)
            | Error::Billing(failed)
            | Error::Overloaded(failed)
            | Error::Api(failed)
            | Error::ContextFull(failed)
            | Error::TooLong(failed)
            | Error::Refused(failed)
            | Error::MaxTurns(failed)
            | Error::OverBudget(failed)
            | Error::Interrupted(failed)
            | Error::StructuredOutput(failed)
            | Error::Denied(failed)
            | Error::Hung(failed)
            | Error::Truncated(failed)
            | Error::Other(failed) => Some(failed),
        }
    }

    /// What the turn came to all the same.
    #[must_use]
    pub fn into_answer(self) -> Option<Answer> {
        match self {
            Error::Json { answer, .. } => Some(*answer),
            other => other.failed()?.answer.clone(),
        }
    }
}
