//! What the translator reads of the first and the last line of a turn.

use super::bill::Bills;
use super::pick;
use super::view::Counts;
use crate::event::ModelTokens;
use crate::json::{Chart, Json, Place, Str};
use crate::tally::{self, Figures};
use crate::wire::{Lazy, List, Origin};

/// A `result` line.
pub(super) struct Ending<'l> {
    pub(super) subtype: Option<Str<'l>>,
    pub(super) is_error: Option<bool>,
    pub(super) result: Option<Json<'l>>,
    /// The same, if it is words.
    pub(super) words: Option<Str<'l>>,
    pub(super) duration_ms: Option<f64>,
    pub(super) total_cost_usd: Option<f64>,
    pub(super) cost_usd: Option<f64>,
    pub(super) total_cost: Option<f64>,
    pub(super) usage: Option<Counts>,
    pub(super) model_usage: Option<Bills<'l>>,
    pub(super) model_usage_since_last_result: Option<Bills<'l>>,
    pub(super) permission_denials: Option<Json<'l>>,
    pub(super) stop_reason: Option<Str<'l>>,
    pub(super) terminal_reason: Option<Str<'l>>,
    pub(super) structured_output: Option<Json<'l>>,
    pub(super) errors: Option<List<'l, Str<'l>>>,
    pub(super) api_error_status: Option<u64>,
    pub(super) not_started: bool,
    pub(super) local_command: bool,
    pub(super) user_message_uuid: Option<Str<'l>>,
    pub(super) user_message_uuids: Option<List<'l, Str<'l>>>,
    pub(super) resumed: bool,
    pub(super) origin: Option<Lazy<'l, Origin<'l>>>,
}

/// A `system/init` line.
pub(super) struct Beginning<'l> {
    pub(super) model: Option<Str<'l>>,
    pub(super) cwd: Option<Str<'l>>,
    pub(super) claude_code_version: Option<Str<'l>>,
    pub(super) tools: Option<Json<'l>>,
    pub(super) mcp_servers: Option<Json<'l>>,
    pub(super) permission_mode: Option<Str<'l>>,
    pub(super) prompted: bool,
}

impl<'l> Ending<'l> {
    pub(super) fn of(chart: &Chart<'l>, line: &pick::Line) -> Self {
        let is_there = |place: Place| chart.str(place).is_some();
        Ending {
            subtype: chart.str(line.subtype()),
            is_error: chart.bool(line.is_error()),
            result: chart.value(line.result()),
            words: chart.str(line.result()),
            duration_ms: chart.f64(line.duration_ms()),
            total_cost_usd: chart.f64(line.total_cost_usd()),
            cost_usd: chart.f64(line.cost_usd()),
            total_cost: chart.f64(line.total_cost()),
            usage: Counts::of(chart, line.usage()),
            model_usage: Bills::of(chart, line.model_usage()),
            model_usage_since_last_result: Bills::of(chart, line.model_usage_since_last_result()),
            permission_denials: chart.value_if(line.permission_denials(), b'['),
            stop_reason: chart.str(line.stop_reason()),
            terminal_reason: chart.str(line.terminal_reason()),
            structured_output: chart.value(line.structured_output()),
            errors: chart.value_if(line.errors(), b'[').map(List::from),
            api_error_status: chart.u64(line.api_error_status()),
            not_started: is_there(line.startup_failure_reason()),
            local_command: is_there(line.local_command()),
            user_message_uuid: chart.str(line.user_message_uuid()),
            user_message_uuids: chart.value_if(line.user_message_uuids(), b'[').map(List::from),
            resumed: is_there(line.resume_reason()) || is_there(line.turn_start_resume_kind()),
            origin: chart.value_if(line.origin(), b'{').map(Lazy::from),
        }
    }

    /// What the tally takes of it.
    pub(super) fn figures(&self) -> Figures {
        Figures {
            total_cost_usd: self.total_cost_usd,
            total_cost: self.total_cost,
            cost_usd: self.cost_usd,
            usage: self.usage.map(|usage| usage.tokens()),
            models: self.model_usage.filter(|models| !models.is_empty()).map(|models| models.models()),
            since: self.model_usage_since_last_result.map(|models| models.models()),
        }
    }
}

impl<'l> Beginning<'l> {
    pub(super) fn of(chart: &Chart<'l>, line: &pick::Line) -> Self {
        let list = |place: Place| chart.value_if(place, b'[');
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
pub(super) fn model_tokens(chart: &Chart<'_>, model: Place) -> ModelTokens {
    let model = pick::ModelTokens::of(chart, model);
    let tokens = tally::count(
        chart.u64(model.input_tokens()),
        chart.u64(model.output_tokens()),
        chart.u64(model.cache_read_input_tokens()),
        chart.u64(model.cache_creation_input_tokens()),
    );
    let (window, output) = (chart.u64(model.context_window()), chart.u64(model.max_output_tokens()));
    tally::model_tokens(tokens, chart.f64(model.cost_usd()), window, output)
}
