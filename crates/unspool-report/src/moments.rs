//! What somebody sees happen, moment by moment: where a session that is played again may be stopped.

use crate::totals::Clock;
use crate::words::{Notice, Weight};
use jiff::tz::TimeZone;
use std::collections::HashMap;
use unspool::Verdict;
use unspool::event::{AgentStatus, Event, PartKind, What};

/// The moments of a session. A moment is named by its number, from 1; 0 is before everything.
#[derive(Default)]
pub struct Moments {
    list: Vec<Moment>,
    clock: Clock,
    /// Agents by rank.
    agents: HashMap<String, usize>,
}

/// Something that somebody sees happen.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Moment {
    /// Whom it is about, by the rank in which they were first seen.
    pub agent: usize,
    /// A turn begins.
    pub begins_turn: bool,
    /// It is, or says, that something went wrong.
    pub is_bad: bool,
    /// When it was, in milliseconds on the clock of the session.
    at: Option<i64>,
}

impl Moments {
    /// Takes the next event.
    pub fn step(&mut self, event: &Event<'_>) {
        let counted = self.clock.is_counted();
        let at = self.clock.now(event);
        if counted != self.clock.is_counted() {
            self.list.iter_mut().for_each(|moment| moment.at = None);
        }
        if is_seen(&event.what) {
            let agent = self.rank(event.agent.as_str());
            let begins_turn = matches!(event.what, What::TurnStart { .. });
            self.list.push(Moment { agent, begins_turn, is_bad: is_bad(&event.what), at });
        }
    }

    /// All of them, in order.
    #[must_use]
    pub fn list(&self) -> &[Moment] {
        &self.list
    }

    /// The number of the last one.
    #[must_use]
    pub fn last(&self) -> usize {
        self.list.len()
    }

    /// When the first was whose time is known, on the clock of the session.
    #[must_use]
    pub fn began(&self) -> Option<i64> {
        self.list.iter().find_map(|moment| moment.at)
    }

    /// When each was, in milliseconds since the first, never going back; none if it is not known of most of them. One whose
    /// time is not known was when the one before was.
    #[must_use]
    pub fn times(&self) -> Option<Vec<u64>> {
        let known = self.list.iter().filter(|moment| moment.at.is_some()).count();
        let began = self.began().filter(|_| known * 2 >= self.list.len())?;
        let mut now = 0;
        let time = |moment: &Moment| {
            let at = moment.at.and_then(|at| u64::try_from(at.saturating_sub(began)).ok());
            now = now.max(at.unwrap_or(0));
            now
        };
        Some(self.list.iter().map(time).collect())
    }

    fn rank(&mut self, agent: &str) -> usize {
        let next = self.agents.len();
        match self.agents.get(agent) {
            Some(rank) => *rank,
            None => *self.agents.entry(agent.to_owned()).or_insert(next),
        }
    }
}

/// Whether somebody sees that it has happened.
#[must_use]
pub fn is_seen(what: &What<'_>) -> bool {
    match what {
        What::TextDelta { .. } | What::ThinkingDelta { .. } | What::ToolInputDelta { .. } => false,
        What::BlockEnd { kind, .. } => *kind != PartKind::ToolUse,
        What::Usage { .. } | What::Status { .. } => false,
        What::Hook { .. }
        | What::Task { .. }
        | What::ApiRetry { .. }
        | What::RateLimit { .. }
        | What::Compaction { .. }
        | What::Notice { .. }
        | What::PermissionRequest { .. }
        | What::PermissionResolved { .. } => weight(what) >= Weight::Plain,
        _ => true,
    }
}

/// Whether it is, or says, that something went wrong.
#[must_use]
pub fn is_bad(what: &What<'_>) -> bool {
    match what {
        What::ToolResult { is_error, .. } => *is_error,
        What::Error { .. } | What::Malformed { .. } => true,
        What::TurnComplete { ok, .. } => !ok,
        What::AgentEnd { status, .. } => matches!(status, AgentStatus::Failed | AgentStatus::Stopped),
        What::Finished { verdict, .. } => *verdict != Verdict::Ok,
        _ => weight(what) == Weight::Bad,
    }
}

fn weight(what: &What<'_>) -> Weight {
    Notice::of(what, &TimeZone::UTC).map_or(Weight::Program, |notice| notice.weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unspool::{Grain, Spool};

    const STREAM: [&str; 4] = [
        r#"{"type":"system","subtype":"init","session_id":"s"}"#,
        r#"{"type":"assistant","message":{"id":"a","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"no"}]}}"#,
        r#"{"type":"result","subtype":"success","result":"","session_id":"s"}"#,
    ];

    fn moments(times: Option<[u64; 4]>) -> Moments {
        let (mut spool, mut moments) = (Spool::new(Grain::Blocks), Moments::default());
        for (rank, line) in STREAM.into_iter().enumerate() {
            times.iter().for_each(|times| spool.set_clock(times[rank]));
            spool.feed(format!("{line}\n").as_bytes(), |event| moments.step(&event));
        }
        spool.finish(|event| moments.step(&event));
        moments
    }

    #[test]
    fn what_is_seen_is_a_moment_and_tokens_are_not() {
        let moments = moments(None);
        let told: Vec<_> = moments.list().iter().map(|it| (it.begins_turn, it.is_bad)).collect();
        // The session, its turn, the call, its answer, the end of the turn, the end.
        let expected =
            [(false, false), (true, false), (false, false), (false, true), (false, false), (false, false)];
        assert_eq!((told, moments.last()), (expected.to_vec(), 6));
        assert_eq!(moments.times(), None);
    }

    #[test]
    fn times_begin_at_zero_and_never_go_back() {
        assert_eq!(moments(Some([500, 600, 900, 900])).times(), Some(vec![0, 0, 100, 400, 400, 400]));
        assert_eq!(moments(Some([500, 600, 550, 700])).times().unwrap()[2..5], [100, 100, 200]);
    }
}
