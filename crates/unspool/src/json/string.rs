//! A JSON string as it stands on the wire, decoded when somebody asks.
//!
//! JavaScript strings are UTF-16 and may be cut between the two halves of a character; the wire then
//! carries half an escape. A half that never meets its other half is told as U+FFFD.

use super::search::next_slash;
use std::borrow::Cow;
use std::fmt;

/// A string: the text between its quotes on the wire, or plain words of ours.
#[derive(Clone, Copy, Default)]
pub struct Str<'a> {
    text: &'a str,
    form: Form,
}

/// How a string is written. As wide as a pointer: a string is copied often, and one without a gap in its
/// memory is copied in whole words.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[repr(usize)]
enum Form {
    /// As on the wire, without a backslash.
    #[default]
    Simple,
    /// As on the wire, with one.
    Escaped,
    /// Words of ours.
    Plain,
}

impl<'a> Str<'a> {
    /// What stands between the quotes; `escaped` if there is a backslash in it.
    pub(crate) fn wire(text: &'a str, escaped: bool) -> Self {
        Str { text, form: if escaped { Form::Escaped } else { Form::Simple } }
    }

    #[inline]
    fn is_escaped(self) -> bool {
        self.form == Form::Escaped
    }

    /// The words. Borrowed unless an escape had to be decoded.
    #[inline]
    #[must_use]
    pub fn decode(self) -> Cow<'a, str> {
        match self.simple() {
            Some(words) => Cow::Borrowed(words),
            None => Cow::Owned(self.decoded()),
        }
    }

    #[cold]
    fn decoded(self) -> String {
        let mut out = String::with_capacity(self.text.len());
        self.decode_to(&mut out);
        out
    }

    /// Appends the words to `out`.
    pub(crate) fn decode_to(self, out: &mut String) {
        let mut half = Half::default();
        self.decode_into(out, &mut half);
        half.give_up(out);
    }

    /// Appends the words to `out`. Half a character at the end stays in `half`, for the next piece.
    pub fn decode_into(self, out: &mut String, half: &mut Half) {
        if !self.is_escaped() {
            if !self.text.is_empty() {
                half.give_up(out);
                out.push_str(self.text);
            }
            return;
        }
        let mut rest = self.text;
        while let Some(slash) = next_slash(rest.as_bytes()) {
            if slash > 0 {
                half.give_up(out);
                out.push_str(&rest[..slash]);
            }
            rest = unescape(&rest[slash + 1..], out, half);
        }
        if !rest.is_empty() {
            half.give_up(out);
            out.push_str(rest);
        }
    }

    /// The string as JSON text on the wire, without its quotes; `None` if it never was on the wire.
    #[must_use]
    pub fn raw(self) -> Option<&'a str> {
        (self.form != Form::Plain).then_some(self.text)
    }

    /// Whether there is nothing in it.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// The words, if they need no decoding.
    #[inline]
    #[must_use]
    pub fn simple(self) -> Option<&'a str> {
        (!self.is_escaped()).then_some(self.text)
    }
}

/// Takes one escape behind its backslash; returns what follows it. The text was checked by the scanner.
fn unescape<'t>(text: &'t str, out: &mut String, half: &mut Half) -> &'t str {
    let letter = text.as_bytes().first().copied().unwrap_or(b'\\');
    if letter == b'u' {
        let unit = text.get(1..5).and_then(|hex| u16::from_str_radix(hex, 16).ok());
        half.take(unit.unwrap_or(0xfffd), out);
        return text.get(5..).unwrap_or("");
    }
    half.give_up(out);
    out.push(match letter {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        other => other as char,
    });
    text.get(1..).unwrap_or("")
}

/// The first half of a character that waits for its second.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Half(Option<u16>);

impl Half {
    /// Takes a UTF-16 unit.
    fn take(&mut self, unit: u16, out: &mut String) {
        match (self.0.take(), unit) {
            (Some(high), 0xdc00..=0xdfff) => {
                out.extend(char::decode_utf16([high, unit]).map(|it| it.unwrap_or('\u{fffd}')));
                return;
            }
            (Some(_), _) => out.push('\u{fffd}'),
            (None, _) => {}
        }
        match unit {
            0xd800..=0xdbff => self.0 = Some(unit),
            other => out.push(char::from_u32(u32::from(other)).unwrap_or('\u{fffd}')),
        }
    }

    /// Nothing more comes: what still waits is told as U+FFFD.
    pub fn give_up(&mut self, out: &mut String) {
        if self.0.take().is_some() {
            out.push('\u{fffd}');
        }
    }

    /// Whether half a character waits.
    #[must_use]
    pub fn waits(self) -> bool {
        self.0.is_some()
    }
}

impl<'a> From<&'a str> for Str<'a> {
    fn from(words: &'a str) -> Self {
        Str { text: words, form: Form::Plain }
    }
}

impl PartialEq for Str<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.decode() == other.decode()
    }
}

impl PartialEq<str> for Str<'_> {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        if self.is_escaped() { self.decode() == other } else { self.text == other }
    }
}

impl PartialEq<&str> for Str<'_> {
    #[inline]
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl fmt::Display for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.decode())
    }
}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.decode(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(wire: &str, words: &str) {
        assert_eq!(Str::wire(wire, wire.contains('\\')).decode(), words, "{wire}");
    }

    #[test]
    fn escapes_are_decoded() {
        check("plain é", "plain é");
        check(r#"a\"b\\c\/d\b\f\n\r\t"#, "a\"b\\c/d\u{8}\u{c}\n\r\t");
        check(r"\u00e9\u0000x", "é\0x");
        check(r"\ud83d\ude80!", "🚀!");
    }

    #[test]
    fn half_a_character_is_replaced() {
        check(r"cut \ud83d", "cut \u{fffd}");
        check(r"\ud83dx", "\u{fffd}x");
        check(r"\ude80x", "\u{fffd}x");
        check(r"\ud83d\ud83d\ude80", "\u{fffd}🚀");
        check(r"\ud83d\n", "\u{fffd}\n");
    }

    #[test]
    fn halves_in_two_pieces_are_joined() {
        let (mut out, mut half) = (String::new(), Half::default());
        Str::wire(r"go \ud83d", true).decode_into(&mut out, &mut half);
        assert_eq!((out.as_str(), half.waits()), ("go ", true));
        Str::wire("", false).decode_into(&mut out, &mut half);
        Str::wire(r"\ude80!", true).decode_into(&mut out, &mut half);
        assert_eq!((out.as_str(), half.waits()), ("go 🚀!", false));
    }
}
