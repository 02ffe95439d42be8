//! What the crate promises, tried from outside: one program, a module per promise.
#![expect(clippy::disallowed_methods, reason = "fixtures are files")]

mod bounds;
mod catalogue;
mod contract;
mod control;
mod entries;
mod examples;
mod fixtures;
mod lines;
mod live;
mod metamorphic;
mod quirk;
mod render;
mod schema;
mod seeds;
mod session;
mod standin;
mod told;
mod tools;
mod transcripts;
