//! Our reading of JSON beside the usual one.

use super::{SERDE_DEPTH, has_far_number};
use crate::json::{Cursor, Index, Json, Kind};
use serde::de::IgnoredAny;
use serde_json::Value;

/// The same texts are JSON, and say the same, for us and for `serde_json`.
///
/// `IgnoredAny` checks the grammar alone, so there both must agree on every text. A `Value` also needs whole
/// characters, little depth and numbers that fit: what we write must be readable as one, far numbers and
/// depth apart, and whatever it can read we must read alike.
pub fn json_agrees_with_serde_json(text: &str) {
    let ours = Json::new(text);
    index_agrees_with_search(text);
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

/// A text whose tokens were found many bytes at a time is read as one that is looked at byte by byte.
fn index_agrees_with_search(text: &str) {
    let mut index = Index::default();
    let (ascii, marks) = index.of(text.as_bytes());
    assert_eq!(ascii, Some(text).filter(|text| text.is_ascii()));
    let (mut indexed, mut searched) = (Cursor::indexed(text, marks), Cursor::new(text));
    assert_eq!(indexed.skip().map(Json::text), searched.skip().map(Json::text));
    assert_eq!(indexed.end(), searched.end());
    assert_eq!(indexed.deepest(), searched.deepest());
    assert_eq!(indexed.far_numbers(), searched.far_numbers());
    let keys = |mut cursor: Cursor<'_>| {
        let mut keys = Vec::new();
        let read = cursor.object(|key, cursor| {
            keys.push((key.to_string(), cursor.skip()?.text().to_owned()));
            Ok(())
        });
        (read.is_ok(), keys)
    };
    assert_eq!(keys(Cursor::indexed(text, marks)), keys(Cursor::new(text)));
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
