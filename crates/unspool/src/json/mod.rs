//! JSON as slices of its text.
//!
//! The outer gate of the wire: it reads what `serde_json` refuses (half characters, any depth, numbers
//! of any size) and keeps what a tree of values would lose (digits, order, repeated keys).

mod chart;
mod grammar;
mod index;
mod levels;
mod masks;
mod names;
mod number;
mod scan;
mod search;
mod string;
mod walk;
mod write;

pub(crate) use chart::{Chart, LONGEST, Spot};
pub(crate) use index::Index;
pub(crate) use names::Names;
#[doc(hidden)]
pub use scan::Cursor;
pub use scan::Fault;
#[doc(hidden)]
pub use string::Half;
pub use string::Str;
pub(crate) use write::{write_clean, write_line, write_string};

use std::borrow::Cow;
use std::fmt;

/// A JSON value, as its text, which was checked.
#[derive(Clone, Copy)]
pub struct Json<'a>(&'a str);

/// What a value looks like from outside.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "JSON has no other")]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl<'a> Json<'a> {
    /// The value `null`.
    pub const NULL: Json<'static> = Json("null");

    /// The value `{}`.
    pub const EMPTY: Json<'static> = Json("{}");

    /// Checks a text that should be one JSON value.
    pub fn new(text: &'a str) -> Result<Self, Fault> {
        let mut cursor = Cursor::new(text);
        let value = cursor.skip()?;
        cursor.end()?;
        Ok(value)
    }

    /// For text that a cursor has just passed over.
    pub(crate) fn trusted(text: &'a str) -> Self {
        Json(text)
    }

    /// The value as it was written.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.0
    }

    /// What it looks like from outside.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self.0.as_bytes().first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') | None => Kind::Null,
            Some(_) => Kind::Number,
        }
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Whether it is an array or object with nothing in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        let mut inside = self.0.bytes().skip(1).filter(|byte| !byte.is_ascii_whitespace());
        matches!((self.kind(), inside.next()), (Kind::Array, Some(b']')) | (Kind::Object, Some(b'}')))
    }

    /// The string, if it is one.
    #[must_use]
    pub fn as_str(self) -> Option<Str<'a>> {
        let inner = self.0.strip_prefix('"')?.strip_suffix('"')?;
        Some(Str::wire(inner, memchr::memchr(b'\\', inner.as_bytes()).is_some()))
    }

    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.0 {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// The whole number, if it is one that fits.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.0.parse().ok().or_else(|| {
            let number = self.as_f64()?;
            (number >= 0.0 && number <= (1u64 << 53) as f64 && number.fract() == 0.0).then_some(number as u64)
        })
    }

    /// The number, if it is one that is finite.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        (self.kind() == Kind::Number).then(|| self.0.parse().ok())?.filter(|number: &f64| number.is_finite())
    }

    /// The values of an array; none for anything else.
    pub fn items(self) -> impl Iterator<Item = Json<'a>> + use<'a> {
        let cursor = (self.kind() == Kind::Array).then(|| Cursor::checked(self.0));
        Items { cursor, open: b'[', begun: false }.map(|(_, value)| value)
    }

    /// The fields of an object in the order they came, repeated ones too; none for anything else.
    pub fn fields(self) -> impl Iterator<Item = (Str<'a>, Json<'a>)> + use<'a> {
        let cursor = (self.kind() == Kind::Object).then(|| Cursor::checked(self.0));
        Items { cursor, open: b'{', begun: false }
    }

    /// A field of an object. Of repeated ones the last wins.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Json<'a>> {
        self.fields().filter(|(name, _)| *name == key).last().map(|(_, value)| value)
    }

    /// The value as text that any JSON reader takes and that fits into one line: no half characters, no
    /// line ends. Borrowed where it already is so.
    #[must_use]
    pub fn clean(self) -> Cow<'a, str> {
        write::clean(self.0)
    }

    /// The value without white space between tokens and without half characters.
    #[must_use]
    pub fn compact(self) -> String {
        write::compact(self.0)
    }

    /// Whether a number in it is beyond what an `f64` holds; ordinary readers refuse such.
    pub(crate) fn has_far_number(self) -> bool {
        write::has_far_number(self.0)
    }

    /// How deep it is nested: 0 for a string or number, 1 for `[]`.
    #[must_use]
    pub fn depth(self) -> usize {
        let mut cursor = Cursor::checked(self.0);
        let _ = cursor.skip();
        cursor.deepest()
    }
}

/// Iterates the members of a checked array or object. Inner text is checked again on the way, so a
/// fault is impossible; it would only end the iteration.
struct Items<'a> {
    cursor: Option<Cursor<'a>>,
    open: u8,
    begun: bool,
}

impl<'a> Iterator for Items<'a> {
    type Item = (Str<'a>, Json<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let cursor = self.cursor.as_mut()?;
        let next = cursor.member(self.open, &mut self.begun);
        if next.is_none() {
            self.cursor = None;
        }
        next
    }
}

impl PartialEq for Json<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.clean() == other.clean()
    }
}

/// The value on one line, clean.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.clean())
    }
}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_in_any_order() {
        let json = Json::new(r#"{"b":[1, {"x":2}],"a":"one","\u0061":"two"}"#).unwrap();
        assert_eq!(json.get("a").unwrap().as_str().unwrap(), "two");
        let items: Vec<_> = json.get("b").unwrap().items().map(Json::text).collect();
        assert_eq!(items, ["1", r#"{"x":2}"#]);
        assert_eq!(json.fields().count(), 3);
        assert_eq!(Json::new("[]").unwrap().items().count(), 0);
        assert_eq!(Json::new("{}").unwrap().fields().count(), 0);
        assert_eq!(Json::new("5").unwrap().fields().count(), 0);
        for (text, empty) in
            [("[ ]", true), ("{\n}", true), ("[{}]", false), ("{\"\":1}", false), ("5", false)]
        {
            assert_eq!(Json::new(text).unwrap().is_empty(), empty, "{text}");
        }
    }

    #[test]
    fn numbers_are_read_where_they_fit() {
        let u = |text| Json::new(text).unwrap().as_u64();
        assert_eq!((u("12"), u("12.0"), u("1e3")), (Some(12), Some(12), Some(1000)));
        assert_eq!((u("-1"), u("1.5"), u("\"1\"")), (None, None, None));
        assert_eq!(u("18446744073709551615"), Some(u64::MAX));
        assert_eq!(Json::new("1e999").unwrap().as_f64(), None);
    }
}
