//! What a session of Claude Code came to, from its events.
//!
//! [Events](unspool::event) of a session go in, one by one; what is known of it comes out: as figures, as a story, and drawn as a page
//! of HTML, as lines for a terminal, as tables. Everything here only computes: times, time zones and widths are arguments, and
//! whoever draws hands over something to write to.
//!
//! ```
//! use unspool::{Grain, Spool};
//! use unspool_report::page::Page;
//! use unspool_report::story::{Limit, Story};
//!
//! let stream = br#"{"type":"assistant","message":{"id":"a","content":[{"type":"text","text":"Hello"}]},"session_id":"s"}
//! {"type":"result","subtype":"success","is_error":false,"result":"Hello","session_id":"s"}
//! "#;
//! let mut story = Story::new(Limit::Bytes(16 << 10));
//! let mut spool = Spool::new(Grain::Blocks);
//! spool.feed(stream, |event| story.step(&event));
//! spool.finish(|event| story.step(&event));
//! let mut page = Vec::new();
//! Page::of(&story).write_to(&mut page)?;
//! assert!(String::from_utf8_lossy(&page).contains("Hello"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! [`answer`], [`cost`] and the [`words`] for calls and amounts need nothing but `unspool`; all else is in the feature `reports`, which
//! is on unless it is switched off.
//!
//! A *fold* has a method `step` that takes an event, and getters; it knows no clock, no terminal, and nothing of other folds but what
//! they tell. A *renderer* takes folds or events.
//!
//! | to know or draw this | use |
//! |---|---|
//! | what it came to: verdict, answer, figures, files, denials | [`totals::Totals`] |
//! | what a turn answered | [`answer::TurnAnswer`] |
//! | what it cost so far, and what it will | [`cost::Cost`] |
//! | which calls were not allowed | [`denials::Denials`] |
//! | a session in one line, and what it is called | [`outline::Outline`] |
//! | what it is doing right now | [`state::State`] |
//! | who was at work when | [`times::Times`] |
//! | what somebody sees happen, moment by moment | [`moments::Moments`] |
//! | who said and did what, in which turn, under whom | [`story::Story`] |
//! | how often and how long | [`stats`] |
//! | what was spent, over many files, each thing once | [`bill`] |
//! | what two runs differ in | [`compare`] |
//! | a page of HTML | [`page::Page`] |
//! | lines for a terminal | [`view::View`] |
//! | Markdown for the summary of a job | [`summary`] |
//! | words for calls, notices, failures, amounts | [`words`] |

// What they forbid is listed in clippy.toml. Unit tests may read files. Not `forbid`: what clap derives allows whole groups of lints.
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use)]
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros))]
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "fixtures are files"))]

pub mod answer;
pub mod cost;

/// Modules that only a feature has. rustfmt looks into a macro for modules if it has this name and this shape.
macro_rules! cfg_if {
    (if #[$condition:meta] { $($module:item)* }) => {
        $(#[$condition] $module)*
    };
}

cfg_if! {
    if #[cfg(feature = "reports")] {
        pub mod bill;
        pub mod compare;
        pub mod denials;
        #[cfg(test)]
        mod linear;
        mod media;
        pub mod moments;
        pub mod outline;
        pub mod page;
        pub mod sheet;
        pub mod state;
        pub mod stats;
        pub mod story;
        pub mod summary;
        mod task;
        pub mod times;
        pub mod totals;
        pub mod view;
    }
}

pub mod words;

/// The README compiles, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
