//! Declares the events themselves.

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
                #[non_exhaustive]
                $variant {
                    $($(#[doc = $field_doc])* $field: $crate::event::tell::maybe!($($opt)? $ty)),*
                },
            )*
            /// An event that this version cannot read, because it does not know its type or one of its values; only of
            /// events that were read back. It is written as it was.
            #[non_exhaustive]
            Other {
                /// Its type.
                name: $crate::event::Words<'a>,
                /// Its fields, without those that all events have.
                data: $crate::event::Raw<'a>,
            },
        }

        impl<'a> $name<'a> {
            /// The declarations of all events, by their type.
            #[doc(hidden)]
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
            #[must_use]
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
            #[must_use]
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

pub(crate) use {always, events, field, hide_field, maybe, name, read_field, write_field};
