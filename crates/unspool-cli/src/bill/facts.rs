//! What there is to say about the figures.

use super::count::Count;
use std::collections::{BTreeMap, BTreeSet};

/// What there is to say about the figures.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Notes of turns, by reason.
    pub(crate) notes: BTreeMap<String, u64>,
    /// Turns that were reported, and those of them without a cost.
    pub(crate) reports: u64,
    pub(crate) without_cost: u64,
    /// Messages that no report includes.
    pub(crate) unreported: u64,
    /// Those of them whose output may have grown after they told their tokens.
    pub(crate) early_unreported: u64,
    /// Messages that were in several files, and reports that were.
    pub(crate) repeated: Repeated,
    /// Messages whose output may have grown after they told their tokens.
    pub(crate) early: u64,
    /// Reports that go on from those of another file.
    pub(crate) continued: u64,
    /// Tokens of messages that reports include, and what the reports say.
    pub(crate) covered: Count,
    pub(crate) reported: Count,
    /// Tokens that reports have beyond those of messages.
    pub(crate) beyond: Count,
    /// Money that is by turn but not by model.
    pub(crate) by_no_model: bool,
    /// Models that have no price, and those whose price depends on what is not known.
    pub(crate) unpriced: BTreeSet<String>,
    pub(crate) cache_priced: bool,
    /// Tokens of many requests that are priced as if none was long.
    pub(crate) tier_unknown: bool,
    /// Which prices were taken.
    pub(crate) price_list: String,
}

/// What stood in several files.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repeated {
    pub(crate) messages: u64,
    pub(crate) reports: u64,
}
