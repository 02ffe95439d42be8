//! The way through a list or an object of an indexed text.
//!
//! Such a text has no white space outside strings, so what stands where is known from its quotes and brackets
//! alone: a value begins two bytes behind its key, and a number ends a byte before the next one.

use super::chart::{LONGEST, Place};
use super::index::Open;

/// A way through a list or an object.
pub(super) struct Walk<'a> {
    text: &'a [u8],
    opens: &'a [Open],
    quotes: Quotes<'a>,
    /// The next quote.
    next: usize,
    /// The next value of a list.
    at: usize,
    /// The bracket that closes it.
    end: usize,
    /// The next opening bracket.
    open: usize,
}

impl<'a> Walk<'a> {
    /// Begins behind the bracket that opens it.
    #[inline(always)]
    pub(super) fn into(text: &'a str, quotes: &'a [u64], opens: &'a [Open], place: Place) -> Self {
        let (start, end) = place.bounds();
        let mut quotes = Quotes::behind(quotes, start);
        let next = quotes.next();
        let open = place.open as usize + 1;
        Walk { text: text.as_bytes(), opens, quotes, next, at: start + 1, end: end - 1, open }
    }

    /// Takes a key and its value; where the key stands, without its quotes.
    #[inline(always)]
    pub(super) fn member(&mut self) -> Option<(usize, usize, Place)> {
        if self.next >= self.end {
            return None;
        }
        let key = self.next + 1;
        let key_end = self.quotes.next();
        let start = key_end + 2;
        let open = self.open as u32;
        let end = match self.text.get(start) {
            Some(b'"') => {
                self.quotes.next();
                let end = self.quotes.next() + 1;
                self.next = self.quotes.next();
                end
            }
            Some(b'{' | b'[') => self.pass(),
            // A comma stands before the next key.
            _ => {
                self.next = self.quotes.next();
                self.end.min(self.next - 1)
            }
        };
        Some((key, key_end, Place { start: start as u32, end: end as u32, open }))
    }

    /// Takes a value of a list.
    pub(super) fn item(&mut self) -> Option<Place> {
        let (start, open) = (self.at, self.open as u32);
        if start >= self.end {
            return None;
        }
        let rest = self.text.get(start..self.end)?;
        let end = match rest.first()? {
            b'"' => {
                let end = self.quotes.next() + 1;
                self.next = self.quotes.next();
                end
            }
            b'{' | b'[' => self.pass(),
            _ => start + rest.iter().position(|byte| *byte == b',').unwrap_or(rest.len()),
        };
        self.at = end + 1;
        Some(Place { start: start as u32, end: end as u32, open })
    }

    /// Passes over the next list or object; where it ends.
    #[inline(always)]
    fn pass(&mut self) -> usize {
        let Some(open) = self.opens.get(self.open) else { return self.end };
        self.open = open.after as usize;
        self.quotes = Quotes::behind(self.quotes.all, open.end as usize);
        self.next = self.quotes.next();
        open.end as usize + 1
    }
}

/// The quotes of a text, one by one.
struct Quotes<'a> {
    all: &'a [u64],
    block: usize,
    /// Those of this block that were not taken.
    rest: u64,
}

impl<'a> Quotes<'a> {
    /// Those at or behind a place.
    #[inline(always)]
    fn behind(all: &'a [u64], at: usize) -> Self {
        let block = at / 64;
        Quotes { all, block, rest: all.get(block).copied().unwrap_or(0) & (!0 << (at % 64)) }
    }

    /// Takes the next one. Behind the last one there is another, as far away as can be.
    #[inline(always)]
    fn next(&mut self) -> usize {
        while self.rest == 0 {
            self.block += 1;
            match self.all.get(self.block) {
                Some(rest) => self.rest = *rest,
                None => return LONGEST,
            }
        }
        let at = self.block * 64 + self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        at
    }
}
