//! The macros that declare the types of the wire.

/// Declares an object of the wire: a struct whose fields are all optional, and [`Extra`](super::Extra).
///
/// ```text
/// wire! {
///     /// What it is.
///     pub struct Name: type "system", subtype "init" {     the fields that tell it apart, if any
///         /// What the field is.
///         session_id: Str,                  Str, bool, u64, f64, Json: as they are
///         permission_mode "permissionMode": Str,           another name on the wire
///         message: Message,                 another object, read when asked (Lazy)
///         tools: [Str],                     a list, read when asked (List)
///         models: {ModelUsage},             an object whose keys are data (Map)
///         event: (Event),                   another type, read at once
///         input: (Json as Input),           any value, though normally such a one
///     }
/// }
/// ```
macro_rules! wire {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $name:ident $(: $($tag:ident $value:literal),+)? {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident $($wire_name:literal)? : $ty:tt
            ),* $(,)?
        }
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name<'a> {
            $(
                $(#[doc = $field_doc])*
                pub $field: Option<$crate::wire::declare::wire_type!($ty)>,
            )*
            /// Fields that are not modelled, in the order they came.
            pub extra: $crate::wire::Extra<'a>,
        }

        impl<'a> $name<'a> {
            /// The declaration of this type.
            pub const TYPE: &'static $crate::wire::Type = &$crate::wire::Type {
                name: stringify!($name),
                home: module_path!(),
                doc: &[$($doc),*],
                tags: &[$($((stringify!($tag), $value)),+)?],
                fields: &[$($crate::wire::Field {
                    name: $crate::wire::declare::wire_name!($field $($wire_name)?),
                    doc: &[$($field_doc),*],
                    shape: $crate::wire::declare::wire_shape!($ty),
                }),*],
            };
        }

        impl<'a> $crate::wire::Wire<'a> for $name<'a> {
            fn read(
                cursor: &mut $crate::json::Cursor<'a>,
            ) -> Result<$crate::wire::Found<Self>, $crate::json::Fault> {
                use $crate::wire::Found;
                let first = cursor.peek();
                if first != b'{' {
                    cursor.skip()?;
                    return Ok(if first == b'n' { Found::Null } else { Found::Odd });
                }
                let start = cursor.at();
                let mut it = Self::default();
                #[allow(unused_mut, reason = "types without tags")]
                let mut wrong_tags = 0u8;
                let mut extra = false;
                cursor.object(|key, cursor| {
                    match &*key.decode() {
                        $($(
                            stringify!($tag) => {
                                let value = <$crate::json::Str as $crate::wire::Wire>::read(cursor)?;
                                let bit = const { Self::TYPE.tag_bit($value) };
                                match value {
                                    Found::Fits(value) if value == $value => wrong_tags &= !bit,
                                    _ => wrong_tags |= bit,
                                }
                            }
                        )+)?
                        $(
                            $crate::wire::declare::wire_name!($field $($wire_name)?) => {
                                it.$field = match $crate::wire::Wire::read(cursor)? {
                                    Found::Fits(value) => Some(value),
                                    Found::Null => None,
                                    Found::Odd => {
                                        extra = true;
                                        None
                                    }
                                };
                            }
                        )*
                        _ => {
                            extra = true;
                            cursor.skip()?;
                        }
                    }
                    Ok(())
                })?;
                if extra {
                    it.extra = $crate::wire::Extra::of(cursor.since(start), Self::TYPE);
                }
                Ok(if wrong_tags == 0 { Found::Fits(it) } else { Found::Odd })
            }

            fn write(&self, out: &mut String) {
                #[allow(unused_mut, reason = "types without fields")]
                let mut object = $crate::wire::declare::Object::open(out);
                $($(object.field(stringify!($tag), &$crate::json::Str::from($value));)+)?
                $(
                    if let Some(value) = &self.$field {
                        object.field($crate::wire::declare::wire_name!($field $($wire_name)?), value);
                    }
                )*
                object.close(self.extra);
            }

            fn shape() -> $crate::wire::Shape {
                $crate::wire::Shape::Object(Self::TYPE)
            }
        }

        impl serde::Serialize for $name<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::wire::declare::serialize(self, serializer)
            }
        }
    )* };
}

