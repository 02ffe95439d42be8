//! `family!` declares objects that one list names and that have fields in common.

/// Declares the objects that a list names: each as `wire!` does, its last tag being what the list calls it, with the fields that
/// all of them have behind its own.
///
/// ```text
/// family! {
///     [(type "system") subtype of crate::wire::SystemKind]
///                                                 its tags; the last holds the name that the list has for the type
///     {
///         /// Id of this line.                     what all of them have
///         uuid: Str,
///     }
///     /// What it is.
///     pub struct TaskStarted { .. }               as `wire!` takes it, without tags
/// }
/// ```
macro_rules! family {
    ($tags:tt $common:tt $($(#[doc = $doc:literal])* pub struct $name:ident $fields:tt)*) => {
        $($crate::wire::declare::family! { @one $tags $common $(#[doc = $doc])* $name $fields })*
    };
    (
        @one [$(($tag:ident $value:tt))? $listed:ident of $($kind:ident)::+]
        { $($(#[doc = $common_doc:literal])* $common:ident $($common_name:literal)? : $common_ty:tt,)* }
        $(#[doc = $doc:literal])*
        $name:ident
        { $($(#[doc = $field_doc:literal])* $field:ident $($wire_name:literal)? : $ty:tt),* $(,)? }
    ) => {
        $crate::wire::declare::wire! {
            $(#[doc = $doc])*
            pub struct $name: $($tag $value,)? $listed ($($kind::)+$name.name()) {
                $($(#[doc = $field_doc])* $field $($wire_name)? : $ty,)*
                $($(#[doc = $common_doc])* $common $($common_name)? : $common_ty,)*
            }
        }
    };
}

pub(crate) use family;
