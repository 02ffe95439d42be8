//! What a tool answers.

use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fmt;

/// What a tool answers: words, pictures, values. Words and `Result`s of words become one by themselves; an error
/// is an answer that the model sees as such.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolReply {
    content: Vec<Value>,
    structured: Option<Value>,
    is_error: bool,
    meta: Map<String, Value>,
}

impl ToolReply {
    /// Nothing as yet.
    #[must_use]
    pub fn new() -> Self {
        ToolReply::default()
    }

    /// The tool failed, and how.
    pub fn error(why: impl Into<String>) -> Self {
        ToolReply { is_error: true, ..ToolReply::new().text(why) }
    }

    /// A value, for programs and as text. An error if it cannot be written as JSON.
    pub fn json(value: &impl Serialize) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => ToolReply::new().text(value.to_string()).structured(value),
            Err(error) => ToolReply::error(error.to_string()),
        }
    }

    /// Adds words.
    #[must_use]
    pub fn text(self, words: impl Into<String>) -> Self {
        self.block(json!({"type": "text", "text": words.into()}))
    }

    /// Adds a picture, in base 64.
    #[must_use]
    pub fn image_base64(self, media_type: impl Into<String>, data: impl Into<String>) -> Self {
        self.block(json!({"type": "image", "data": data.into(), "mimeType": media_type.into()}))
    }

    /// Adds any other block of MCP.
    #[must_use]
    pub fn block(mut self, block: Value) -> Self {
        self.content.push(block);
        self
    }

    /// The answer for programs, an object.
    #[must_use]
    pub fn structured(mut self, value: Value) -> Self {
        self.structured = Some(value);
        self
    }

    /// Anything else, under a name of one's own.
    #[must_use]
    pub fn meta(mut self, name: impl Into<String>, value: Value) -> Self {
        self.meta.insert(name.into(), value);
        self
    }

    pub(super) fn write(self) -> Value {
        let mut result = json!({"content": self.content});
        // MCP takes objects only.
        if let Some(structured) = self.structured.filter(Value::is_object) {
            result["structuredContent"] = structured;
        }
        if self.is_error {
            result["isError"] = true.into();
        }
        if !self.meta.is_empty() {
            result["_meta"] = self.meta.into();
        }
        result
    }
}

impl From<&str> for ToolReply {
    fn from(words: &str) -> Self {
        ToolReply::new().text(words)
    }
}

impl From<String> for ToolReply {
    fn from(words: String) -> Self {
        ToolReply::new().text(words)
    }
}

impl<T: Into<ToolReply>, E: fmt::Display> From<Result<T, E>> for ToolReply {
    fn from(result: Result<T, E>) -> Self {
        match result {
            Ok(reply) => reply.into(),
            Err(error) => ToolReply::error(error.to_string()),
        }
    }
}
