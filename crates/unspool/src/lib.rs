//! Claude Code's stream-json protocol: bytes in, events out, each thing told once.
//!
//! Claude Code prints a session as lines of JSON (`--output-format stream-json`). This crate turns those
//! bytes into [events](event): every part of every message of every agent once, whatever version of the
//! CLI wrote them and however the bytes are cut.
//!
//! ```
//! use unspool::{Grain, Spool, event::What};
//!
//! let stream = br#"{"type":"system","subtype":"init","session_id":"s","model":"m"}
//! {"type":"assistant","message":{"id":"a","content":[{"type":"text","text":"4"}]}}
//! {"type":"result","subtype":"success","is_error":false,"result":"4","session_id":"s"}
//! "#;
//! let mut answer = None;
//! let mut spool = Spool::new(Grain::Blocks);
//! for piece in stream.chunks(7) {
//!     spool.feed(piece, |event| {
//!         if let What::TurnComplete { result, .. } = event.what {
//!             answer = result.map(|text| text.into_owned());
//!         }
//!     });
//! }
//! spool.finish(|event| println!("{}", event.to_json()));
//! assert_eq!(answer.as_deref(), Some("4"));
//! ```
//!
//! | to do this | use |
//! |---|---|
//! | tell a stream as events | [`Spool`], or [`mod@line`] and [`Translator`] apart |
//! | tell events again that were written down | [`Retelling`], [`Event::read`] |
//! | tell a transcript that Claude Code keeps on disk | [`transcript`] |
//! | know how it ended | [`verdict`], and the last event, `finished` |
//! | read one line as a Rust type | [`wire::Envelope`], [`wire::Kind`] |
//! | write lines for Claude Code's stdin | [`wire::input`] |
//! | ask and answer over the control protocol | [`control::Dialogue`] |
//! | keep a session whole, both ways, and tell it again | [`journal`] |
//! | play a session to a host again, in the place of Claude Code | [`standin`] |
//! | make one form of a session from another, and know what is lost by that | [`convert`] |
//! | look for something in what was said, or change it, and nothing else of a line | [`texts`] |
//! | describe events and lines to other languages | [`schema`] |
//!
//! It only computes: no I/O, no clock, no threads, no async. Input is never fatal: a line that cannot be
//! read is an event like any other.

// What they forbid is listed in clippy.toml. Unit tests may read files; nobody else here can switch this off.
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use)]
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]
#![cfg_attr(
    not(test),
    forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)
)]

pub mod control;
pub mod convert;
mod digest;
pub mod event;
pub mod journal;
pub mod json;
pub mod line;
#[doc(hidden)]
pub mod properties;
mod retell;
pub mod schema;
mod spool;
pub mod standin;
pub mod tally;
pub mod texts;
pub mod transcript;
pub mod translate;
pub mod verdict;
pub mod wire;

pub use event::Event;
pub use retell::Retelling;
pub use spool::Spool;
pub use translate::{Grain, Translator};
pub use verdict::Verdict;

/// The README compiles, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
