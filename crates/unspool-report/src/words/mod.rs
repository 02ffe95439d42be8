//! Words and figures for people: what a call does, how long, how much; used by the screen, the page and the tables.

mod amount;
mod call;
mod clean;

pub use amount::{count, duration, grouped, money, round_step, tokens};
pub use call::{CallWords, one_line};
pub use clean::{clean, clean_line};

cfg_if! {
    if #[cfg(feature = "reports")] {
        mod change;
        mod checklist;
        mod diff;
        mod failure;
        mod notice;

        pub use change::Change;
        pub use checklist::{Checklist, Progress};
        pub use diff::{Diff, Row, Side};
        pub use failure::{failed, failure, failure_beside, tool_failure};
        pub use notice::{Notice, Weight};
    }
}
