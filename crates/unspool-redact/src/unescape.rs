//! Text without its escapes, and from where in the escaped text each byte of it comes.

use std::borrow::Cow;
use std::ops::Range;

/// A text, and the one that it was made of.
#[derive(Clone, Debug)]
pub(crate) struct Unescaped<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Stretches, in their order; none if both are the same.
    parts: Vec<Part>,
    /// Where, in what it was made of, an escape begins that is not whole.
    pub(crate) open: Option<usize>,
}

/// A stretch that stands in both as it is, or an escape.
#[derive(Clone, Copy, Debug)]
struct Part {
    at: usize,
    from: usize,
    /// How long the escape is; 0 for what is none.
    escape: usize,
}

impl<'t> Unescaped<'t> {
    /// A text that has no escapes.
    pub(crate) fn plain(text: &'t str) -> Self {
        Unescaped { text: Cow::Borrowed(text), parts: Vec::new(), open: None }
    }

    /// The words of a JSON string, of what stands between its quotes.
    pub(crate) fn json(raw: &'t str) -> Self {
        unescaped(raw, |rest| Some(json_escape(rest)))
    }

    /// A text of which parts may be JSON, or code, in which strings are written with escapes, however often they were escaped.
    pub(crate) fn flat(words: &'t str) -> Self {
        unescaped(words, flat_escape)
    }

    /// Bytes that may not all be text.
    pub(crate) fn lossy(bytes: &'t [u8]) -> Self {
        if let Ok(text) = str::from_utf8(bytes) {
            return Unescaped::plain(text);
        }
        let mut made = Maker::default();
        let mut from = 0;
        for chunk in bytes.utf8_chunks() {
            made.copy(chunk.valid(), from);
            from += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                made.escape("\u{fffd}", from, chunk.invalid().len());
                from += chunk.invalid().len();
            }
        }
        made.done(None)
    }

    /// Where this range of the text comes from.
    pub(crate) fn source(&self, range: Range<usize>) -> Range<usize> {
        if self.parts.is_empty() || range.is_empty() {
            return range;
        }
        let (first, last) = (self.part(range.start), self.part(range.end - 1));
        let start = if first.escape > 0 { first.from } else { first.from + (range.start - first.at) };
        let end = if last.escape > 0 { last.from + last.escape } else { last.from + (range.end - last.at) };
        start..end
    }

    /// Where in the text what it was made of stands that begins there.
    pub(crate) fn place(&self, source: usize) -> usize {
        let behind = self.parts.partition_point(|part| part.from <= source);
        let Some(part) = behind.checked_sub(1).and_then(|at| self.parts.get(at)) else {
            return source.min(self.text.len());
        };
        let is_within = part.escape == 0 || part.from == source;
        let at = if is_within { part.at + (source - part.from) } else { part.at + 1 };
        at.min(self.text.len())
    }

    fn part(&self, at: usize) -> Part {
        let behind = self.parts.partition_point(|part| part.at <= at);
        self.parts[behind.saturating_sub(1)]
    }
}

/// What an escape stands for, and how long it is; `None` where the text ends before it does.
type Escape = Option<(char, usize)>;

fn unescaped<'t>(text: &'t str, escape: impl Fn(&str) -> Option<Escape>) -> Unescaped<'t> {
    let bytes = text.as_bytes();
    if memchr::memchr(b'\\', bytes).is_none() {
        return Unescaped::plain(text);
    }
    let (mut made, mut copied, mut at) = (Maker::default(), 0, 0);
    let mut open = None;
    while let Some(next) = memchr::memchr(b'\\', &bytes[at..]) {
        at += next;
        match escape(&text[at..]) {
            Some(Some((letter, length))) => {
                made.copy(&text[copied..at], copied);
                made.escape(letter.encode_utf8(&mut [0; 4]), at, length);
                at += length;
                copied = at;
            }
            Some(None) => {
                open = Some(at);
                break;
            }
            None => at += text[at..].bytes().take_while(|byte| *byte == b'\\').count(),
        }
    }
    // What is not whole may become anything.
    let end = open.unwrap_or(text.len());
    made.copy(&text[copied..end], copied);
    made.done(open)
}

#[derive(Default)]
struct Maker {
    text: String,
    parts: Vec<Part>,
}

impl Maker {
    fn copy(&mut self, text: &str, from: usize) {
        if !text.is_empty() {
            self.parts.push(Part { at: self.text.len(), from, escape: 0 });
            self.text.push_str(text);
        }
    }

