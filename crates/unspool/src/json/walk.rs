//! The way through a list or an object of an indexed text.
//!
//! Such a text has no white space outside strings, so a key or a value ends where the next colon, comma or closing
//! bracket stands, whatever it is, and the next one begins a byte behind that.

use super::chart::{LONGEST, Spot};
use super::index::Open;

/// A way through a list or an object.
pub(super) struct Walk<'a> {
    text: &'a [u8],
    opens: &'a [Open],
    stops: Stops<'a>,
    /// Where the next key or value begins.
    at: usize,
    /// The bracket that closes it.
    end: usize,
    /// The next opening bracket.
    open: usize,
}

impl<'a> Walk<'a> {
    /// Begins behind the bracket that opens it.
    #[inline(always)]
    pub(super) fn into(text: &'a str, stops: &'a [u64], opens: &'a [Open], place: Spot) -> Self {
        let (start, end) = place.bounds();
        let stops = Stops::behind(stops, start);
        Walk {
            text: text.as_bytes(),
            opens,
            stops,
            at: start + 1,
            end: end - 1,
            open: place.open as usize + 1,
        }
    }

    /// Takes a key and its value; where the key stands, without its quotes.
    #[inline(always)]
    pub(super) fn member(&mut self) -> Option<(usize, usize, Spot)> {
        if self.at >= self.end {
            return None;
        }
        let key = self.at + 1;
        let colon = self.stops.next();
        Some((key, colon - 1, self.value(colon + 1)))
    }

    /// Takes a value of a list.
    #[inline(always)]
    pub(super) fn item(&mut self) -> Option<Spot> {
        (self.at < self.end).then(|| self.value(self.at))
    }

    /// Takes the value that begins here.
    #[inline(always)]
    fn value(&mut self, start: usize) -> Spot {
        let open = self.open as u32;
        let end = match self.text.get(start) {
            Some(b'{' | b'[') => self.pass(),
            _ => self.stops.next(),
        };
        self.at = end + 1;
        Spot { start: start as u32, end: end as u32, open }
    }

    /// Passes over the next list or object; where it ends.
    #[inline(always)]
    fn pass(&mut self) -> usize {
        let Some(open) = self.opens.get(self.open) else { return self.end };
        let end = open.end as usize + 1;
        self.open = open.after as usize;
        self.stops = Stops::behind(self.stops.all, end + 1);
        end
    }
}

/// The stops of a text, one by one.
struct Stops<'a> {
    all: &'a [u64],
    block: usize,
    /// Those of this block that were not taken.
    rest: u64,
}

impl<'a> Stops<'a> {
    /// Those at or behind a place.
    #[inline(always)]
    fn behind(all: &'a [u64], at: usize) -> Self {
        let block = at / 64;
        Stops { all, block, rest: all.get(block).copied().unwrap_or(0) & (!0 << (at % 64)) }
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
