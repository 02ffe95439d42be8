//! What the crate promises, tried from outside: one program, a module per promise.
#![expect(clippy::disallowed_methods, reason = "fixtures are files")]

mod catalogue;
mod control;
mod quirk;
mod schema;
