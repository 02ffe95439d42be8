//! The client, the real Claude Code, and a scripted model: what the real program does is the last word.
//!
//! Ignored unless asked for, because it needs versions of Claude Code. `cargo xtask cli` installs some, and
//! `cargo xtask test real-cli` names them in UNSPOOL_CLI and runs this.

mod by_hand;
mod command;
mod data;
mod dropped;
mod effects;
mod elicitation;
mod ending;
mod handlers;
mod hook_events;
mod hooks;
mod kept;
mod lasting;
mod mcp;
mod options;
mod prompts;
mod recorded;
#[cfg(unix)]
mod rules;
mod sdk;
#[cfg(target_os = "linux")]
mod secrets;
mod servers;
mod session;
mod spare;
mod stage;
mod store;
mod tools;
mod turn;
