//! When the recorded times have come again.

use std::str::FromStr;

/// How fast a recording is played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Speed {
    /// At once; the order is kept.
    #[default]
    Max,
    /// So many times as fast as it was.
    Times(f64),
}

impl FromStr for Speed {
    type Err = String;

    /// Reads `max`, `1x`, `10x`, `0.5x`.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "max" {
            return Ok(Speed::Max);
        }
        let times = text.strip_suffix('x').and_then(|number| number.parse().ok());
        let times = times.filter(|times: &f64| times.is_finite() && *times > 0.0);
        times.map(Speed::Times).ok_or_else(|| format!("`{text}` is no speed such as `max`, `1x` or `10x`"))
    }
}

/// The last moment of the recording that was played, and when it was played.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    recorded: u64,
    played: u64,
}

impl Clock {
    /// When a moment of the recording is due.
    pub(super) fn due(self, recorded: u64, speed: Speed) -> u64 {
        let Speed::Times(times) = speed else { return self.played };
        let pause = recorded.saturating_sub(self.recorded) as f64 / times;
        // More than an age is an age.
        self.played.saturating_add(pause as u64)
    }

    /// This moment of the recording was played then.
    pub(super) fn pass(&mut self, recorded: u64, played: u64) {
        self.recorded = self.recorded.max(recorded);
        self.played = self.played.max(played);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_read_as_it_is_written() {
        for (text, speed) in
            [("max", Some(Speed::Max)), ("10x", Some(Speed::Times(10.0))), ("0.5x", Some(Speed::Times(0.5)))]
        {
            assert_eq!(text.parse().ok(), speed);
        }
        for text in ["", "x", "0x", "-1x", "10", "infx", "NaNx"] {
            assert!(text.parse::<Speed>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_pause_is_as_long_as_it_was() {
        let mut clock = Clock::default();
        clock.pass(100, 5000);
        assert_eq!(clock.due(300, Speed::Times(1.0)), 5200);
        assert_eq!(clock.due(300, Speed::Times(10.0)), 5020);
        assert_eq!(clock.due(300, Speed::Max), 5000);
        assert_eq!(clock.due(50, Speed::Times(1.0)), 5000, "times of entries never go back");
    }
}
