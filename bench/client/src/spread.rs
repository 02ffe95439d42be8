//! What a ratio is worth that was taken several times.

use std::fmt;
use unspool_bench::measure::median;
use unspool_bench::report::Verdict;

/// A ratio, taken in every round: the one in the middle, and between which it would lie in 95 of 100 repetitions of all this.
pub struct Spread {
    low: f64,
    pub middle: f64,
    high: f64,
}

impl Spread {
    pub fn of(ratios: impl Iterator<Item = f64>) -> Self {
        let mut ratios: Vec<f64> = ratios.collect();
        ratios.sort_by(f64::total_cmp);
        let count = ratios.len() as f64;
        // How many of the rounds lie below their true middle is a toss of that many coins.
        let rank = ((count - 1.96 * count.sqrt()) / 2.0).floor().max(0.0) as usize;
        Spread { low: ratios[rank], middle: median(&ratios), high: ratios[ratios.len() - 1 - rank] }
    }

    /// Whether it is below 1.
    pub fn verdict(&self) -> Verdict {
        if self.high < 1.0 {
            Verdict::Met
        } else if self.low > 1.0 {
            Verdict::Missed
        } else {
            Verdict::Tie
        }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}", self.middle)?;
        if self.low < self.high { write!(f, " ({:.2} to {:.2})", self.low, self.high) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(ratios: &[f64]) -> (String, Verdict) {
        let spread = Spread::of(ratios.iter().copied());
        (spread.to_string(), spread.verdict())
    }

    #[test]
    fn what_may_be_noise_is_a_tie() {
        let around =
            |middle: f64| -> Vec<f64> { (-12..=12).map(|at| middle + f64::from(at) / 100.0).collect() };
        assert!(matches!(told(&around(1.0)), (text, Verdict::Tie) if text == "1.00 (0.95 to 1.05)"));
        assert!(matches!(told(&around(0.97)), (_, Verdict::Tie)));
        assert!(matches!(told(&around(0.9)), (_, Verdict::Met)));
        assert!(matches!(told(&around(1.1)), (_, Verdict::Missed)));
    }

    #[test]
    fn of_a_few_rounds_all_count() {
        assert!(matches!(told(&[0.5]), (text, Verdict::Met) if text == "0.50"));
        assert!(matches!(told(&[0.5, 1.1, 0.6]), (text, Verdict::Tie) if text == "0.60 (0.50 to 1.10)"));
    }
}
