//! `wire!` declares an object of the wire, `named!` one whose fields are asked for by name, `writable!` one that we write ourselves.

/// Declares an object of the wire: a struct whose fields are all optional, and [`Extra`](super::Extra).
///
/// ```text
/// wire! {
///     /// What it is.
///     pub struct Name: type "text" {        the fields that tell it apart, if any; what they hold may
///                                           come from a list: type (Kind::Assistant.name())
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
        pub struct $name:ident $(: $($tag:ident $value:tt),+)? {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident $($wire_name:literal)? : $ty:tt
            ),* $(,)?
        }
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[non_exhaustive]
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
            #[doc(hidden)]
            pub const TYPE: &'static $crate::wire::Type = &$crate::wire::Type {
                name: stringify!($name),
                home: module_path!(),
                doc: &[$($doc),*],
                tags: &[$($((stringify!($tag), $crate::wire::declare::wire_tag!($value))),+)?],
                base: None,
                fields: &[$($crate::wire::Field {
                    name: $crate::wire::declare::wire_name!($field $($wire_name)?),
                    doc: &[$($field_doc),*],
                    shape: $crate::wire::declare::wire_shape!($ty),
                    always: false,
                    nullable: true,
                }),*],
            };
        }

        impl<'a> $crate::wire::fields::Fields<'a> for $name<'a> {
            fn declared(&self) -> &'static $crate::wire::Type {
                const { $crate::wire::fields::checked(Self::TYPE) }
            }

            fn take(
                &mut self,
                key: &str,
                cursor: &mut $crate::json::Cursor<'a>,
            ) -> Result<bool, $crate::json::Fault> {
                match key {
                    $(
                        $crate::wire::declare::wire_name!($field $($wire_name)?) => {
                            $crate::wire::Wire::read_into(&mut self.$field, cursor)
                        }
                    )*
                    _ => cursor.skip().map(|_| true),
                }
            }

            #[allow(unused_variables, reason = "types without fields")]
            fn tell(&self, object: &mut $crate::wire::fields::Object<'_>) {
                $(object.field(&self.$field);)*
            }

            fn extra_mut(&mut self) -> &mut $crate::wire::Extra<'a> {
                &mut self.extra
            }
        }

        impl<'a> $crate::wire::Wire<'a> for $name<'a> {
            fn read(
                cursor: &mut $crate::json::Cursor<'a>,
            ) -> Result<$crate::wire::Found<Self>, $crate::json::Fault> {
                $crate::wire::fields::read(cursor)
            }

            fn read_into(
                place: &mut Option<Self>,
                cursor: &mut $crate::json::Cursor<'a>,
            ) -> Result<bool, $crate::json::Fault> {
                $crate::wire::fields::read_into(place, cursor)
            }

            fn write(&self, out: &mut String) {
                $crate::wire::fields::write(self, self.extra, out);
            }

            fn shape() -> $crate::wire::Shape {
                $crate::wire::Shape::Object(Self::TYPE)
            }

            fn extra(&self) -> $crate::wire::Extra<'a> {
                self.extra
            }
        }

        impl serde::Serialize for $name<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::wire::declare::serialize(self, serializer)
            }
        }
    )* };
}

/// Declares an object whose fields are asked for by name: as `wire!`, with the names of all of them.
macro_rules! named {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $name:ident $(: $($tag:ident $value:tt),+)? {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident $($wire_name:literal)? : $ty:tt
            ),* $(,)?
        }
    )*) => { $(
        $crate::wire::declare::wire! {
            $(#[doc = $doc])*
            pub struct $name $(: $($tag $value),+)? {
                $(
                    $(#[doc = $field_doc])*
                    $field $($wire_name)? : $ty,
                )*
            }
        }

        const _: () = {
            /// What the fields of the type are called on the wire.
            #[derive(Clone, Copy, Debug)]
            #[non_exhaustive]
            pub struct Names {
                $(
                    $(#[doc = $field_doc])*
                    pub $field: &'static str,
                )*
            }

            impl $name<'_> {
                /// What the fields are called on the wire, for whom a value of any kind will do, or who names fields.
                pub const NAMES: Names =
                    Names { $($field: $crate::wire::declare::wire_name!($field $($wire_name)?)),* };
            }
        };
    )* };
}

/// Declares an object that we write: as `named!`, with a chained setter for each field.
macro_rules! writable {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $name:ident $(: $($tag:ident $value:literal),+)? {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident $($wire_name:literal)? : $ty:tt
            ),* $(,)?
        }
    )*) => { $(
        $crate::wire::declare::named! {
            $(#[doc = $doc])*
            pub struct $name $(: $($tag $value),+)? {
                $(
                    $(#[doc = $field_doc])*
                    $field $($wire_name)? : $ty,
                )*
            }
        }

        impl<'a> $name<'a> {
            $(
                $(#[doc = $field_doc])*
                #[must_use]
                pub fn $field(mut self, $field: impl Into<$crate::wire::declare::wire_type!($ty)>) -> Self {
                    self.$field = Some($field.into());
                    self
                }
            )*
        }
    )* };
}

/// What a tag holds: given as it is, or in brackets as an expression.
macro_rules! wire_tag {
    (($value:expr)) => {
        $value
    };
    ($value:literal) => {
        $value
    };
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
    ((Json as fn $shape:ident)) => {
        || $crate::wire::Shape::Likely($shape)
    };
    ((Json as $name:ident)) => {
        || $crate::wire::Shape::Likely(<$name<'static> as $crate::wire::Wire<'static>>::shape)
    };
    ($ty:tt) => {
        <$crate::wire::declare::wire_type!($ty) as $crate::wire::Wire<'a>>::shape
    };
}

macro_rules! wire_type {
    ((Json as fn $shape:ident)) => { $crate::json::Json<'a> };
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

pub(crate) use {named, wire, wire_item, wire_name, wire_shape, wire_tag, wire_type, writable};
