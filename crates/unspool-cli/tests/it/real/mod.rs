//! The program, the real Claude Code, and a scripted model: what the real program does is the last word.
//!
//! Ignored unless asked for, because it needs versions of Claude Code. `cargo xtask cli` installs some, and
//! UNSPOOL_CLI names them.

mod asking;
mod ccusage;
mod denying;
mod doctor;
mod ends;
mod errors;
mod hosts;
mod limits;
mod prices;
mod recorded;
mod replayed;
mod stage;
mod structured;
mod transcribed;
