//! What the types of the wire have in common: how a field is read, what it may hold, what is left over.
//!
//! A type is declared with [`wire!`](crate::wire), in one place, and can then be read from a line without
//! copying it, written to one, listed in a schema. Reading never fails on an odd value: a field that does
//! not have the declared shape stays in [`Extra`], as an unknown one does.

use super::Extra;
use crate::json::{Cursor, Fault, Json, Kind, Str};

/// What became of a value that was to be read as a `T`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a value fits, is null, or does neither")]
pub enum Found<T> {
    /// It has the shape.
    Fits(T),
    /// It is `null`.
    Null,
    /// It has another shape.
    Odd,
}

/// A value of the wire.
pub trait Wire<'a>: Sized {
    /// Takes one value from the cursor, whatever it is.
    #[doc(hidden)]
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault>;
    /// Takes one value from the cursor and lays it into its place. Returns whether the value has another shape.
    #[doc(hidden)]
    #[inline]
    fn read_into(place: &mut Option<Self>, cursor: &mut Cursor<'a>) -> Result<bool, Fault> {
        let found = Self::read(cursor)?;
        let odd = matches!(found, Found::Odd);
        *place = match found {
            Found::Fits(value) => Some(value),
            Found::Null | Found::Odd => None,
        };
        Ok(odd)
    }
    /// Appends the value as JSON, on one line. What is kept as it came is written as it came, half characters too.
    fn write(&self, out: &mut String);
    /// What such a value looks like, for schemas.
    #[doc(hidden)]
    #[must_use]
    fn shape() -> Shape;

    /// The fields of this object that its type does not model.
    #[must_use]
    fn extra(&self) -> Extra<'a> {
        Extra::default()
    }

    /// Reads one value from its text.
    #[must_use]
    fn of(json: Json<'a>) -> Option<Self> {
        match Self::read(&mut Cursor::checked(json.text())) {
            Ok(Found::Fits(value)) => Some(value),
            Ok(Found::Null | Found::Odd) | Err(_) => None,
        }
    }

    /// The value as JSON text, as [`write`](Self::write) has it.
    #[must_use]
    fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }
}

/// What a value looks like.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "whoever describes values must know every shape")]
pub enum Shape {
    /// Anything.
    Any,
    /// A string.
    Text,
    /// A string out of a list that may grow.
    Open(&'static [&'static str]),
    /// A truth value.
    Flag,
    /// A whole number.
    Count,
    /// A number.
    Number,
    /// A list.
    List(fn() -> Shape),
    /// An object whose keys are data.
    Map(fn() -> Shape),
    /// An object of a declared type.
    Object(&'static Type),
    /// One of several declared types, told apart by a field.
    Choice(&'static Choice),
    /// Anything, though normally this.
    Likely(fn() -> Shape),
    /// Any of these.
    Either(&'static [fn() -> Shape]),
}

impl Shape {
    /// Whether a value has this shape, seen from outside.
    #[must_use]
    pub fn fits(self, json: Json<'_>) -> bool {
        match self {
            Shape::Any | Shape::Likely(_) => true,
            Shape::Text | Shape::Open(_) => json.kind() == Kind::String,
            Shape::Flag => json.kind() == Kind::Bool,
            Shape::Count => json.as_u64().is_some(),
            Shape::Number => json.as_f64().is_some(),
            Shape::List(_) => json.kind() == Kind::Array,
            Shape::Map(_) | Shape::Object(_) | Shape::Choice(_) => json.kind() == Kind::Object,
            Shape::Either(shapes) => shapes.iter().any(|shape| shape().fits(json)),
        }
    }
}

/// A declared object.
#[derive(Debug)]
#[non_exhaustive]
pub struct Type {
    /// Its name in Rust.
    pub name: &'static str,
    /// The module that declares it.
    pub home: &'static str,
    /// What it is.
    pub doc: &'static [&'static str],
    /// The fields that say which type it is, and what they then hold.
    pub tags: &'static [(&'static str, &'static str)],
    /// The fields that it shares with others.
    pub base: Option<&'static Type>,
    /// Its other fields.
    pub fields: &'static [Field],
}

/// A declared field.
#[derive(Debug)]
#[non_exhaustive]
pub struct Field {
    /// Its name on the wire.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static [&'static str],
    /// What it holds.
    pub shape: fn() -> Shape,
    /// Whether it is always there.
    pub always: bool,
    /// Whether it may be `null`.
    pub nullable: bool,
}

/// One of several objects: what its tag holds, and how it then looks.
pub type Variant = (&'static str, fn() -> Shape);

/// Several declared objects, told apart by one field.
#[derive(Debug)]
#[non_exhaustive]
pub struct Choice {
    /// Its name in Rust.
    pub name: &'static str,
    /// The module that declares it.
    pub home: &'static str,
    /// What it is.
    pub doc: &'static [&'static str],
    /// The field that tells them apart.
    pub tag: &'static str,
    /// What it may hold, and how an object of that tag looks.
    pub shapes: &'static [Variant],
    /// How objects without a tag may look.
    pub others: &'static [fn() -> Shape],
}

impl Type {
    /// Whether it has a field of this name, be it one of those that tell it apart.
    pub(crate) const fn has(&self, name: &str) -> bool {
        let (mut tag, mut field) = (0, 0);
        while tag < self.tags.len() && !same(self.tags[tag].0.as_bytes(), name.as_bytes()) {
            tag += 1;
        }
        while field < self.fields.len() && !same(self.fields[field].name.as_bytes(), name.as_bytes()) {
            field += 1;
        }
        tag < self.tags.len() || field < self.fields.len()
    }

    pub(super) fn models(&self, key: Str<'_>, value: Json<'_>) -> bool {
        let field = self.fields.iter().find(|field| key == field.name);
        field.is_some_and(|field| value.is_null() || (field.shape)().fits(value))
    }
}

/// Whether two texts are the same, where `==` is not allowed yet.
const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
