//! One form of a session from another, and what is lost by that.
//!
//! ```text
//!                Scribe                       Spool
//!  bare stream --------> recording (journal) -------> events
//!       ^---- Entry::write_bytes ----'  |
//!                                       '-- Transcriber --> transcript
//! ```
//!
//! A recording has more than each of the others. [`Inventory`] counts what stands in a recording, a stream, a transcript or events, and
//! says what of that does not stand in the form that is wanted; [`Transcriber`] makes the transcript that Claude Code would have kept, as far as
//! a recording knows it; [`kept`] is what stands beside a bare stream of what was written to Claude Code.
//!
//! ```
//! use unspool::convert::{Inventory, Target};
//! use unspool::journal::{Entry, Way};
//!
//! let mut inventory = Inventory::new();
//! inventory.entry(&Entry::new(1, 0, Way::Out, b"{\"type\":\"result\"}".as_slice()));
//! inventory.entry(&Entry::new(2, 7, Way::Err, b"warning".as_slice()));
//! inventory.finish();
//! let lost: Vec<_> = inventory.losses(Target::Stream).iter().map(ToString::to_string).collect();
//! assert_eq!(lost, ["times", "standard error: 1 line"]);
//! ```

mod inventory;
mod kept;
mod loss;
mod transcriber;

pub use inventory::Inventory;
pub use kept::kept;
pub use loss::Loss;
pub use transcriber::{NoTranscript, Transcriber};

use crate::translate::Grain;

/// What is made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// A journal in a file.
    Recording,
    /// What Claude Code wrote, and nothing else.
    Stream,
    /// What Claude Code wrote, and beside it when each line came and what events tell of what was written to it.
    TimedStream,
    /// Events, in this grain.
    Events(Grain),
    /// What Claude Code keeps of a session on disk.
    Transcript,
}
