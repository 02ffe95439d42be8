//! Tables that are checked as they are read.

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor, value::MapAccessDeserializer};
use std::fmt;
use std::marker::PhantomData;

/// Reads a table as a `Raw` and makes a `T` of it.
///
/// It does what `#[serde(try_from)]` does, but what is wrong is told at the table's own line and not at the
/// beginning of the list that it stands in.
pub(super) fn checked<'de, Raw, T, D>(deserializer: D) -> Result<T, D::Error>
where
    Raw: Deserialize<'de>,
    T: TryFrom<Raw, Error = &'static str>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_map(Checked(PhantomData::<(Raw, T)>))
}

struct Checked<Raw, T>(PhantomData<(Raw, T)>);

impl<'de, Raw, T> Visitor<'de> for Checked<Raw, T>
where
    Raw: Deserialize<'de>,
    T: TryFrom<Raw, Error = &'static str>,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table, such as { say = \"Hello!\" }")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        Raw::deserialize(MapAccessDeserializer::new(map))?.try_into().map_err(A::Error::custom)
    }
}
