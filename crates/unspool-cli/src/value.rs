//! Values of flags: times, money, schemas.

use anyhow::{Context, ensure};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;
use unspool_client::json::Schema;

/// A time such as `90`, `90s`, `5m` or `1h30m`; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a time such as 90s, 5m or 1h30m");
    let mut seconds = 0.0;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let digits =
            rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().map_err(|_| wrong())?;
        rest = &rest[digits..];
        let letters = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        seconds += number
            * match &rest[..letters] {
                "" | "s" => 1.0,
                "ms" => 0.001,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                "d" => 86400.0,
                _ => return Err(wrong()),
            };
        rest = &rest[letters..];
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err(wrong()),
    }
}

/// Dollars: more than none, and not without end.
pub(crate) fn money(text: &str) -> Result<f64, String> {
    let amount = text.trim_start_matches('$').parse().ok().filter(|usd: &f64| usd.is_finite() && *usd > 0.0);
    amount.ok_or_else(|| format!("`{text}` is not an amount of dollars such as 2.50"))
}

/// Whether an object may fit.
fn may_be_object(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == "object",
        Some(Value::Array(names)) => names.iter().any(|name| name == "object"),
        _ => *schema != Value::Bool(false),
    }
}

/// The JSON Schema in a file.
pub(crate) fn read_schema(file: &Path) -> anyhow::Result<Schema> {
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let schema = serde_json::from_slice(&text).with_context(|| format!("{} is not JSON", file.display()))?;
    ensure!(
        may_be_object(&schema),
        "cannot use {}: Claude Code's answers are objects, and it allows none",
        file.display()
    );
    Schema::new(schema).with_context(|| format!("cannot use {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, millis) in [
            ("90", 90_000),
            ("90s", 90_000),
            ("1.5m", 90_000),
            ("30m", 1_800_000),
            ("1h30m", 5_400_000),
            ("2h", 7_200_000),
            ("1d", 86_400_000),
            ("250ms", 250),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "0", "m", "5 m", "-5", "5x", "1h-3m", "1e300d", "..", "5mm"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn money_is_more_than_nothing() {
        assert_eq!((money("2.50"), money("$2")), (Ok(2.5), Ok(2.0)));
        for text in ["", "0", "-1", "NaN", "inf", "two"] {
            assert!(money(text).is_err(), "{text}");
        }
    }
}
