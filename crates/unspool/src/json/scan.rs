//! Walks JSON text once, left to right, checking it on the way.
//!
//! Everything that is skipped is validated too: a line is either wholly JSON or [`Fault`]. What is kept
//! is a slice of the text, never a copy. Nesting costs one bit per level and no stack, so depth is
//! bounded by memory alone.
//!
//! Strings are most of a text, so they must be cheap. Control characters may not stand in them, and hardly ever
//! stand anywhere in a line, so these are looked for once, over the whole text, and where there is none a
//! string need only be searched for its next quote or backslash.

#[cfg(test)]
mod tests;

use super::levels::Levels;
use super::number::number;
use super::search::{calm_until, escape, has_control, plain_until};
use super::{Json, Str};

/// Why a text is not JSON, and where.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{what} at byte {at}")]
#[non_exhaustive]
pub struct Fault {
    /// What was wrong, in words.
    pub what: &'static str,
    /// Offset in the text.
    pub at: usize,
}

/// A place in a JSON text.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
    deepest: usize,
    far_numbers: bool,
    /// There is no control character in the text.
    calm: bool,
}

impl<'a> Cursor<'a> {
    /// Starts at the first byte of `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Cursor { calm: !has_control(text.as_bytes()), ..Cursor::checked(text) }
    }

    /// Starts at the first byte of a text that another cursor has passed over, or that need not be checked:
    /// control characters in strings are not looked for.
    pub(crate) fn checked(text: &'a str) -> Self {
        Cursor { text, at: 0, deepest: 0, far_numbers: false, calm: true }
    }

    /// Offset of the next byte.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// The deepest nesting that [`Cursor::skip`] has met inside one value.
    #[must_use]
    pub fn deepest(&self) -> usize {
        self.deepest
    }

    /// Whether a number was met that an `f64` may not hold.
    #[must_use]
    pub fn far_numbers(&self) -> bool {
        self.far_numbers
    }

    /// The text between `start` and here.
    #[must_use]
    pub fn since(&self, start: usize) -> Json<'a> {
        Json::trusted(&self.text[start..self.at])
    }

    /// The next byte that is not white space, without taking it; 0 at the end.
    #[inline]
    pub fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return byte;
            }
            self.at += 1;
        }
        0
    }

    /// Succeeds if nothing but white space is left.
    pub fn end(&mut self) -> Result<(), Fault> {
        self.peek();
        if self.at == self.text.len() { Ok(()) } else { Err(self.fault("something follows the value")) }
    }

    /// Takes a string.
    #[inline]
    pub fn string(&mut self) -> Result<Str<'a>, Fault> {
        if self.peek() != b'"' {
            return Err(self.fault("a string is missing"));
        }
        let start = self.at + 1;
        let Some(escaped) = self.string_body() else { return Err(self.string_fault()) };
        Ok(Str::wire(&self.text[start..self.at - 1], escaped))
    }

    /// Takes any value, and gives its text.
    #[inline]
    pub fn skip(&mut self) -> Result<Json<'a>, Fault> {
        let first = self.peek();
        let start = self.at;
        match first {
            b'"' => self.string_skip()?,
            b'{' | b'[' => self.nested()?,
            _ => self.scalar(first)?,
        }
        Ok(self.since(start))
    }

    /// Takes an object; `field` is called behind each key and must take the value.
    #[inline]
    pub fn object(
        &mut self,
        mut field: impl FnMut(Str<'a>, &mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.expect(b'{', "an object is missing")?;
        if self.peek() == b'}' {
            self.at += 1;
            return Ok(());
        }
        loop {
            let key = self.key()?;
            field(key, self)?;
            match self.peek() {
                b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.fault("an object does not go on")),
            }
        }
    }

    /// Takes a key and its colon.
    #[inline]
    fn key(&mut self) -> Result<Str<'a>, Fault> {
        if self.peek() != b'"' {
            return Err(self.fault("a key is missing"));
        }
        let key = self.string()?;
        self.expect(b':', "a colon is missing")?;
        Ok(key)
    }

    /// Takes a number of a few digits that is the whole value. Takes nothing otherwise.
    #[inline]
    pub(crate) fn digits_only(&mut self) -> Option<u64> {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        let mut number = 0;
        while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|it| *it < 10) {
            number = number * 10 + u64::from(digit);
            at += 1;
            if at - self.at > 18 {
                return None;
            }
        }
        let ends = matches!(bytes.get(at), Some(b',' | b'}' | b']'));
        if at == self.at || !ends || (bytes[self.at] == b'0' && at > self.at + 1) {
            return None;
        }
        self.at = at;
        Some(number)
    }

    /// Takes an array; `item` must take each value.
    #[inline]
    pub fn array(&mut self, mut item: impl FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        self.expect(b'[', "an array is missing")?;
        if self.peek() == b']' {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self)?;
            match self.peek() {
                b',' => self.at += 1,
                b']' => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.fault("an array does not go on")),
            }
        }
    }

    /// The first value of a field of the object that stands here, if it is a string. Takes nothing.
    #[inline]
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<Str<'a>> {
        let mut ahead = self.clone();
        ahead.peek();
        let mut begun = false;
        while let Some(key) = ahead.next_key(b'{', &mut begun) {
            if key == name {
                return if ahead.peek() == b'"' { ahead.string().ok() } else { None };
            }
            ahead.skip().ok()?;
        }
        None
    }

    /// The next member of the array or object that was opened by this bracket, at which the cursor
    /// stands until it has `begun`; the key is empty in an array. `None` at its end.
    #[inline]
    pub(super) fn member(&mut self, open: u8, begun: &mut bool) -> Option<(Str<'a>, Json<'a>)> {
        let key = self.next_key(open, begun)?;
        self.skip().ok().map(|value| (key, value))
    }

    /// The key of the next member, as [`member`](Self::member) takes it, up to the value, which must then be taken.
    #[inline]
    pub(crate) fn next_key(&mut self, open: u8, begun: &mut bool) -> Option<Str<'a>> {
        let next = self.peek();
        let expected = if std::mem::replace(begun, true) { b',' } else { open };
        if next != expected {
            return None;
        }
        self.at += 1;
        if open == b'[' {
            return (self.peek() != b']').then(Str::default);
        }
        let key = self.string().ok()?;
        self.expect(b':', "a colon is missing").ok()?;
        Some(key)
    }

    fn fault(&self, what: &'static str) -> Fault {
        Fault { what, at: self.at }
    }

    #[inline]
    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), Fault> {
        if self.peek() != byte {
            return Err(self.fault(what));
        }
        self.at += 1;
        Ok(())
    }

    /// From the opening quote to behind the closing one. Returns whether there was an escape; `None` where
    /// it is no string, with the cursor at the fault. Called for every string, so it returns next to nothing.
    fn string_body(&mut self) -> Option<bool> {
        let bytes = self.text.as_bytes();
        let mut escaped = false;
        self.at += 1;
        loop {
            self.at = if self.calm { calm_until(bytes, self.at) } else { plain_until(bytes, self.at) };
            match bytes.get(self.at)? {
                b'"' => {
                    self.at += 1;
                    return Some(escaped);
                }
                b'\\' => {
                    escaped = true;
                    self.at += escape(bytes, self.at)?;
                }
                _ => return None,
            }
        }
    }

    /// What is wrong with the string in which the cursor stands.
    #[cold]
    fn string_fault(&self) -> Fault {
        self.fault(match self.text.as_bytes().get(self.at) {
            None => "a string does not end",
            Some(b'\\') => "an escape is broken",
            Some(_) => "a control character stands in a string",
        })
    }

    /// From an opening bracket to behind its closing one.
    fn nested(&mut self) -> Result<(), Fault> {
        let mut levels = Levels::default();
        let mut depth = 0;
        loop {
            // A value begins here.
            match self.peek() {
                b'"' => self.string_skip()?,
                open @ (b'{' | b'[') => {
                    self.at += 1;
                    levels.push(open == b'{');
                    depth += 1;
                    self.deepest = self.deepest.max(depth);
                    let close = if open == b'{' { b'}' } else { b']' };
                    if self.peek() != close {
                        if open == b'{' {
                            self.key()?;
                        }
                        continue;
                    }
                    self.at += 1;
                    levels.pop();
                    depth -= 1;
                }
                other => self.scalar(other)?,
            }
            // A value has ended here: close what ends with it.
            loop {
                if depth == 0 {
                    return Ok(());
                }
                match (self.peek(), levels.in_object()) {
                    (b',', true) => {
                        self.at += 1;
                        self.key()?;
                        break;
                    }
                    (b',', false) => {
                        self.at += 1;
                        break;
                    }
                    (b'}', true) | (b']', false) => {
                        self.at += 1;
                        levels.pop();
                        depth -= 1;
                    }
                    (_, true) => return Err(self.fault("an object does not go on")),
                    (_, false) => return Err(self.fault("an array does not go on")),
                }
            }
        }
    }

    #[inline]
    fn string_skip(&mut self) -> Result<(), Fault> {
        if self.string_body().is_some() { Ok(()) } else { Err(self.string_fault()) }
    }

    #[inline]
    fn scalar(&mut self, first: u8) -> Result<(), Fault> {
        match first {
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            b'-' | b'0'..=b'9' => self.number(),
            _ => Err(self.fault("a value is missing")),
        }
    }

    fn word(&mut self, word: &'static str) -> Result<(), Fault> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(self.fault("a value is missing"));
        }
        self.at += word.len();
        Ok(())
    }

    fn number(&mut self) -> Result<(), Fault> {
        match number(&self.text.as_bytes()[self.at..]) {
            Ok((length, far)) => {
                self.at += length;
                self.far_numbers |= far;
                Ok(())
            }
            Err(broken) => {
                self.at += broken;
                Err(self.fault("a number is broken"))
            }
        }
    }
}
