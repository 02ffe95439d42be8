//! Whether two lines say one thing, and if not, where they first differ.

use super::free::Rules;
use super::names::Names;
use crate::json::{Json, Kind, Str};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The first place where a line is not as it was.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// Where: `response.response.behavior`; empty for the line as a whole.
    pub path: String,
    /// What the recording has there; nothing if the field is new.
    pub expected: Option<String>,
    /// What came; nothing if the field is missing.
    pub came: Option<String>,
}

/// A step of the way to a value.
#[derive(Clone, Debug)]
pub(super) enum Segment<'a> {
    Key(Str<'a>),
    Index(usize),
}

/// Deeper than this values are compared as they are written: nobody nests so deep, and whoever does may not cost us our stack.
const DEEPEST: usize = 64;

/// Compares a line with the recorded one.
pub(super) fn difference(
    expected: Json<'_>,
    came: Json<'_>,
    rules: &Rules<'_>,
    names: &Names,
) -> Option<Difference> {
    if expected.text() == came.text() {
        return None;
    }
    Comparison { rules, names, path: Vec::new() }.differ(expected, came)
}

/// Whether two values say one thing, wherever they stand.
pub(super) fn is_same(left: Json<'_>, right: Json<'_>) -> bool {
    difference(left, right, &Rules::none(), &Names::default()).is_none()
}

impl Segment<'_> {
    pub(super) fn is(&self, name: &str) -> bool {
        match self {
            Segment::Key(key) => *key == name,
            Segment::Index(index) => name.parse() == Ok(*index),
        }
    }
}

struct Comparison<'r, 'a> {
    rules: &'r Rules<'r>,
    names: &'r Names,
    path: Vec<Segment<'a>>,
}

impl<'a> Comparison<'_, 'a> {
    fn differ(&mut self, expected: Json<'a>, came: Json<'a>) -> Option<Difference> {
        if expected.text() == came.text() || self.rules.is_free(&self.path) {
            return None;
        }
        if self.path.len() >= DEEPEST {
            return (expected.compact() != came.compact()).then(|| self.here(Some(expected), Some(came)));
        }
        let same = match (expected.kind(), came.kind()) {
            (Kind::Object, Kind::Object) => return self.objects(expected, came),
            (Kind::Array, Kind::Array) => return self.arrays(expected, came),
            (Kind::String, Kind::String) => self.strings(expected, came),
            (Kind::Number, Kind::Number) => numbers(expected, came),
            (Kind::String, Kind::Array) if self.rules.is_content(&self.path) => is_text(came, expected),
            (Kind::Array, Kind::String) if self.rules.is_content(&self.path) => is_text(expected, came),
            _ => false,
        };
        (!same).then(|| self.here(Some(expected), Some(came)))
    }

    fn objects(&mut self, expected: Json<'a>, came: Json<'a>) -> Option<Difference> {
        let is_envelope = self.rules.is_envelope(&self.path);
        let counts = |value: &Json<'_>| !(is_envelope && value.is_null());
        // Of repeated fields the last counts.
        let mut rest = BTreeMap::new();
        for (place, (key, value)) in came.fields().enumerate() {
            rest.insert(key.decode(), (place, key, value));
        }
        let mut seen = BTreeMap::new();
        for (place, (key, value)) in expected.fields().enumerate() {
            seen.insert(key.decode(), (place, key, value));
        }
        let mut pairs: Vec<_> = seen.into_iter().map(|(name, it)| (it, rest.remove(&name))).collect();
        pairs.sort_by_key(|((place, ..), _)| *place);
        for ((_, key, value), other) in pairs {
            self.path.push(Segment::Key(key));
            let difference = match other {
                Some((_, _, other)) if counts(&value) || counts(&other) => self.differ(value, other),
                None if counts(&value) && !self.rules.is_free(&self.path) => {
                    Some(self.here(Some(value), None))
                }
                _ => None,
            };
            if difference.is_some() {
                return difference;
            }
            self.path.pop();
        }
        let mut new: Vec<_> = rest.into_values().filter(|(_, _, value)| counts(value)).collect();
        new.sort_by_key(|(place, ..)| *place);
        for (_, key, value) in new {
            self.path.push(Segment::Key(key));
            if !self.rules.is_free(&self.path) {
                return Some(self.here(None, Some(value)));
            }
            self.path.pop();
        }
        None
    }

    fn arrays(&mut self, expected: Json<'a>, came: Json<'a>) -> Option<Difference> {
        let (mut left, mut right) = (expected.items(), came.items());
        for index in 0.. {
            let (value, other) = (left.next(), right.next());
            if value.is_none() && other.is_none() {
                break;
            }
            self.path.push(Segment::Index(index));
            let difference = match (value, other) {
                (Some(value), Some(other)) => self.differ(value, other),
                (value, other) => Some(self.here(value, other)),
            };
            if difference.is_some() {
                return difference;
            }
            self.path.pop();
        }
        None
    }

    /// Equal, or the host's new name for what it was called when it was recorded.
    fn strings(&self, expected: Json<'_>, came: Json<'_>) -> bool {
        let (Some(expected), Some(came)) = (expected.as_str(), came.as_str()) else { return false };
        expected == came || self.names.now(&expected.decode()).is_some_and(|name| came == *name)
    }

    fn here(&self, expected: Option<Json<'_>>, came: Option<Json<'_>>) -> Difference {
        let text = |value: Json<'_>| value.clean().into_owned();
        Difference { path: self.shown(), expected: expected.map(text), came: came.map(text) }
    }

    fn shown(&self) -> String {
        let mut shown = String::new();
        for segment in &self.path {
            // Writing to a `String` cannot fail.
            let _ = match segment {
                Segment::Index(index) => write!(shown, "[{index}]"),
                Segment::Key(key) if !is_name(&key.decode()) => write!(shown, "[{:?}]", key.decode()),
                Segment::Key(key) if shown.is_empty() => write!(shown, "{key}"),
                Segment::Key(key) => write!(shown, ".{key}"),
            };
        }
        shown
    }
}

