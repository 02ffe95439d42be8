//! Which version of Claude Code it is, and whether we were tested with it.

use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::process::ExitStatus;
use std::str::FromStr;
use std::time::Duration;

/// The versions that the tests drive, the oldest and the newest.
pub const TESTED: RangeInclusive<Version> = Version::new(1, 0, 128)..=Version::new(2, 1, 325);

/// Of what a program printed, so many characters are told.
const LONGEST: usize = 200;

/// A version of Claude Code.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[expect(clippy::exhaustive_structs, reason = "a version has three numbers")]
pub struct Version {
    /// Changes rarely.
    pub major: u32,
    /// Changes now and then.
    pub minor: u32,
    /// Changes every day.
    pub patch: u32,
}

/// Where a version stands, beside those we were tested with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a version is older, newer, or neither")]
pub enum Support {
    /// Older than any: things may be missing.
    Older,
    /// Between the oldest and the newest.
    Tested,
    /// Newer than any: there may be things that this version of unspool has not heard of. They are handed on.
    Newer,
}

/// Why the version is not known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VersionError {
    /// It did not start.
    #[error("{program} does not start")]
    Start {
        /// The program.
        program: String,
        /// Why it does not.
        source: io::Error,
    },
    /// It did not say it in time.
    #[error("{program} --version says nothing within {} s", .limit.as_secs_f32())]
    Late {
        /// The program.
        program: String,
        /// The time it had.
        limit: Duration,
    },
    /// It ended otherwise.
    #[error("{program} --version: {status}{}", behind(.said))]
    Failed {
        /// The program.
        program: String,
        /// How it ended.
        status: ExitStatus,
        /// What it said; may be empty.
        said: String,
    },
    /// What it says is no version.
    #[error("`{0}` is not a version such as 2.1.325")]
    Odd(String),
}

impl Version {
    /// A version by its numbers.
    #[must_use]
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Version { major, minor, patch }
    }

    /// Where it stands, beside those we were tested with.
    #[must_use]
    pub fn support(self) -> Support {
        if self < *TESTED.start() {
            Support::Older
        } else if self > *TESTED.end() {
            Support::Newer
        } else {
            Support::Tested
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// Reads `2.1.325`, and what is printed: `2.1.325 (Claude Code)`.
impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let word = text.split_whitespace().next().unwrap_or_default();
        // What stands behind the numbers, as in `2.2.0-beta.1`, is no part of what we compare.
        let numbers = word.split(['-', '+']).next().unwrap_or_default();
        let numbers: Option<Vec<u32>> = numbers.split('.').map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[major, minor, patch]) => Ok(Version { major, minor, patch }),
            _ => Err(VersionError::Odd(excerpt(text))),
        }
    }
}

/// What was said, behind how it ended.
fn behind(said: &str) -> String {
    if said.is_empty() { ", and it says nothing".to_owned() } else { format!(": {said}") }
}

/// The version in what was printed: a line of its own, as there may be others, about a broken configuration for example.
#[cfg(any(feature = "process", test))]
pub(super) fn told(output: &str) -> Result<Version, VersionError> {
    let version = output.lines().find_map(|line| line.parse().ok());
    version.ok_or_else(|| VersionError::Odd(excerpt(output)))
}

/// The beginning of what a program printed, on one line.
pub(super) fn excerpt(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_lines_do_not_hide_the_version() {
        let output =
            "Claude configuration file not found at: /home/me/.claude.json\n\n1.0.128 (Claude Code)\n";
        assert_eq!(told(output).ok(), Some(Version::new(1, 0, 128)));
        assert!(matches!(told("nothing\nat all"), Err(VersionError::Odd(said)) if said == "nothing at all"));
    }

    #[test]
    fn versions_are_read_and_compared() {
        let version = |text: &str| text.parse::<Version>().ok();
        assert_eq!(version("2.1.325 (Claude Code)\n"), Some(Version::new(2, 1, 325)));
        assert_eq!(version("2.2.0-beta.1"), Some(Version::new(2, 2, 0)));
        for odd in ["", "claude", "2.1", "2.1.x", "2.1.3.4", "99999999999.0.0"] {
            assert_eq!(version(odd), None, "{odd}");
        }
        for (text, standing) in [
            ("1.0.127", Support::Older),
            ("1.0.128", Support::Tested),
            ("2.0.77", Support::Tested),
            ("2.1.325", Support::Tested),
            ("2.1.326", Support::Newer),
            ("10.0.0", Support::Newer),
        ] {
            assert_eq!(version(text).map(Version::support), Some(standing), "{text}");
        }
    }
}
