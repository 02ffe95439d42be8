//! What the client promises: scripts played by a peer in memory, in virtual time, and the real program.

mod cost;
mod peer;
mod real;
mod script;
