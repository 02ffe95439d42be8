//! How much the model thinks before it speaks.

use super::object::words;
use super::word::{Flag, join};
use std::ffi::OsString;

/// How much the model thinks before it speaks.
///
/// ```
/// use unspool_client::Options;
/// use unspool_client::options::{Thinking, ThinkingDisplay};
///
/// let options = Options::new().thinking(Thinking::adaptive().display(ThinkingDisplay::Summarized));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Thinking {
    /// As much as what.
    pub amount: ThinkingAmount,
    /// How its thoughts are shown.
    pub display: Option<ThinkingDisplay>,
}

/// As much as what a model thinks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ThinkingAmount {
    /// As much as it sees fit.
    Adaptive,
    /// At most so many tokens.
    Tokens(u64),
    /// Not at all.
    Off,
}

words! {
    /// How thoughts are shown.
    pub enum ThinkingDisplay {
        Summarized = "summarized",
        Omitted = "omitted",
    }
}

impl Thinking {
    /// As much as the model sees fit.
    #[must_use]
    pub fn adaptive() -> Self {
        ThinkingAmount::Adaptive.into()
    }

    /// At most so many tokens.
    #[must_use]
    pub fn tokens(tokens: u64) -> Self {
        ThinkingAmount::Tokens(tokens).into()
    }

    /// Not at all.
    #[must_use]
    pub fn off() -> Self {
        ThinkingAmount::Off.into()
    }

    /// Sets how thoughts are shown.
    #[must_use]
    pub fn display(self, display: ThinkingDisplay) -> Self {
        Thinking { display: Some(display), ..self }
    }
}

impl From<ThinkingAmount> for Thinking {
    fn from(amount: ThinkingAmount) -> Self {
        Thinking { amount, display: None }
    }
}

impl Flag for Option<Thinking> {
    fn add(&self, flag: &str, args: &mut Vec<OsString>) {
        let Some(thinking) = self else { return };
        match thinking.amount {
            ThinkingAmount::Adaptive => join(flag, "adaptive", args),
            ThinkingAmount::Tokens(tokens) => join("--max-thinking-tokens", tokens.to_string(), args),
            ThinkingAmount::Off => join(flag, "disabled", args),
        }
        if let Some(display) = &thinking.display {
            join("--thinking-display", display.as_str(), args);
        }
    }
}
