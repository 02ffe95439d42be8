//! JSON of the wire inside an event.

use super::{Tell, Words};
use crate::json::{Json, Kind, write_clean, write_string};
use crate::wire::Shape;
use std::borrow::Cow;

/// The deepest nesting of a value that is told as it is.
const DEEPEST: usize = 512;

/// JSON of the wire: an input, a block, a whole line. Written clean, and without the fields that the
/// event tells in its own words.
#[derive(Clone, Debug)]
pub struct Raw<'a> {
    text: Words<'a>,
    without: &'static [&'static str],
}

impl<'a> Raw<'a> {
    /// All of it.
    #[must_use]
    pub fn new(json: Json<'a>) -> Self {
        Raw { text: Cow::Borrowed(json.text()), without: &[] }
    }

    /// All of it, if it is more than `null`: where a field may be null, that says nothing.
    #[must_use]
    pub fn unless_null(json: Json<'a>) -> Option<Self> {
        (!json.is_null()).then(|| Raw::new(json))
    }

    /// An object without some of its fields.
    #[must_use]
    pub fn without(json: Json<'a>, fields: &'static [&'static str]) -> Self {
        Raw { text: Cow::Borrowed(json.text()), without: fields }
    }

    /// The value to look into, as it came and with all its fields.
    #[must_use]
    pub fn json(&self) -> Json<'_> {
        Json::trusted(&self.text)
    }

    /// The JSON, clean.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }
}

/// The JSON, clean.
impl std::fmt::Display for Raw<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

impl PartialEq for Raw<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Tell for Raw<'_> {
    type Owned = Raw<'static>;
    fn own(self) -> Self::Owned {
        Raw { text: self.text.own(), without: self.without }
    }
    fn write(&self, out: &mut String) {
        if self.without.is_empty() {
            return write_clean(&self.text, out);
        }
        let mut first = true;
        out.push('{');
        for (key, value) in Json::trusted(&self.text).fields() {
            // The event tells these only where they are what they should be.
            if value.kind() == Kind::String && self.without.iter().any(|name| key == *name) {
                continue;
            }
            if !std::mem::take(&mut first) {
                out.push(',');
            }
            write_string(&key.decode(), out);
            out.push(':');
            write_clean(value.text(), out);
        }
        out.push('}');
    }
    fn read(json: Json<'_>) -> Option<Raw<'static>> {
        Some(Raw::new(json).own())
    }
    fn shape() -> Shape {
        Shape::Any
    }
    const NULLABLE: bool = true;
    fn hide_odd(&mut self, hidden: &mut String) -> bool {
        let json = Json::trusted(&self.text);
        let odd = json.depth() > DEEPEST || json.has_far_number();
        if odd {
            if !hidden.is_empty() {
                hidden.push('\n');
            }
            hidden.push_str(&self.text());
            *self = Raw::new(Json::NULL);
        }
        odd
    }
}