/// Declares an enum of objects told apart by a field. What no variant fits is `Unknown`, whole.
///
/// ```text
/// choice! {
///     /// What it is.
///     pub enum System as SystemKind by "subtype" {     the names alone as an enum of their own, if wanted
///         "init" => Init,                              a type of the same name
///         "result" => Result(SystemResult),            a type of another name
///     }
/// }
/// ```
macro_rules! choice {
    ($(
        $(#[doc = $doc:literal])*
        pub enum $name:ident $(as $kind:ident)? by $tag:literal {
            $($value:literal => $variant:ident $(($ty:ident))?),* $(,)?
        }
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $name<'a> {
            $(
                #[doc = concat!("`", $value, "`")]
                $variant($crate::wire::declare::variant_type!($variant $($ty)?)),
            )*
            /// One that is not listed, or of another shape.
            Unknown($crate::json::Json<'a>),
        }

        $crate::wire::declare::kind! { $($kind)? $name, $($value => $variant),* }

        impl<'a> $name<'a> {
            /// The declaration of this type.
            pub const CHOICE: &'static $crate::wire::Choice = &$crate::wire::Choice {
                name: stringify!($name),
                home: module_path!(),
                doc: &[$($doc),*],
                tag: $tag,
                shapes: &[$((
                    $value,
                    <$crate::wire::declare::variant_type!($variant $($ty)?) as $crate::wire::Wire<'a>>::shape,
                )),*],
            };

            fn read_as(
                tag: Option<$crate::json::Str<'a>>,
                cursor: &mut $crate::json::Cursor<'a>,
            ) -> Result<Option<Self>, $crate::json::Fault> {
                use $crate::wire::Found;
                let tag = tag.map(|tag| tag.decode());
                Ok(match tag.as_deref() {
                    $(Some($value) => match $crate::wire::Wire::read(cursor)? {
                        Found::Fits(value) => Some(Self::$variant(value)),
                        Found::Null | Found::Odd => None,
                    },)*
                    _ => Some(Self::Unknown(cursor.skip()?)),
                })
            }
        }

        impl<'a> $crate::wire::Wire<'a> for $name<'a> {
            fn read(
                cursor: &mut $crate::json::Cursor<'a>,
            ) -> Result<$crate::wire::Found<Self>, $crate::json::Fault> {
                use $crate::wire::Found;
                let first = cursor.peek();
                if first != b'{' {
                    cursor.skip()?;
                    return Ok(if first == b'n' { Found::Null } else { Found::Odd });
                }
                let start = cursor.clone();
                if let Some(value) = Self::read_as(cursor.tag($tag), cursor)? {
                    return Ok(Found::Fits(value));
                }
                // The tag stands there twice; the last one counts.
                let json = start.clone().skip()?;
                *cursor = start.clone();
                let last = json.get($tag).and_then($crate::json::Json::as_str);
                if let Some(value) = Self::read_as(last, cursor)? {
                    return Ok(Found::Fits(value));
                }
                *cursor = start;
                Ok(Found::Fits(Self::Unknown(cursor.skip()?)))
            }

            fn write(&self, out: &mut String) {
                match self {
                    $(Self::$variant(value) => $crate::wire::Wire::write(value, out),)*
                    Self::Unknown(value) => $crate::wire::Wire::write(value, out),
                }
            }

            fn shape() -> $crate::wire::Shape {
                $crate::wire::Shape::Choice(Self::CHOICE)
            }
        }

        impl Default for $name<'_> {
            fn default() -> Self {
                Self::Unknown($crate::json::Json::NULL)
            }
        }

        impl serde::Serialize for $name<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::wire::declare::serialize(self, serializer)
            }
        }
        $(
            impl<'a> From<$crate::wire::declare::variant_type!($variant $($ty)?)> for $name<'a> {
                fn from(value: $crate::wire::declare::variant_type!($variant $($ty)?)) -> Self {
                    Self::$variant(value)
                }
            }
        )*
    )* };
}

/// The names of a choice as an enum of their own.
macro_rules! kind {
    ($name:ident, $($value:literal => $variant:ident),*) => {};
    ($kind:ident $name:ident, $($value:literal => $variant:ident),*) => {
        #[doc = concat!("Which [`", stringify!($name), "`] it is.")]
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        #[non_exhaustive]
        pub enum $kind {
            $(
                #[doc = concat!("`", $value, "`")]
                $variant,
            )*
        }

        impl $kind {
            /// All of them.
            pub const ALL: &'static [$kind] = &[$($kind::$variant),*];

            /// The one of this name, if it is listed.
            pub fn of(name: &str) -> Option<Self> {
                match name {
                    $($value => Some($kind::$variant),)*
                    _ => None,
                }
            }

            /// Its name on the wire.
            pub fn name(self) -> &'static str {
                match self {
                    $($kind::$variant => $value,)*
                }
            }
        }
    };
}

