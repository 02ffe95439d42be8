//! Structured answers: the schema of a type, and an answer that is really checked against it.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use unspool::control::Payload;

/// Of an answer that does not fit, so many faults are told.
const FAULTS: usize = 8;

/// Of words that came in place of JSON, so many characters are kept.
const KEPT: usize = 200;

/// A JSON Schema that answers are checked against. What it refers to must be in it: nothing is fetched.
///
/// ```
/// use unspool_client::{Schema, schemars};
///
/// #[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
/// struct Sum {
///     total: u32,
/// }
///
/// let schema = Schema::of::<Sum>();
/// assert_eq!(schema.extract::<Sum>("```json\n{\"total\": 4}\n```", None).unwrap(), Sum { total: 4 });
/// let error = schema.extract::<Sum>(r#"{"total": "four"}"#, None).unwrap_err();
/// assert_eq!(error.to_string(), r#"the answer does not fit its schema: /total: "four" is not of type "integer""#);
/// ```
#[derive(Clone)]
pub struct Schema {
    value: Value,
    checker: Arc<jsonschema::Validator>,
}

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

impl Schema {
    /// The schema of a Rust type. Claude Code takes objects only, so it should be a struct.
    ///
    /// # Panics
    ///
    /// If the type describes itself by something that is no schema, which a derived one never does.
    pub fn of<T: JsonSchema>() -> Self {
        let schema = schemars::SchemaGenerator::default().into_root_schema_for::<T>();
        Schema::new(schema.to_value()).unwrap_or_else(|error| panic!("{}: {error}", T::schema_name()))
    }

    /// A schema that was written by hand.
    pub fn new(value: Value) -> Result<Self, JsonError> {
        let checker = jsonschema::validator_for(&value)
            .map_err(|error| JsonError::Schema { fault: Fault::of(&error) })?;
        Ok(Schema { value: without_formats(without_draft(value)), checker: Arc::new(checker) })
    }

    /// The schema as Claude Code takes it: without the `$schema` at its top and without formats of numbers such as
    /// `uint8`. It knows neither, and older versions then give no structured answer, and do not say why.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Whether a value fits.
    pub fn check(&self, value: &Value) -> Result<(), JsonError> {
        let faults: Vec<Fault> =
            self.checker.iter_errors(value).take(FAULTS).map(|error| Fault::of(&error)).collect();
        if faults.is_empty() { Ok(()) } else { Err(JsonError::Unfit { faults }) }
    }

    /// The value of an answer: what Claude Code says is structured, else the words, if they are JSON.
    pub fn value_of(&self, text: &str, structured: Option<&Payload>) -> Result<Value, JsonError> {
        let structured = structured.map(Payload::json).filter(|json| !json.is_null());
        let words = structured.map_or(strip_fences(text).into(), |json| json.clean());
        let value = serde_json::from_str(&words).map_err(|_| JsonError::Missing { text: beginning(text) })?;
        self.check(&value).map(|()| value)
    }

    /// The same as a Rust value.
    pub fn extract<T: DeserializeOwned>(
        &self,
        text: &str,
        structured: Option<&Payload>,
    ) -> Result<T, JsonError> {
        serde_json::from_value(self.value_of(text, structured)?).map_err(JsonError::Type)
    }
}

/// What stands between the fences of a block of Markdown; a text without them is only trimmed.
pub fn strip_fences(text: &str) -> &str {
    let text = text.trim();
    let inside = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some(inside) = inside else { return text };
    // Behind the fence stands the language, if anything.
    inside.split_once('\n').map_or(text, |(_, inside)| inside.trim())
}

