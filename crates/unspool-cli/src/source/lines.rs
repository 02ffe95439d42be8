//! A file, line by line.

use super::open::read_more;
use super::unpack::Unpacked;
use std::io;
use std::ops::Range;
use unspool::line::{DEFAULT_LIMIT, End, Line};

/// Reads lines. The one that was read last stays at hand.
pub(super) struct Lines {
    from: Unpacked,
    buffer: Vec<u8>,
    /// Where the line stands that was read last.
    line: Range<usize>,
    /// Where the next one begins.
    next: usize,
    number: u64,
    end: End,
    ended: bool,
    /// Bytes of the line beyond what a line may have.
    beyond: u64,
}

impl Lines {
    /// `head` was read of it already.
    pub(super) fn new(head: Vec<u8>, from: Unpacked) -> Self {
        Lines {
            from,
            buffer: head,
            line: 0..0,
            next: 0,
            number: 0,
            end: End::Newline,
            ended: false,
            beyond: 0,
        }
    }

    /// Reads the next line. Returns whether there is one.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        self.beyond = 0;
        let mut searched = self.next;
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[searched..]) {
                return Ok(self.take(searched + at, End::Newline));
            }
            if self.ended {
                let left = self.next < self.buffer.len();
                return Ok(left && self.take(self.buffer.len(), End::Stream));
            }
            self.buffer.drain(..self.next);
            self.next = 0;
            let over = self.buffer.len().saturating_sub(DEFAULT_LIMIT);
            self.buffer.truncate(DEFAULT_LIMIT);
            self.beyond += over as u64;
            searched = self.buffer.len();
            self.ended = read_more(&mut self.from, &mut self.buffer)? == 0;
        }
    }

    /// Whether the next line is there already, so that nothing has to be waited for.
    pub(super) fn is_ready(&self) -> bool {
        self.ended || memchr::memchr(b'\n', &self.buffer[self.next..]).is_some()
    }

    /// Whether the file ended before its end.
    pub(super) fn is_cut(&self) -> bool {
        self.from.is_cut()
    }

    /// The line that was read last.
    pub(super) fn line(&self) -> Line<'_> {
        let bytes = &self.buffer[self.line.clone()];
        Line::beginning(self.number, bytes, bytes.len() as u64 + self.beyond, self.end)
    }

    /// What was read and not handed on yet.
    pub(super) fn ahead(&self) -> &[u8] {
        &self.buffer[self.next..]
    }

    fn take(&mut self, to: usize, end: End) -> bool {
        self.line = self.next..to;
        self.next = (to + 1).min(self.buffer.len());
        self.number += 1;
        self.end = end;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// Gives a few bytes at a time.
    struct Drops(&'static [u8]);

    impl Read for Drops {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let (now, later) = self.0.split_at(self.0.len().min(3));
            to[..now.len()].copy_from_slice(now);
            self.0 = later;
            Ok(now.len())
        }
    }

    #[test]
    fn lines_are_whole_however_they_come() {
        for (head, rest) in [("", "ab\n\ncdefgh\nx"), ("ab\n\ncde", "fgh\nx"), ("ab\n\ncdefgh\nx", "")] {
            let mut lines = Lines::new(head.into(), Unpacked::new(Box::new(Drops(rest.as_bytes()))).unwrap());
            let mut read = Vec::new();
            while lines.advance().unwrap() {
                let line = lines.line();
                read.push((line.number, String::from_utf8_lossy(line.bytes).into_owned(), line.end));
            }
            let line = |number, text: &str, end| (number, text.to_owned(), end);
            let expected = [
                line(1, "ab", End::Newline),
                line(2, "", End::Newline),
                line(3, "cdefgh", End::Newline),
                line(4, "x", End::Stream),
            ];
            assert_eq!(read, expected, "{head:?}");
        }
    }
}
