//! Structured answers: the schema of a type, and an answer that is really checked against it.

mod check;
mod schema;
#[cfg(test)]
mod tests;
mod value;

#[cfg(feature = "schemars")]
pub use schemars;

use crate::Answer;
use schema::Sound;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use unspool::control::Payload;

/// Of an answer that does not fit, so many faults are told.
const FAULTS: usize = 8;

/// Of words that came in place of JSON, so many characters are kept.
const KEPT: usize = 200;

/// A JSON Schema that answers are checked against: draft 2020-12, and drafts 6 to 2019-09 as far as they mean the same.
/// What it refers to must be in it: nothing is fetched. `format` is a hint, as the drafts have it; a schema that says
/// something else that cannot be checked here is refused.
///
/// ```
/// use unspool_client::json::{Schema, schemars};
///
/// #[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
/// struct Sum {
///     total: u32,
/// }
///
/// let schema = Schema::of::<Sum>();
/// assert_eq!(schema.extract::<Sum>("```json\n{\"total\": 4}\n```", None).unwrap(), Sum { total: 4 });
/// let error = schema.extract::<Sum>(r#"{"total": "four"}"#, None).unwrap_err();
/// assert_eq!(error.to_string(), r#"the answer does not fit its schema: /total: "four" is not integer"#);
/// ```
#[derive(Clone)]
pub struct Schema(Arc<Sound>);

/// Why there is no structured answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// The schema is none.
    #[error("the schema is wrong: {fault}")]
    Schema {
        /// What is wrong with it.
        fault: Fault,
    },
    /// The model gave no structured answer, and its words are not JSON. Claude Code counts that as success.
    #[error("the answer is not structured: {text:?}")]
    Missing {
        /// The beginning of its words.
        text: String,
    },
    /// The answer does not fit the schema.
    #[error("the answer does not fit its schema: {}", join(.faults))]
    Unfit {
        /// What is wrong with it; the first few, at least one.
        faults: Vec<Fault>,
    },
    /// The answer fits the schema, yet the type cannot be made from it.
    #[error("the answer fits its schema but not its type")]
    Type(#[source] serde_json::Error),
}

/// One thing that is wrong.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Fault {
    /// Where, as a JSON pointer; empty for all of it.
    pub path: String,
    /// What is wrong there, in words.
    pub reason: String,
}

/// A structured answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Structured<T> {
    /// The value, which fits its schema.
    pub value: T,
    /// What else the turn came to.
    pub answer: Answer,
}

impl Schema {
    /// The schema of a Rust type. Claude Code takes objects only, so it should be a struct.
    ///
    /// # Panics
    ///
    /// If the type describes itself by something that is no schema, which a derived one never does.
    #[cfg(feature = "schemars")]
    #[must_use]
    pub fn of<T: schemars::JsonSchema>() -> Self {
        let schema = schemars::SchemaGenerator::default().into_root_schema_for::<T>();
        Schema::new(schema.to_value()).unwrap_or_else(|error| panic!("{}: {error}", T::schema_name()))
    }

    /// A schema that was written by hand.
    pub fn new(value: Value) -> Result<Self, JsonError> {
        let sound =
            Sound::new(without_formats(without_draft(value))).map_err(|fault| JsonError::Schema { fault })?;
        Ok(Schema(Arc::new(sound)))
    }

    /// The schema as Claude Code takes it: without the `$schema` at its top and without formats of numbers such as
    /// `uint8`. It knows neither, and older versions then give no structured answer, and do not say why.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.0.root
    }

    /// Whether a value fits.
    pub fn check(&self, value: &Value) -> Result<(), JsonError> {
        let faults = check::faults(&self.0, value);
        if faults.is_empty() { Ok(()) } else { Err(JsonError::Unfit { faults }) }
    }

    /// The value of an answer: what Claude Code says is structured, else the words, if they are JSON.
    pub fn value_of(&self, text: &str, structured: Option<&Payload>) -> Result<Value, JsonError> {
        let structured = structured.map(Payload::json).filter(|json| !json.is_null());
        let words = structured.map_or(strip_fences(text).into(), |json| json.clean());
        let value = serde_json::from_str(&words).map_err(|_| JsonError::Missing { text: beginning(text) })?;
        self.check(&value).map(|()| value)
    }

    /// The value of an answer as a Rust value: what Claude Code says is structured, else the words, if they are JSON.
    pub fn extract<T: DeserializeOwned>(
        &self,
        text: &str,
        structured: Option<&Payload>,
    ) -> Result<T, JsonError> {
        serde_json::from_value(self.value_of(text, structured)?).map_err(JsonError::Type)
    }
}

/// What stands between the fences of a block of Markdown; a text without them is only trimmed.
#[must_use]
pub fn strip_fences(text: &str) -> &str {
    let text = text.trim();
    let inside = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some(inside) = inside else { return text };
    // Behind the fence stands the language, if anything.
    inside.split_once('\n').map_or(text, |(_, inside)| inside.trim())
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.reason),
            path => write!(f, "{path}: {}", self.reason),
        }
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(self.value()).finish()
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

fn without_draft(mut schema: Value) -> Value {
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("$schema");
    }
    schema
}

/// Formats of numbers are Rust's; what they mean is said by `minimum` and `maximum` too.
fn without_formats(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(fields) => {
            if fields.get("type").is_some_and(|kind| kind == "integer" || kind == "number") {
                fields.remove("format");
            }
            for value in fields.values_mut() {
                *value = without_formats(value.take());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = without_formats(item.take())),
        _ => {}
    }
    schema
}

fn beginning(text: &str) -> String {
    match text.char_indices().nth(KEPT) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn join(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
