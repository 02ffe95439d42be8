//! Values that are secret for what stands before them: of headers, of URLs.
//!
//! In what people, models and programs write there are many that are none: variables, examples, words. What looks like code or like
//! an example is left alone.

use super::NAMES;
use super::Reached::{self, End, Nowhere, To};

/// So far a value is looked at before it is known to be one.
const LOOK: usize = 256;

/// Between a name and its value: `: `, `=`, `": "`, `"] = '`.
pub(super) fn separator(text: &[u8], at: usize, last: bool) -> Reached {
    let Some(rest) = text.get(at..at + 16).or(text.get(at..)) else { return Nowhere };
    let mut seen = 0;
    let mut skip = |of: &[u8], most: usize| {
        let length = rest[seen..].iter().take(most).take_while(|byte| of.contains(byte)).count();
        seen += length;
        length
    };
    let is_quoted = skip(b"\"'`", 1) > 0;
    skip(b"]", 1);
    skip(b" \t", 4);
    let has_sign = skip(b":=", 1) > 0 && {
        skip(b">", 1);
        true
    };
    let is_comma = !has_sign && is_quoted && skip(b",", 1) > 0;
    skip(b" \t", 4);
    let opens = (has_sign || is_comma) && skip(b"\"'`", 1) > 0;
    if seen == text.len() - at && !last {
        return End;
    }
    // What is quoted has a quoted value, or it is code.
    let fits = (has_sign || is_comma) && (opens || !is_quoted);
    if fits { To(at + seen) } else { Nowhere }
}

/// No letter and no digit: what is longer is something else.
pub(super) fn nothing_more(text: &[u8], at: usize, last: bool) -> Reached {
    match text.get(at) {
        Some(byte) if byte.is_ascii_alphanumeric() => Nowhere,
        None if !last => End,
        _ => To(at),
    }
}

/// `Bearer `, `Basic ` and the like, if they are there.
pub(super) fn scheme(text: &[u8], at: usize, last: bool) -> Reached {
    const SIGNED: &[u8] = b"AWS4-HMAC-SHA256";
    let rest = &text[at..];
    let letters = rest.iter().take(16).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let word = if rest.starts_with(SIGNED) { SIGNED.len() } else { letters };
    let blanks = rest[word..].iter().take(4).take_while(|byte| **byte == b' ').count();
    let is_open = word + blanks == rest.len() && blanks < 4 || SIGNED.starts_with(rest);
    if is_open && !last {
        return End;
    }
    To(if word > 0 && blanks > 0 { at + word + blanks } else { at })
}

/// The value of a header: one word, that is no variable and no example.
pub(super) fn token(text: &[u8], at: usize, last: bool) -> Reached {
    word(text, at, last, is_token, |value| value.len() >= 8 && is_likely(value))
}

/// What stands behind `Bearer` anywhere.
pub(super) fn bearer(text: &[u8], at: usize, last: bool) -> Reached {
    let fits = |value: &[u8]| value.len() >= 16 && value.iter().any(u8::is_ascii_digit) && is_likely(value);
    word(text, at, last, is_token, fits)
}

/// The value of a parameter of a URL.
pub(super) fn parameter(text: &[u8], at: usize, last: bool) -> Reached {
    let is_value = |byte: u8| is_token(byte) || matches!(byte, b'%' | b',' | b'!' | b'*' | b'@' | b';');
    word(text, at, last, is_value, |value| value.len() >= 8 && is_likely(value))
}

/// The password in a URL, before `@`.
pub(super) fn password(text: &[u8], at: usize, last: bool) -> Reached {
    let rest = &text[at..];
    let length = rest.iter().take(LOOK).take_while(|byte| is_password(**byte)).count();
    if length == rest.len() && length < LOOK && !last {
        return End;
    }
    let value = &rest[..length];
    if length > 0 && !is_variable(value) { To(at + length) } else { Nowhere }
}

/// A token in the place of the user of a URL.
pub(super) fn user(text: &[u8], at: usize, last: bool) -> Reached {
    let is_user = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'~' | b'%');
    let fits = |value: &[u8]| value.len() >= 20 && is_mixed(value);
    word(text, at, last, is_user, fits)
}

