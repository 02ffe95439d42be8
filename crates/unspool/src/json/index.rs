//! What stands where in a line, found for the whole line at once.
//!
//! A line is mostly strings, and most strings are short. Searching each for its closing quote costs more
//! than all else; looking at the line 64 bytes at a time, with hardly a branch on what stands there, costs
//! little. What is kept is a bit for each byte, whether a key or a value stops there, and of each bracket where
//! it is closed. On the way the line is [checked](super::grammar).
//!
//! A line that is not JSON has no index, nor has one with white space outside strings, which Claude Code never
//! sends, or with very deep values. The [cursor](super::Cursor) then looks at it byte by byte, and says what is wrong.

use super::grammar::{Grammar, Strings};
use super::masks;
use std::ops::BitOrAssign;

/// Memory for what is known of a text.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// For each byte, whether it is a colon, a comma or a closing bracket outside strings.
    pub(super) stops: Vec<u64>,
    /// The brackets that open something, in order.
    pub(super) opens: Vec<Open>,
}

/// A bracket that opens something.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Open {
    /// Where the bracket is that closes it.
    pub(super) end: u32,
    /// Which opening bracket is the first behind that one.
    pub(super) after: u32,
}

/// What 64 bytes look like: what matters everywhere.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Masks {
    pub(super) quote: u64,
    pub(super) slash: u64,
    /// It is a control character, or not ASCII.
    pub(super) unusual: u64,
}

/// What 64 bytes look like: what matters outside strings.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Signs {
    /// It is an opening bracket of either kind.
    pub(super) open: u64,
    /// It is a closing bracket of either kind.
    pub(super) close: u64,
    pub(super) comma: u64,
    pub(super) colon: u64,
    /// Of a bracket: it is an object's.
    pub(super) brace: u64,
    pub(super) digit: u64,
    pub(super) zero: u64,
}

impl BitOrAssign for Masks {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.quote |= other.quote;
        self.slash |= other.slash;
        self.unusual |= other.unusual;
    }
}

impl BitOrAssign for Signs {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.open |= other.open;
        self.close |= other.close;
        self.comma |= other.comma;
        self.colon |= other.colon;
        self.brace |= other.brace;
        self.digit |= other.digit;
        self.zero |= other.zero;
    }
}

/// Which of 64 bytes may follow a backslash.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Letters {
    /// One of `"\\/bfnrtu`.
    pub(super) any: u64,
    /// `u`, behind which there is a number.
    pub(super) u: u64,
}

/// A longer text would cost more memory for its index than anybody expects; it is read without one.
const LONGEST: usize = 64 << 20;

/// How many blocks and brackets there is memory for: at least those of a usual line, and when a line of more
/// than 4 MiB has been read, no more than that.
const USUAL: usize = 64;
const KEPT: usize = 1 << 16;

impl Index {
    /// Looks at a text that should be one JSON object. Gives the text too where it is ASCII alone, which is then
    /// known for nothing.
    pub(super) fn of<'t>(&mut self, bytes: &'t [u8]) -> (Found, Option<&'t str>) {
        self.stops.clear();
        self.opens.clear();
        if self.stops.capacity() > KEPT || self.opens.capacity() > KEPT {
            *self = Index::default();
        }
        self.stops.reserve(USUAL);
        self.opens.reserve(USUAL);
        if bytes.len() > LONGEST || bytes.first() != Some(&b'{') {
            return (Found::default(), None);
        }
        masks::index(bytes, self)
    }
}

/// What is known of a text as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    /// It is JSON, and indexed.
    pub(super) sound: bool,
    /// It has ASCII alone.
    pub(super) ascii: bool,
    /// All its backslashes are between these two places.
    pub(super) slashes: (u32, u32),
    /// It may have a value that is too deep or a number that is too large for an ordinary reader.
    pub(super) odd: bool,
}

/// Indexes a text, whose blocks are seen by `masks`, `control` (characters), `signs` and `letters`; `parity` says of
/// each bit whether there is an odd number of ones up to it.
#[inline(always)]
pub(super) fn index_with(
    bytes: &[u8],
    index: &mut Index,
    masks: impl Fn(&[u8; 64]) -> Masks,
    control: impl Fn(&[u8; 64]) -> u64,
    signs: impl Fn(&[u8; 64]) -> Signs,
    letters: impl Fn(&[u8; 64]) -> Letters,
    parity: impl Fn(u64) -> u64,
) -> Found {
    let (blocks, rest) = bytes.as_chunks::<64>();
    let mut last = [b' '; 64];
    last[..rest.len()].copy_from_slice(rest);
    let (mut escape, mut inside) = (0, 0);
    let (mut ascii, mut slashes) = (true, (u32::MAX, 0));
    let Index { stops, opens } = index;
    let mut grammar = Grammar::new(opens);
    stops.resize(blocks.len() + 1, 0);
    // A plain loop: what sees the blocks must become part of who has the instructions for it, which no iterator's
    // inside has.
    for (at, stops) in stops.iter_mut().enumerate() {
        let (block, valid) = match blocks.get(at) {
            Some(block) => (block, !0),
            None => (&last, !(!0 << rest.len())),
        };
        let Masks { mut quote, slash, unusual } = masks(block);
        if unusual != 0 {
            let control = control(block);
            ascii &= unusual == control;
            grammar.broken |= control;
        }
        if slash | escape != 0 {
            slashes = (slashes.0.min(at as u32 * 64), at as u32 * 64 + 64);
            let escaped = escaped(slash, &mut escape);
            quote &= !escaped;
            let letters = letters(block);
            grammar.broken |= escaped & !letters.any;
            grammar.broken |= u64::from(!numbers_are_good(bytes, at * 64, escaped & letters.u));
        }
        if quote == 0 && inside != 0 {
            grammar.step_inside();
            continue;
        }
        let string = parity(quote) ^ inside;
        inside = ((string as i64) >> 63) as u64;
        let strings = Strings { quote, string, outside: !(string | quote) & valid };
        let signs = signs(block);
        if quote == 0 {
            // Who knows how long that number is.
            grammar.odd |= signs.digit == !0;
        }
        *stops = grammar.step(bytes, at * 64, strings, signs);
    }
    let sound = escape | inside | grammar.broken == 0 && grammar.is_one_object(bytes.len());
    Found { sound, ascii, slashes, odd: grammar.odd }
}

/// The bytes that stand behind a backslash which is not escaped itself. `carry` is 1 if the first one is
/// escaped by the block before, and says the same for the next.
#[inline(always)]
fn escaped(slash: u64, carry: &mut u64) -> u64 {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    // A run of backslashes escapes what follows it if the run is of odd length. Adding a bit at the start of
    // each run carries through it: where it ends up tells odd from even.
    let begins = slash & !*carry;
    let behind = begins << 1;
    let runs = (behind | ODD).wrapping_sub(begins) ^ ODD;
    let escaped = runs ^ (slash | *carry);
    *carry = (runs & slash) >> 63;
    escaped
}

/// Whether four digits follow each of these letters.
#[inline]
fn numbers_are_good(bytes: &[u8], start: usize, mut letters: u64) -> bool {
    while letters != 0 {
        let at = start + letters.trailing_zeros() as usize;
        letters &= letters - 1;
        let hex = bytes.get(at + 1..at + 5);
        if !hex.is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) {
            return false;
        }
    }
    true
}
