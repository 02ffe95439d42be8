//! How fast a session is played again.

use std::fmt;

/// How fast time goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Speed {
    /// So many times as fast as it went.
    Times(f64),
    /// Nothing is waited for.
    Max,
}

/// What can be asked for.
const SLOWEST: f64 = 0.01;
const FASTEST: f64 = 10_000.0;

/// Where the keys stop on their way.
const STEPS: [f64; 11] = [0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 1000.0];

impl Speed {
    /// Reads `1x`, `2.5x`, `10` or `max`.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if text == "max" {
            return Ok(Speed::Max);
        }
        let number = text.strip_suffix(['x', '×']).unwrap_or(text).parse().ok();
        let number = number.filter(|times: &f64| (SLOWEST..=FASTEST).contains(times));
        number.map(Speed::Times).ok_or_else(|| {
            format!("`{text}` is not a speed such as 1x, 10x or max; from {SLOWEST}x to {FASTEST}x")
        })
    }
}

/// The next speed that the keys know above this one.
pub(super) fn faster(times: f64) -> f64 {
    STEPS.into_iter().find(|step| *step > times * 1.001).unwrap_or(times)
}

/// The next one below.
pub(super) fn slower(times: f64) -> f64 {
    STEPS.into_iter().rev().find(|step| *step < times * 0.999).unwrap_or(times)
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Speed::Times(times) => write!(f, "{times}x"),
            Speed::Max => f.write_str("max"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_read() {
        for (text, speed) in [("1x", 1.0), ("10x", 10.0), ("2.5×", 2.5), ("3", 3.0), ("0.25x", 0.25)] {
            assert_eq!(Speed::read(text), Ok(Speed::Times(speed)), "{text}");
        }
        assert_eq!(Speed::read("max"), Ok(Speed::Max));
        for text in ["", "x", "0x", "-1x", "fast", "inf", "NaN", "1e9x", "1xx"] {
            assert!(Speed::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn keys_go_up_and_down_and_not_beyond() {
        assert_eq!((faster(1.0), slower(1.0)), (2.0, 0.5));
        assert_eq!((faster(3.0), slower(3.0)), (5.0, 2.0), "whatever was asked for");
        assert_eq!((faster(1000.0), slower(0.1)), (1000.0, 0.1));
        assert_eq!(Speed::Times(0.5).to_string(), "0.5x");
    }
}
