//! The line at the bottom while it runs: how long, who does what, how much.

use super::line::Line;
use super::style::{DIM, GOOD, PLAIN};
use super::wrap::cut;
use crate::words::{Call, duration, money, tokens};
use anstyle::Style;
use unspool::event::Tokens;

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// Agents whose activity is told; of others only the number.
const SHOWN: usize = 4;

/// What goes on.
#[derive(Default)]
pub(super) struct Status {
    began: Option<u64>,
    live: Vec<Live>,
    tokens: u64,
    cost_usd: Option<f64>,
}

/// What one agent does.
struct Live {
    agent: String,
    doing: String,
    since: Option<u64>,
    /// Calls without an answer, in words, oldest first.
    calls: Vec<(String, String, Option<u64>)>,
}

impl Status {
    /// The time of an event, by our own clock.
    pub(super) fn see(&mut self, at: Option<u64>) {
        self.began = self.began.or(at);
    }

    /// Somebody does something else.
    pub(super) fn does(&mut self, agent: &str, doing: &str, at: Option<u64>) {
        let live = self.agent(agent);
        if live.doing != doing {
            doing.clone_into(&mut live.doing);
            live.since = at;
        }
    }

    /// A call begins.
    pub(super) fn calls(&mut self, agent: &str, id: &str, call: &Call, at: Option<u64>) {
        self.agent(agent).calls.push((id.to_owned(), told(call), at));
    }

    /// A call that was begun is made otherwise.
    pub(super) fn changes(&mut self, id: &str, call: &Call) {
        let calls = self.live.iter_mut().flat_map(|live| &mut live.calls);
        calls.filter(|(open, ..)| open == id).for_each(|(_, words, _)| *words = told(call));
    }

    /// A call has its answer.
    pub(super) fn answers(&mut self, id: &str) {
        self.live.iter_mut().for_each(|live| live.calls.retain(|(call, ..)| call != id));
    }

    /// An agent has ended.
    pub(super) fn ends(&mut self, agent: &str) {
        self.live.retain(|live| live.agent != agent);
    }

    /// The turn is over: nobody does anything that would have been told.
    pub(super) fn rests(&mut self) {
        self.live.retain(|live| live.agent != "main");
    }

    pub(super) fn uses(&mut self, used: &Tokens) {
        let figures = [used.total_input, used.output].into_iter().flatten();
        self.tokens = figures.fold(self.tokens, u64::saturating_add);
    }

    pub(super) fn costs(&mut self, usd: Option<f64>) {
        self.cost_usd = usd.map(|usd| usd + self.cost_usd.unwrap_or(0.0)).or(self.cost_usd);
    }

    /// Whether an agent does nothing but wait for others, who speak for themselves.
    fn only_waits(&self, live: &Live) -> bool {
        let is_agent = |call: &str| self.live.iter().any(|other| other.agent == call);
        !live.calls.is_empty() && live.calls.iter().all(|(call, ..)| is_agent(call))
    }

    fn agent(&mut self, agent: &str) -> &mut Live {
        let at = self.live.iter().position(|live| live.agent == agent).unwrap_or_else(|| {
            let live =
                Live { agent: agent.to_owned(), doing: "waiting".to_owned(), since: None, calls: Vec::new() };
            self.live.push(live);
            self.live.len() - 1
        });
        &mut self.live[at]
    }

    /// `⠹ 1m 04s  Bash cargo test 12 s · Agent A: thinking · 34k tokens · $0.12`
    pub(super) fn line(
        &self,
        now: u64,
        columns: usize,
        who: impl Fn(&str) -> Option<(String, Style)>,
    ) -> Line {
        let spin = SPINNER[(now / 120) as usize % SPINNER.len()];
        let elapsed = now.saturating_sub(self.began.unwrap_or(now));
        let mut line = Line::of(spin, GOOD).with(&format!(" {} ", seconds(elapsed)), PLAIN);
        let mut end = Line::new();
        if self.tokens > 0 {
            end.push(&format!(" · {} tokens", tokens(self.tokens)), DIM);
        }
        if let Some(usd) = self.cost_usd {
            end.push(&format!(" · {}", money(usd)), DIM);
        }
        let live: Vec<&Live> = self.live.iter().filter(|live| !self.only_waits(live)).collect();
        let shown = live.len().min(SHOWN);
        let room = columns.saturating_sub(line.width() + end.width());
        let each = (room / shown.max(1)).saturating_sub(3);
        for (at, live) in live.iter().take(SHOWN).enumerate() {
            line.push(if at > 0 { " · " } else { " " }, DIM);
            line.append(&live.words(now, who(&live.agent)).cut(each.max(6)));
        }
        if live.len() > SHOWN {
            line.push(&format!(" · {} more", live.len() - SHOWN), DIM);
        }
        let mut line = line.cut(columns.saturating_sub(end.width()));
        line.append(&end);
        line.cut(columns)
    }
}

impl Live {
    fn words(&self, now: u64, who: Option<(String, Style)>) -> Line {
        let mut line = Line::new();
        let style = who.as_ref().map_or(PLAIN, |(_, style)| *style);
        if let Some((name, style)) = &who {
            line.push(&format!("{}: ", cut(name, 20)), *style);
        }
        let (doing, since) = match self.calls.first() {
            Some((_, words, since)) => (words.as_str(), *since),
            None => (self.doing.as_str(), self.since),
        };
        line.push(doing, style);
        if self.calls.len() > 1 {
            line.push(&format!(" +{}", self.calls.len() - 1), DIM);
        }
        if let Some(waited) = since.map(|since| now.saturating_sub(since)).filter(|ms| *ms >= 1000) {
            line.push(&format!(" {}", seconds(waited)), DIM);
        }
        line
    }
}

/// What a call does, in a few words.
fn told(call: &Call) -> String {
    let words = [call.tool.as_str(), &call.subject].join(" ");
    cut(words.trim_end(), 60).into_owned()
}

/// Whole seconds: tenths would only flicker.
fn seconds(ms: u64) -> String {
    if ms < 60_000 { format!("{} s", ms / 1000) } else { duration(ms) }
}
