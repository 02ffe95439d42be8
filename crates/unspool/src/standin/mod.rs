//! Stands in for Claude Code: plays a recording to whatever host there is, and says where the host does otherwise.
//!
//! A [`Recorded`] is a recording read whole: one [`Life`] for each time that the program was started. A [`StandIn`] plays a life. It
//! is told what the host writes, and says what to do next: what to write where and when, how to exit.
//!
//! ```
//! use unspool::standin::{Act, Recorded};
//!
//! let recorded = Recorded::read(
//!     [
//!         "1\t0\tnote\t{\"note\":\"begin\",\"format\":1,\"argv\":[\"claude\",\"--input-format=stream-json\"]}\n",
//!         "2\t3\tin\t{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n",
//!         "3\t9\tout\t{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"Hello.\"}\n",
//!         "4\t9\tnote\t{\"note\":\"end\",\"code\":0}\n",
//!     ]
//!     .concat()
//!     .as_bytes(),
//! );
//! let mut claude = recorded.stand_in(0, &["--input-format=stream-json"]);
//! assert!(matches!(claude.poll(0), Act::Listen));
//!
//! claude.feed(b"{\"message\": {\"content\": \"hi\", \"role\": \"user\"}, \"uuid\": \"u\", \"type\": \"user\"}\n", 1);
//! let Act::Write(_, line) = claude.poll(1) else { panic!() };
//! assert!(line.ends_with(b"\"result\":\"Hello.\"}\n"));
//! let Act::Exit(ended) = claude.poll(1) else { panic!() };
//! assert_eq!(ended.code, Some(0));
//! ```
//!
//! **What the host writes** is compared by meaning: no order of keys, no white space, and none of what hosts make up anew each time or
//! what Claude Code does not look at ([`FREE`] lists it). Ids that the host makes are noted, and take the place of the recorded ones in
//! what is played.
//!
//! **Order.** What the recording wrote behind a line of the host waits for that line. A line may come sooner than it did: prompts
//! at any time, in their order; an answer as soon as its question was played; anything else unless the recording waits for another
//! line and has gone on because of it before. An answer to a request of the host waits for nothing but its request, so a host that
//! wants one before it goes on gets it.
//!
//! **Time** is milliseconds on any clock of the caller's. It only computes.

mod args;
mod clock;
mod deviation;
mod ended;
mod free;
mod hear;
mod introduction;
mod life;
mod names;
mod part;
mod recorded;
mod same;
mod stand_in;
mod step;
#[cfg(test)]
mod tests;
mod vary;

pub use args::is_session;
pub use clock::Speed;
pub use deviation::{Deviation, Waits};
pub use ended::Ended;
pub use free::{FREE, Free};
pub use life::Life;
pub use names::Names;
pub use recorded::Recorded;
pub use same::Difference;
pub use stand_in::{Act, StandIn};
pub use vary::{Before, Variation};

/// The code that a stand-in exits with when the host does otherwise: none of Claude Code's.
pub const DEVIATED: i32 = 76;
