//! What a lasting session tells of itself.

use crate::Error;
use std::time::Duration;

/// Something that [`Lasting`](crate::Lasting) did about its program.
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
        /// How many turns it has had.
        turns: u32,
    },
}
