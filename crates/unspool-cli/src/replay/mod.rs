//! A session, played again: as the view that it had, as events, or as the stream that it was.
//!
//! A source is told as ever; whoever listens waits until what comes is due. Where there are keys, going back is telling it once
//! more from the beginning, as far as is wanted.

mod clock;
mod cue;
mod lines;
#[cfg(unix)]
mod player;
mod position;
mod shown;
mod speed;
mod told;

pub(crate) use cue::Cue;
pub(crate) use lines::lines;
#[cfg(unix)]
pub(crate) use player::{Manner, Played, play};
pub(crate) use position::{Excerpt, Position};
pub(crate) use shown::show;
pub(crate) use speed::Speed;
pub(crate) use told::events;
