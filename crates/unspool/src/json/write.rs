//! Writes JSON that any reader takes: UTF-8, one line, no half characters.

use super::search::plain_until;
use super::{Half, Str};
use std::borrow::Cow;

/// A JSON text without line ends and without half characters.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if is_clean(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(compact(text))
}

/// A JSON text without any white space between tokens and without half characters.
pub(super) fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    rewrite(text, &mut out);
    out
}

/// Appends a checked JSON text, cleaned.
pub(crate) fn write_clean(text: &str, out: &mut String) {
    if is_clean(text) {
        out.push_str(text);
    } else {
        rewrite(text, out);
    }
}

/// Appends a checked JSON text on one line, and its strings as they were written, half characters too: for who wrote them so.
pub(crate) fn write_line(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    if memchr::memchr2(b'\n', b'\r', bytes).is_none() {
        return out.push_str(text);
    }
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = if byte == b'"' { string_end(bytes, at + 1).0 } else { at };
        if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
            out.push_str(&text[at..=end]);
        }
        at = end + 1;
    }
}

/// Appends `words` as a JSON string with its quotes.
pub(crate) fn write_string(words: &str, out: &mut String) {
    out.push('"');
    let bytes = words.as_bytes();
    let mut from = 0;
    loop {
        let at = plain_until(bytes, from);
        out.push_str(&words[from..at]);
        let Some(&byte) = bytes.get(at) else { break };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            other => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                out.push_str("\\u00");
                out.push(HEX[usize::from(other >> 4)] as char);
                out.push(HEX[usize::from(other & 15)] as char);
            }
        }
        from = at + 1;
    }
    out.push('"');
}

/// Whether a text can stay as it is. White space other than line ends is left alone; it harms nobody.
fn is_clean(text: &str) -> bool {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_some() {
        return false;
    }
    !memchr::memmem::find_iter(text.as_bytes(), b"\\u")
        .any(|at| matches!(text.as_bytes().get(at + 2), Some(b'd' | b'D')))
}

/// Whether a number in a checked text is beyond what an `f64` holds.
pub(super) fn has_far_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at + 1).0 + 1,
            b'-' | b'0'..=b'9' => {
                let start = at;
                while bytes
                    .get(at)
                    .is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
                {
                    at += 1;
                }
                if text[start..at].parse::<f64>().is_ok_and(f64::is_infinite) {
                    return true;
                }
            }
            _ => at += 1,
        }
    }
    false
}

/// From behind an opening quote: where the closing one is, and whether there is an escape between.
fn string_end(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut escaped = false;
    let mut at = plain_until(bytes, start);
    while bytes.get(at) == Some(&b'\\') {
        escaped = true;
        at = plain_until(bytes, at + 2);
    }
    (at, escaped)
}

/// Token by token: white space goes, strings with escapes are decoded and written anew.
fn rewrite(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let (end, escaped) = string_end(bytes, at + 1);
                rewrite_string(&text[at + 1..end], escaped, out);
                at = end;
            }
            b' ' | b'\n' | b'\t' | b'\r' => {}
            other => out.push(other as char),
        }
        at += 1;
    }
}

fn rewrite_string(inner: &str, escaped: bool, out: &mut String) {
    let mut words = String::new();
    let mut half = Half::default();
    Str::wire(inner, escaped).decode_into(&mut words, &mut half);
    half.give_up(&mut words);
    write_string(&words, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_clean_stays() {
        let text = r#"{"a": "x\n\u00e9", "n":12345678901234567891.10}"#;
        assert!(matches!(clean(text), Cow::Borrowed(same) if same == text));
    }

    #[test]
    fn half_characters_and_line_ends_go() {
        assert_eq!(clean("{\n  \"a\": [1.50,\r\n \"\\ud83d\"]\n}"), "{\"a\":[1.50,\"\u{fffd}\"]}");
        assert_eq!(clean(r#""\ud83d\ude80\\ud83d""#), "\"🚀\\\\ud83d\"");
        assert_eq!(clean("[\n\"a\\\\\",\"b\\\"\"]"), r#"["a\\","b\""]"#);
    }

    #[test]
    fn a_line_keeps_its_strings_as_they_were_written() {
        for (text, line) in [
            (r#"{"a": "\ud83d x", "b":1.50}"#, r#"{"a": "\ud83d x", "b":1.50}"#),
            ("{\n  \"a b\": [1.50,\r\n \"\\ud83d \\\" \"]\n}", r#"{"a b":[1.50,"\ud83d \" "]}"#),
            ("\"\\u00e9 é\"\n", "\"\\u00e9 é\""),
        ] {
            let mut out = String::new();
            write_line(text, &mut out);
            assert_eq!(out, line);
        }
    }

    #[test]
    fn strings_are_escaped_as_serde_json_does() {
        let mut words: String = (0..0x80u8).map(char::from).collect();
        words.push_str("é🚀\u{2028}");
        let mut ours = String::new();
        write_string(&words, &mut ours);
        assert_eq!(serde_json::from_str::<String>(&ours).unwrap(), words);
        assert_eq!(ours.len(), serde_json::to_string(&words).unwrap().len() + 8, "\\b and \\f are spelt out");
    }
}
