//! Bytes in any pieces go in, lines come out, numbered and with their bytes untouched.
//!
//! A line ends at 0x0A and nowhere else: CLIs up to 2.1.257 leave U+2028, U+0085 and their kind raw in
//! strings. Every byte is looked at once, however small the pieces are. What is one object though it was printed over
//! several lines, or one of a list, is handed on as one line by [`Lines`].

mod joiner;
mod lines;
mod list;

pub use lines::Lines;
pub(crate) use lines::MARK;

use joiner::Joiner;
use std::borrow::Cow;

/// The longest line that is read unless the caller says otherwise.
pub const DEFAULT_LIMIT: usize = 256 << 20;

/// One line as it came, without its newline.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Line<'a> {
    /// 1, 2, 3 …
    pub number: u64,
    /// Its bytes; of a line beyond the limit only the first ones.
    pub bytes: &'a [u8],
    /// How many bytes it has in all.
    pub length: u64,
    /// How it ended.
    pub end: End,
}

/// How a line ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a line ends with its newline or with the stream")]
pub enum End {
    /// With its newline.
    Newline,
    /// With the stream, without a newline.
    Stream,
}

impl<'a> Line<'a> {
    /// A line that is at hand whole.
    #[must_use]
    pub fn whole(number: u64, bytes: &'a [u8], end: End) -> Self {
        Line { number, bytes, length: bytes.len() as u64, end }
    }

    /// A line of which only the first bytes are at hand, and how many it has in all.
    #[must_use]
    pub fn beginning(number: u64, bytes: &'a [u8], length: u64, end: End) -> Self {
        Line { number, bytes, length, end }
    }

    /// Whether it was longer than the limit.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        self.length > self.bytes.len() as u64
    }

    /// The line as text, without white space, byte order marks and their kind at its ends. Bytes that
    /// are not UTF-8 become U+FFFD.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        match simdutf8::basic::from_utf8(self.bytes) {
            Ok(text) => Cow::Borrowed(trim(text)),
            Err(_) => Cow::Owned(trim(&String::from_utf8_lossy(self.bytes)).to_owned()),
        }
    }
}

/// Removes what people and editors put around a line: all white space that JavaScript's `trim` knows.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(|letter: char| letter == '\u{feff}' || letter.is_whitespace() && letter != '\u{85}')
}

/// Cuts bytes into lines.
#[derive(Debug)]
pub struct Splitter {
    limit: usize,
    number: u64,
    /// The beginning of a line whose end has not come.
    held: Vec<u8>,
    /// How many bytes of it came beyond the limit.
    beyond: u64,
}

impl Splitter {
    /// Lines may be `limit` bytes long.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Splitter { limit, number: 0, held: Vec::new(), beyond: 0 }
    }

    /// Takes the next bytes, cut anywhere, and hands on every line that they complete.
    pub fn feed(&mut self, mut bytes: &[u8], mut take: impl FnMut(Line<'_>)) {
        while !bytes.is_empty() {
            bytes = self.feed_line(bytes, &mut take);
        }
    }

    /// Takes the bytes up to the next newline, or all of them where there is none. Returns what is left.
    #[inline]
    fn feed_line<'b>(&mut self, bytes: &'b [u8], mut take: impl FnMut(Line<'_>)) -> &'b [u8] {
        let Some(at) = memchr::memchr(b'\n', bytes) else {
            self.hold(bytes);
            return &[];
        };
        let (head, rest) = (&bytes[..at], &bytes[at + 1..]);
        if self.held.is_empty() && self.beyond == 0 && head.len() <= self.limit {
            self.number += 1;
            take(Line::whole(self.number, head, End::Newline));
        } else {
            self.hold(head);
            self.release(End::Newline, &mut take);
        }
        rest
    }

    /// The stream has ended: hands on what came behind the last newline, if anything did.
    pub fn finish(&mut self, mut take: impl FnMut(Line<'_>)) {
        if !self.held.is_empty() || self.beyond > 0 {
            self.release(End::Stream, &mut take);
        }
    }

    fn hold(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.held.len()).min(bytes.len());
        self.held.extend_from_slice(&bytes[..room]);
        self.beyond += (bytes.len() - room) as u64;
    }

    fn release(&mut self, end: End, take: &mut impl FnMut(Line<'_>)) {
        self.number += 1;
        let length = self.held.len() as u64 + self.beyond;
        take(Line { number: self.number, bytes: &self.held, length, end });
        self.beyond = 0;
        self.held.clear();
        // One huge line must not cost its size for ever.
        self.held.shrink_to(1 << 20);
    }
}

#[cfg(test)]
mod tests;
