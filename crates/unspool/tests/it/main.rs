//! The crate from outside: one program, a module per promise.

mod catalogue;
mod quirk;
mod schema;
