//! What the fields of an event have in common: how they are written, owned, and described.

mod events;
mod parts;
mod raw;

pub(crate) use events::{always, events, field, hide_field, maybe, name, read_field, write_field};
pub(crate) use parts::{object, words};
pub use raw::Raw;

use crate::json::{Json, Kind, Str, write_string};
use crate::wire::Shape;
use std::borrow::Cow;
use std::fmt::Write;

/// A value that can stand in an event.
pub trait Tell {
    /// This type, borrowing nothing.
    type Owned: 'static;
    /// Copies what was borrowed.
    #[must_use]
    fn own(self) -> Self::Owned;
    /// Appends it as JSON.
    fn write(&self, out: &mut String);
    /// What it looks like, for schemas.
    #[must_use]
    fn shape() -> Shape;
    /// Whether it may be `null`.
    const NULLABLE: bool = false;
    /// Reads back what [`write`](Self::write) wrote; `None` if the value has another shape.
    fn read(json: Json<'_>) -> Option<Self::Owned>;
    /// What stands for a field that is missing, as in events that an older version wrote; `None` if nothing does.
    #[must_use]
    fn missing() -> Option<Self::Owned> {
        None
    }
    /// Takes out JSON that ordinary readers refuse, and appends its text as a line. Returns whether that was all of it.
    fn hide_odd(&mut self, _hidden: &mut String) -> bool {
        false
    }
}

/// Words, borrowed from the line where possible.
pub type Words<'a> = Cow<'a, str>;

impl Tell for Words<'_> {
    type Owned = Words<'static>;
    fn own(self) -> Words<'static> {
        Cow::Owned(self.into_owned())
    }
    fn write(&self, out: &mut String) {
        write_string(self, out);
    }
    fn read(json: Json<'_>) -> Option<Words<'static>> {
        json.as_str().map(|text| text.decode().own())
    }
    fn shape() -> Shape {
        Shape::Text
    }
}

impl<T: Tell> Tell for Option<T> {
    type Owned = Option<T::Owned>;
    fn own(self) -> Self::Owned {
        self.map(T::own)
    }
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }
    fn read(json: Json<'_>) -> Option<Self::Owned> {
        if json.is_null() { Some(None) } else { T::read(json).map(Some) }
    }
    fn missing() -> Option<Self::Owned> {
        Some(None)
    }
    fn shape() -> Shape {
        T::shape()
    }
    const NULLABLE: bool = true;
    fn hide_odd(&mut self, hidden: &mut String) -> bool {
        let odd = self.as_mut().is_some_and(|value| value.hide_odd(hidden));
        if odd {
            *self = None;
        }
        odd
    }
}

impl<T: Tell> Tell for Vec<T> {
    type Owned = Vec<T::Owned>;
    fn own(self) -> Self::Owned {
        self.into_iter().map(T::own).collect()
    }
    fn write(&self, out: &mut String) {
        out.push('[');
        for (at, item) in self.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }
    fn read(json: Json<'_>) -> Option<Self::Owned> {
        (json.kind() == Kind::Array).then(|| json.items().map(T::read).collect())?
    }
    fn shape() -> Shape {
        Shape::List(T::shape)
    }
}

/// An object whose keys are data, in order.
impl<T: Tell> Tell for Vec<(String, T)> {
    type Owned = Vec<(String, T::Owned)>;
    fn own(self) -> Self::Owned {
        self.into_iter().map(|(key, value)| (key, value.own())).collect()
    }
    fn write(&self, out: &mut String) {
        out.push('{');
        for (at, (key, value)) in self.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            write_string(key, out);
            out.push(':');
            value.write(out);
        }
        out.push('}');
    }
    fn read(json: Json<'_>) -> Option<Self::Owned> {
        let entry = |(key, value): (Str<'_>, Json<'_>)| Some((key.decode().into_owned(), T::read(value)?));
        (json.kind() == Kind::Object).then(|| json.fields().map(entry).collect())?
    }
    fn shape() -> Shape {
        Shape::Map(T::shape)
    }
}

macro_rules! plain {
    ($($ty:ty: $shape:expr, $read:expr;)*) => { $(
        impl Tell for $ty {
            type Owned = $ty;
            fn own(self) -> $ty {
                self
            }
            fn write(&self, out: &mut String) {
                let _ = write!(out, "{self}");
            }
            fn read(json: Json<'_>) -> Option<$ty> {
                $read(json)
            }
            fn shape() -> Shape {
                $shape
            }
        }
    )* };
}

impl Tell for String {
    type Owned = String;
    fn own(self) -> String {
        self
    }
    fn write(&self, out: &mut String) {
        write_string(self, out);
    }
    fn read(json: Json<'_>) -> Option<String> {
        json.as_str().map(|text| text.decode().into_owned())
    }
    fn shape() -> Shape {
        Shape::Text
    }
}

plain! {
    bool: Shape::Flag, Json::as_bool;
    u8: Shape::Count, |json: Json<'_>| json.as_u64()?.try_into().ok();
    u64: Shape::Count, Json::as_u64;
    f64: Shape::Number, Json::as_f64;
}
