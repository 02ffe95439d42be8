//! What the translator reads of the first and the last line of a turn.

use crate::event::{ModelTokens, Tokens};
use crate::json::{Chart, Json, Spot, Str};
use crate::tally::Figures;
use crate::translate::read::fields;
use crate::translate::read::line::Counts;
use crate::translate::read::models::Bills;
use crate::wire::{Lazy, List, Origin};

/// A `result` line. Its fields are read when somebody asks, as hardly any line has all of them.
#[derive(Clone, Copy)]
pub(crate) struct Ending<'c, 'l> {
    chart: &'c Chart<'l>,
    line: &'c fields::Line,
}

/// A `system/init` line.
pub(crate) struct Beginning<'l> {
    pub(crate) model: Option<Str<'l>>,
    pub(crate) cwd: Option<Str<'l>>,
    pub(crate) claude_code_version: Option<Str<'l>>,
    pub(crate) tools: Option<Json<'l>>,
    pub(crate) mcp_servers: Option<Json<'l>>,
    pub(crate) permission_mode: Option<Str<'l>>,
    pub(crate) prompted: bool,
}

/// Declares how each field is read.
macro_rules! fields {
    ($($field:ident: $read:ident -> $ty:ty),* $(,)?) => { $(
        pub(crate) fn $field(&self) -> Option<$ty> {
            self.chart.$read(self.line.$field())
        }
    )* };
}

impl<'c, 'l> Ending<'c, 'l> {
    pub(crate) fn of(chart: &'c Chart<'l>, line: &'c fields::Line) -> Self {
        Ending { chart, line }
    }

    fields! {
        subtype: str -> Str<'l>,
        is_error: bool -> bool,
        result: value -> Json<'l>,
        duration_ms: f64 -> f64,
        num_turns: u64 -> u64,
        stop_reason: str -> Str<'l>,
        terminal_reason: str -> Str<'l>,
        structured_output: value -> Json<'l>,
        api_error_status: u64 -> u64,
        user_message_uuid: str -> Str<'l>,
    }

    /// The result, if it is words.
    pub(crate) fn words(&self) -> Option<Str<'l>> {
        self.chart.str(self.line.result())
    }

    pub(crate) fn permission_denials(&self) -> Option<Json<'l>> {
        self.list(self.line.permission_denials())
    }

    pub(crate) fn errors(&self) -> Option<List<'l, Str<'l>>> {
        self.list(self.line.errors()).map(List::from)
    }

    pub(crate) fn user_message_uuids(&self) -> Option<List<'l, Str<'l>>> {
        self.list(self.line.user_message_uuids()).map(List::from)
    }

    pub(crate) fn not_started(&self) -> bool {
        self.says(self.line.startup_failure_reason())
    }

    pub(crate) fn local_command(&self) -> bool {
        self.says(self.line.local_command())
    }

    pub(crate) fn resumed(&self) -> bool {
        self.says(self.line.resume_reason()) || self.says(self.line.turn_start_resume_kind())
    }

    pub(crate) fn origin(&self) -> Option<Lazy<'l, Origin<'l>>> {
        self.chart.value_if(self.line.origin(), b'{').map(Lazy::from)
    }

    /// What the tally takes of it.
    pub(crate) fn figures(&self) -> Figures {
        let Ending { chart, line } = *self;
        let models = |place| Bills::of(chart, place);
        Figures {
            total_cost_usd: chart.f64(line.total_cost_usd()),
            total_cost: chart.f64(line.total_cost()),
            cost_usd: chart.f64(line.cost_usd()),
            usage: Counts::of(chart, line.usage()).map(|usage| usage.tokens()),
            models: models(line.model_usage()).filter(|models| !models.is_empty()).map(|it| it.models()),
            since: models(line.model_usage_since_last_result()).map(|it| it.models()),
        }
    }

    fn list(&self, place: Spot) -> Option<Json<'l>> {
        self.chart.value_if(place, b'[')
    }

    fn says(&self, place: Spot) -> bool {
        self.chart.first(place) == b'"'
    }
}

impl<'l> Beginning<'l> {
    pub(crate) fn of(chart: &Chart<'l>, line: &fields::Line) -> Self {
        let list = |place: Spot| chart.value_if(place, b'[');
        Beginning {
            model: chart.str(line.model()),
            cwd: chart.str(line.cwd()),
            claude_code_version: chart.str(line.claude_code_version()),
            tools: list(line.tools()),
            mcp_servers: list(line.mcp_servers()).or_else(|| list(line.mcp_servers_old())),
            permission_mode: chart.str(line.permission_mode()),
            prompted: list(line.user_message_uuids()).is_some_and(|uuids| !uuids.is_empty()),
        }
    }
}

/// Tokens and money of a model.
pub(crate) fn model_tokens(chart: &Chart<'_>, model: Spot) -> ModelTokens {
    let model = fields::ModelTokens::of(chart, model);
    let tokens = Tokens::new(
        chart.u64(model.input_tokens()),
        chart.u64(model.output_tokens()),
        chart.u64(model.cache_read_input_tokens()),
        chart.u64(model.cache_creation_input_tokens()),
    );
    let (window, output) = (chart.u64(model.context_window()), chart.u64(model.max_output_tokens()));
    ModelTokens::new(&tokens, chart.f64(model.cost_usd()), window, output)
}
