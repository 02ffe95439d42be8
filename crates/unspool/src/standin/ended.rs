//! How a program ends.

use std::str::FromStr;

/// How a program ends.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct Ended {
    /// The code it exits with.
    pub code: Option<i32>,
    /// The signal that ends it.
    pub signal: Option<i32>,
}

/// The signals that end programs, by their numbers, which these have everywhere.
const SIGNALS: [(&str, i32); 9] = [
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", 3),
    ("ILL", 4),
    ("ABRT", 6),
    ("KILL", 9),
    ("SEGV", 11),
    ("PIPE", 13),
    ("TERM", 15),
];

impl Ended {
    /// The end of a program that exits with this code.
    #[must_use]
    pub const fn with(code: i32) -> Self {
        Ended { code: Some(code), signal: None }
    }

    /// The end of a program that this signal ends.
    #[must_use]
    pub const fn by(signal: i32) -> Self {
        Ended { code: None, signal: Some(signal) }
    }
}

impl FromStr for Ended {
    type Err = String;

    /// Reads `137`, `SIGKILL`, `KILL`.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(code) = text.parse::<u8>() {
            return Ok(Ended::with(code.into()));
        }
        let name = text.strip_prefix("SIG").unwrap_or(text);
        let signal = SIGNALS.iter().find(|(known, _)| *known == name);
        let why = || format!("`{text}` is neither a code such as 137 nor a signal such as SIGKILL");
        signal.map(|(_, signal)| Ended::by(*signal)).ok_or_else(why)
    }
}