fn is_name(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// One value however it is written: `1`, `1.0`, `1e0`. What is too large for an `f64` is compared as it is written.
fn numbers(expected: Json<'_>, came: Json<'_>) -> bool {
    let is_whole = |number: Json<'_>| number.text().bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if is_whole(expected) && is_whole(came) {
        return false;
    }
    matches!((expected.as_f64(), came.as_f64()), (Some(expected), Some(came)) if expected == came)
}

/// Whether a list has one block, and the block this text and nothing else.
fn is_text(list: Json<'_>, text: Json<'_>) -> bool {
    let mut blocks = list.items();
    let (Some(block), None) = (blocks.next(), blocks.next()) else { return false };
    let is = |key, value| block.get(key).and_then(Json::as_str) == Some(value);
    text.as_str().is_some_and(|text| is("type", "text".into()) && is("text", text))
        && block.fields().count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `path: expected -> came`, or nothing if they say one thing.
    fn told(line: &str, expected: &str, came: &str) -> String {
        let [expected, came] = [expected, came].map(|text| Json::new(text).unwrap());
        let names = Names::default();
        let ignored = ["ignored.*".to_owned()];
        let difference = difference(expected, came, &Rules::of(line, &ignored), &names);
        difference.map_or(String::new(), |Difference { path, expected, came }| {
            let shown = |value: Option<String>| value.unwrap_or_else(|| "nothing".into());
            format!("{path}: {} -> {}", shown(expected), shown(came))
        })
    }

    fn same(line: &str, expected: &str, came: &str) {
        assert_eq!(told(line, expected, came), "", "{expected} {came}");
        assert_eq!(told(line, came, expected), "", "{came} {expected}");
    }

    #[test]
    fn order_white_space_and_escapes_mean_nothing() {
        same("x", r#"{"a":1,"b":[true,null,"é"]}"#, r#" { "b" : [ true, null, "\u00e9" ], "a" : 1.0 } "#);
        same("x", r#"{"a":1,"a":2}"#, r#"{"a":2}"#);
        same("x", r#"{"ignored":{"deep":1}}"#, r#"{"ignored":{"deep":2}}"#);
    }

    #[test]
    fn the_first_difference_is_told_with_its_place() {
        for (expected, came, told_as) in [
            (r#"{"a":{"b":[1,2]}}"#, r#"{"a":{"b":[1,3]}}"#, "a.b[1]: 2 -> 3"),
            (r#"{"a":[1]}"#, r#"{"a":[1,2]}"#, "a[1]: nothing -> 2"),
            (r#"{"a":[1,2]}"#, r#"{"a":[1]}"#, "a[1]: 2 -> nothing"),
            (r#"{"a":1,"b":2}"#, r#"{"b":2}"#, "a: 1 -> nothing"),
            (r#"{"b":2}"#, r#"{"b":2,"a/b":1}"#, r#"["a/b"]: nothing -> 1"#),
            (r#"{"b":2,"a":1}"#, r#"{"a":2,"b":3}"#, "b: 2 -> 3"),
            ("[]", "{}", ": [] -> {}"),
            ("\"1\"", "1", ": \"1\" -> 1"),
            ("9007199254740993", "9007199254740992", ": 9007199254740993 -> 9007199254740992"),
        ] {
            assert_eq!(told("x", expected, came), told_as);
        }
    }

    #[test]
    fn what_hosts_make_up_is_not_compared() {
        let prompt = r#"{"type":"user","message":{"role":"user","content":"hi"},"uuid":"1","session_id":""}"#;
        same(
            "user",
            prompt,
            r#"{"type":"user","message":{"role":"user","content":"hi"},"parent_tool_use_id":null}"#,
        );
        let block = r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"hi"}]}}"#;
        same("user", prompt, block);
        let cached = r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"hi","cache_control":{}}]}}"#;
        assert!(told("user", prompt, cached).starts_with("message.content: \"hi\" -> [{"));
        let hooks = |id: &str, matcher: &str| {
            format!(
                r#"{{"request_id":"{id}","request":{{"hooks":{{"Stop":[{{"matcher":"{matcher}","hookCallbackIds":["{id}"]}}]}}}}}}"#
            )
        };
        same("control_request", &hooks("1", "x"), &hooks("2", "x"));
        let told = told("control_request", &hooks("1", "x"), &hooks("2", "y"));
        assert_eq!(told, "request.hooks.Stop[0].matcher: \"x\" -> \"y\"");
    }

    #[test]
    fn null_is_nothing_in_envelopes_and_something_in_data() {
        same(
            "control_request",
            r#"{"request":{"subtype":"s","hooks":null}}"#,
            r#"{"request":{"subtype":"s"}}"#,
        );
        let answer = |input: &str| format!(r#"{{"response":{{"response":{{"updatedInput":{input}}}}}}}"#);
        let told = told("control_response", &answer(r#"{"a":null}"#), &answer("{}"));
        assert_eq!(told, "response.response.updatedInput.a: null -> nothing");
    }

    #[test]
    fn no_depth_is_too_deep() {
        let deep = |inner: &str| format!("{}{inner}{}", "[".repeat(5000), "]".repeat(5000));
        same("x", &deep("1"), &deep(" 1 "));
        assert_ne!(told("x", &deep("1"), &deep("2")), "");
    }
}
