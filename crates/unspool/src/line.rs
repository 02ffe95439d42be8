//! Bytes in any pieces go in, lines come out, numbered and with their bytes untouched.
//!
//! A line ends at 0x0A and nowhere else: CLIs up to 2.1.257 leave U+2028, U+0085 and their kind raw in
//! strings. Every byte is looked at once, however small the pieces are.

use std::borrow::Cow;

/// The longest line that is read unless somebody says otherwise.
pub const DEFAULT_LIMIT: usize = 256 << 20;

/// One line as it came, without its newline.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
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
pub enum End {
    /// With its newline.
    Newline,
    /// With the stream, without a newline.
    Stream,
}

impl<'a> Line<'a> {
    /// A line that is at hand whole.
    pub fn whole(number: u64, bytes: &'a [u8], end: End) -> Self {
        Line { number, bytes, length: bytes.len() as u64, end }
    }

    /// Whether it was longer than the limit.
    pub fn is_too_long(&self) -> bool {
        self.length > self.bytes.len() as u64
    }

    /// The line as text, without white space, byte order marks and their kind at its ends. Bytes that
    /// are not UTF-8 become U+FFFD.
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
    pub fn new(limit: usize) -> Self {
        Splitter { limit, number: 0, held: Vec::new(), beyond: 0 }
    }

    /// Takes the next bytes, cut anywhere, and hands on every line that they complete.
    pub fn feed(&mut self, mut bytes: &[u8], mut take: impl FnMut(Line<'_>)) {
        while let Some(at) = memchr::memchr(b'\n', bytes) {
            let (head, rest) = (&bytes[..at], &bytes[at + 1..]);
            if self.held.is_empty() && self.beyond == 0 && head.len() <= self.limit {
                self.number += 1;
                take(Line::whole(self.number, head, End::Newline));
            } else {
                self.hold(head);
                self.release(End::Newline, &mut take);
            }
            bytes = rest;
        }
        self.hold(bytes);
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

/// Puts an object that was printed over several lines together again: CLI 0.2.70 writes so.
///
/// ```text
/// closed --"{" alone--> open --"}" alone--> closed, one line
///                       open --a line that is an object by itself, the end--> closed, each line alone
/// ```
#[derive(Debug, Default)]
pub struct Joiner {
    held: Vec<u8>,
    /// Where each held line begins, its number and its end.
    starts: Vec<(usize, u64, End)>,
}

impl Joiner {
    /// Takes a line; hands on the lines that are complete.
    pub fn step(&mut self, line: Line<'_>, limit: usize, mut take: impl FnMut(Line<'_>)) {
        let opens = self.starts.is_empty();
        if opens && !is_only(line.bytes, b"{") {
            return take(line);
        }
        let stands_alone =
            || line.bytes.first() == Some(&b'{') && crate::json::Json::new(&line.text()).is_ok();
        // A line that is held costs more than its bytes.
        let held = self.held.len() + self.starts.len() * size_of::<(usize, u64, End)>();
        let odd = line.is_too_long() || held + line.bytes.len() > limit;
        if !opens && (odd || stands_alone()) {
            self.give_up(&mut take);
            return take(line);
        }
        self.starts.push((self.held.len(), line.number, line.end));
        self.held.extend_from_slice(line.bytes);
        self.held.push(b'\n');
        if !opens && is_only(line.bytes, b"}") {
            let number = self.starts[0].1;
            let whole = Line::whole(number, &self.held, line.end);
            if crate::json::Json::new(&whole.text()).is_err() {
                return self.give_up(&mut take);
            }
            take(whole);
            self.held.clear();
            self.starts.clear();
        } else if line.end == End::Stream {
            self.give_up(&mut take);
        }
    }

    /// The stream has ended.
    pub fn finish(&mut self, mut take: impl FnMut(Line<'_>)) {
        self.give_up(&mut take);
    }

    /// It was no such object: each line is on its own.
    fn give_up(&mut self, take: &mut impl FnMut(Line<'_>)) {
        let held = std::mem::take(&mut self.held);
        let starts = std::mem::take(&mut self.starts);
        let ends = starts.iter().skip(1).map(|(start, ..)| *start).chain([held.len()]);
        for (&(start, number, ended), end) in starts.iter().zip(ends) {
            take(Line::whole(number, &held[start..end - 1], ended));
        }
    }
}

/// Whether the line has nothing else; what is indented stands inside something.
fn is_only(line: &[u8], brace: &[u8]) -> bool {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    line.trim_ascii_end() == brace
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every cut of the bytes must give the same lines.
    fn check(bytes: &[u8], limit: usize, lines: &[&str]) {
        for size in 1..=bytes.len().max(1) {
            let mut got = Vec::new();
            let mut splitter = Splitter::new(limit);
            let mut joiner = Joiner::default();
            let mut show = |line: Line<'_>| {
                let long = if line.is_too_long() { format!("…{}", line.length) } else { String::new() };
                let mark = if line.end == End::Stream { format!("{long}$") } else { long };
                got.push(format!("{}:{}{mark}", line.number, line.text().replace('\n', "|")));
            };
            for piece in bytes.chunks(size) {
                splitter.feed(piece, |line| joiner.step(line, limit, &mut show));
            }
            splitter.finish(|line| joiner.step(line, limit, &mut show));
            joiner.finish(&mut show);
            assert_eq!(got, lines, "in pieces of {size}");
        }
    }

    #[test]
    fn lines_are_cut_at_newlines_alone() {
        check("a\u{2028}b\u{85}c\r\n\n\u{feff}d\n".as_bytes(), 99, &["1:a\u{2028}b\u{85}c", "2:", "3:d"]);
        check(b"", 99, &[]);
        check(b"a\nb", 99, &["1:a", "2:b$"]);
        check(b"\xff\xfe\n", 99, &["1:\u{fffd}\u{fffd}"]);
    }

    #[test]
    fn a_line_beyond_the_limit_is_passed_over() {
        check(b"abcd\nabcde\nab\n", 4, &["1:abcd", "2:abcd…5", "3:ab"]);
        check(b"abcdefgh", 4, &["1:abcd…8$"]);
    }

    #[test]
    fn an_object_over_several_lines_is_one() {
        check(b"{\n  \"a\": 1\n}\n{\"b\":2}\n", 99, &["1:{|  \"a\": 1|}", "4:{\"b\":2}"]);
        check(b"{\n}", 99, &["1:{|}$"]);
        check("\u{feff}{\r\n\"a\":1\r\n}\r\n".as_bytes(), 99, &["1:{\r|\"a\":1\r|}"]);
    }

    #[test]
    fn an_object_that_does_not_end_is_lines() {
        check(b"{\n  \"a\": 1\n", 99, &["1:{", "2:\"a\": 1"]);
        check(b"{\n  \"a\": 1\n  \"b", 99, &["1:{", "2:\"a\": 1", "3:\"b$"]);
        check(b"{\nx\n}\n", 99, &["1:{", "2:x", "3:}"]);
        check(b"{\n{\"a\":1}\n{\"b\":2}\n", 99, &["1:{", "2:{\"a\":1}", "3:{\"b\":2}"]);
    }
}
