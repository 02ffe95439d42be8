//! Counts and durations of one session or many.

use super::once::Repeated;
use super::spans::{both, total, union};
use super::watch::{Counts, Row, Run, Timed, Wait};
use crate::times::{Span, length};
use std::collections::BTreeMap;

/// All that is told about some sessions.
#[derive(Default)]
pub struct Report {
    pub(crate) sessions: u64,
    pub(crate) counts: Counts,
    pub(crate) tools: BTreeMap<String, Durations>,
    pub(crate) models: BTreeMap<String, Durations>,
    pub(crate) agents: BTreeMap<String, Durations>,
    pub(crate) waits: Vec<(Wait, String)>,
    pub(crate) time: Time,
    /// The session that lasted longest.
    pub picture: Option<Picture>,
    pub(crate) timed: u64,
    pub(crate) untimed: u64,
    /// Sessions whose every line has a time.
    pub by_clock: u64,
    pub(crate) repeated: Repeated,
}

/// How long things of one name took.
#[derive(Default)]
pub(crate) struct Durations {
    pub count: u64,
    pub failed: u64,
    /// Those that are known.
    pub known: Vec<u64>,
}

/// Where the time went, in milliseconds.
#[derive(Default)]
pub(crate) struct Time {
    pub wall: u64,
    /// Somebody waited for a model, for a tool, for both: as a clock on the wall shows it.
    pub model: u64,
    pub tools: u64,
    pub both: u64,
    /// What models and tools took, with what ran side by side counted each.
    pub model_sum: u64,
    pub tools_sum: u64,
}

/// What a timeline shows.
pub struct Picture {
    pub session: String,
    pub ends: Span,
    pub rows: Vec<Row>,
}

impl Report {
    /// About no session yet; this stood in several files.
    #[must_use]
    pub fn new(repeated: Repeated) -> Self {
        Report { repeated, ..Report::default() }
    }

    /// So many waits are told.
    const WAITS: usize = 5;

    /// Adds a session.
    pub fn add(&mut self, run: Run) {
        self.sessions += 1;
        self.counts.add(&run.counts);
        for (name, tool) in run.tools {
            let durations = self.tools.entry(name).or_default();
            durations.count += tool.calls;
            durations.failed += tool.failed;
        }
        for Timed { name, ms } in run.calls {
            self.tools.entry(name).or_default().known.extend(ms);
        }
        for Timed { name, ms } in run.messages {
            let durations = self.models.entry(name).or_default();
            durations.count += 1;
            durations.known.extend(ms);
        }
        for row in &run.agents {
            let durations = self.agents.entry(row.kind.clone()).or_default();
            durations.count += if row.id == "main" { run.counts.turns } else { 1 };
            durations.known.extend(&row.durations);
        }
        self.timed += run.timed;
        self.untimed += run.untimed;
        self.by_clock += u64::from(run.by_clock);
        let Some(ends) = run.ends else { return };
        self.time.add(ends, &run.agents);
        let label =
            |id: &str| run.agents.iter().find(|row| row.id == id).map_or("?", |row| &row.label).to_owned();
        let begun = |wait: Wait| Wait { span: (wait.span.0 - ends.0, wait.span.1 - ends.0), ..wait };
        let waits = run.waits.into_iter().map(|wait| (label(&wait.agent), wait));
        self.waits.extend(waits.map(|(label, wait)| (begun(wait), label)));
        self.waits.sort_by_key(|(wait, _)| std::cmp::Reverse(length(&wait.span)));
        self.waits.truncate(Self::WAITS);
        let worked = run.agents.iter().any(|row| !row.model.is_empty() || !row.tools.is_empty());
        if worked && self.picture.as_ref().is_none_or(|known| length(&known.ends) < length(&ends)) {
            self.picture = Some(Picture { session: run.session, ends, rows: run.agents });
        }
    }
}

impl Counts {
    fn add(&mut self, more: &Counts) {
        self.turns += more.turns;
        self.messages += more.messages;
        self.calls += more.calls;
        self.failures += more.failures;
        self.agents += more.agents;
        self.retries += more.retries;
        self.denials += more.denials;
        self.compactions += more.compactions;
    }
}

impl Time {
    fn add(&mut self, ends: Span, rows: &[Row]) {
        let model = union(rows.iter().flat_map(|row| row.model.iter().copied()));
        let tools = union(rows.iter().flat_map(|row| row.tools.iter().copied()));
        self.wall += length(&ends);
        self.model += total(&model);
        self.tools += total(&tools);
        self.both += both(&model, &tools);
        self.model_sum += rows.iter().map(|row| total(&row.model)).sum::<u64>();
        self.tools_sum += rows.iter().map(|row| total(&row.tools)).sum::<u64>();
    }

    /// Nobody waited for a model or a tool.
    pub(crate) fn neither(&self) -> u64 {
        (self.wall + self.both).saturating_sub(self.model + self.tools)
    }
}

impl Durations {
    /// The smallest that so many percent do not exceed.
    pub(crate) fn percentile(&self, percent: u64) -> Option<u64> {
        let mut known = self.known.clone();
        known.sort_unstable();
        let rank = (known.len() as u64 * percent).div_ceil(100).max(1) as usize;
        known.get(rank - 1).copied()
    }

    pub(crate) fn sum(&self) -> u64 {
        self.known.iter().copied().fold(0, u64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_there() {
        let of = |known: &[u64]| {
            let durations = Durations { known: known.to_vec(), ..Durations::default() };
            [50, 95, 100].map(|percent| durations.percentile(percent))
        };
        assert_eq!(of(&[]), [None; 3]);
        assert_eq!(of(&[7]), [Some(7); 3]);
        assert_eq!(of(&[4, 1, 3, 2]), [Some(2), Some(4), Some(4)]);
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!(of(&hundred), [Some(50), Some(95), Some(100)]);
    }
}
