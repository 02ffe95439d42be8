//! Tokens and notes made from their figures, and sums of tokens.

use super::{ModelTokens, Note, Tokens, Words};
use std::iter::Sum;
use std::ops::{Add, AddAssign};

impl Tokens {
    /// These figures, with the sum of the three inputs. Fresh input must be known for that; what is not said of the cache
    /// counts as none.
    #[must_use]
    pub fn new(
        input: Option<u64>,
        output: Option<u64>,
        cache_read: Option<u64>,
        cache_creation: Option<u64>,
    ) -> Self {
        let cached = cache_read.unwrap_or(0).saturating_add(cache_creation.unwrap_or(0));
        let total_input = input.map(|input| input.saturating_add(cached));
        Tokens { input, output, cache_read, cache_creation, total_input, extra: None }
    }
}

impl ModelTokens {
    /// Tokens of a model, with what else is known of it.
    #[must_use]
    pub fn new(
        tokens: &Tokens,
        cost_usd: Option<f64>,
        context_window: Option<u64>,
        max_output: Option<u64>,
    ) -> Self {
        let Tokens { input, output, cache_read, cache_creation, total_input, .. } = *tokens;
        ModelTokens {
            input,
            output,
            cache_read,
            cache_creation,
            total_input,
            cost_usd,
            context_window,
            max_output,
            extra: None,
        }
    }

    /// The tokens alone.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        let ModelTokens { input, output, cache_read, cache_creation, total_input, .. } = *self;
        Tokens { input, output, cache_read, cache_creation, total_input, extra: None }
    }
}

impl Note {
    /// Why this figure is missing or doubtful.
    #[must_use]
    pub fn new(field: impl Into<Words<'static>>, reason: impl Into<Words<'static>>) -> Self {
        Note { field: field.into(), reason: reason.into(), extra: None }
    }
}

/// A figure that only one of them has is the sum; one that neither has stays unknown.
impl AddAssign<&Tokens> for Tokens {
    fn add_assign(&mut self, other: &Tokens) {
        let add = |sum: &mut Option<u64>, more: Option<u64>| {
            *sum = match (*sum, more) {
                (Some(sum), Some(more)) => Some(sum.saturating_add(more)),
                (sum, more) => sum.or(more),
            }
        };
        add(&mut self.input, other.input);
        add(&mut self.output, other.output);
        add(&mut self.cache_read, other.cache_read);
        add(&mut self.cache_creation, other.cache_creation);
        add(&mut self.total_input, other.total_input);
    }
}

impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Tokens) {
        *self += &other;
    }
}

impl Add for Tokens {
    type Output = Tokens;
    fn add(mut self, other: Tokens) -> Tokens {
        self += &other;
        self
    }
}

impl Sum for Tokens {
    fn sum<I: Iterator<Item = Tokens>>(tokens: I) -> Tokens {
        tokens.fold(Tokens::default(), Add::add)
    }
}

impl<'t> Sum<&'t Tokens> for Tokens {
    fn sum<I: Iterator<Item = &'t Tokens>>(tokens: I) -> Tokens {
        tokens.fold(Tokens::default(), |mut sum, more| {
            sum += more;
            sum
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_has_what_any_of_its_parts_has() {
        let known = Tokens { input: Some(u64::MAX), output: Some(2), ..Tokens::default() };
        let other = Tokens { input: Some(1), cache_read: Some(3), ..Tokens::default() };
        let sum = Tokens { input: Some(u64::MAX), output: Some(2), cache_read: Some(3), ..Tokens::default() };
        assert_eq!([&known, &other].into_iter().sum::<Tokens>(), sum);
        assert_eq!([known.clone(), other.clone()].into_iter().sum::<Tokens>(), sum);
        assert_eq!(known + other, sum);
    }
}
