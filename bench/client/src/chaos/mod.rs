//! Sessions that are harmed at random, and what must be true of them all the same.
//!
//! - **No hang**: every one ends within the time that its limits allow.
//! - **No orphan, no zombie**: when it has ended, nothing that it started is left; also if its host was killed.
//! - **No lost event**: whatever Claude Code wrote, the client has told, in order, and `finished` last.

mod harm;
mod host;
mod life;
mod story;

pub use host::be_host;
pub use life::{Life, Outcome};
