//! The macros that declare the types of the wire, and what the code they make has in common.

mod choice;
mod object;
mod open;

pub(crate) use choice::{choice, either, kind, variant_type};
pub(crate) use object::{wire, wire_item, wire_name, wire_shape, wire_tag, wire_type, writable};
pub(crate) use open::open;

use super::{Extra, Fill, Found, Wire};
use crate::json::{Cursor, Json, write_line, write_string};

/// An object being written.
pub(crate) struct Object<'o> {
    out: &'o mut String,
    first: bool,
}

impl<'o> Object<'o> {
    pub(crate) fn open(out: &'o mut String) -> Self {
        out.push('{');
        Object { out, first: true }
    }

    pub(crate) fn field<'a>(&mut self, name: &str, value: &impl Wire<'a>) {
        self.key(name);
        value.write(self.out);
    }

    fn key(&mut self, name: &str) {
        if !std::mem::take(&mut self.first) {
            self.out.push(',');
        }
        write_string(name, self.out);
        self.out.push(':');
    }

    /// Adds what is not modelled. A field that was odd is there too; if it has been set since, it is not written again.
    pub(crate) fn close(mut self, extra: Extra<'_>, is_set: impl Fn(&str) -> bool) {
        for (key, value) in extra.fields() {
            let key = key.decode();
            if is_set(&key) {
                continue;
            }
            self.key(&key);
            write_line(value.text(), self.out);
        }
        self.out.push('}');
    }
}

/// Reads an object as a type, whatever type it says it is.
pub(crate) fn filled<'a, T: Fill<'a>>(json: Json<'a>) -> Option<T> {
    let mut it = T::default();
    let found = it.fill(&mut Cursor::checked(json.text()));
    matches!(found, Ok(Found::Fits(_))).then_some(it)
}

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
