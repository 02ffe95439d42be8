//! What the types of the wire have in common: how a field is read, what it may hold, what is left over.
//!
//! A type is declared with [`wire!`](crate::wire), in one place, and can then be read from a line without
//! copying it, written to one, listed in a schema. Reading never fails on an odd value: a field that does
//! not have the declared shape stays in [`Extra`], as an unknown one does.

use crate::json::{Cursor, Fault, Json, Kind, Str, write_line, write_string};
use std::fmt;
use std::marker::PhantomData;

/// What became of a value that was to be read as a `T`.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault>;
    /// Takes one value from the cursor and lays it into its place. Returns whether the value has another shape.
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

/// Fields that the type does not model, or that do not have the shape it expects, in the order they came.
#[derive(Clone, Copy, Default)]
pub struct Extra<'a> {
    object: Option<Json<'a>>,
    known: Option<&'static Type>,
}

impl<'a> Extra<'a> {
    /// All fields of `object` that `known` does not model.
    pub(crate) fn of(object: Json<'a>, known: &'static Type) -> Self {
        Extra { object: Some(object), known: Some(known) }
    }

    /// Further fields to write: those of an object.
    #[must_use]
    pub fn more(object: Json<'a>) -> Self {
        Extra { object: Some(object), known: None }
    }

    /// The fields.
    pub fn fields(self) -> impl Iterator<Item = (Str<'a>, Json<'a>)> + use<'a> {
        let known = self.known;
        let is_extra = move |(key, value): &(Str<'a>, Json<'a>)| match known {
            None => true,
            Some(known) => !known.tags.iter().any(|(tag, _)| key == tag) && !known.models(*key, *value),
        };
        self.object.into_iter().flat_map(Json::fields).filter(is_extra)
    }

    /// One of the fields. Of repeated ones the last wins.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Json<'a>> {
        self.fields().filter(|(name, _)| *name == key).last().map(|(_, value)| value)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.fields().next().is_none()
    }
}

impl fmt::Debug for Extra<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.fields()).finish()
    }
}

impl PartialEq for Extra<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.fields().eq(other.fields())
    }
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

    fn models(&self, key: Str<'_>, value: Json<'_>) -> bool {
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

/// A list of the wire, read item by item when somebody asks.
pub struct List<'a, T> {
    json: Json<'a>,
    of: PhantomData<T>,
}

impl<'a, T: Wire<'a>> List<'a, T> {
    /// The items that have the shape of a `T`; the others are in [`List::json`].
    pub fn iter(&self) -> impl Iterator<Item = T> + use<'a, T> {
        Members::of(self.json, b'[').map(|(_, item)| item)
    }

    /// The list as it was written.
    #[must_use]
    pub fn json(&self) -> Json<'a> {
        self.json
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.json.is_empty()
    }
}

/// An object of the wire whose keys are data, read entry by entry when somebody asks.
pub struct Map<'a, T> {
    json: Json<'a>,
    of: PhantomData<T>,
}

impl<'a, T: Wire<'a>> Map<'a, T> {
    /// The entries whose value has the shape of a `T`; the others are in [`Map::json`].
    pub fn iter(&self) -> impl Iterator<Item = (Str<'a>, T)> + use<'a, T> {
        Members::of(self.json, b'{')
    }

    /// The object as it was written.
    #[must_use]
    pub fn json(&self) -> Json<'a> {
        self.json
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.json.is_empty()
    }
}

/// Reads the members of a checked list or object one by one, each once; those of another shape are left
/// out.
struct Members<'a, T> {
    cursor: Cursor<'a>,
    open: u8,
    begun: bool,
    of: PhantomData<T>,
}

impl<'a, T> Members<'a, T> {
    fn of(json: Json<'a>, open: u8) -> Self {
        Members { cursor: Cursor::checked(json.text()), open, begun: false, of: PhantomData }
    }
}

impl<'a, T: Wire<'a>> Iterator for Members<'a, T> {
    type Item = (Str<'a>, T);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let key = self.cursor.next_key(self.open, &mut self.begun)?;
            if let Found::Fits(value) = T::read(&mut self.cursor).ok()? {
                return Some((key, value));
            }
        }
    }
}

