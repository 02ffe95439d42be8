//! What the crate promises, tried from outside.
#![expect(clippy::disallowed_methods, reason = "fixtures are files")]

mod control;
mod fixtures;
mod seeds;
