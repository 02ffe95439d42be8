//! `open!` declares a string out of a list that may grow.

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
            #[must_use]
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

        impl serde::Serialize for $name<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.as_str())
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

pub(crate) use open;
