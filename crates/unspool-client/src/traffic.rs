//! All that goes between us and Claude Code, byte by byte.

use std::sync::Arc;
use unspool::verdict::Beside;

/// Hears of traffic, and when it was, in milliseconds since the session began.
pub(crate) type OnTraffic = Arc<dyn Fn(Traffic<'_>, u64) + Send + Sync>;

/// What went between us and Claude Code, in the order in which it is told.
///
/// A reader that feeds all of it to a [`Spool`](unspool::Spool) of the same settings gets the same events.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Traffic<'t> {
    /// Claude Code wrote these bytes. They are cut anywhere.
    Read(&'t [u8]),
    /// This line was written to Claude Code. It has its line feed.
    Wrote(&'t str),
    /// It is over: what is known of the end beside all that.
    Ended(&'t Beside),
}
