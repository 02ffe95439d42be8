//! Whether answers fit the schema that was asked for. Claude Code calls a turn a success either way.

use crate::json::Schema;
use unspool::Event;
use unspool::control::Payload;
use unspool::event::What;

/// Holds the answer of each turn against a schema.
#[derive(Debug)]
pub(crate) struct Fit {
    schema: Schema,
    structured: Option<Payload>,
    unfit: Option<String>,
}

impl Fit {
    pub(crate) fn new(schema: Schema) -> Self {
        Fit { schema, structured: None, unfit: None }
    }

    pub(crate) fn step(&mut self, event: &Event<'_>) {
        match &event.what {
            What::StructuredOutput { value, .. } => {
                self.structured = value.as_ref().map(|value| Payload::from(value.json()));
            }
            What::TurnComplete { result, .. } => {
                let words = result.as_deref().unwrap_or_default();
                let value = self.schema.value_of(words, self.structured.take().as_ref());
                self.unfit = value.err().map(|error| error.to_string());
            }
            _ => {}
        }
    }

    /// Why the last answer does not fit.
    pub(crate) fn unfit(&self) -> Option<String> {
        self.unfit.clone()
    }
}
