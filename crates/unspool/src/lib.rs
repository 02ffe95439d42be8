//! Claude Code's stream-json protocol: bytes in, events out, each thing told once.
pub mod control;
mod digest;
pub mod event;
pub mod json;
pub mod line;
pub mod schema;
mod spool;
pub mod tally;
pub mod translate;
pub mod verdict;
pub mod wire;

pub use event::Event;
pub use spool::Spool;
pub use translate::{Grain, Translator};
pub use verdict::Verdict;
