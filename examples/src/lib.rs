//! Builds the examples of the README, of the stand-in and of the client's documentation as an application would: a crate's own examples see
//! everything that the crate depends on, others do not.

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../docs/fake-claude.md")]
struct FakeClaude;

#[cfg(doctest)]
#[doc = include_str!(concat!(env!("OUT_DIR"), "/client.md"))]
struct Client;
