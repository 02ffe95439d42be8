//! Values as JSON Schema sees them: 1 and 1.0 are the same, and 1.0 is an integer.

use serde_json::{Number, Value};
use std::cmp::Ordering;

/// Whether two values are the same to JSON Schema, for which 1 and 1.0 are.
pub(super) fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => compare(one, other) == Some(Ordering::Equal),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let same = |(name, one)| other.get(name).is_some_and(|other| equal(one, other));
            one.len() == other.len() && one.iter().all(same)
        }
        _ => one == other,
    }
}

/// Whole numbers are compared as such: beyond 2^53 not all of them are floating-point ones.
pub(super) fn compare(one: &Number, other: &Number) -> Option<Ordering> {
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}

pub(super) fn is(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
        Value::Number(number) => {
            name == "number" || name == "integer" && number.as_f64().is_some_and(|it| it.fract() == 0.0)
        }
    }
}

pub(super) fn is_multiple(number: &Number, step: &Number) -> bool {
    if let (Some(number), Some(step)) = (whole(number), whole(step)) {
        return number % step == 0;
    }
    let (number, step) = (number.as_f64().unwrap_or(f64::NAN), step.as_f64().unwrap_or(f64::NAN));
    let times = number / step;
    // Decimal fractions are none in binary, so 0.3 is not quite three times 0.1.
    times.is_finite() && (times - times.round()).abs() <= 1e-9 * times.abs().max(1.0)
}

fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or(number.as_u64().map(i128::from))
}

/// A value for people, not longer than they want to read.
pub(super) fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
