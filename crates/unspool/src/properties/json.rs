//! Our reading of JSON beside the usual one.

use super::{SERDE_DEPTH, has_far_number};
use crate::json::{Json, Kind};
use serde::de::IgnoredAny;
use serde_json::Value;

/// The same texts are JSON, and say the same, for us and for `serde_json`.
///
/// `IgnoredAny` checks the grammar alone, so there both must agree on every text. A `Value` also needs whole
/// characters, little depth and numbers that fit: what we write must be readable as one, far numbers and
/// depth apart, and whatever it can read we must read alike.
pub fn json_agrees_with_serde_json(text: &str) {
    let ours = Json::new(text);
    assert_eq!(ours.is_ok(), serde_json::from_str::<IgnoredAny>(text).is_ok(), "{ours:?}");
    let Ok(json) = ours else { return };

    let clean = json.clean();
    assert!(!clean.contains(['\n', '\r']), "a line end in {clean:?}");
    match serde_json::from_str::<Value>(&clean) {
        Ok(value) => same(json, &value),
        Err(error) => assert!(json.depth() > SERDE_DEPTH || has_far_number(text), "{error}: {clean}"),
    }
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        same(json, &value);
    }
}

/// Compares two readings of one text.
fn same(json: Json<'_>, value: &Value) {
    match value {
        Value::Null => assert!(json.is_null()),
        Value::Bool(it) => assert_eq!(json.as_bool(), Some(*it)),
        Value::Number(it) => {
            let (ours, theirs) = (json.as_f64().unwrap_or(f64::NAN), it.as_f64().unwrap_or(f64::NAN));
            // Without its feature `float_roundtrip`, serde_json may miss the last bits.
            assert!((ours - theirs).abs() <= ours.abs() * 1e-15, "{json:?} is {it}");
            assert!(it.as_u64().is_none_or(|it| json.as_u64() == Some(it)), "{json:?} is {it}");
        }
        Value::String(it) => assert_eq!(json.as_str().unwrap_or_default(), it.as_str()),
        Value::Array(all) => {
            assert_eq!((json.kind(), json.items().count()), (Kind::Array, all.len()));
            json.items().zip(all).for_each(|(json, value)| same(json, value));
        }
        Value::Object(all) => {
            assert_eq!(json.kind(), Kind::Object);
            assert!(json.fields().all(|(key, _)| all.contains_key(&*key.decode())));
            all.iter().for_each(|(key, value)| same(json.get(key).unwrap_or(Json::NULL), value));
        }
    }
}