    fn escape(&mut self, means: &str, from: usize, escape: usize) {
        self.parts.push(Part { at: self.text.len(), from, escape });
        self.text.push_str(means);
    }

    fn done<'t>(self, open: Option<usize>) -> Unescaped<'t> {
        Unescaped { text: Cow::Owned(self.text), parts: self.parts, open }
    }
}

/// An escape of JSON, which was checked.
fn json_escape(text: &str) -> Escape {
    let bytes = text.as_bytes();
    let letter = *bytes.get(1)?;
    if letter != b'u' {
        return Some((simple(letter).unwrap_or(letter as char), 2));
    }
    Some(unit(text, 2)?.map_or(('\u{fffd}', 6), |(letter, length)| (letter, 2 + length)))
}

/// An escape, behind any number of backslashes; `None` outside if it is none.
fn flat_escape(text: &str) -> Option<Escape> {
    let slashes = text.bytes().take_while(|byte| *byte == b'\\').count();
    let Some(&letter) = text.as_bytes().get(slashes) else { return Some(None) };
    if letter == b'u' {
        return match unit(text, slashes + 1) {
            None => Some(None),
            Some(read) => read.map(|(letter, length)| {
                // An escape of an escape: `\\\u006e` is `\n` once more.
                let again = u8::try_from(letter).ok().filter(|_| slashes > 2).and_then(simple);
                Some((again.unwrap_or(letter), slashes + 1 + length))
            }),
        };
    }
    simple(letter).map(|letter| Some((letter, slashes + 1)))
}

fn simple(letter: u8) -> Option<char> {
    Some(match letter {
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'"' | b'\'' | b'/' => letter as char,
        _ => return None,
    })
}

/// The character behind `\u`, and how long it is written; inside `None` if it is none, outside if it is not whole.
#[expect(clippy::option_option, reason = "it may be cut, and it may be none")]
fn unit(text: &str, at: usize) -> Option<Option<(char, usize)>> {
    let digits = text.as_bytes().get(at..).unwrap_or_default();
    let there = digits.iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
    if there < 4 {
        return if there == digits.len() { None } else { Some(None) };
    }
    let read = |at: usize| u32::from_str_radix(text.get(at..at + 4)?, 16).ok();
    let Some(code) = read(at) else { return Some(None) };
    if !(0xd800..0xdc00).contains(&code) {
        return Some(char::from_u32(code).map(|letter| (letter, 4)));
    }
    let low = text.get(at + 4..).and_then(|rest| rest.strip_prefix("\\u")).and_then(|_| read(at + 6));
    let pair = low.filter(|low| (0xdc00..0xe000).contains(low));
    let letter = pair.and_then(|low| char::from_u32(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)));
    Some(letter.map(|letter| (letter, 10)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_found_again_in_what_it_was_made_of() {
        let raw = r#"a\n\u0041b\ud83d\ude80\\c\"d"#;
        let words = Unescaped::json(raw);
        assert_eq!(words.text, "a\nAb🚀\\c\"d");
        for (found, source) in
            [("A", "\\u0041"), ("Ab", "\\u0041b"), ("🚀", "\\ud83d\\ude80"), ("c\"", "c\\\""), ("d", "d")]
        {
            let at = words.text.find(found).unwrap();
            assert_eq!(&raw[words.source(at..at + found.len())], source);
        }
        let flat = Unescaped::flat(r#"C:\x \\n \\\"y\u0041"#);
        assert_eq!(flat.text, "C:\\x \n \"yA");
        assert_eq!(flat.open, None);
        assert_eq!(Unescaped::flat(r"a\\\u006eb\u0041").text, "a\nbA");
    }

    #[test]
    fn an_escape_that_is_cut_is_known() {
        for (text, open) in
            [("ab\\", Some(2)), ("ab\\u00", Some(2)), ("ab\\\\u", Some(2)), ("ab\\n", None), ("\\ux", None)]
        {
            assert_eq!(Unescaped::flat(text).open, open, "{text}");
        }
        let bytes = b"a\xffb\xf0\x9f";
        let lossy = Unescaped::lossy(bytes);
        assert_eq!(lossy.text, "a\u{fffd}b\u{fffd}");
        let at = lossy.text.find('b').unwrap();
        assert_eq!(lossy.source(at..at + 1), 2..3);
        assert_eq!(lossy.source(at..lossy.text.len()), 2..5);
    }
}
