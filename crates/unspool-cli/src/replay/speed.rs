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
}
