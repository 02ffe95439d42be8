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

    /// All input and output, as far as it is known.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total_input.unwrap_or(0).saturating_add(self.output.unwrap_or(0))
    }

    /// All input and output; none if one of the two is not known.
    #[must_use]
    pub fn known_total(&self) -> Option<u64> {
        Some(self.total_input?.saturating_add(self.output?))
    }

    /// The sums of those figures that both have: what either lacks is unknown, since a sum would be less than there was. `+=`
    /// says that least.
    #[must_use]
    pub fn complete_sum(&self, other: &Tokens) -> Tokens {
        let add = |one: Option<u64>, other: Option<u64>| Some(one?.saturating_add(other?));
        Tokens {
            input: add(self.input, other.input),
            output: add(self.output, other.output),
            cache_read: add(self.cache_read, other.cache_read),
            cache_creation: add(self.cache_creation, other.cache_creation),
            total_input: add(self.total_input, other.total_input),
            extra: None,
        }
    }

    /// The higher figure of each kind, as far as it is known.
    #[must_use]
    pub fn highest(&self, other: &Tokens) -> Tokens {
        Tokens {
            input: self.input.max(other.input),
            output: self.output.max(other.output),
            cache_read: self.cache_read.max(other.cache_read),
            cache_creation: self.cache_creation.max(other.cache_creation),
            total_input: self.total_input.max(other.total_input),
            extra: None,
        }
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

    #[test]
    fn a_complete_sum_has_what_all_of_its_parts_have() {
        let [cached, fresh] = [Some(5), None].map(|cached| Tokens::new(Some(1), Some(2), cached, None));
        let sum = Tokens { input: Some(2), output: Some(4), total_input: Some(7), ..Tokens::default() };
        assert_eq!(cached.complete_sum(&fresh), sum, "what was cached of one is in the sum of all input");
        assert_eq!(fresh.complete_sum(&Tokens::default()), Tokens::default());
    }

    #[test]
    fn the_higher_figure_may_be_the_only_one() {
        let [one, other] = [(3, None), (2, Some(5))].map(|(input, cached)| Tokens {
            input: Some(input),
            cache_read: cached,
            ..Tokens::default()
        });
        let highest = Tokens { input: Some(3), cache_read: Some(5), ..Tokens::default() };
        assert_eq!((one.highest(&other), other.highest(&one)), (highest.clone(), highest));
    }
}
