//! Pieces of bytes in, numbered entries out.

use super::entry::{Entry, Way};
use crate::line::End;
use crate::wire::Wire;
use std::borrow::Cow;

/// Cuts what goes each way into lines, and gives each its number and time.
///
/// An entry is made when its line feed comes, so entries of one way stand in the order of their bytes, and those of
/// different ways in the order in which they became whole.
#[derive(Debug, Default)]
pub struct Scribe {
    /// The number of the last entry.
    last: u64,
    /// When it was. Times never go back.
    at: u64,
    /// What came each way behind its last line feed.
    open: [Open; 3],
}

#[derive(Debug, Default)]
struct Open {
    bytes: Vec<u8>,
    /// When the last of them came.
    at: u64,
}

impl Scribe {
    /// Begins with entry 1.
    #[must_use]
    pub fn new() -> Self {
        Scribe::default()
    }

    /// Goes on behind an entry of this number and time.
    #[must_use]
    pub fn after(number: u64, at: u64) -> Self {
        Scribe { last: number, at, open: Default::default() }
    }

    /// The number of the last entry; 0 if there is none.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.last
    }

    /// These bytes went this way, `at` so many milliseconds after the beginning. They are cut anywhere.
    pub fn feed(&mut self, way: Way, bytes: &[u8], at: u64, mut take: impl FnMut(Entry<'_>)) {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (head, tail) = (&rest[..end], &rest[end + 1..]);
            let mut held = std::mem::take(&mut self.open(way).bytes);
            if held.is_empty() {
                self.entry(way, head.into(), End::Newline, at, &mut take);
            } else {
                held.extend_from_slice(head);
                self.entry(way, held.as_slice().into(), End::Newline, at, &mut take);
                held.clear();
                // One huge line must not cost its size for ever.
                held.shrink_to(1 << 20);
            }
            self.open(way).bytes = held;
            rest = tail;
        }
        if !rest.is_empty() {
            let open = self.open(way);
            open.bytes.extend_from_slice(rest);
            open.at = at;
        }
    }

    /// Nothing more goes this way: makes an entry of what came behind the last line feed, with the time at which it came.
    pub fn close(&mut self, way: Way, mut take: impl FnMut(Entry<'_>)) {
        let Open { bytes, at } = std::mem::take(self.open(way));
        if !bytes.is_empty() {
            self.entry(way, bytes.into(), End::Stream, at, &mut take);
        }
    }

    /// Notes something that neither side wrote: a start, an end, an exit.
    pub fn note<'n>(&mut self, note: &impl Wire<'n>, at: u64, mut take: impl FnMut(Entry<'_>)) {
        let mut text = String::new();
        note.write(&mut text);
        self.entry(Way::Note, text.into_bytes().into(), End::Newline, at, &mut take);
    }

    fn entry(&mut self, way: Way, bytes: Cow<'_, [u8]>, end: End, at: u64, take: &mut impl FnMut(Entry<'_>)) {
        self.last += 1;
        self.at = self.at.max(at);
        take(Entry { number: self.last, at: self.at, way, bytes, end });
    }

    fn open(&mut self, way: Way) -> &mut Open {
        let place = match way {
            Way::Out => 0,
            Way::In => 1,
            // A note is never fed in pieces.
            Way::Err | Way::Note => 2,
        };
        &mut self.open[place]
    }
}
