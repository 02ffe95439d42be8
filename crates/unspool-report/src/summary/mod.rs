//! A session in short, for the summary of a job: Markdown for people, `key=value` for the steps that follow.
//!
//! Nothing of a stream can leave its place: not its cell, not its line, not its quotation.

mod escape;
mod markdown;
mod outputs;

pub use markdown::{Errors, markdown};
pub use outputs::outputs;

use crate::totals::Totals;

/// All tokens: input and output of every model. None if one is not known, or no model is.
fn tokens(totals: &Totals) -> Option<u64> {
    let sum = totals.models.iter().try_fold(0u64, |sum, (_, spent)| {
        Some(sum.saturating_add(spent.total_input?).saturating_add(spent.output?))
    });
    sum.filter(|_| !totals.models.is_empty())
}

#[cfg(test)]
mod tests;
