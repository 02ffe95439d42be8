//! Statistics: how often, how long, and a picture of who did what when.
//!
//! ```text
//! events --watch--> Run       who had the floor from when to when, in one session
//! Runs --once--> Runs        what several of them have, in one alone
//! Runs --report--> Report     counts and durations of all of them
//! Report --table, timeline, json--> text
//! ```

mod json;
mod once;
mod report;
mod spans;
mod table;
mod timeline;
mod watch;

pub use json::json;
pub use once::{Copies, Sorted, sort};
pub use report::Report;
pub use table::table;
pub use watch::{Run, Watch};

#[cfg(test)]
mod tests;