macro_rules! variant_type {
    ($variant:ident $ty:ident) => { $ty<'a> };
    ($variant:ident) => { $variant<'a> };
}

/// Declares a string out of a list that may grow. What is not listed is `Other`, as it was written.
macro_rules! open {
    ($(
        $(#[doc = $doc:literal])*
        pub enum $name:ident {
            $($(#[doc = $variant_doc:literal])* $variant:ident = $value:literal),* $(,)?
        }
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $name<'a> {
            $(
                $(#[doc = $variant_doc])*
                #[doc = concat!("`", $value, "`")]
                $variant,
            )*
            /// One that is not listed.
            Other($crate::json::Str<'a>),
        }

        impl<'a> $name<'a> {
            /// The values that are listed.
            pub const VALUES: &'static [&'static str] = &[$($value),*];

            /// The value as it is written.
            pub fn as_str(&self) -> std::borrow::Cow<'a, str> {
                match self {
                    $(Self::$variant => $value.into(),)*
                    Self::Other(value) => value.decode(),
                }
            }
        }

        impl<'a> From<$crate::json::Str<'a>> for $name<'a> {
            fn from(value: $crate::json::Str<'a>) -> Self {
                match &*value.decode() {
                    $($value => Self::$variant,)*
                    _ => Self::Other(value),
                }
            }
        }

        impl<'a> $crate::wire::Wire<'a> for $name<'a> {
            fn read(
                cursor: &mut $crate::json::Cursor<'a>,
            ) -> Result<$crate::wire::Found<Self>, $crate::json::Fault> {
                use $crate::wire::Found;
                Ok(match <$crate::json::Str as $crate::wire::Wire>::read(cursor)? {
                    Found::Fits(value) => Found::Fits(value.into()),
                    Found::Null => Found::Null,
                    Found::Odd => Found::Odd,
                })
            }
            fn write(&self, out: &mut String) {
                $crate::json::write_string(&self.as_str(), out);
            }
            fn shape() -> $crate::wire::Shape {
                $crate::wire::Shape::Open(Self::VALUES)
            }
        }
    )* };
}

macro_rules! wire_name {
    ($field:ident $name:literal) => {
        $name
    };
    ($field:ident) => {
        stringify!($field)
    };
}

/// The shape of a field, as an expression.
macro_rules! wire_shape {
    ((Json as $name:ident)) => {
        || $crate::wire::Shape::Likely(<$name<'static> as $crate::wire::Wire<'static>>::shape)
    };
    ($ty:tt) => {
        <$crate::wire::declare::wire_type!($ty) as $crate::wire::Wire<'a>>::shape
    };
}

macro_rules! wire_type {
    ((Json as $name:ident)) => { $crate::json::Json<'a> };
    (Str) => { $crate::json::Str<'a> };
    (Json) => { $crate::json::Json<'a> };
    (bool) => { bool };
    (u64) => { u64 };
    (f64) => { f64 };
    ([$item:tt]) => { $crate::wire::List<'a, $crate::wire::declare::wire_item!($item)> };
    ({$value:tt}) => { $crate::wire::Map<'a, $crate::wire::declare::wire_item!($value)> };
    (($name:ident)) => { $name<'a> };
    ($name:ident) => { $crate::wire::Lazy<'a, $name<'a>> };
}

macro_rules! wire_item {
    (Str) => { $crate::json::Str<'a> };
    (Json) => { $crate::json::Json<'a> };
    (bool) => { bool };
    (u64) => { u64 };
    (f64) => { f64 };
    ([$item:tt]) => { $crate::wire::List<'a, $crate::wire::declare::wire_item!($item)> };
    ({$value:tt}) => { $crate::wire::Map<'a, $crate::wire::declare::wire_item!($value)> };
    (($name:ident)) => { $name<'a> };
    ($name:ident) => { $name<'a> };
}

pub(crate) use {choice, kind, open, variant_type, wire, wire_item, wire_name, wire_shape, wire_type};

use super::{Extra, Wire};
use crate::json::{write_clean, write_string};

/// An object being written.
pub(crate) struct Object<'o> {
    out: &'o mut String,
    first: bool,
}

impl<'o> Object<'o> {
    pub(crate) fn open(out: &'o mut String) -> Self {
        out.push('{');
        Object { out, first: true }
    }

    pub(crate) fn field<'a>(&mut self, name: &str, value: &impl Wire<'a>) {
        self.key(name);
        value.write(self.out);
    }

    fn key(&mut self, name: &str) {
        if !std::mem::take(&mut self.first) {
            self.out.push(',');
        }
        write_string(name, self.out);
        self.out.push(':');
    }

    pub(crate) fn close(mut self, extra: Extra<'_>) {
        for (key, value) in extra.fields() {
            self.key(&key.decode());
            write_clean(value.text(), self.out);
        }
        self.out.push('}');
    }
}

/// Serialises through the wire's own writer, so that there is one way to write a type.
pub(crate) fn serialize<'a, S: serde::Serializer>(
    value: &impl Wire<'a>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = value.to_json();
    let raw: &serde_json::value::RawValue = serde_json::from_str(&text).map_err(serde::ser::Error::custom)?;
    serde::Serialize::serialize(raw, serializer)
}
