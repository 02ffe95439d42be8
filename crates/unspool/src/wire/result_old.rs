//! Older forms of `result`. [`ResultLine`](super::ResultLine) has all their fields: filled from one of
//! these lines, it tells the same.

use super::declare::wire;
use super::{Kind, ModelUsage, SystemKind, Usage};

wire! {
    /// The end of a turn, in a form that only the oldest documents tell of.
    pub struct SystemResult: type (Kind::System(SystemKind::Result).name()), subtype (SystemKind::Result.name()) {
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
