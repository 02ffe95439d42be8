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
    /// The median of the means of all pairs of rounds (Hodges and Lehmann), and the interval that Wilcoxon's signed
    /// ranks give for it. A round that was disturbed moves it as little as it moves a median, and it makes more of
    /// the same rounds. Means are taken of logarithms: twice and half are equally far from one.
    pub fn of(ratios: impl Iterator<Item = f64>) -> Self {
        let rounds: Vec<f64> = ratios.map(f64::ln).collect();
        let mut means: Vec<f64> = rounds
            .iter()
            .enumerate()
            .flat_map(|(at, one)| rounds[at..].iter().map(move |other| (one + other) / 2.0))
            .collect();
        means.sort_by(f64::total_cmp);
        let count = rounds.len() as f64;
        // How many of the means lie below the true middle is near to a bell with this centre and this width.
        let centre = count * (count + 1.0) / 4.0;
        let width = (count * (count + 1.0) * (2.0 * count + 1.0) / 24.0).sqrt();
        let rank = (centre - 1.96 * width).floor().max(0.0) as usize;
        let [low, middle, high] = [means[rank], median(&means), means[means.len() - 1 - rank]].map(f64::exp);
        Spread { low, middle, high }
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
        assert_eq!(told(&around(1.0)).0, "1.00 (0.96 to 1.03)");
        assert!(matches!(told(&around(1.0)), (_, Verdict::Tie)));
        assert!(matches!(told(&around(0.98)), (_, Verdict::Tie)));
        assert!(matches!(told(&around(0.9)), (_, Verdict::Met)));
        assert!(matches!(told(&around(1.1)), (_, Verdict::Missed)));
    }

    #[test]
    fn of_a_few_rounds_all_count() {
        assert!(matches!(told(&[0.5]), (text, Verdict::Met) if text == "0.50"));
        assert!(matches!(told(&[0.5, 1.1, 0.6]), (text, Verdict::Tie) if text == "0.74 (0.50 to 1.10)"));
    }
}
