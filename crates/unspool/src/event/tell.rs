//! What the fields of an event have in common: how they are written, owned, and described.

use crate::json::{Json, Kind, Str, write_clean, write_string};
use crate::wire::Shape;
use std::borrow::Cow;
use std::fmt::Write;

/// A value that can stand in an event.
pub trait Tell {
    /// This type, borrowing nothing.
    type Owned: 'static;
    /// Copies what was borrowed.
    fn own(self) -> Self::Owned;
    /// Appends it as JSON.
    fn write(&self, out: &mut String);
    /// What it looks like, for schemas.
    fn shape() -> Shape;
    /// Whether it may be `null`.
    const NULLABLE: bool = false;
    /// Reads back what [`write`](Self::write) wrote; `None` if the value has another shape.
    fn read(json: Json<'_>) -> Option<Self::Owned>;
    /// What stands for a field that is missing, as in events that an older version wrote; `None` if nothing does.
    fn missing() -> Option<Self::Owned> {
        None
    }
    /// Takes out JSON that ordinary readers refuse, and appends its text as a line. Returns whether that was all of it.
    fn hide_odd(&mut self, _hidden: &mut String) -> bool {
        false
    }
}

/// The deepest nesting of a value that is told as it is.
const DEEPEST: usize = 512;

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

/// JSON of the wire: an input, a block, a whole line. Written clean, and without the fields that the
/// event tells in its own words.
#[derive(Clone, Debug)]
pub struct Raw<'a> {
    text: Words<'a>,
    without: &'static [&'static str],
}

impl<'a> Raw<'a> {
    /// All of it.
    pub fn new(json: Json<'a>) -> Self {
        Raw { text: Cow::Borrowed(json.text()), without: &[] }
    }

    /// All of it, if it is more than `null`: where a field may be null, that says nothing.
    pub fn unless_null(json: Json<'a>) -> Option<Self> {
        (!json.is_null()).then(|| Raw::new(json))
    }

    /// An object without some of its fields.
    pub fn without(json: Json<'a>, fields: &'static [&'static str]) -> Self {
        Raw { text: Cow::Borrowed(json.text()), without: fields }
    }

    /// The value to look into, as it came and with all its fields.
    pub fn json(&self) -> Json<'_> {
        Json::trusted(&self.text)
    }

    /// The JSON, clean.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }
}

/// The JSON, clean.
impl std::fmt::Display for Raw<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

