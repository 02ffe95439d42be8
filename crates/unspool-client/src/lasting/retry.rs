//! Which failures may pass, and how long to wait before the next attempt.
//!
//! What is decided here is decided by the kind of a failure, an exit code or an HTTP status, never by words.

use crate::Error;
use crate::transport::Exit;
use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// Ended by SIGKILL, SIGPIPE or SIGTERM: the system's doing, for lack of memory or at a restart. A crash is not among them.
const SIGNALS: [i32; 3] = [9, 13, 15];

impl Error {
    /// Whether the same may work in a while: the API was too busy, or the program was killed.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self {
            Error::RateLimited { .. } | Error::Overloaded(_) => true,
            Error::Api(failed) => failed.retryable,
            Error::Truncated(failed) | Error::NotStarted(failed) => {
                failed.ending.as_ref().is_some_and(|ending| was_killed(ending.exit))
            }
            Error::Start { source, .. } => is_passing(source.kind()),
            _ => false,
        }
    }
}

/// A program that catches a signal exits with 128 and its number; one that does not is ended by it.
pub(crate) fn was_killed(exit: Exit) -> bool {
    let signal = exit.signal.or(exit.code.and_then(|code| code.checked_sub(128)));
    signal.is_some_and(|signal| SIGNALS.contains(&signal))
}

/// What a network, a pipe or a busy machine does.
fn is_passing(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::BrokenPipe
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ExecutableFileBusy
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::Interrupted
            | io::ErrorKind::NetworkDown
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::ResourceBusy
            | io::ErrorKind::TimedOut
            | io::ErrorKind::WouldBlock
    )
}

/// How often to try, and how long to wait in between.
///
/// ```
/// # use std::time::{Duration, SystemTime};
/// # use unspool_client::Error;
/// # use unspool_client::lasting::Retry;
/// # let error = Error::Overloaded(Default::default());
/// let retry = Retry::new().attempts(3).first(Duration::from_secs(1)).jitter(0.0);
/// let delays: Vec<_> = (1..=3).map(|attempt| retry.next_delay(attempt, &error, SystemTime::now())).collect();
/// assert_eq!(delays, [Some(Duration::from_secs(1)), Some(Duration::from_secs(2)), None]);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Retry {
    /// Attempts in all. Three.
    pub attempts: u32,
    /// The wait after the first failure. It doubles with every further one. A second.
    pub first: Duration,
    /// No wait is longer, except for a rate limit that says when it ends. A minute.
    pub longest: Duration,
    /// All waiting together. Ten minutes; a rate limit that ends later is not waited for.
    pub budget: Duration,
    /// How much shorter a wait may be by chance, as a share of it, so that many who failed at once do not try
    /// again at once. A half.
    pub jitter: f64,
    /// What chance is made from: the same seed gives the same waits. Another one each time.
    pub seed: u64,
}

impl Default for Retry {
    fn default() -> Self {
        Retry {
            attempts: 3,
            first: Duration::from_secs(1),
            longest: Duration::from_secs(60),
            budget: Duration::from_secs(600),
            jitter: 0.5,
            seed: Uuid::new_v4().as_u64_pair().0,
        }
    }
}

impl Retry {
    /// Three attempts.
    #[must_use]
    pub fn new() -> Self {
        Retry::default()
    }

    /// One attempt.
    #[must_use]
    pub fn never() -> Self {
        Retry::default().attempts(1)
    }

    /// Attempts in all.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    /// The wait after the first failure.
    #[must_use]
    pub fn first(mut self, first: Duration) -> Self {
        self.first = first;
        self
    }

    /// The longest wait.
    #[must_use]
    pub fn longest(mut self, longest: Duration) -> Self {
        self.longest = longest;
        self
    }

    /// All waiting together.
    #[must_use]
    pub fn budget(mut self, budget: Duration) -> Self {
        self.budget = budget;
        self
    }

