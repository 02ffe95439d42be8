//! Passes over a value token by token, by a table: what is skipped is checked, and nothing is searched.
//!
//! Says only where the value ends. What is wrong with one that does not is said by
//! [`Cursor::skip`](super::Cursor::skip), which then looks again, byte by byte.

use super::index::Marks;
use super::number::number;

/// What a token can be, by its first byte.
#[derive(Clone, Copy)]
enum Class {
    /// A number, `true`, `false`, `null`, or nothing that may stand there.
    Word,
    Quote,
    OpenObject,
    CloseObject,
    OpenArray,
    CloseArray,
    Colon,
    Comma,
}

/// What is expected next.
const KEY_OR_END: u8 = 0;
const KEY: u8 = 1;
const COLON: u8 = 2;
const VALUE: u8 = 3;
const AFTER_MEMBER: u8 = 4;
const ITEM_OR_END: u8 = 5;
const ITEM: u8 = 6;
const AFTER_ITEM: u8 = 7;
/// What else can follow: these need more than another state.
const WORD: u8 = 8;
const OPEN_OBJECT: u8 = 9;
const OPEN_ARRAY: u8 = 10;
const CLOSE: u8 = 11;
const WRONG: u8 = 12;

/// What follows a token of each class, in the order of [`Class`].
const NEXT: [[u8; 8]; 8] = {
    const X: u8 = WRONG;
    [
        [X, COLON, X, CLOSE, X, X, X, X],
        [X, COLON, X, X, X, X, X, X],
        [X, X, X, X, X, X, VALUE, X],
        [WORD, AFTER_MEMBER, OPEN_OBJECT, X, OPEN_ARRAY, X, X, X],
        [X, X, X, CLOSE, X, X, X, KEY],
        [WORD, AFTER_ITEM, OPEN_OBJECT, X, OPEN_ARRAY, CLOSE, X, X],
        [WORD, AFTER_ITEM, OPEN_OBJECT, X, OPEN_ARRAY, X, X, X],
        [X, X, X, X, X, CLOSE, X, ITEM],
    ]
};

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Word; 256];
    classes[b'"' as usize] = Class::Quote;
    classes[b'{' as usize] = Class::OpenObject;
    classes[b'}' as usize] = Class::CloseObject;
    classes[b'[' as usize] = Class::OpenArray;
    classes[b']' as usize] = Class::CloseArray;
    classes[b':' as usize] = Class::Colon;
    classes[b',' as usize] = Class::Comma;
    classes
};

/// Deeper values are left to who looks byte by byte.
const DEEPEST: u32 = 64;

/// A value that was passed over.
pub(super) struct Passed {
    /// Behind its last byte.
    pub(super) end: usize,
    pub(super) deepest: usize,
    /// It has a number that an `f64` may not hold.
    pub(super) far_number: bool,
}

/// Passes over the object or array that begins at `start`. `None` if it is not sound, or very deep.
pub(super) fn pass(text: &[u8], marks: &[Marks], start: usize) -> Option<Passed> {
    let mut block = start / 64;
    let mut tokens = marks.get(block)?.token & (!0 << (start % 64));
    // For each open bracket, the innermost lowest, whether it is an object.
    let mut objects = 0u64;
    let (mut depth, mut deepest, mut far_number) = (0, 0, false);
    let mut state = ITEM;
    loop {
        while tokens == 0 {
            block += 1;
            tokens = marks.get(block)?.token;
        }
        let at = block * 64 + tokens.trailing_zeros() as usize;
        tokens &= tokens - 1;
        let next = NEXT[usize::from(state)][CLASSES[usize::from(*text.get(at)?)] as usize];
        if next <= AFTER_ITEM {
            state = next;
            continue;
        }
        match next {
            OPEN_OBJECT | OPEN_ARRAY => {
                if depth == DEEPEST {
                    return None;
                }
                depth += 1;
                deepest = deepest.max(depth);
                objects = objects << 1 | u64::from(next == OPEN_OBJECT);
                state = if next == OPEN_OBJECT { KEY_OR_END } else { ITEM_OR_END };
            }
            CLOSE => {
                depth -= 1;
                if depth == 0 {
                    return Some(Passed { end: at + 1, deepest: deepest as usize, far_number });
                }
                objects >>= 1;
                state = if objects & 1 == 1 { AFTER_MEMBER } else { AFTER_ITEM };
            }
            WORD => {
                far_number |= word_is_far(text, at)?;
                state = if state == VALUE { AFTER_MEMBER } else { AFTER_ITEM };
            }
            _ => return None,
        }
    }
}

/// Whether what stands here is a number that may be too much for an `f64`; `None` if it is no number and no
/// `true`, `false` or `null`.
#[inline]
fn word_is_far(text: &[u8], at: usize) -> Option<bool> {
    let rest = text.get(at..)?;
    let (length, far) = match rest.first()? {
        b't' => (rest.starts_with(b"true").then_some(4)?, false),
        b'f' => (rest.starts_with(b"false").then_some(5)?, false),
        b'n' => (rest.starts_with(b"null").then_some(4)?, false),
        _ => number(rest).ok()?,
    };
    let ends = match rest.get(length) {
        None => true,
        // A quote here begins no token: it belongs to what stands before it, which is then no value.
        Some(&next) => next == b' ' || !matches!(CLASSES[usize::from(next)], Class::Word | Class::Quote),
    };
    ends.then_some(far)
}
