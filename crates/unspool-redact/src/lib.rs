//! Masks secrets in what Claude Code writes and reads: keys, tokens, private keys, passwords, and what was read from `.env` files.
//!
//! Streams, transcripts, events and recordings go in, cut anywhere; the same lines come out, with `[redacted:github-token:1]` where a
//! secret stood. A secret is found where pieces of a part, escapes, lines and entries cut it, and has the same placeholder wherever it
//! stands in an output. All else of a line is what it was: ids, signatures, figures, times. A line without a secret is byte for byte the
//! same.
//!
//! ```
//! use unspool_redact::{Masks, Redactor};
//!
//! // Made here, so that it is no key of anybody.
//! let key = format!("ghp_{}", "a1B2".repeat(9));
//! let delta = |text: &str| format!(
//!     r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}}}"#
//! ) + "\n";
//! let (mut redactor, mut out) = (Redactor::new(&Masks::new()), Vec::new());
//! redactor.feed(delta("the key is ").as_bytes(), &mut out);
//! redactor.feed(delta(&key[..9]).as_bytes(), &mut out);
//! redactor.feed(delta(&format!("{}, isn't it?", &key[9..])).as_bytes(), &mut out);
//! redactor.finish(&mut out);
//! let masked = [delta("the key is "), delta("[redacted:github-token:1]"), delta(", isn't it?")];
//! assert_eq!(String::from_utf8_lossy(&out), masked.concat());
//! ```
//!
//! What is masked and what is not: `docs/redact.md`. It only computes, in time that is in proportion to what goes in.

// What they forbid is listed in clippy.toml. Unit tests may read files.
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use)]
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]
#![cfg_attr(
    not(test),
    forbid(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)
)]

mod env;
mod find;
mod flow;
mod held;
mod masks;
mod own;
#[doc(hidden)]
pub mod properties;
mod redactor;
mod rule;
mod stream;
mod unescape;
mod vault;

/// The README compiles, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use masks::Masks;
pub use own::NotAPattern;
pub use stream::{EntryRedactor, Redactor};