    /// How much shorter a wait may be by chance, from 0 to 1.
    #[must_use]
    pub fn jitter(mut self, jitter: f64) -> Self {
        self.jitter = jitter;
        self
    }

    /// What chance is made from.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How long to wait after this attempt (the first is 1) failed so, `now`; `None` if there is no point in trying
    /// again.
    #[must_use]
    pub fn next_delay(&self, attempt: u32, error: &Error, now: SystemTime) -> Option<Duration> {
        if attempt >= self.attempts || !error.is_transient() {
            return None;
        }
        let delay = self.backoff(attempt).max(rate_limit(error, now).unwrap_or_default());
        (delay <= self.budget).then_some(delay)
    }

    /// Keeps count of attempts and waiting.
    #[must_use]
    pub fn start(&self) -> Attempts {
        Attempts { retry: self.clone(), attempt: 0, waited: Duration::ZERO }
    }

    fn backoff(&self, attempt: u32) -> Duration {
        let doubled = 2u32.saturating_pow(attempt.saturating_sub(1));
        let delay = self.first.saturating_mul(doubled).min(self.longest);
        let shorter = self.jitter.clamp(0.0, 1.0) * chance(self.seed.wrapping_add(u64::from(attempt)));
        delay.mul_f64(1.0 - shorter)
    }
}

/// Attempts at one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempts {
    retry: Retry,
    attempt: u32,
    waited: Duration,
}

impl Attempts {
    /// Another attempt has failed. How long to wait before the next, or `None` if that was the last.
    pub fn failed(&mut self, error: &Error, now: SystemTime) -> Option<Duration> {
        self.attempt = self.attempt.saturating_add(1);
        let delay = self.retry.next_delay(self.attempt, error, now)?;
        let waited = self.waited.saturating_add(delay);
        (waited <= self.retry.budget).then(|| {
            self.waited = waited;
            delay
        })
    }

    /// How many have failed.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.attempt
    }
}

/// How long a rate limit still lasts, if it says so.
fn rate_limit(error: &Error, now: SystemTime) -> Option<Duration> {
    let Error::RateLimited { until: Some(until), .. } = error else { return None };
    let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    Some(Duration::from_secs(*until).saturating_sub(now))
}

