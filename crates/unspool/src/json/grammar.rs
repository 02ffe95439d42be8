//! Checks the grammar of JSON 64 bytes at a time, without looking at its tokens one by one.
//!
//! What may stand at a place depends on what stands before it, and on whether the innermost bracket is an
//! object's. The first is a shift of bits. For the second, brackets are looked at one by one, as they are
//! few, and so are words that are more than digits.
//!
//! ```text
//! a key               behind { or, in an object, a comma
//! any other value     behind [ or a colon or, in an array, a comma
//! a colon             behind a key, and nothing else there
//! a comma             behind a value
//! a closing bracket   behind a value, or the bracket that it closes
//! ```

use super::chart::DEEP;
use super::index::{Open, Signs};
use super::number::number;

/// Texts with more brackets are left to who looks byte by byte: too much would have to be remembered.
const MOST: usize = 1 << 20;

/// No bracket.
const OUTSIDE: u32 = u32::MAX;

/// Where there are strings in 64 bytes.
#[derive(Clone, Copy)]
pub(super) struct Strings {
    /// The quotes at both ends.
    pub(super) quote: u64,
    /// From each opening quote up to before the closing one.
    pub(super) string: u64,
    /// All but the quotes and what is between them.
    pub(super) outside: u64,
}

/// What is known at the end of a block. Of the masks, the last bit counts.
pub(super) struct Grammar<'i> {
    opens: &'i mut Vec<Open>,
    /// The innermost open bracket, and whether it is an object's.
    current: u32,
    object: bool,
    depth: usize,
    key_may_begin: u64,
    opened: u64,
    ended: u64,
    key_ended: u64,
    word: u64,
    /// 1 if the last byte is in a key.
    in_key: u64,
    /// There may be a value that is too deep or a number that is too large for an ordinary reader.
    pub(super) odd: bool,
    /// Something is wrong if this is not 0.
    pub(super) broken: u64,
}

impl<'i> Grammar<'i> {
    #[inline(always)]
    pub(super) fn new(opens: &'i mut Vec<Open>) -> Self {
        Grammar {
            opens,
            current: OUTSIDE,
            object: false,
            depth: 0,
            key_may_begin: 0,
            opened: 0,
            ended: 0,
            key_ended: 0,
            word: 0,
            in_key: 0,
            odd: false,
            broken: 0,
        }
    }

    /// Whether the text is one object of so many bytes.
    #[inline(always)]
    pub(super) fn is_one_object(&self, length: usize) -> bool {
        self.depth == 0 && self.opens.first().is_some_and(|root| root.end as usize + 1 == length)
    }

    /// The next block is the inside of a string.
    #[inline(always)]
    pub(super) fn step_inside(&mut self) {
        self.key_may_begin = 0;
        self.opened = 0;
        self.ended = 0;
        self.key_ended = 0;
        self.word = 0;
    }

    /// Checks the next block, which begins at `start`. Returns where keys and values stop.
    #[inline(always)]
    pub(super) fn step(&mut self, bytes: &[u8], start: usize, strings: Strings, signs: Signs) -> u64 {
        let Strings { quote, string, outside } = strings;
        let Signs { brace, digit, zero, .. } = signs;
        let (open, close) = (signs.open & outside, signs.close & outside);
        let (comma, colon) = (signs.comma & outside, signs.colon & outside);
        let word = outside & !(open | close | comma | colon);
        let object = self.nest(start, open, close, brace);

        let key_may_begin = behind((open & brace) | (comma & object), &mut self.key_may_begin);
        let opened = behind(open, &mut self.opened);
        let ended = behind((quote & !string) | close, &mut self.ended);
        let behind_word = behind(word, &mut self.word);
        // A bit that is added to a string is carried to its end.
        let begins = quote & string;
        let (sum, over) = string.overflowing_add(begins & key_may_begin);
        let (sum, over_too) = sum.overflowing_add(self.in_key);
        self.in_key = u64::from(over | over_too);
        let key_ended = behind(sum & !string, &mut self.key_ended);

        self.broken |= ((begins | open | word) & ended)
            | ((begins | open) & behind_word)
            | ((open | word) & key_may_begin)
            | ((comma | (close & !opened)) & !(ended | behind_word))
            | (colon ^ key_ended);

        // More than digits, or a number that begins with a zero and goes on.
        let odd = word & !digit;
        let zero = word & zero & !behind_word & (word >> 1 | 1 << 63);
        let mut doubtful = odd & !(odd << 1) | zero;
        while doubtful != 0 {
            let at = start + doubtful.trailing_zeros() as usize;
            doubtful &= doubtful - 1;
            match word_is_far(bytes, at) {
                Some(far) => self.odd |= far,
                None => self.broken = 1,
            }
        }
        close | comma | colon
    }

    /// Opens and closes brackets. Returns the bytes that stand in an object and in nothing inside it.
    #[inline(always)]
    fn nest(&mut self, start: usize, open: u64, close: u64, brace: u64) -> u64 {
        let mut object = u64::from(self.object).wrapping_neg();
        let mut brackets = open | close;
        while brackets != 0 {
            let place = brackets.trailing_zeros();
            brackets &= brackets - 1;
            let is_object = brace >> place & 1;
            if open >> place & 1 == 1 {
                self.open(is_object as u32);
            } else {
                self.close(is_object as u32, start as u32 + place);
            }
            // From here on.
            let rest = !0 << place;
            object = object & !rest | rest & u64::from(self.object).wrapping_neg();
        }
        // In the middle of the block it was perhaps deeper.
        self.odd |= self.depth > DEEP - 64;
        object
    }

    /// A bracket opens. Until it is closed, it is remembered what it is and which one stands around it.
    #[inline(always)]
    fn open(&mut self, is_object: u32) {
        let inner = self.opens.len();
        if inner == MOST {
            self.broken = 1;
            return;
        }
        self.opens.push(Open { end: is_object, after: self.current });
        self.current = inner as u32;
        self.object = is_object == 1;
        self.depth += 1;
    }

    /// A bracket closes.
    #[inline(always)]
    fn close(&mut self, is_object: u32, at: u32) {
        let after = self.opens.len() as u32;
        let Some(opened) = self.opens.get_mut(self.current as usize) else {
            self.broken = 1;
            return;
        };
        self.broken |= u64::from(opened.end ^ is_object);
        self.current = opened.after;
        *opened = Open { end: at, after };
        self.object = self.opens.get(self.current as usize).is_some_and(|around| around.end == 1);
        self.depth -= 1;
    }
}

/// The bytes behind these. `last` are those of the block before, and become these.
#[inline(always)]
fn behind(these: u64, last: &mut u64) -> u64 {
    these << 1 | std::mem::replace(last, these) >> 63
}

/// Whether the word that has this byte is a number that may be too much for an `f64`; `None` if it is no number
/// and no `true`, `false` or `null`. The byte begins the word, or is its first one that is no digit, or stands
/// behind one that is no digit, where nothing has to be looked at any more.
fn word_is_far(text: &[u8], at: usize) -> Option<bool> {
    let before = text.get(..at)?;
    let digits = match before.last()? {
        b'0'..=b'9' => before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count(),
        b':' | b',' | b'[' => 0,
        _ => return Some(false),
    };
    let word = text.get(at - digits..)?;
    let (length, far) = match word.first()? {
        b't' => (word.starts_with(b"true").then_some(4)?, false),
        b'f' => (word.starts_with(b"false").then_some(5)?, false),
        b'n' => (word.starts_with(b"null").then_some(4)?, false),
        _ => number(word).ok()?,
    };
    matches!(word.get(length)?, b',' | b'}' | b']').then_some(far)
}
