//! `object!` declares a plain value that travels as a JSON object, and `words!` one that is a word of a list.

/// Declares an object: what is not set is not written, and what is not modelled is added by `with`.
///
/// ```text
/// object! {
///     /// What it is.
///     pub struct Name {
///         /// What the field is.
///         text initial_prompt,                 `initialPrompt` on the wire
///         list tools = "other_name",           another name on the wire
///         each(Tool) tools as tool,            set one by one, by `tool`
///     }
/// }
/// ```
macro_rules! object {
    ($(
        $(#[doc = $doc:literal])*
        pub struct $name:ident {
            $(
                $(#[doc = $field_doc:literal])*
                $kind:ident $(($ty:ty))? $field:ident $(as $setter:ident)? $(= $wire:literal)?
            ),* $(,)?
        }
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Default, PartialEq, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $name {
            $(
                $(#[doc = $field_doc])*
                #[serde($(rename = $wire,)? skip_serializing_if = "crate::options::object::is_unset")]
                pub $field: $crate::options::kind::held!($kind $($ty)?),
            )*
            /// Fields that are not modelled.
            #[serde(flatten)]
            pub extra: serde_json::Map<String, serde_json::Value>,
        }

        impl std::fmt::Debug for $name {
            /// What is set, without secrets.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut all = f.debug_struct(stringify!($name));
                $(if !$crate::options::object::is_unset(&self.$field) {
                    $crate::options::object::show_field!(all $kind self.$field, stringify!($field));
                })*
                if !self.extra.is_empty() {
                    all.field("extra", &self.extra.keys().collect::<Vec<_>>());
                }
                all.finish()
            }
        }

        impl $name {
            $($crate::options::object::object_setter! {
                $(#[doc = $field_doc])* $field $($setter)?: $kind $($ty)?
            })*

            /// Sets a field that is not modelled.
            #[must_use]
            pub fn with(mut self, name: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
                self.extra.insert(name.into(), value.into());
                self
            }
        }
    )* };
}

/// Of secrets only their names are shown.
macro_rules! show_field {
    ($all:ident secrets $value:expr, $name:expr) => {
        $all.field($name, &$value.keys().collect::<Vec<_>>())
    };
    ($all:ident $kind:ident $value:expr, $name:expr) => {
        $all.field($name, &$value)
    };
}

macro_rules! object_setter {
    ($(#[doc = $doc:literal])* $field:ident: $($kind:tt)*) => {
        $crate::options::kind::setter! { $(#[doc = $doc])* $field $field: $($kind)* }
    };
    ($(#[doc = $doc:literal])* $field:ident $setter:ident: $($kind:tt)*) => {
        $crate::options::kind::setter! { $(#[doc = $doc])* $setter $field: $($kind)* }
    };
}

/// Declares a word out of a list that may grow: a newer Claude Code may know one that is not listed.
macro_rules! words {
    ($(
        $(#[doc = $doc:literal])*
        pub enum $name:ident {
            $($(#[doc = $variant_doc:literal])* $variant:ident = $value:literal),* $(,)?
        }
    )*) => { $(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Eq, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $(
                $(#[doc = $variant_doc])*
                #[doc = concat!("`", $value, "`")]
                $variant,
            )*
            /// One that is not listed.
            Other(String),
        }

        impl $name {
            /// The word as it is written.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $value,)*
                    Self::Other(word) => word,
                }
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($value => Self::$variant,)*
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )* };
}

/// Whether a value is as it was before anybody set it.
pub(crate) fn is_unset<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

pub(crate) use {object, object_setter, show_field, words};
