//! Tools whose input and output are Rust types.

use super::{Call, Tool, ToolReply};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::future::ready;

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

    /// The shape of its structured answers.
    #[must_use]
    pub fn output_of<T: JsonSchema>(mut self) -> Self {
        self.output = Some(schema::<T>().0);
        self
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
