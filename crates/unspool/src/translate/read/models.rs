//! Tokens and money by model, read with their line.

use crate::json::{Chart, Spot};
use crate::tally::Models;
use crate::translate::read::result::model_tokens;

/// The models of a result, read when somebody asks.
#[derive(Clone, Copy)]
pub(crate) struct Bills<'l> {
    chart: Chart<'l>,
    object: Spot,
}

impl<'l> Bills<'l> {
    /// `None` if it is no object.
    pub(crate) fn of(chart: &Chart<'l>, object: Spot) -> Option<Self> {
        (chart.first(object) == b'{').then_some(Bills { chart: *chart, object })
    }

    /// Whether nothing stands there.
    pub(crate) fn is_empty(&self) -> bool {
        self.chart.value(self.object).is_none_or(|json| json.is_empty())
    }

    /// The models as an event tells them. What is no object is no model.
    pub(crate) fn models(&self) -> Models {
        let mut models = Models::new();
        self.chart.members(self.object, |name, model| {
            if self.chart.first(model) == b'{' {
                models.push((name.to_string(), model_tokens(&self.chart, model)));
            }
        });
        models
    }
}
