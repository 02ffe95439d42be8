//! Every place where the wire says one thing in several ways, and how to read it anyway.

use crate::json::{Fault, Json, Kind};
use std::borrow::Cow;

/// Reads a line as JavaScript does: white space of all kinds around it does not count, and an empty line
/// is none. What is not an object is a fault.
pub fn parse_line(line: &str) -> Option<Result<Json<'_>, Fault>> {
    let text = crate::line::trim(line);
    if text.is_empty() {
        return None;
    }
    let object = |json: Json<'_>| match json.kind() {
        Kind::Object => Ok(()),
        _ => Err(Fault { what: "the value is not an object", at: 0 }),
    };
    Some(Json::new(text).and_then(|json| object(json).map(|()| json)))
}

/// The words of a tool's answer, which may be words, a list of blocks, or nothing. Blocks are joined by
/// line ends; those without words do not count.
pub fn flatten_content(content: Json<'_>) -> Cow<'_, str> {
    match content.kind() {
        Kind::String => content.as_str().map(|words| words.decode()).unwrap_or_default(),
        Kind::Array => {
            let mut words = content.items().filter_map(|block| block.get("text")?.as_str());
            let Some(first) = words.next() else { return Cow::Borrowed("") };
            let mut all = first.decode();
            for next in words {
                let all = all.to_mut();
                all.push('\n');
                all.push_str(&next.decode());
            }
            all
        }
        _ => Cow::Borrowed(""),
    }
}

/// Whether a tool's answer holds nothing but words.
pub fn is_only_text(content: Json<'_>) -> bool {
    let is_text = |block: Json<'_>| {
        block.get("type").and_then(Json::as_str).is_some_and(|kind| kind == "text")
            && block.get("text").is_some_and(|text| text.kind() == Kind::String)
    };
    match content.kind() {
        Kind::String | Kind::Null => true,
        Kind::Array => content.items().all(is_text),
        Kind::Bool | Kind::Number | Kind::Object => false,
    }
}

/// What tells a block from others of its kind: the id of a call, the first 64 UTF-16 units of what it says,
/// or else the call it belongs to.
pub fn fingerprint(block: Json<'_>) -> String {
    let words = |key: &str| block.get(key).and_then(Json::as_str).map(|words| words.decode());
    let kind = words("type").unwrap_or_default();
    if kind == "tool_use" {
        return format!("tool_use:{}", words("id").unwrap_or("unknown".into()));
    }
    match words("thinking").or_else(|| words("text")) {
        Some(said) if !said.is_empty() => format!("{kind}:{}", first_units(&said, 64)),
        _ => format!("{kind}:{}", words("tool_use_id").unwrap_or("unknown".into())),
    }
}

/// The text of a `result` that may have been made JSON once more: a string that is itself a JSON string
/// is decoded once, any other string stays, any other value is told as JSON, `null` as nothing.
pub fn double_encoded(result: Json<'_>) -> String {
    let Some(text) = result.as_str() else {
        return if result.is_null() { String::new() } else { result.compact() };
    };
    let text = text.decode();
    let inner = text.starts_with('"').then(|| Json::new(&text).ok()).flatten();
    match inner.and_then(Json::as_str) {
        Some(inner) => inner.decode().into_owned(),
        None => text.into_owned(),
    }
}

/// As many whole characters as fit into so many UTF-16 units.
fn first_units(text: &str, most: usize) -> &str {
    let mut units = 0;
    let end = text.char_indices().find(|(_, letter)| {
        units += letter.len_utf16();
        units > most
    });
    end.map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_never_splits_a_character() {
        assert_eq!(first_units("ab🚀", 3), "ab");
        assert_eq!(first_units("ab🚀", 4), "ab🚀");
        assert_eq!(first_units("abc", 64), "abc");
    }

    #[test]
    fn white_space_in_strings_stays() {
        let json = Json::new("{ \"a b\" : \"c \\\" d\" , \"e\" : [ 1 ] }").unwrap();
        assert_eq!(double_encoded(json), r#"{"a b":"c \" d","e":[1]}"#);
    }
}
