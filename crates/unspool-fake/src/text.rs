//! JSON written as text: keys in the order of the API, and strings that may hold half a character. A tree of
//! values has neither.

use serde_json::Value;

/// An object, from values that are JSON already.
pub(crate) fn object(fields: &[(&str, &str)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{}:{value}", quoted(key))).collect();
    format!("{{{}}}", fields.join(","))
}

/// An array, from values that are JSON already.
pub(crate) fn array(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}

/// A string.
pub(crate) fn quoted(words: &str) -> String {
    Value::from(words).to_string()
}

/// A string, or null.
pub(crate) fn quoted_or_null(words: Option<&str>) -> String {
    words.map_or("null".to_owned(), quoted)
}
