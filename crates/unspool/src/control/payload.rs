//! What a question or an answer carries.

use crate::json::Json;
use crate::wire::Wire;
use serde::Serialize;
use std::fmt;

/// A JSON value of one's own: checked, so that a line made of it can be read.
#[derive(Clone)]
pub struct Payload(Box<str>);

impl Payload {
    /// A value of the wire, as it is written there.
    pub fn of<'a>(value: &impl Wire<'a>) -> Self {
        Payload(value.to_json().into())
    }

    /// Any value that can be serialised. Fails if serialising does.
    pub fn write(value: &(impl Serialize + ?Sized)) -> Result<Self, serde_json::Error> {
        serde_json::to_string(value).map(|text| Payload(text.into()))
    }

    /// The value.
    #[must_use]
    pub fn json(&self) -> Json<'_> {
        Json::trusted(&self.0)
    }
}

/// As it was written, half characters too.
impl From<Json<'_>> for Payload {
    fn from(json: Json<'_>) -> Self {
        Payload(json.text().into())
    }
}

impl From<serde_json::Value> for Payload {
    fn from(value: serde_json::Value) -> Self {
        Payload(value.to_string().into())
    }
}

impl PartialEq for Payload {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The value on one line.
impl fmt::Display for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.json().clean())
    }
}