/// A number from 0 to 1 that looks like chance (splitmix64).
fn chance(seed: u64) -> f64 {
    let mut bits = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ending;
    use crate::error::Failed;

    fn killed(exit: Exit, stderr: &str) -> Error {
        let (reason, stderr) = ("there is no result".to_owned(), stderr.to_owned());
        Error::ended(Ending { reason, exit, stderr, ..Ending::lost() }, None)
    }

    fn exit(code: i32) -> Error {
        killed(Exit { code: Some(code), signal: None }, "")
    }

    fn signal(signal: i32) -> Error {
        killed(Exit { code: None, signal: Some(signal) }, "")
    }

    fn start(kind: io::ErrorKind) -> Error {
        Error::Start { program: "claude".into(), source: kind.into() }
    }

    fn failed(retryable: bool) -> Box<Failed> {
        Box::new(Failed { retryable, ..Failed::default() })
    }

    fn limited(until: Option<u64>) -> Error {
        Error::RateLimited { until, failed: failed(true) }
    }

    #[test]
    fn only_what_may_pass_is_transient() {
        let unknown = Exit::default();
        for (error, transient) in [
            // What a network does.
            (start(io::ErrorKind::ConnectionRefused), true),
            (start(io::ErrorKind::TimedOut), true),
            (start(io::ErrorKind::ConnectionReset), true),
            (start(io::ErrorKind::BrokenPipe), true),
            (start(io::ErrorKind::ExecutableFileBusy), true),
            (start(io::ErrorKind::NotFound), false),
            (start(io::ErrorKind::PermissionDenied), false),
            // The API could not be reached, or is too busy, says Claude Code.
            (Error::Api(failed(true)), true),
            (Error::Overloaded(failed(true)), true),
            (limited(None), true),
            (Error::Api(failed(false)), false),
            // The program was killed.
            (exit(137), true),
            (exit(143), true),
            (exit(141), true),
            (signal(9), true),
            (signal(15), true),
            (signal(13), true),
            // It failed by itself, whatever it wrote to its standard error.
            (exit(1), false),
            (exit(0), false),
            (exit(-1), false),
            (exit(139), false),
            (signal(11), false),
            (killed(unknown, "ECONNRESET"), false),
            // Somebody wanted it so, or it will not change.
            (Error::Interrupted(failed(false)), false),
            (Error::OverBudget(failed(false)), false),
            (Error::NotLoggedIn(failed(false)), false),
            (Error::Other(failed(false)), false),
        ] {
            assert_eq!(error.is_transient(), transient, "{error:?}");
        }
    }

    const NOW: Duration = Duration::from_secs(1_000_000);

    fn delay(retry: &Retry, attempt: u32, error: &Error) -> Option<f64> {
        retry.next_delay(attempt, error, UNIX_EPOCH + NOW).map(|delay| delay.as_secs_f64())
    }

    #[test]
    fn waits_double_up_to_the_longest() {
        let retry = Retry::new().attempts(9).jitter(0.0).longest(Duration::from_secs(5));
        let delays: Vec<_> = (1..=9).map(|attempt| delay(&retry, attempt, &exit(137))).collect();
        let wanted = [1.0, 2.0, 4.0, 5.0, 5.0, 5.0, 5.0, 5.0].map(Some);
        assert_eq!(delays[..8], wanted);
        assert_eq!(delays[8], None);
        assert_eq!(delay(&retry.attempts(u32::MAX), u32::MAX - 1, &exit(137)), Some(5.0));
        assert_eq!(delay(&Retry::never(), 1, &exit(137)), None);
        assert_eq!(delay(&Retry::new(), 1, &exit(1)), None);
    }

    #[test]
    fn chance_makes_waits_shorter_and_can_be_repeated() {
        let retry = Retry::new().attempts(1000).longest(Duration::from_secs(1)).jitter(0.5).seed(7);
        let delays: Vec<f64> = (1..1000).filter_map(|attempt| delay(&retry, attempt, &exit(137))).collect();
        assert!(delays.iter().all(|delay| (0.5..=1.0).contains(delay)));
        let mean = delays.iter().sum::<f64>() / delays.len() as f64;
        assert!((0.72..0.78).contains(&mean), "{mean}");
        let again: Vec<f64> = (1..1000).filter_map(|attempt| delay(&retry, attempt, &exit(137))).collect();
        assert_eq!(delays, again);
        assert_ne!(delay(&retry.clone().seed(8), 1, &exit(137)), delay(&retry, 1, &exit(137)));
    }

    #[test]
    fn a_rate_limit_is_waited_for_if_it_ends_in_time() {
        let retry = Retry::new().jitter(0.0).budget(Duration::from_secs(100));
        let until = |after: u64| limited(Some(NOW.as_secs() + after));
        assert_eq!(delay(&retry, 1, &until(90)), Some(90.0));
        assert_eq!(delay(&retry, 1, &until(101)), None);
        // It is over, or does not say: as usual.
        assert_eq!(delay(&retry, 2, &limited(Some(1))), Some(2.0));
        assert_eq!(delay(&retry, 2, &limited(None)), Some(2.0));
        assert_eq!(delay(&retry, 2, &limited(Some(u64::MAX))), None);
    }

    #[test]
    fn all_waiting_together_has_a_limit() {
        let mut attempts = Retry::new().attempts(99).jitter(0.0).budget(Duration::from_secs(10)).start();
        let now = UNIX_EPOCH + NOW;
        let delays: Vec<_> = std::iter::from_fn(|| attempts.failed(&exit(137), now)).collect();
        assert_eq!(delays, [1, 2, 4].map(Duration::from_secs));
        assert_eq!(attempts.count(), 4);
    }
}
