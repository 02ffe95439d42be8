//! How fast unspool is: inputs, ways to read them, and a clock that is fair to all of them.
//!
//! Each program in `src/bin` measures one thing and prints its report as JSON; `cargo xtask bench` runs
//! them all and writes `docs/benchmarks.md`. What counts is a ratio of two readers of the same bytes in the
//! same run: it says the same on a fast machine and on a slow one.

pub mod input;
pub mod measure;
pub mod reader;
pub mod report;
pub mod watch;
