//! Words and figures for people: what a call does, how long, how much; used by the screen, the page and the tables.

mod amount;
mod call;
mod change;
mod checklist;
mod clean;
mod diff;
mod failure;
mod notice;

pub(crate) use amount::{count, duration, grouped, money, round_step, tokens};
pub(crate) use call::{Call, one_line};
pub(crate) use change::Change;
pub(crate) use checklist::{Checklist, Progress};
pub(crate) use clean::{clean, clean_line};
pub(crate) use diff::{Diff, Row, Side};
pub(crate) use failure::{failed, failure, failure_beside, tool_failure};
pub(crate) use notice::{Notice, Weight};