/// Cookies, one behind the other: `a=b; c=d`.
pub(super) fn cookie(text: &[u8], at: usize, last: bool) -> Reached {
    let fits = |value: &[u8]| value.len() >= 8 && is_likely(value);
    let (first, mut end) = match pair(text, at, last) {
        Ok(Some((value, end))) => (fits(&text[value..end.min(value + LOOK)]), end),
        Ok(None) => return Nowhere,
        Err(()) => return End,
    };
    let mut is_secret = first;
    loop {
        let gap = text[end..].iter().take(2).enumerate();
        let gap = gap.take_while(|(at, byte)| **byte == if *at == 0 { b';' } else { b' ' }).count();
        if end + gap == text.len() && gap > 0 && !last {
            return End;
        }
        match if gap > 0 { pair(text, end + gap, last) } else { Ok(None) } {
            Ok(Some((value, next))) => {
                is_secret |= fits(&text[value..next.min(value + LOOK)]);
                end = next;
            }
            Ok(None) => return if is_secret { To(end) } else { Nowhere },
            Err(()) => return End,
        }
    }
}

/// From where to where the value of a cookie stands; an error where more text may decide.
fn pair(text: &[u8], at: usize, last: bool) -> Result<Option<(usize, usize)>, ()> {
    let is_name = |byte: u8| {
        byte.is_ascii_graphic()
            && !matches!(
                byte,
                b'=' | b';'
                    | b','
                    | b'"'
                    | b'\''
                    | b'('
                    | b')'
                    | b'['
                    | b']'
                    | b'{'
                    | b'}'
                    | b'<'
                    | b'>'
                    | b'\\'
                    | b'$'
                    | b'`'
            )
    };
    let is_value = |byte: u8| is_name(byte) || byte == b'=';
    let name = text[at..].iter().take(64).take_while(|byte| is_name(**byte)).count();
    if at + name == text.len() && name < 64 && !last {
        return Err(());
    }
    if name == 0 || text.get(at + name) != Some(&b'=') {
        return Ok(None);
    }
    let value = at + name + 1;
    let length = text[value..].iter().take_while(|byte| is_value(**byte)).count();
    if value + length == text.len() && !last { Err(()) } else { Ok(Some((value, value + length))) }
}

/// Whether a field of this name holds a secret, and from where to where in its value.
pub(crate) fn of_field(name: &str, value: &str) -> Option<(&'static str, std::ops::Range<usize>)> {
    let name = name.to_ascii_lowercase();
    let (bytes, all) = (value.as_bytes(), value.len());
    let reached = |from: usize, body: fn(&[u8], usize, bool) -> Reached| match body(bytes, from, true) {
        To(end) if end == all => Some(from..end),
        _ => None,
    };
    if name == "authorization" || name == "proxy-authorization" {
        let To(from) = scheme(bytes, 0, true) else { return None };
        return reached(from, token).map(|range| ("header", range));
    }
    if name == "cookie" || name == "set-cookie" {
        return reached(0, cookie).map(|range| ("cookie", range));
    }
    let is_aws = ["aws_secret_access_key", "secretaccesskey", "aws_session_token", "sessiontoken"]
        .contains(&name.as_str());
    if is_aws && all >= 30 {
        return reached(0, token).map(|range| ("aws-secret-key", range));
    }
    NAMES.contains(&name.as_str()).then(|| reached(0, token).map(|range| ("header", range)))?
}

/// One run of characters, if it is what is wanted. What is wanted is known by its beginning.
fn word(
    text: &[u8],
    at: usize,
    last: bool,
    class: impl Fn(u8) -> bool,
    fits: impl Fn(&[u8]) -> bool,
) -> Reached {
    let rest = &text[at..];
    let head = rest.iter().take(LOOK).take_while(|byte| class(**byte)).count();
    if head == rest.len() && head < LOOK && !last {
        return End;
    }
    if !fits(&rest[..head]) {
        return Nowhere;
    }
    let length = head + rest[head..].iter().take_while(|byte| class(**byte)).count();
    if length == rest.len() && !last { End } else { To(at + length) }
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'.' | b'~' | b'+' | b'/' | b'=' | b':' | b'|')
}

fn is_password(byte: u8) -> bool {
    byte >= 0x80
        || byte.is_ascii_graphic()
            && !matches!(byte, b'@' | b'/' | b'"' | b'\'' | b'<' | b'>' | b'[' | b']' | b'\\' | b'`')
}

/// Whether a value is likely to be one, and no word, example or path of code.
fn is_likely(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_long = value.len() >= 32 && !value.contains(&b'.') && !value.contains(&b'/');
    (digits > 0 || is_long) && !is_variable(value) && !is_example(value)
}

/// Letters and digits, of both of which there are several.
fn is_mixed(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    digits >= 2 && letters >= 4 && !value.contains(&b'.') && !is_example(value)
}

fn is_variable(value: &[u8]) -> bool {
    matches!(value.first(), Some(b'$' | b'{' | b'%' | b'<' | b'*'))
}

/// `xxxxxxxx`, `00000000`.
fn is_example(value: &[u8]) -> bool {
    let first = value.first().copied().unwrap_or_default();
    value.iter().all(|byte| *byte == first || matches!(byte, b'.' | b'-'))
}
