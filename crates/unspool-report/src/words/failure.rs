//! What an error of the API says, for people.

use serde_json::Value;
use unspool::event::ErrorKind;
use unspool::wire::quirk::{api_error, tool_error};

/// The words of an error without what only programs read: `API Error: 529 {"error":{"message":"Overloaded"}} · check …` is
/// `Overloaded · check …`.
pub fn failure(text: &str) -> String {
    let text = text.trim();
    let Some(rest) = api_error(text) else { return text.to_owned() };
    let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start();
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    let Some(Ok(value @ Value::Object(_))) = values.next() else { return rest.to_owned() };
    let error = value.get("error").unwrap_or(&value);
    let Some(message) = error.get("message").and_then(Value::as_str) else { return rest.to_owned() };
    let behind = rest[values.byte_offset()..].trim_matches([' ', '·']);
    [message, behind].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// What a tool says of its failure, without the tag that tells the model that it is one.
#[must_use]
pub fn tool_failure(output: &str) -> &str {
    tool_error(output).unwrap_or(output)
}

/// The words of an error without what its kind says already: `Overloaded · check …` is `check …`, where it is one of overload.
#[must_use]
pub fn failure_beside(kind: ErrorKind, text: &str) -> String {
    let words = failure(text);
    let (first, rest) = words.split_once(" · ").unwrap_or((&words, ""));
    if first.eq_ignore_ascii_case(&failure_kind(kind, None)) { rest.to_owned() } else { words }
}

/// What kind of error it is, with the status of the API behind it.
pub(super) fn failure_kind(kind: ErrorKind, status: Option<u64>) -> String {
    let name = match kind {
        ErrorKind::Api => "API error".to_owned(),
        ErrorKind::Other => "error".to_owned(),
        kind => kind.to_string().replace('_', " "),
    };
    status.map_or(name.clone(), |status| format!("{name} ({status})"))
}

/// The kind and the words, each thing once.
#[must_use]
pub fn failed(kind: ErrorKind, status: Option<u64>, text: &str) -> String {
    let (name, words, beside) = (failure_kind(kind, status), failure(text), failure_beside(kind, text));
    match &*beside {
        "" => name,
        beside if beside.len() < words.len() => format!("{name} · {beside}"),
        _ => format!("{name}: {words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_s_failure_has_no_tag() {
        for (output, told) in [
            ("<tool_use_error>File does not exist.</tool_use_error>", "File does not exist."),
            ("  <tool_use_error>two\nlines</tool_use_error>\n", "two\nlines"),
            ("<tool_use_error>cut", "<tool_use_error>cut"),
            (
                "Exit code 1\n<tool_use_error>x</tool_use_error>",
                "Exit code 1\n<tool_use_error>x</tool_use_error>",
            ),
            (" plain ", " plain "),
        ] {
            assert_eq!(tool_failure(output), told);
        }
    }

    #[test]
    fn an_error_is_said_in_words() {
        let json =
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}"#;
        for (kind, status, text, told) in [
            (
                ErrorKind::Api,
                Some(400),
                "API Error: 400 mock: bad request",
                "API error (400): mock: bad request",
            ),
            (
                ErrorKind::Overloaded,
                Some(529),
                &*format!("API Error: 529 {json} · check status.claude.com"),
                "overloaded (529) · check status.claude.com",
            ),
            (
                ErrorKind::RateLimit,
                Some(429),
                "API Error: 429 {\"error\":{\"message\":\"Too many\"}}",
                "rate limit (429): Too many",
            ),
            (
                ErrorKind::MaxTurns,
                None,
                "Reached maximum number of turns (1)",
                "max turns: Reached maximum number of turns (1)",
            ),
            (ErrorKind::Api, None, "API Error: {odd", "API error: {odd"),
            (ErrorKind::Billing, None, "", "billing"),
        ] {
            assert_eq!(failed(kind, status, text), told);
        }
    }
}
