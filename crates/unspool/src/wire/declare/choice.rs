//! `choice!` declares an enum of objects, `either!` one of values that look different from outside.

/// Declares an enum of objects told apart by a field. What no variant fits is `Unknown`, whole.
///
/// ```text
/// choice! {
///     /// What it is.
///     pub enum System as SystemKind by "subtype" {     the names alone as an enum of their own, if wanted
///         "init" => Init,                              a type of the same name
///         "result" => Result(SystemResult),            a type of another name
///         ; Bare(Message)                              one without a tag; who reads it tells it apart
///     }
/// }
/// ```
macro_rules! choice {
    ($(
        $(#[doc = $doc:literal])*
        pub enum $name:ident $(as $kind:ident)? by $tag:literal {
            $($value:literal => $variant:ident $(($ty:ident))?),* $(,)?
            $(; $($(#[doc = $other_doc:literal])* $other:ident($other_ty:ident)),* $(,)?)?
        }
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant, reason = "read and matched at once; a box would be an allocation")]
        pub enum $name<'a> {
            $(
                #[doc = concat!("`", $value, "`")]
                $variant($crate::wire::declare::variant_type!($variant $($ty)?)),
            )*
            $($(
                $(#[doc = $other_doc])*
                $other($other_ty<'a>),
            )*)?
            /// One that is not listed, or of another shape.
            Unknown($crate::json::Json<'a>),
        }

        $crate::wire::declare::kind! { $($kind)? $name, $($value => $variant $(($ty))?),* }

        impl<'a> $name<'a> {
            /// The declaration of this type.
            #[doc(hidden)]
            pub const CHOICE: &'static $crate::wire::Choice = &$crate::wire::Choice {
                name: stringify!($name),
                home: module_path!(),
                doc: &[$($doc),*],
                tag: $tag,
                shapes: &[$((
                    $value,
                    <$crate::wire::declare::variant_type!($variant $($ty)?) as $crate::wire::Wire<'a>>::shape,
                )),*],
                others: &[$($(<$other_ty<'a> as $crate::wire::Wire<'a>>::shape),*)?],
            };

            /// Reads the object as the tag says; `None` if it is not listed or the object is another one.
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
                    _ => None,
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
                // The tag is not listed, or stands there twice; the last one counts.
                *cursor = start.clone();
                let json = cursor.skip()?;
                let last = json.get($tag).and_then($crate::json::Json::as_str);
                let again = Self::read_as(last, &mut start.clone())?;
                Ok(Found::Fits(again.unwrap_or(Self::Unknown(json))))
            }

            fn write(&self, out: &mut String) {
                match self {
                    $(Self::$variant(value) => $crate::wire::Wire::write(value, out),)*
                    $($(Self::$other(value) => $crate::wire::Wire::write(value, out),)*)?
                    Self::Unknown(value) => $crate::wire::Wire::write(value, out),
                }
            }

            fn shape() -> $crate::wire::Shape {
                $crate::wire::Shape::Choice(Self::CHOICE)
            }

            fn extra(&self) -> $crate::wire::Extra<'a> {
                match self {
                    $(Self::$variant(value) => $crate::wire::Wire::extra(value),)*
                    $($(Self::$other(value) => $crate::wire::Wire::extra(value),)*)?
                    Self::Unknown(_) => $crate::wire::Extra::default(),
                }
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
    ($name:ident, $($value:literal => $variant:ident $(($ty:ident))?),*) => {};
    ($kind:ident $name:ident, $($value:literal => $variant:ident $(($ty:ident))?),*) => {
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
            #[must_use]
            pub fn of(name: &str) -> Option<Self> {
                match name {
                    $($value => Some($kind::$variant),)*
                    _ => None,
                }
            }

            /// Its name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($kind::$variant => $value,)*
                }
            }
        }

        impl<'a> $name<'a> {
            /// Reads an object of which somebody else says what it is; whatever it says itself does not count. What is no object
            /// is `Unknown`.
            #[must_use]
            pub fn of_kind(kind: $kind, json: $crate::json::Json<'a>) -> Self {
                let read = match kind {
                    $($kind::$variant => $crate::wire::fields::filled(json).map(Self::$variant),)*
                };
                read.unwrap_or(Self::Unknown(json))
            }
        }
    };
}

macro_rules! variant_type {
    ($variant:ident $ty:ident) => { $ty<'a> };
    ($variant:ident) => { $variant<'a> };
}

/// Declares an enum of values told apart by their first byte. What none fits is `Odd`, as it stands.
macro_rules! either {
    ($(
        $(#[doc = $doc:literal])*
        pub enum $name:ident {
            $($(#[doc = $variant_doc:literal])* $first:pat => $variant:ident($ty:tt)),* $(,)?
        }
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $name<'a> {
            $(
                $(#[doc = $variant_doc])*
                $variant($crate::wire::declare::wire_type!($ty)),
            )*
            /// Something else.
            Odd($crate::json::Json<'a>),
        }

        impl<'a> $name<'a> {
            const SHAPES: &'static [fn() -> $crate::wire::Shape] =
                &[$(<$crate::wire::declare::wire_type!($ty) as $crate::wire::Wire<'a>>::shape),*];

            fn usual_shape() -> $crate::wire::Shape {
                $crate::wire::Shape::Either(Self::SHAPES)
            }
        }

        impl<'a> $crate::wire::Wire<'a> for $name<'a> {
            fn read(
                cursor: &mut $crate::json::Cursor<'a>,
            ) -> Result<$crate::wire::Found<Self>, $crate::json::Fault> {
                use $crate::wire::Found;
                let first = cursor.peek();
                let start = cursor.clone();
                match first {
                    b'n' => {
                        cursor.skip()?;
                        return Ok(Found::Null);
                    }
                    $($first => {
                        if let Found::Fits(value) = $crate::wire::Wire::read(cursor)? {
                            return Ok(Found::Fits(Self::$variant(value)));
                        }
                    })*
                    _ => {}
                }
                *cursor = start;
                Ok(Found::Fits(Self::Odd(cursor.skip()?)))
            }

            fn write(&self, out: &mut String) {
                match self {
                    $(Self::$variant(value) => $crate::wire::Wire::write(value, out),)*
                    Self::Odd(value) => $crate::wire::Wire::write(value, out),
                }
            }

            fn shape() -> $crate::wire::Shape {
                $crate::wire::Shape::Likely(Self::usual_shape)
            }
        }
    )* };
}

pub(crate) use {choice, either, kind, variant_type};
