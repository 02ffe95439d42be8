//! What is left over of an object.

use super::Type;
use crate::json::{Json, Str};
use std::fmt;

/// Fields that the type does not model, or that do not have the shape it expects, in the order they came.
#[derive(Clone, Copy, Default)]
pub struct Extra<'a> {
    object: Option<Json<'a>>,
    known: Option<&'static Type>,
}

impl<'a> Extra<'a> {
    /// All fields of `object` that `known` does not model.
    pub(crate) fn of(object: Json<'a>, known: &'static Type) -> Self {
        Extra { object: Some(object), known: Some(known) }
    }

    /// Further fields to write: those of an object.
    #[must_use]
    pub fn more(object: Json<'a>) -> Self {
        Extra { object: Some(object), known: None }
    }

    /// The fields.
    pub fn fields(self) -> impl Iterator<Item = (Str<'a>, Json<'a>)> + use<'a> {
        let known = self.known;
        let is_extra = move |(key, value): &(Str<'a>, Json<'a>)| match known {
            None => true,
            Some(known) => !known.tags.iter().any(|(tag, _)| key == tag) && !known.models(*key, *value),
        };
        self.object.into_iter().flat_map(Json::fields).filter(is_extra)
    }

    /// One of the fields. Of repeated ones the last wins.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Json<'a>> {
        self.fields().filter(|(name, _)| *name == key).last().map(|(_, value)| value)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.fields().next().is_none()
    }
}

impl fmt::Debug for Extra<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.fields()).finish()
    }
}

impl PartialEq for Extra<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.fields().eq(other.fields())
    }
}
