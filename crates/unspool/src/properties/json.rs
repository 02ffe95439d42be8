//! Our reading of JSON beside the usual one.

use super::{SERDE_DEPTH, has_far_number};
use crate::json::{Chart, Index, Json, Kind, Spot};
use serde::de::IgnoredAny;
use serde_json::Value;

/// A text is JSON for us if it is for `serde_json`, and then says the same to both.
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

/// A text that is looked at many bytes at a time is read as one that is looked at byte by byte. All objects
/// without white space can be.
fn index_agrees_with_search(text: &str) {
    let mut index = Index::default();
    let indexed = index.chart(text.as_bytes());
    let searched = Chart::searched(text);
    let tight = searched.is_ok_and(|searched| searched.json().compact() == text);
    assert!(!tight || indexed.is_some(), "there is no index of {text}");
    let Some(indexed) = indexed else { return };
    let searched = searched.unwrap_or_else(|fault| panic!("{fault}, but there is an index"));
    assert!(indexed.is_odd() || !searched.is_odd());
    let mut values = vec![(indexed.root(), searched.root())];
    while let Some((one, other)) = values.pop() {
        assert_eq!(indexed.value(one).map(Json::text), searched.value(other).map(Json::text));
        assert_eq!(indexed.str(one), searched.str(other));
        let (keys, inside) = inside(&indexed, one);
        let (same_keys, same_inside) = self::inside(&searched, other);
        assert_eq!(keys, same_keys);
        assert_eq!(inside.len(), same_inside.len());
        values.extend(inside.into_iter().zip(same_inside));
    }
}

/// The keys and values in an object, or the values in a list.
fn inside(chart: &Chart<'_>, place: Spot) -> (Vec<String>, Vec<Spot>) {
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    chart.items(place, |item| values.push(item));
    chart.members(place, |key, value| {
        keys.push(key.to_string());
        values.push(value);
    });
    (keys, values)
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