impl Fault {
    fn of(error: &jsonschema::ValidationError<'_>) -> Self {
        Fault { path: error.instance_path().to_string(), reason: error.to_string() }
    }
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
        f.debug_tuple("Schema").field(&self.value).finish()
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Deserialize, JsonSchema, PartialEq)]
    struct Report {
        title: String,
        #[schemars(range(min = 1, max = 5))]
        stars: u8,
        tags: Vec<Tag>,
    }

    #[derive(Debug, Deserialize, JsonSchema, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Tag {
        Good,
        Bad,
    }

    #[test]
    fn fences_are_taken_off() {
        for (text, inside) in [
            ("```json\n{\"a\":1}\n```", "{\"a\":1}"),
            ("```\n{\"a\":1}\n```", "{\"a\":1}"),
            ("{\"a\":1}", "{\"a\":1}"),
            ("  {\"a\":1}  ", "{\"a\":1}"),
            ("  ```json\n  {\"a\":1}\n  ```  ", "{\"a\":1}"),
            ("```json\r\n{\"a\":1}\r\n```", "{\"a\":1}"),
            // No fences that belong together: left alone.
            ("```json\n{\"a\":1}", "```json\n{\"a\":1}"),
            ("``````", "``````"),
            ("```", "```"),
            ("", ""),
        ] {
            assert_eq!(strip_fences(text), inside, "{text:?}");
        }
    }

    #[test]
    fn what_is_structured_counts_more_than_the_words() {
        let schema = Schema::of::<Report>();
        let good = json!({"title": "t", "stars": 5, "tags": ["good", "bad"]});
        let words = good.to_string();
        let report = Report { title: "t".into(), stars: 5, tags: vec![Tag::Good, Tag::Bad] };
        let payload = Payload::from(good);
        assert_eq!(schema.extract::<Report>("Done!", Some(&payload)).unwrap(), report);
        assert_eq!(schema.extract::<Report>(&words, None).unwrap(), report);
        assert_eq!(schema.extract::<Report>(&words, Some(&Payload::from(Value::Null))).unwrap(), report);
        let unfit = Payload::from(json!({"title": 1}));
        assert!(matches!(schema.extract::<Report>(&words, Some(&unfit)), Err(JsonError::Unfit { .. })));
    }

    #[test]
    fn a_fault_says_where_and_what() {
        let schema = Schema::of::<Report>();
        let check = |value: Value, told: &str| {
            let error = schema.value_of(&value.to_string(), None).unwrap_err().to_string();
            assert_eq!(error, format!("the answer does not fit its schema: {told}"));
        };
        check(json!({"title": "t", "stars": 9, "tags": []}), "/stars: 9 is greater than the maximum of 5");
        check(
            json!({"title": "t", "stars": 1, "tags": ["good", "so so"]}),
            r#"/tags/1: "so so" is not one of "good" or "bad""#,
        );
        check(json!({"stars": 1, "tags": []}), r#""title" is a required property"#);
        check(
            json!({"title": 1, "stars": 0, "tags": []}),
            "/stars: 0 is less than the minimum of 1; /title: 1 is not of type \"string\"",
        );
    }

    #[test]
    fn an_answer_in_words_is_noticed() {
        let schema = Schema::of::<Report>();
        for text in ["", "I could not do it.", "{\"title\":", &"long ".repeat(100)] {
            let Err(JsonError::Missing { text: kept }) = schema.value_of(text, None) else {
                panic!("{text}")
            };
            assert!(kept.chars().count() <= KEPT + 1 && text.starts_with(kept.trim_end_matches('…')));
        }
    }

    #[test]
    fn the_draft_is_for_us_alone() {
        let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
            "properties": {"$schema": {"type": "string"}}});
        let schema = Schema::new(schema).unwrap();
        let bare = json!({"type": "object", "properties": {"$schema": {"type": "string"}}});
        assert_eq!(*schema.value(), bare);
        assert!(Schema::of::<Report>().value().get("$schema").is_none());
    }

    #[test]
    fn a_schema_that_is_none_is_told_before_anything_is_asked() {
        for wrong in [json!({"type": "objekt"}), json!({"$ref": "https://example.com/other.json"}), json!(7)]
        {
            assert!(matches!(Schema::new(wrong.clone()), Err(JsonError::Schema { .. })), "{wrong}");
        }
    }

    #[test]
    fn what_fits_a_schema_of_ones_own_may_still_not_fit_the_type() {
        let schema = Schema::new(json!({"type": "object"})).unwrap();
        assert!(matches!(schema.extract::<Report>("{}", None), Err(JsonError::Type(_))));
    }
}
