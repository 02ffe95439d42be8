//! What a session comes to when it is told as a whole: who did what, under whom, and when.

mod times;

pub(crate) use times::{Interval, Times, Work};
