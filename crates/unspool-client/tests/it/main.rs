//! What the client promises: scripts played by a peer in memory, in virtual time, and the real program.

mod cases;
mod command_lines;
mod cost;
mod desk;
mod endings;
#[cfg(unix)]
mod example;
#[cfg(unix)]
mod examples;
mod feed;
mod kept;
mod killed;
mod lasting;
mod lists;
mod options;
mod peer;
mod pool;
mod program;
mod real;
mod recorded;
mod script;
mod secrets;
mod settings;
mod soon;
mod spans;
mod spent;
mod starting;
mod store;
mod stored;
mod tap;
mod turns;
