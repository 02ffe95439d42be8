//! Events as lines for people: what is finished, line by line, and what is going on right now.
//!
//! Events go in, styled lines come out; nothing here touches a terminal. What is finished is never
//! changed again. Text of the stream passes through [`wrap::tidy`] before it becomes part of a line, so that it cannot
//! steer a terminal.

mod call;
mod checklist;
mod code;
mod diff;
mod floor;
mod line;
#[cfg(test)]
mod linear;
mod markdown;
mod notice;
mod question;
mod show;
mod status;
pub mod style;
mod summary;
#[cfg(test)]
mod tests;
mod tree;
mod voice;
mod work;
pub mod wrap;

pub use call::ToolsArg;
pub use code::Painter;
pub use diff::{facts as diff_facts, rows as diff_rows};
pub use line::Line;
pub use style::ColorChoice;
pub use tree::AgentsArg;
pub use voice::ThinkingArg;

use crate::totals::Totals;
use crate::words::CallWords;
use checklist::Checklist;
use jiff::tz::TimeZone;
use question::Question;
use status::Status;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use tree::Tree;
use unspool::event::{Agent, Event, Raw};
use voice::Voice;

/// What is shown, and how.
#[derive(Clone)]
#[non_exhaustive]
pub struct Settings {
    /// What the model thinks.
    pub thinking: ThinkingArg,
    /// Sub-agents.
    pub agents: AgentsArg,
    /// Calls of tools.
    pub tools: ToolsArg,
    /// Only the answer.
    pub quiet: bool,
    /// And that as it came: nobody but a program reads it.
    pub verbatim: bool,
    /// How wide a line may be.
    pub columns: usize,
    /// Whether there are colours.
    pub colors: bool,
    /// For times of day.
    pub zone: TimeZone,
    /// Whether calls may be is asked of whoever shows this, and not of somebody else.
    pub answers: bool,
}

impl Settings {
    /// All of it, without colours, in lines of this width, with times of UTC.
    #[must_use]
    pub fn new(columns: usize) -> Self {
        Settings {
            thinking: ThinkingArg::Show,
            agents: AgentsArg::Tree,
            tools: ToolsArg::Full,
            quiet: false,
            verbatim: false,
            columns,
            colors: false,
            zone: TimeZone::UTC,
            answers: false,
        }
    }
}

/// No narrower: there would be no room for anything.
pub const NARROWEST: usize = 20;

/// Turns events into lines. What it remembers is bounded by what is open: agents, calls, parts that grow.
pub struct View {
    settings: Settings,
    /// Finished lines that were not taken.
    lines: Vec<Line>,
    tree: Tree,
    totals: Totals,
    status: Status,
    checklist: Checklist,
    /// Parts that grow, by agent.
    voices: BTreeMap<String, Voice>,
    /// Whose part grows in sight; the others wait until it ends, or show theirs when it is whole.
    floor: Option<String>,
    /// Calls without an answer.
    calls: HashMap<String, OpenCall>,
    /// Questions without an answer.
    asked: HashMap<String, Question>,
    /// Why calls were not allowed, until they have their answer.
    reasons: HashMap<String, String>,
    /// Calls of which it is known before they are told that they were not allowed.
    denied: HashSet<String>,
    last: Last,
    /// The last words of the main agent in this turn.
    said: String,
    /// Words that Claude Code has put in the place of a model's, which may be an error that is told next.
    held: String,
    /// The error that was shown last.
    failure: Option<String>,
    /// Fingerprints of the last texts of the main agent.
    shown_texts: VecDeque<u64>,
    /// What the last prompt was, so that it is not shown twice.
    prompt: Option<String>,
    /// A structured answer of this turn was shown.
    has_value: bool,
    /// Lines one after the other that were no JSON objects.
    broken: u64,
    /// The time, for the status line; it has a meaning only while something is going on.
    now: Option<u64>,
    is_over: bool,
}

/// A call without an answer.
struct OpenCall {
    call: CallWords,
    tool: String,
    /// Kept for tools whose outcome shows it.
    input: Option<Raw<'static>>,
}

/// What was shown last.
#[derive(Default)]
struct Last {
    kind: Option<Shown>,
    agent: String,
    /// The call, if it was one.
    call: Option<String>,
}

/// Kinds of things that are shown; they decide where a blank line stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Shown {
    /// Words, thoughts, prompts: a blank line before and behind.
    Words,
    /// A line among others.
    Short,
    /// A call, or the outcome of one, that is no single line: a blank line behind, if something else follows.
    Long,
}

impl View {
    /// Shows what these settings want.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        View {
            tree: Tree::new(settings.agents),
            settings,
            lines: Vec::new(),
            totals: Totals::default(),
            status: Status::new(),
            checklist: Checklist::default(),
            voices: BTreeMap::new(),
            floor: None,
            calls: HashMap::new(),
            asked: HashMap::new(),
            reasons: HashMap::new(),
            denied: HashSet::new(),
            last: Last::default(),
            said: String::new(),
            held: String::new(),
            failure: None,
            shown_texts: VecDeque::new(),
            prompt: None,
            has_value: false,
            broken: 0,
            now: None,
            is_over: false,
        }
    }

    /// Takes an event.
    pub fn step(&mut self, event: &Event<'_>) {
        self.totals.step(event);
        self.status.see(self.now);
        self.status.counts(event);
        if self.settings.quiet {
            return self.step_quietly(event);
        }
        if let Some(now) = self.now {
            self.status.step(event, now);
        }
        let hidden = self.settings.agents == AgentsArg::Hide && event.agent != Agent::Main;
        if !self.broken(&event.what) {
            self.show(event, hidden);
        }
    }

    /// It is now so many milliseconds since it all began.
    pub fn set_now(&mut self, now: u64) {
        self.now = Some(now);
    }

    /// These calls were not allowed, as whoever has looked ahead knows.
    pub fn set_denied(&mut self, calls: HashSet<String>) {
        self.denied = calls;
    }

    /// The lines that were finished since the last time.
    pub fn take(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines)
    }

    /// Whether there are any.
    #[must_use]
    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// From now on lines are so wide.
    pub fn set_columns(&mut self, columns: usize) {
        self.settings.columns = columns.max(NARROWEST);
    }

    /// What the events came to.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// What is going on right now, in at most so many rows: the text that grows, and the status line.
    #[must_use]
    pub fn live(&self, rows: usize, now: u64) -> Vec<Line> {
        if self.is_over || rows == 0 {
            return Vec::new();
        }
        let columns = self.settings.columns.saturating_sub(1);
        let who = |agent: &str| self.tree.get(agent).map(|branch| (branch.name.clone(), branch.style));
        let status = self.status.line(now, columns, who);
        let mut lines = if self.settings.quiet { Vec::new() } else { self.growing() };
        if rows >= 4 && (!lines.is_empty() || self.last.kind.is_some()) {
            lines.push(Line::new());
        }
        lines.push(status);
        let surplus = lines.len().saturating_sub(rows);
        lines.drain(..surplus);
        lines.into_iter().map(|line| line.cut(columns)).collect()
    }
}
