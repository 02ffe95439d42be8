//! Private keys between `BEGIN` and `END`: with line numbers before them, escaped, quoted line by line, or without an end.

use super::Reached::{self, End, Nowhere, To};

/// So long the words between the dashes may be.
const TITLE: usize = 64;
/// The first line of data is not further away.
const HEADERS: usize = 1024;
/// Fewer characters of data are no key.
const LEAST: usize = 40;
/// A line of data, if it is not the last one.
const LINE: usize = 24;
/// So much may stand between two texts of code.
const BETWEEN: usize = 64;

/// From behind `-----BEGIN ` to behind the last dash of the end, or the last data that can be seen.
pub(super) fn key(text: &[u8], at: usize, last: bool) -> Reached {
    let title = text[at..].iter().take(TITLE).take_while(|byte| is_title(**byte)).count();
    let open = at + title;
    if open == text.len() {
        return if last { Nowhere } else { End };
    }
    if !contains(&text[at..open], b"PRIVATE KEY") {
        return Nowhere;
    }
    match dashes(text, open, last) {
        To(body) => body_of(text, body, last),
        other => other,
    }
}

fn body_of(text: &[u8], start: usize, last: bool) -> Reached {
    let (mut at, mut seen, mut end) = (start, 0, None);
    loop {
        let Some(next) = behind_gap(text, at, seen == 0, last) else { return End };
        match closing(text, next, last) {
            Some(To(_)) if seen == 0 => return Nowhere,
            Some(reached) => return reached,
            None => {}
        }
        let data = text[next..].iter().take_while(|byte| is_data(**byte)).count();
        if next + data == text.len() && !last {
            return End;
        }
        // A word of a sentence is no line; the last line may be as short.
        let is_short = data < LINE;
        let is_line = !is_short || seen >= LEAST && data > 0 && end == Some(at) && ends_line(&text[at..next]);
        if is_line {
            seen += data;
            at = next + data;
            end = Some(at);
        }
        if is_line && is_short {
            let Some(next) = behind_gap(text, at, false, last) else { return End };
            return closing(text, next, last).unwrap_or(To(at));
        } else if !is_line && seen == 0 && data > 0 && next - start < HEADERS && is_header(text, next) {
            at = header_end(text, next);
        } else if !is_line {
            return end.filter(|_| seen >= LEAST).map_or(Nowhere, To);
        }
    }
}

/// Behind what may stand between two lines; nothing where more of the text may decide.
fn behind_gap(text: &[u8], at: usize, first: bool, last: bool) -> Option<usize> {
    let next = at + gap(text, at, first);
    let rest = &text[next..];
    let is_open = rest.is_empty()
        || is_quote(rest[0]) && rest[1..].iter().all(|byte| is_between(*byte)) && rest.len() <= BETWEEN;
    (last || !is_open).then_some(next)
}

/// What may stand between two lines of data: line ends, blanks, line numbers, signs of quotes and of code.
fn gap(text: &[u8], at: usize, first: bool) -> usize {
    let rest = &text[at..];
    let mut length = 0;
    while let Some(&byte) = rest.get(length) {
        let is_sign = byte.is_ascii_whitespace() || matches!(byte, b'\\' | b'|' | b'>' | b'#' | b'*' | b':');
        if is_sign {
            length += 1;
        } else if rest[length..].starts_with("→".as_bytes()) {
            length += "→".len();
        } else if let Some(quote) = quotes(&rest[length..]) {
            length += quote;
        } else if let Some(number) = line_number(&rest[length..]).filter(|_| length > 0 || first) {
            length += number;
        } else {
            break;
        }
    }
    length
}

/// Whether a line ends in a gap, as it is or as an escape.
fn ends_line(gap: &[u8]) -> bool {
    gap.iter().any(|byte| matches!(byte, b'\n' | b'\r' | b'\\'))
}

/// `" + "`, `',\n '`: a text goes on in the next line of code.
fn quotes(rest: &[u8]) -> Option<usize> {
    let quote = *rest.first().filter(|byte| is_quote(**byte))?;
    let between = rest[1..].iter().take(BETWEEN).take_while(|byte| is_between(**byte)).count();
    (between > 0 && rest.get(1 + between) == Some(&quote)).then_some(2 + between)
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}

/// What may stand between two texts of code that belong together.
fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'+' | b'.' | b'\\')
}

/// A number with a sign that says that it is of a line.
fn line_number(rest: &[u8]) -> Option<usize> {
    let digits = rest.iter().take(7).take_while(|byte| byte.is_ascii_digit()).count();
    let behind = &rest[digits..];
    let is_one = behind.starts_with(b"\t")
        || behind.starts_with(b"|")
        || behind.starts_with(b":")
        || behind.starts_with("→".as_bytes());
    (digits > 0 && is_one).then_some(digits)
}

/// Behind `-----END … -----`, if that stands here.
fn closing(text: &[u8], at: usize, last: bool) -> Option<Reached> {
    let rest = &text[at..];
    let word = b"-----END ";
    if !rest.starts_with(word) {
        let begins = !rest.is_empty() && word.starts_with(rest);
        return (begins && !last).then_some(End);
    }
    let title = rest[word.len()..].iter().take(TITLE).take_while(|byte| is_title(**byte)).count();
    let open = at + word.len() + title;
    if open == text.len() {
        return Some(if last { To(open) } else { End });
    }
    Some(match dashes(text, open, last) {
        Nowhere => To(open),
        reached => reached,
    })
}

fn dashes(text: &[u8], at: usize, last: bool) -> Reached {
    let count = text[at..].iter().take(5).take_while(|byte| **byte == b'-').count();
    if count >= 4 && (count == 5 || at + count < text.len() || last) {
        To(at + count)
    } else if at + count == text.len() && !last {
        End
    } else {
        Nowhere
    }
}

/// `Proc-Type: 4,ENCRYPTED`: one word, a colon, and the rest of the line.
fn is_header(text: &[u8], at: usize) -> bool {
    let name =
        text[at..].iter().take(24).take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'-').count();
    name > 0 && text.get(at + name) == Some(&b':')
}

fn header_end(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    at + rest.iter().position(|byte| matches!(byte, b'\n' | b'\r' | b'\\' | b'"')).unwrap_or(rest.len())
}

fn is_title(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' '
}

fn is_data(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(text, word).is_some()
}