impl PartialEq for Raw<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Tell for Raw<'_> {
    type Owned = Raw<'static>;
    fn own(self) -> Self::Owned {
        Raw { text: self.text.own(), without: self.without }
    }
    fn write(&self, out: &mut String) {
        if self.without.is_empty() {
            return write_clean(&self.text, out);
        }
        let mut first = true;
        out.push('{');
        for (key, value) in Json::trusted(&self.text).fields() {
            // The event tells these only where they are what they should be.
            if value.kind() == Kind::String && self.without.iter().any(|name| key == *name) {
                continue;
            }
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            write_string(&key.decode(), out);
            out.push(':');
            write_clean(value.text(), out);
        }
        out.push('}');
    }
    fn read(json: Json<'_>) -> Option<Raw<'static>> {
        Some(Raw::new(json).own())
    }
    fn shape() -> Shape {
        Shape::Any
    }
    const NULLABLE: bool = true;
    fn hide_odd(&mut self, hidden: &mut String) -> bool {
        let json = Json::trusted(&self.text);
        let odd = json.depth() > DEEPEST || json.has_far_number();
        if odd {
            if !hidden.is_empty() {
                hidden.push('\n');
            }
            hidden.push_str(&self.text());
            *self = Raw::new(Json::NULL);
        }
        odd
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

/// Declares a closed list of words.
macro_rules! words {
    ($(
        $(#[doc = $doc:literal])*
        pub enum $name:ident { $($(#[doc = $variant_doc:literal])* $variant:ident = $value:literal),* $(,)? }
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum $name { $($(#[doc = $variant_doc])* $variant),* }

        impl $name {
            /// The word.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $value),* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $crate::event::Tell for $name {
            type Owned = $name;
            fn own(self) -> $name {
                self
            }
            fn write(&self, out: &mut String) {
                $crate::json::write_string(self.as_str(), out);
            }
            fn read(json: $crate::json::Json<'_>) -> Option<$name> {
                let word = json.as_str()?;
                [$($name::$variant),*].into_iter().find(|known| word == known.as_str())
            }
            fn shape() -> $crate::wire::Shape {
                $crate::wire::Shape::Open(&[$($value),*])
            }
        }
    )* };
}

/// Declares an object inside an event. All its fields are always there, and `extra` has those of newer versions.
macro_rules! object {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $name:ident { $($(#[doc = $field_doc:literal])* $field:ident: $ty:ty),* $(,)? }
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[doc = $field_doc])* pub $field: $ty,)*
            /// Fields that this version does not know, as an object; only of events that were read back.
            pub extra: Option<Box<$crate::event::Raw<'static>>>,
        }

        impl $name {
            const TYPE: &'static $crate::wire::Type = &$crate::wire::Type {
                name: stringify!($name),
                home: module_path!(),
                doc: &[$($doc),*],
                tags: &[],
                base: None,
                fields: &[$($crate::event::tell::field!($field: $ty, $($field_doc),*)),*],
            };
        }

        impl $crate::event::Tell for $name {
            type Owned = $name;
            fn own(self) -> $name {
                self
            }
            fn write(&self, out: &mut String) {
                let mut first = true;
                $(
                    out.push_str(if std::mem::take(&mut first) { "{\"" } else { ",\"" });
                    out.push_str(concat!(stringify!($field), "\":"));
                    $crate::event::Tell::write(&self.$field, out);
                )*
                $crate::event::read::write_extra(self.extra.as_deref(), out);
                out.push('}');
            }
            fn read(json: $crate::json::Json<'_>) -> Option<$name> {
                let mut fields = $crate::event::read::Fields::of(json)?;
                Some($name {
                    $($field: fields.take::<$ty>(stringify!($field))?,)*
                    extra: fields.rest().map(Box::new),
                })
            }
            fn shape() -> $crate::wire::Shape {
                $crate::wire::Shape::Object(Self::TYPE)
            }
        }
    )* };
}

/// Declares what an event can say: one variant per type. Fields marked `[opt]` are left out where there
/// is nothing to say; all others are always there.
macro_rules! events {
    (
        $(#[doc = $doc:literal])*
        pub enum $name:ident {
            $(
                $(#[doc = $variant_doc:literal])*
                $variant:ident = $tag:literal {
                    $($(#[doc = $field_doc:literal])* $field:ident $([$opt:ident])? : $ty:ty),* $(,)?
                }
            )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $name<'a> {
            $(
                $(#[doc = $variant_doc])*
                $variant {
                    $($(#[doc = $field_doc])* $field: $crate::event::tell::maybe!($($opt)? $ty)),*
                },
            )*
            /// An event that this version cannot read, because it does not know its type or one of its values; only of
            /// events that were read back. It is written as it was.
            Other {
                /// Its type.
                name: $crate::event::Words<'a>,
                /// Its fields, without those that all events have.
                data: $crate::event::Raw<'a>,
            },
        }

        impl<'a> $name<'a> {
            /// The declarations of all events, by their type.
            pub const CHOICE: &'static $crate::wire::Choice = &$crate::wire::Choice {
                name: "Event",
                home: module_path!(),
                doc: &[$($doc),*],
                tag: "type",
                shapes: &[$(($tag, || $crate::wire::Shape::Object(const { &$crate::wire::Type {
                    name: concat!(stringify!($variant), "Event"),
                    home: module_path!(),
                    doc: &[$($variant_doc),*],
                    tags: &[("type", $tag)],
                    base: Some($crate::event::Event::COMMON),
                    fields: &[$($crate::event::tell::field!($field $([$opt])? : $ty, $($field_doc),*)),*],
                } }))),*],
                others: &[],
            };

            /// The name of the event's type; `other` if this version does not know it.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $tag,)*
                    Self::Other { .. } => "other",
                }
            }

            /// Reads the fields of the type of this name; `None` if this version does not know it, or one of its values.
            pub(super) fn read(
                name: &str,
                fields: &mut $crate::event::read::Fields<'_>,
            ) -> Option<$name<'static>> {
                Some(match name {
                    $($tag => $name::$variant {
                        $($field: $crate::event::tell::read_field!($($opt)? $field: $ty, fields)),*
                    },)*
                    _ => return None,
                })
            }

            /// Copies what was borrowed.
            pub fn into_owned(self) -> $name<'static> {
                match self {
                    $(Self::$variant { $($field),* } => $name::$variant {
                        $($field: $crate::event::Tell::own($field)),*
                    },)*
                    Self::Other { name, data } => $name::Other {
                        name: $crate::event::Tell::own(name),
                        data: $crate::event::Tell::own(data),
                    },
                }
            }

            /// Takes out JSON that ordinary readers refuse; returns its text, a line each.
            pub(crate) fn hide_odd(&mut self) -> Option<$crate::event::Words<'static>> {
                let mut hidden = String::new();
                match self {
                    $(Self::$variant { $($field),* } => {
                        $($crate::event::tell::hide_field!($($opt)? $field, hidden);)*
                    })*
                    Self::Other { .. } => {}
                }
                (!hidden.is_empty()).then(|| hidden.into())
            }

            /// Appends `,"field":value` for each field.
            pub(super) fn write_fields(&self, out: &mut String) {
                match self {
                    $(Self::$variant { $($field),* } => {
                        $($crate::event::tell::write_field!($($opt)? $field, out);)*
                        let _ = out;
                    })*
                    Self::Other { data, .. } => $crate::event::read::write_extra(Some(data), out),
                }
            }
        }
    };
}

macro_rules! maybe {
    (opt $ty:ty) => { Option<$ty> };
    ($ty:ty) => { $ty };
}

macro_rules! write_field {
    (opt $field:ident, $out:ident) => {
        if let Some($field) = $field {
            $crate::event::tell::write_field!($field, $out);
        }
    };
    ($field:ident, $out:ident) => {
        $out.push_str(concat!(",\"", $crate::event::tell::name!($field), "\":"));
        $crate::event::Tell::write($field, $out);
    };
}

macro_rules! read_field {
    (opt $field:ident: $ty:ty, $fields:ident) => {
        $fields.take_if_there::<$ty>($crate::event::tell::name!($field))?
    };
    ($field:ident: $ty:ty, $fields:ident) => {
        $fields.take::<$ty>($crate::event::tell::name!($field))?
    };
}

/// Takes odd JSON out of a field, which is there as before.
macro_rules! hide_field {
    (opt $field:ident, $hidden:ident) => {
        if let Some(value) = $field {
            $crate::event::Tell::hide_odd(value, &mut $hidden);
        }
    };
    ($field:ident, $hidden:ident) => {
        $crate::event::Tell::hide_odd($field, &mut $hidden);
    };
}

macro_rules! field {
    ($field:ident $([$opt:ident])? : $ty:ty, $($doc:literal),*) => {
        $crate::wire::Field {
            name: $crate::event::tell::name!($field),
            doc: &[$($doc),*],
            shape: <$ty as $crate::event::Tell>::shape,
            always: $crate::event::tell::always!($($opt)?),
            nullable: <$ty as $crate::event::Tell>::NULLABLE,
        }
    };
}

macro_rules! always {
    (opt) => {
        false
    };
    () => {
        true
    };
}

/// The name of a field in JSON; one of them is a word of Rust's.
macro_rules! name {
    (is_final) => {
        "final"
    };
    ($field:ident) => {
        stringify!($field)
    };
}

pub(crate) use {always, events, field, hide_field, maybe, name, object, read_field, words, write_field};
