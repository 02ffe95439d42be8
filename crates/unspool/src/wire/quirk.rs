//! Every place where the wire says one thing in several ways, and how to read it anyway.

use crate::json::{Fault, Json, Kind, Str};
use std::borrow::Cow;

/// Reads a line as JavaScript does: white space of all kinds around it does not count, and an empty line
/// is none. What is not an object is a fault.
#[must_use]
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

/// The model of messages that Claude Code itself puts in the place of a model's.
pub const SYNTHETIC: &str = "<synthetic>";

/// What Claude Code puts before what the API says of a failure; behind it the status, which need not be there.
pub(crate) const API_ERROR: &str = "API Error";

/// What the API says of a failure, without the words of Claude Code before it; `None` if there are none.
///
/// ```
/// use unspool::wire::quirk::api_error;
/// assert_eq!(api_error("API Error: 529 Overloaded"), Some("529 Overloaded"));
/// ```
#[must_use]
pub fn api_error(words: &str) -> Option<&str> {
    words.strip_prefix(API_ERROR)?.strip_prefix(": ")
}

/// How Claude Code marks what a tool says of its failure, for the model.
const TOOL_ERROR: (&str, &str) = ("<tool_use_error>", "</tool_use_error>");

/// What a tool says of its failure, without the tag around it that tells the model that it is one; `None` if there is none.
///
/// ```
/// use unspool::wire::quirk::tool_error;
/// assert_eq!(tool_error("<tool_use_error>File does not exist.</tool_use_error>"), Some("File does not exist."));
/// ```
#[must_use]
pub fn tool_error(output: &str) -> Option<&str> {
    output.trim().strip_prefix(TOOL_ERROR.0)?.strip_suffix(TOOL_ERROR.1)
}

/// Whether an answer that failed is Claude Code's own, and says that the call was not allowed. Of such calls 2.0.77 says
/// nothing else, nor does 2.1.325 of a tool that was taken away.
#[must_use]
pub fn says_denied(output: &str) -> bool {
    let Some(words) = output.strip_prefix(TOOL_ERROR.0) else { return false };
    let is_disabled = words.starts_with("Error: No such tool available: ")
        && words.contains(" is disabled for this session");
    is_disabled || words.starts_with("File is in a directory that is denied by your permission settings")
}

/// The words of a tool's answer, which may be words, a list of blocks (fixtures/agents/bgagent-2.1.325 has both), or
/// nothing, which is in no recording. Blocks are joined by line ends; those without words do not count.
#[must_use]
pub fn flatten_content(content: Json<'_>) -> Cow<'_, str> {
    words_of(content).0
}

/// The words of a tool's answer as [`flatten_content`] joins them, and whether it holds nothing but words.
pub(crate) fn words_of(content: Json<'_>) -> (Cow<'_, str>, bool) {
    match content.kind() {
        Kind::String => (content.as_str().map(|words| words.decode()).unwrap_or_default(), true),
        Kind::Null => (Cow::Borrowed(""), true),
        Kind::Array => {
            let (mut all, mut only) = (None::<Cow<'_, str>>, true);
            for block in content.items() {
                let (kind, text) = kind_and_text(block);
                only &= kind.is_some_and(|kind| kind == "text") && text.is_some();
                let Some(text) = text else { continue };
                match &mut all {
                    None => all = Some(text.decode()),
                    Some(all) => {
                        let all = all.to_mut();
                        all.push('\n');
                        all.push_str(&text.decode());
                    }
                }
            }
            (all.unwrap_or_default(), only)
        }
        Kind::Bool | Kind::Number | Kind::Object => (Cow::Borrowed(""), false),
    }
}

/// The `type` and `text` of a block; of repeated ones the last.
fn kind_and_text(block: Json<'_>) -> (Option<Str<'_>>, Option<Str<'_>>) {
    let (mut kind, mut text) = (None, None);
    for (key, value) in block.fields() {
        if key == "type" {
            kind = value.as_str();
        } else if key == "text" {
            text = value.as_str();
        }
    }
    (kind, text)
}

/// What tells a block from others of its kind: the id of a call, the first 64 UTF-16 units of what it says,
/// or else the call it belongs to. Older documents tell agents apart by it; events do not, as two agents may begin with
/// the same words: fixtures/agents/sub2same_fwd-2.1.325.
#[must_use]
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
/// is decoded once, any other string stays, any other value is told as JSON, `null` as nothing. Older documents have
/// such results, no recording has: a model that answers `"quoted"` means its quotes (fixtures/bytes/jsonstr-2.1.325).
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