/// An object of the wire, read when somebody asks.
pub struct Lazy<'a, T> {
    json: Json<'a>,
    of: PhantomData<T>,
}

impl<'a, T: Wire<'a> + Default> Lazy<'a, T> {
    /// Reads it.
    #[must_use]
    pub fn read(&self) -> T {
        T::of(self.json).unwrap_or_default()
    }

    /// The object as it was written.
    #[must_use]
    pub fn json(&self) -> Json<'a> {
        self.json
    }
}

macro_rules! sliced {
    ($name:ident, $first:literal, |$of:ident| $shape:expr, $($bound:tt)*) => {
        impl<'a, T: Wire<'a> $($bound)*> Wire<'a> for $name<'a, T> {
            fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
                let first = cursor.peek();
                let json = cursor.skip()?;
                Ok(match first {
                    $first => Found::Fits($name { json, of: PhantomData }),
                    b'n' => Found::Null,
                    _ => Found::Odd,
                })
            }
            fn write(&self, out: &mut String) {
                write_line(self.json.text(), out);
            }
            fn shape() -> Shape {
                let $of = T::shape;
                $shape
            }
        }
        impl<T> Clone for $name<'_, T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T> Copy for $name<'_, T> {}
        impl<T> PartialEq for $name<'_, T> {
            fn eq(&self, other: &Self) -> bool {
                self.json == other.json
            }
        }
        impl<T> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.json, f)
            }
        }
        impl<'a, T> From<Json<'a>> for $name<'a, T> {
            fn from(json: Json<'a>) -> Self {
                $name { json, of: PhantomData }
            }
        }
    };
}

sliced!(List, b'[', |of| Shape::List(of),);
sliced!(Map, b'{', |of| Shape::Map(of),);
sliced!(Lazy, b'{', |of| of(), + Default);

impl<'a> Wire<'a> for Json<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
        cursor.skip().map(Found::Fits)
    }
    fn write(&self, out: &mut String) {
        write_line(self.text(), out);
    }
    fn shape() -> Shape {
        Shape::Any
    }
}

impl<'a> Wire<'a> for Str<'a> {
    #[inline]
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
        if cursor.peek() == b'"' { cursor.string().map(Found::Fits) } else { scalar(cursor, |_| None) }
    }
    fn write(&self, out: &mut String) {
        write_string(&self.decode(), out);
    }
    fn shape() -> Shape {
        Shape::Text
    }
}

impl<'a> Wire<'a> for bool {
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
        scalar(cursor, Json::as_bool)
    }
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
    fn shape() -> Shape {
        Shape::Flag
    }
}

impl<'a> Wire<'a> for u64 {
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
        if let Some(number) = cursor.digits_only() {
            return Ok(Found::Fits(number));
        }
        scalar(cursor, Json::as_u64)
    }
    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
    fn shape() -> Shape {
        Shape::Count
    }
}

impl<'a> Wire<'a> for f64 {
    fn read(cursor: &mut Cursor<'a>) -> Result<Found<Self>, Fault> {
        scalar(cursor, Json::as_f64)
    }
    fn write(&self, out: &mut String) {
        // As JavaScript does: whole numbers without a point, and no infinity, for JSON has none.
        match serde_json::Number::from_f64(*self) {
            Some(_) if self.fract() == 0.0 && self.abs() < 1e15 => out.push_str(&format!("{self:.0}")),
            Some(number) => out.push_str(&number.to_string()),
            None => out.push_str("null"),
        }
    }
    fn shape() -> Shape {
        Shape::Number
    }
}

#[inline]
fn scalar<'a, T>(cursor: &mut Cursor<'a>, read: impl Fn(Json<'a>) -> Option<T>) -> Result<Found<T>, Fault> {
    let json = cursor.skip()?;
    Ok(match read(json) {
        Some(value) => Found::Fits(value),
        None if json.is_null() => Found::Null,
        None => Found::Odd,
    })
}
