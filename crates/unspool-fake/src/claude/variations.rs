//! A variation as a small TOML file.

use serde::Deserialize;
use unspool::standin::{Before, Ended, Variation};

/// Why a file with a variation cannot be read, with the place.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct VariationError(String);

impl From<toml::de::Error> for VariationError {
    fn from(error: toml::de::Error) -> Self {
        VariationError(error.to_string())
    }
}

/// Reads a variation:
///
/// ```
/// let variation = unspool_fake::claude::variation(
///     r#"
///     no_result = true
///     cut_bytes = 2000                     # or cut_lines = 3
///     delay_ms = 20                        # before every line
///     delay = [{ line = 7, ms = 2000 }]
///     garbage = [{ line = 4, text = "[debug] hello" }]
///     unknown_lines = [4, 9]
///     unknown_fields = true
///     cancel_permission = [1]
///     crash = { after = 5, with = 137 }    # or with = "SIGKILL"
///     flood = [{ line = 2, bytes = 1000000 }]
///     "#,
/// )?;
/// assert_eq!(variation.crash.unwrap().1.code, Some(137));
/// # Ok::<(), unspool_fake::claude::VariationError>(())
/// ```
///
/// Lines are those of standard output as it was recorded, counted from 1.
pub fn variation(text: &str) -> Result<Variation, VariationError> {
    let written: Written = toml::from_str(text)?;
    written.read()
}

/// A variation as it is written.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
#[derive(Default)]
struct Written {
    no_result: bool,
    cut_lines: Option<usize>,
    cut_bytes: Option<usize>,
    delay_ms: u64,
    delay: Vec<Delay>,
    garbage: Vec<Garbage>,
    unknown_lines: Vec<usize>,
    unknown_fields: bool,
    cancel_permission: Vec<usize>,
    crash: Option<Crashes>,
    flood: Vec<Flood>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Delay {
    line: usize,
    ms: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Garbage {
    line: usize,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Crashes {
    after: usize,
    with: With,
}

/// A code is a number, and a signal has a name.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a code such as 137, or a signal such as \"SIGKILL\"")]
enum With {
    Code(u8),
    Signal(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Flood {
    line: usize,
    bytes: usize,
}

impl Written {
    fn read(self) -> Result<Variation, VariationError> {
        let mut variation = Variation::default();
        variation.no_result = self.no_result;
        variation.cut_lines = self.cut_lines;
        variation.cut_bytes = self.cut_bytes;
        variation.delay_each = self.delay_ms;
        variation.delays = self.delay.into_iter().map(|it| Before::new(it.line, it.ms)).collect();
        variation.garbage = self.garbage.into_iter().map(|it| Before::new(it.line, it.text)).collect();
        variation.unknown_lines = self.unknown_lines;
        variation.unknown_fields = self.unknown_fields;
        variation.cancelled = self.cancel_permission;
        variation.floods = self.flood.into_iter().map(|it| Before::new(it.line, it.bytes)).collect();
        if let Some(crash) = self.crash {
            let ended = match crash.with {
                With::Code(code) => Ended::with(code.into()),
                With::Signal(name) => name.parse().map_err(VariationError)?,
            };
            variation.crash = Some((crash.after, ended));
        }
        Ok(variation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, expected) in [
            ("no_reslut = true", "no_reslut"),
            ("crash = { after = 1, with = 'SIGNAL' }", "neither a code"),
            ("crash = { after = 1, with = 1000 }", "a code such as 137"),
            ("delay = [{ line = 1 }]", "missing field `ms`"),
        ] {
            let error = variation(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(variation("").unwrap(), Variation::default());
        let killed = variation("crash = { after = 3, with = 'SIGKILL' }").unwrap();
        assert_eq!(killed.crash, Some((3, Ended::by(9))));
    }
}
