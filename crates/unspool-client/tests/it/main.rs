//! What the client promises: scripts played by a peer in memory, in virtual time, and the real program.

mod peer;
mod real;
mod script;
