//! Whether answers fit the schema that was asked for. Claude Code calls a turn a success either way.

use crate::json::Schema;
use unspool::Event;
use unspool::control::Payload;
use unspool::event::What;
use unspool_report::answer::TurnAnswer;

/// Holds the answer of each turn against a schema.
#[derive(Debug)]
pub(crate) struct Fit {
    schema: Schema,
    answer: TurnAnswer,
    unfit: Option<String>,
}

impl Fit {
    pub(crate) fn new(schema: Schema) -> Self {
        Fit { schema, answer: TurnAnswer::default(), unfit: None }
    }

    pub(crate) fn step(&mut self, event: &Event<'_>) {
        self.answer.step(event);
        if let What::TurnComplete { .. } = &event.what {
            let structured = self.answer.structured().map(|value| Payload::from(value.json()));
            let value = self.schema.value_of(self.answer.text().unwrap_or_default(), structured.as_ref());
            self.unfit = value.err().map(|error| error.to_string());
        }
    }

    /// Why the last answer does not fit.
    pub(crate) fn unfit(&self) -> Option<String> {
        self.unfit.clone()
    }
}
