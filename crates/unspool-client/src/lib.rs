//! Drives Claude Code: starts it, talks to it in both directions, answers what it asks, and says how it ended.
//!
//! ```no_run
//! use unspool_client::{Claude, Decision, Handlers, Limits, Options};
//!
//! # async fn show() -> Result<(), unspool_client::Error> {
//! let claude = Claude::new(Options::new().model("haiku"))
//!     .limits(Limits::new().usd(0.50))
//!     .handlers(Handlers::new().permission(|call| async move {
//!         if call.tool() == "Bash" { Decision::deny("no commands, please") } else { Decision::allow() }
//!     }));
//!
//! let answer = claude.ask("What does this project do?").await?;
//! println!("{} ({:?} USD)", answer.text, answer.cost_usd);
//! # Ok(())
//! # }
//! ```
//!
//! | to do this | use |
//! |---|---|
//! | ask one thing | [`Claude::ask`]; [`Claude::run`] for its events; [`Claude::ask_json`] for a Rust value |
//! | talk for many turns | [`Claude::session`], [`Session::turn`] |
//! | go on through crashes and overload | [`Lasting`] |
//! | run many sessions | [`Pool`]; [`Pool::close`] ends them all |
//! | have a program ready before its folder is known | [`Claude::prewarm`] |
//! | set flags, prompts, tools, MCP servers, environment | [`Options`] |
//! | decide about calls, hook into them, offer tools of one's own | [`Handlers`], [`Rules`](rules::Rules), [`Hook`](hooks::Hook), [`Server`](server::Server) |
//! | show a session to many readers at once, from any event on | [`Session::feed`], [`Lasting::feed`], [`Pool::feed`]: [`Feed`](feed::Feed) |
//! | ask or change something while it runs | [`Controls`](controls::Controls), from [`Session::controls`] |
//! | limit money, tokens, turns and time | [`Limits`], [`Patience`](limits::Patience); [`SharedBudget`](limits::SharedBudget) over many sessions |
//! | know what it costs | [`Answer`], [`Ending::spent`], [`Cost`](cost::Cost) |
//! | hear of what is odd | [`Claude::on_warning`] |
//! | record or relay every byte, both ways | [`Claude::tap`] |
//! | keep sessions elsewhere, and go on with them anywhere | [`SessionStore`](store::SessionStore), [`Claude::store`] |
//! | list, read, name, fork and delete sessions | [`KeptSessions`](kept::KeptSessions) on disk, [`StoredSessions`](store::StoredSessions) in a store; [`Listing`](kept::Listing), [`Excerpt`](kept::Excerpt), [`Fork`](kept::Fork) |
//! | know which settings hold in a folder, and who has said so | [`SettingsFiles`](settings::SettingsFiles) |
//! | find the program, and know its version | [`Program`](program::Program) |
//! | start it elsewhere, or drive something that is not a process | [`Claude::start_with`], [`transport`] |
//! | test without Claude Code, on what it did once | [`transport::recorded`] |
//!
//! What can be relied on:
//!
//! - **It ends when it is over**: when the last turn has its result and no agent is at work that Claude Code waits for.
//!   The last event is always `finished`, with a verdict.
//! - **It never hangs**: whatever is waited for has a limit ([`Patience`](limits::Patience)), and what was waited for is said in words.
//! - **Nothing survives**: however a session ends, everything that it started is ended with it, also if our own process is
//!   killed: a small shell (`/bin/sh`, 0.2 ms and a quarter of a megabyte for each session) waits beside it for that. On Linux this holds for
//!   what has a clean environment and a session of its own, too; only what a service does that ran before, such as docker, is not
//!   known. On other Unixes it holds for the process group of the program, without the shells of its tools.
//! - **Nothing is lost**: what a slow reader has not taken waits, a little in memory and up to a gigabyte in a file, and Claude Code's
//!   questions are answered meanwhile. Then Claude Code is slowed down, until the application reads again, and that is not taken
//!   for silence. With a full disk that is after 16 MiB more in memory ([`Warning::NoRoom`]).
//! - **Errors have kinds** that come from the wire, not from words: [`Error`].
//!
//! `tracing` is told of all of it: a span `claude` for each session, in it a `turn` each, in those a `tool` for each call, and a
//! `question` for what Claude Code asks, in which its handler runs. A trace goes on in Claude Code with [`Options::trace_parent`].
//!
//! Driving a process needs Unix. Elsewhere the crate compiles, and a process that is ended leaves what it started; if our own is killed,
//! the program goes on.

#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use)]
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod answer;
mod claude;
pub mod controls;
mod driver;
mod ending;
pub mod error;
pub mod feed;
mod fit;
pub mod handlers;
pub mod hooks;
pub mod json;
pub mod kept;
mod last_words;
pub mod lasting;
mod ledger;
pub mod limits;
mod open_turn;
pub mod options;
pub mod pool;
mod private;
#[cfg(feature = "process")]
pub mod process;
pub mod program;
mod readable;
#[expect(clippy::exhaustive_enums, reason = "a call is allowed, blocked, or neither")]
pub mod rules;
pub mod server;
mod session;
pub mod settings;
pub mod store;
pub mod tap;
pub mod tools;
pub mod transport;
mod turn;
mod warning;
mod watch;

pub use answer::Answer;
pub use claude::Claude;
pub use ending::Ending;
#[doc(inline)]
pub use error::Error;
#[doc(inline)]
pub use handlers::{Decision, Handlers};
#[doc(inline)]
pub use lasting::Lasting;
#[doc(inline)]
pub use limits::Limits;
#[doc(inline)]
pub use options::Options;
#[doc(inline)]
pub use pool::Pool;
pub use session::{Run, Session};
pub use turn::Turn;
pub use unspool;
#[doc(inline)]
pub use unspool_report::cost;
pub use warning::Warning;

/// The README compiles, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
