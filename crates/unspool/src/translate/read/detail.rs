//! What a tool says of itself beside its answer: the few fields that an event or an agent's end is told from.

use crate::event::Tokens;
use crate::json::{Chart, Json, Spot, Str};
use crate::translate::read::fields::ToolReport;
use crate::translate::read::line::Counts;

/// A tool's own structured output.
pub(crate) struct Detail<'l> {
    pub(crate) json: Json<'l>,
    /// What has become of what was asked for, in one word.
    pub(crate) status: Option<Str<'l>>,
    /// How long the tool says that it took.
    pub(crate) took: Option<u64>,
    /// How long an agent was at work.
    pub(crate) total_duration_ms: Option<u64>,
    /// All tokens of an agent.
    pub(crate) total_tokens: Option<u64>,
    /// The tokens of an agent.
    pub(crate) tokens: Option<Tokens>,
}

impl<'l> Detail<'l> {
    /// `None` if nothing stands there.
    pub(crate) fn of(chart: &Chart<'l>, detail: Spot) -> Option<Self> {
        let json = chart.value(detail).filter(|json| !json.is_null())?;
        let report = ToolReport::of(chart, detail);
        let seconds = || chart.f64(report.duration_seconds()).map(|seconds| seconds * 1e3);
        let took = chart.f64(report.duration_ms()).or_else(|| chart.f64(report.total_duration_ms()));
        Some(Detail {
            json,
            status: chart.str(report.status()),
            took: took.or_else(seconds).filter(|time| *time >= 0.0).map(|time| time.round() as u64),
            total_duration_ms: chart.u64(report.total_duration_ms()),
            total_tokens: chart.u64(report.total_tokens()),
            tokens: Counts::of(chart, report.usage()).map(|usage| usage.tokens()),
        })
    }
}
