//! A tool of ours: what the model is told of it, and what it does.

use super::{Call, ToolReply};
use crate::handlers::BoxFuture;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::fmt;
use std::future::ready;
use std::sync::Arc;

/// A tool: what the model is told of it, and what it does.
#[derive(Clone)]
pub struct Tool {
    pub(super) name: String,
    description: String,
    input: Value,
    output: Option<Value>,
    annotations: Map<String, Value>,
    meta: Map<String, Value>,
    call: Arc<dyn Fn(Call) -> BoxFuture<ToolReply> + Send + Sync>,
}

impl Tool {
    /// A tool that takes an `A`, whose shape the model is told. A call that does not fit gets an error
    /// that says what is wrong, so that the model can mend it.
    pub fn new<A, F, R>(
        name: impl Into<String>,
        description: impl Into<String>,
        call: impl Fn(A) -> F + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        F: Future<Output = R> + Send + 'static,
        R: Into<ToolReply>,
    {
        Tool::with_call(name, description, move |arguments, _| call(arguments))
    }

    /// A tool that takes an `A`, as of [`new`](Self::new), and the [`Call`]: it wants to know who calls, or tell how far it
    /// has come.
    pub fn with_call<A, F, R>(
        name: impl Into<String>,
        description: impl Into<String>,
        call: impl Fn(A, Call) -> F + Send + Sync + 'static,
    ) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        F: Future<Output = R> + Send + 'static,
        R: Into<ToolReply>,
    {
        let (name, description) = (name.into(), description.into());
        let (input, takes_nothing) = schema::<A>();
        Tool::boxed(name, description, input, move |it: Call| match read(&it, takes_nothing) {
            Ok(arguments) => {
                let reply = call(arguments, it);
                Box::pin(async move { reply.await.into() })
            }
            Err(error) => Box::pin(ready(ToolReply::error(format!("The arguments do not fit: {error}")))),
        })
    }

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
    pub fn title(self, title: impl Into<String>) -> Self {
        self.annotate("title", title.into().into())
    }

    /// Whether it changes nothing.
    pub fn read_only(self, yes: bool) -> Self {
        self.annotate("readOnlyHint", yes.into())
    }

    /// Whether it may destroy something.
    pub fn destructive(self, yes: bool) -> Self {
        self.annotate("destructiveHint", yes.into())
    }

    /// Whether doing it twice is the same as doing it once.
    pub fn idempotent(self, yes: bool) -> Self {
        self.annotate("idempotentHint", yes.into())
    }

    /// Whether it reaches beyond this computer.
    pub fn open_world(self, yes: bool) -> Self {
        self.annotate("openWorldHint", yes.into())
    }

    /// The shape of its structured answers.
    pub fn output_of<T: JsonSchema>(mut self) -> Self {
        self.output = Some(schema::<T>().0);
        self
    }

    /// The model is told of it from the beginning; otherwise newer versions let it search for tools.
    pub fn always_load(self) -> Self {
        self.meta("anthropic/alwaysLoad", true.into())
    }

    /// What the model may search for to find it.
    pub fn search_hint(self, words: impl Into<String>) -> Self {
        self.meta("anthropic/searchHint", words.into().into())
    }

    /// Anything else, under a name of one's own.
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

    fn boxed(
        name: String,
        description: String,
        input: Value,
        call: impl Fn(Call) -> BoxFuture<ToolReply> + Send + Sync + 'static,
    ) -> Self {
        let (annotations, meta) = (Map::new(), Map::new());
        Tool { name, description, input, output: None, annotations, meta, call: Arc::new(call) }
    }
}

/// The shape of a type as the API takes it, always an object and without the name of its dialect; and whether
/// the type is `()`.
fn schema<T: JsonSchema>() -> (Value, bool) {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    let takes_nothing = schema["type"] == "null";
    if takes_nothing {
        schema = json!({});
    }
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("$schema");
        schema.insert("type".to_owned(), "object".into());
    }
    (schema, takes_nothing)
}

fn read<A: DeserializeOwned>(call: &Call, takes_nothing: bool) -> Result<A, serde_json::Error> {
    if takes_nothing { serde_json::from_value(Value::Null) } else { call.arguments_as() }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tool({})", self.name)
    }
}
