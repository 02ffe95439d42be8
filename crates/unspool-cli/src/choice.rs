//! Choices that several commands offer.

use unspool::Grain;
use unspool::verdict::FailOn;

/// How finely parts are told.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum GrainArg {
    /// A part when it is complete.
    Blocks,
    /// A part as it grows.
    Deltas,
}

impl From<GrainArg> for Grain {
    fn from(grain: GrainArg) -> Self {
        match grain {
            GrainArg::Blocks => Grain::Blocks,
            GrainArg::Deltas => Grain::Deltas,
        }
    }
}

/// What else counts as a failure.
#[derive(Clone, Copy, Eq, PartialEq, clap::ValueEnum)]
pub(crate) enum FailOnArg {
    /// A tool that was not allowed.
    Denied,
    /// A stream in which no model said anything.
    Empty,
}

/// All of them together.
pub(crate) fn fail_on(chosen: &[FailOnArg]) -> FailOn {
    FailOn::new().denied(chosen.contains(&FailOnArg::Denied)).empty(chosen.contains(&FailOnArg::Empty))
}
