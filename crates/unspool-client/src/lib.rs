//! Drives Claude Code: starts it, talks to it in both directions, and says how it ended.

mod controls;

pub use controls::{Controls, Outcome};
