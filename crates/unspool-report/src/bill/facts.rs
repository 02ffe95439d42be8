//! What there is to say about the figures.

use super::count::Count;
use std::collections::{BTreeMap, BTreeSet};

/// What there is to say about the figures.
#[derive(Debug, Default)]
pub struct Facts {
    /// Notes of turns, by reason.
    pub notes: BTreeMap<String, u64>,
    /// Turns that were reported, and those of them without a cost.
    pub reports: u64,
    pub without_cost: u64,
    /// Messages that no report includes.
    pub unreported: u64,
    /// Those of them whose output may have grown after they told their tokens.
    pub early_unreported: u64,
    /// Messages that were in several files, and reports that were.
    pub repeated: Repeated,
    /// Messages whose output may have grown after they told their tokens.
    pub early: u64,
    /// Reports that go on from those of another file.
    pub continued: u64,
    /// Tokens of messages that reports include, and what the reports say.
    pub covered: Count,
    pub reported: Count,
    /// Tokens that reports have beyond those of messages.
    pub beyond: Count,
    /// Money that is by turn but not by model.
    pub by_no_model: bool,
    /// Models that have no price, and those whose price depends on what is not known.
    pub unpriced: BTreeSet<String>,
    pub cache_priced: bool,
    /// Tokens of many requests that are priced as if none was long.
    pub tier_unknown: bool,
    /// Which prices were taken.
    pub price_list: String,
}

/// What stood in several files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Repeated {
    pub messages: u64,
    pub reports: u64,
}
