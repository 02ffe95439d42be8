//! The macros that declare the types of the wire, and what the code they make has in common.

mod choice;
mod family;
mod object;
mod open;

pub(crate) use choice::{choice, either, kind, variant_type};
pub(crate) use family::family;
pub(crate) use object::{named, wire, wire_item, wire_name, wire_shape, wire_tag, wire_type, writable};
pub(crate) use open::open;

use super::Wire;
use crate::json::Json;

/// Serialises through the wire's own writer, so that there is one way to write a type. Not every reader takes half a character as
/// the wire's own do.
pub(crate) fn serialize<'a, S: serde::Serializer>(
    value: &impl Wire<'a>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = value.to_json();
    let text = Json::trusted(&text).clean();
    let raw: &serde_json::value::RawValue = serde_json::from_str(&text).map_err(serde::ser::Error::custom)?;
    serde::Serialize::serialize(raw, serializer)
}
