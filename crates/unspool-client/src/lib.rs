//! Drives Claude Code: starts it, talks to it in both directions, and says how it ended.

mod answer;
mod claude;
mod controls;
mod driver;
mod ending;
mod error;
mod last_words;
mod ledger;
mod patience;
mod process;
mod session;
pub mod transport;
mod turn;
mod watch;

pub use answer::Answer;
pub use claude::Claude;
pub use controls::{Controls, Outcome, Prompt};
pub use ending::Ending;
pub use error::{Error, Failed};
pub use patience::Patience;
pub use session::{Run, Session};
pub use turn::Turn;
