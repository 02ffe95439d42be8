//! A tool of ours: what the model is told of it, and what it does.

use super::{Call, ToolReply};
use crate::handlers::BoxFuture;
use serde_json::{Map, Value, json};
use std::fmt;
use std::sync::Arc;

/// A tool: what the model is told of it, and what it does.
#[derive(Clone)]
pub struct Tool {
    pub(super) name: String,
    description: String,
    input: Value,
    pub(super) output: Option<Value>,
    annotations: Map<String, Value>,
    meta: Map<String, Value>,
    call: Arc<dyn Fn(Call) -> BoxFuture<ToolReply> + Send + Sync>,
}

impl Tool {
    /// A tool with a JSON Schema of one's own, which describes an object.
    pub fn with_schema<F, R>(
        name: impl Into<String>,
        description: impl Into<String>,
        input: Value,
        call: impl Fn(Call) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: Into<ToolReply>,
    {
        Tool::boxed(name.into(), description.into(), input, move |it| {
            let reply = call(it);
            Box::pin(async move { reply.await.into() })
        })
    }

    /// What to show as its name.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        self.annotate("title", title.into().into())
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn read_only(self, yes: bool) -> Self {
        self.annotate("readOnlyHint", yes.into())
    }

    /// Whether it may destroy something.
    #[must_use]
    pub fn destructive(self, yes: bool) -> Self {
        self.annotate("destructiveHint", yes.into())
    }

    /// Whether doing it twice is the same as doing it once.
    #[must_use]
    pub fn idempotent(self, yes: bool) -> Self {
        self.annotate("idempotentHint", yes.into())
    }

    /// Whether it reaches beyond this computer.
    #[must_use]
    pub fn open_world(self, yes: bool) -> Self {
        self.annotate("openWorldHint", yes.into())
    }

    /// The model is told of it from the beginning; otherwise newer versions let it search for tools.
    #[must_use]
    pub fn always_load(self) -> Self {
        self.meta("anthropic/alwaysLoad", true.into())
    }

    /// What the model may search for to find it.
    #[must_use]
    pub fn search_hint(self, words: impl Into<String>) -> Self {
        self.meta("anthropic/searchHint", words.into().into())
    }

    /// Anything else, under a name of one's own.
    #[must_use]
    pub fn meta(mut self, name: impl Into<String>, value: Value) -> Self {
        self.meta.insert(name.into(), value);
        self
    }

    pub(super) fn describe(&self) -> Value {
        let mut tool = json!({
            "name": self.name, "description": self.description, "inputSchema": self.input,
        });
        if let Some(output) = &self.output {
            tool["outputSchema"] = output.clone();
        }
        if !self.annotations.is_empty() {
            tool["annotations"] = self.annotations.clone().into();
        }
        if !self.meta.is_empty() {
            tool["_meta"] = self.meta.clone().into();
        }
        tool
    }

    pub(super) fn call(&self, call: Call) -> BoxFuture<ToolReply> {
        (self.call)(call)
    }

    fn annotate(mut self, name: &str, value: Value) -> Self {
        self.annotations.insert(name.to_owned(), value);
        self
    }

    pub(super) fn boxed(
        name: String,
        description: String,
        input: Value,
        call: impl Fn(Call) -> BoxFuture<ToolReply> + Send + Sync + 'static,
    ) -> Self {
        let (annotations, meta) = (Map::new(), Map::new());
        Tool { name, description, input, output: None, annotations, meta, call: Arc::new(call) }
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tool({})", self.name)
    }
}
