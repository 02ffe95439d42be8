//! Declares what stands in events: lists of words, and objects.

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
            #[must_use]
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

pub(crate) use {object, words};
