//! What the crate promises, tried from outside.
#![expect(clippy::disallowed_methods, reason = "fixtures are files")]

mod bounds;
mod control;
mod fixtures;
mod metamorphic;
mod render;
mod seeds;
mod session;
mod told;
