//! The kinds of values that options have: what holds them, and how they are set.
//!
//! The tables of [`Options`](super::Options) and of the objects that travel as JSON are made of these, so
//! that a row says everything about an option and says it once.

/// The type that holds a value of a kind.
macro_rules! held {
    (text) => { Option<String> };
    (path) => { Option<std::path::PathBuf> };
    (number) => { Option<u64> };
    (amount) => { Option<f64> };
    (switch) => { bool };
    (maybe) => { Option<bool> };
    (list) => { Option<Vec<String>> };
    (list $ty:ty) => { Option<Vec<$ty>> };
    (value $ty:ty) => { Option<$ty> };
    (each $ty:ty) => { Vec<$ty> };
    (map $ty:ty) => { std::collections::BTreeMap<String, $ty> };
    (secrets) => { std::collections::BTreeMap<String, String> };
    (own $ty:ty) => { $ty };
}

/// The method that sets it. What is a collection with a name for one of its things grows by one.
macro_rules! setter {
    ($(#[doc = $doc:expr])* $name:ident $field:ident: text) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, $name: impl Into<String>) -> Self {
            self.$field = Some($name.into());
            self
        }
    };
    ($(#[doc = $doc:expr])* $name:ident $field:ident: path) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, $name: impl Into<std::path::PathBuf>) -> Self {
            self.$field = Some($name.into());
            self
        }
    };
    ($(#[doc = $doc:expr])* $name:ident $field:ident: number) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, $name: u64) -> Self {
            self.$field = Some($name);
            self
        }
    };
    ($(#[doc = $doc:expr])* $name:ident $field:ident: amount) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, $name: f64) -> Self {
            self.$field = Some($name);
            self
        }
    };
    ($(#[doc = $doc:expr])* $name:ident $field:ident: switch) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, $name: bool) -> Self {
            self.$field = $name;
            self
        }
    };
    ($(#[doc = $doc:expr])* $name:ident $field:ident: maybe) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, $name: bool) -> Self {
            self.$field = Some($name);
            self
        }
    };
    ($(#[doc = $doc:expr])* $name:ident $field:ident: list) => {
        $crate::options::kind::setter! { $(#[doc = $doc])* $name $field: list String }
    };
    ($(#[doc = $doc:expr])* $name:ident $field:ident: list $ty:ty) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, $name: impl IntoIterator<Item: Into<$ty>>) -> Self {
            self.$field = Some($name.into_iter().map(Into::into).collect());
            self
        }
    };
    ($(#[doc = $doc:expr])* $name:ident $field:ident: value $ty:ty) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, $name: impl Into<$ty>) -> Self {
            self.$field = Some($name.into());
            self
        }
    };
    ($(#[doc = $doc:expr])* $name:ident $field:ident: each $ty:ty) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, $name: impl Into<$ty>) -> Self {
            self.$field.push($name.into());
            self
        }
    };
    ($(#[doc = $doc:expr])* $name:ident $field:ident: map $ty:ty) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $name(mut self, name: impl Into<String>, $name: impl Into<$ty>) -> Self {
            self.$field.insert(name.into(), $name.into());
            self
        }
    };
    // Values that are not shown.
    ($(#[doc = $doc:expr])* $name:ident $field:ident: secrets) => {
        $crate::options::kind::setter! { $(#[doc = $doc])* $name $field: map String }
    };
    // Set by hand.
    ($(#[doc = $doc:expr])* $name:ident $field:ident: own $ty:ty) => {};
}

pub(crate) use {held, setter};
