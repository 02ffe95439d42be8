//! Sums of tokens.

use super::Tokens;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

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
