//! Older forms of `result`.

use super::declare::wire;
use super::{ModelUsage, ResultLine, Usage};

wire! {
    /// The end of a turn, in a form that only the oldest documents tell of.
    pub struct SystemResult: type "system", subtype "result" {
        /// Whether the turn failed.
        is_error: bool,
        /// The last words, or what went wrong.
        result: Str,
        /// The session it belongs to.
        session_id: Str,
        /// Id of this line.
        uuid: Str,
        /// Time of the whole turn.
        duration_ms: f64,
        /// Time spent in API calls.
        duration_api_ms: f64,
        /// Round trips to the model.
        num_turns: u64,
        /// Money spent by the process so far.
        total_cost_usd: f64,
        /// Money of the turn.
        cost_usd: f64,
        /// Money so far, under its oldest name.
        total_cost: f64,
        /// Tokens of this turn.
        usage: Usage,
        /// Tokens and money by model.
        model_usage "modelUsage": {ModelUsage},
        /// What went wrong.
        errors: [Str],
    }

    /// The last record of CLI 0.2.70 to 0.2.114, which had no envelopes.
    pub struct BareResult {
        /// `system`.
        role: Str,
        /// Money of the run.
        cost_usd: f64,
        /// Time of the whole run.
        duration_ms: f64,
        /// Time spent in API calls.
        duration_api_ms: f64,
        /// The last words.
        result: Str,
        /// The session.
        session_id: Str,
    }
}

impl<'a> From<SystemResult<'a>> for ResultLine<'a> {
    /// The same told as a result; fields that are not modelled come along.
    fn from(old: SystemResult<'a>) -> Self {
        ResultLine {
            is_error: old.is_error,
            result: old.result,
            session_id: old.session_id,
            uuid: old.uuid,
            duration_ms: old.duration_ms,
            duration_api_ms: old.duration_api_ms,
            num_turns: old.num_turns,
            total_cost_usd: old.total_cost_usd,
            cost_usd: old.cost_usd,
            total_cost: old.total_cost,
            usage: old.usage,
            model_usage: old.model_usage,
            errors: old.errors,
            extra: old.extra,
            ..ResultLine::default()
        }
    }
}

impl<'a> From<BareResult<'a>> for ResultLine<'a> {
    /// The same told as a result; fields that are not modelled come along.
    fn from(old: BareResult<'a>) -> Self {
        ResultLine {
            result: old.result,
            session_id: old.session_id,
            duration_ms: old.duration_ms,
            duration_api_ms: old.duration_api_ms,
            cost_usd: old.cost_usd,
            extra: old.extra,
            ..ResultLine::default()
        }
    }
}
