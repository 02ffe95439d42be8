//! Sums of entries, grouped as was asked.

use super::blocks::{Block, Blocks};
use super::book::{Book, Entry};
use super::calendar::Calendar;
use super::count::Count;
use super::statement::ExpensePlace;
use crate::words::clean_line;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::collections::BTreeMap;

/// What to group by.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum By {
    /// The turns of a session.
    Turn,
    /// The main agent and its sub-agents.
    Agent,
    /// The models.
    Model,
    /// The tools that were called.
    Tool,
    /// The sessions.
    Session,
    /// The days, in local time.
    Day,
    /// The weeks, which begin on Mondays.
    Week,
    /// The months.
    Month,
    /// The folders that Claude Code worked in.
    Project,
    /// The five hours for which a subscription has a limit.
    Block,
}

impl By {
    /// Whether only events tell it.
    #[must_use]
    pub fn needs_events(self) -> bool {
        matches!(self, By::Turn | By::Agent | By::Tool)
    }

    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            By::Turn => "turn",
            By::Agent => "agent",
            By::Model => "model",
            By::Tool => "tool",
            By::Session => "session",
            By::Day => "day",
            By::Week => "week",
            By::Month => "month",
            By::Project => "project",
            By::Block => "block",
        }
    }
}

/// How entries are looked at.
#[non_exhaustive]
pub struct Span {
    /// The time zone of days.
    pub zone: TimeZone,
    /// In milliseconds since 1970; entries before, and from `until` on, do not count.
    pub since: Option<i64>,
    /// And before that.
    pub until: Option<i64>,
    /// What time it is, in milliseconds since 1970.
    pub now: i64,
}

impl Span {
    /// All times, in the days of a zone.
    #[must_use]
    pub fn all(zone: TimeZone) -> Self {
        Span { zone, since: None, until: None, now: Timestamp::now().as_millisecond() }
    }

    fn has(&self, place: &ExpensePlace) -> bool {
        let has = |time| {
            self.since.is_none_or(|since| time >= since) && self.until.is_none_or(|until| time < until)
        };
        self.is_open() || place.time.is_some_and(has)
    }

    fn is_open(&self) -> bool {
        self.since.is_none() && self.until.is_none()
    }
}

/// All that was spent, in groups.
#[derive(Debug)]
pub struct Groups {
    pub(crate) by: Vec<By>,
    /// Whether the figures are those of messages, not those of reports.
    pub of_messages: bool,
    /// The whole.
    pub all: Node,
    /// Entries that were left out because nothing says when they were.
    pub undated: u64,
    /// How many entries are in these groups.
    pub(super) entries: u64,
    /// Whether only a part of all times is looked at.
    pub(super) is_part: bool,
    pub(crate) now: i64,
}

/// A group.
#[derive(Debug)]
pub struct Node {
    pub key: Option<Key>,
    /// Its name for people; cannot steer a terminal.
    pub name: String,
    pub sum: Sum,
    pub groups: Vec<Node>,
}

/// What makes a group. Numbers are those of the book.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Key {
    Turn(u32, u64),
    Agent(Option<u32>),
    Model(Option<u32>),
    Tool(Option<u32>),
    Session(u32),
    Day(Option<Date>),
    Week(Option<Date>),
    Month(Option<Date>),
    Project(Option<u32>),
    Block(Option<Block>),
}

/// Figures of a group.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    pub count: Count,
    pub messages: u64,
    pub cost: Option<f64>,
    pub computed: Option<f64>,
    /// Tokens whose money nobody knows.
    pub lacks_money: bool,
    pub calls: u64,
    pub failed: u64,
    pub bytes: u64,
}

impl Sum {
    fn add(&mut self, entry: &Entry) {
        self.count.add(&entry.count);
        self.messages += entry.messages;
        add_money(&mut self.cost, entry.cost);
        add_money(&mut self.computed, entry.computed);
        self.lacks_money |= entry.lacks_money();
    }

    /// All input and output.
    pub fn tokens(&self) -> u64 {
        self.count.total_input().saturating_add(self.count.output)
    }

    /// What it cost as far as is known, computed or not.
    pub fn money(&self) -> Option<f64> {
        let mut money = self.cost;
        add_money(&mut money, self.computed);
        money
    }
}

fn add_money(sum: &mut Option<f64>, more: Option<f64>) {
    if let Some(more) = more {
        *sum = Some(sum.unwrap_or(0.0) + more);
    }
}

impl Groups {
    /// Groups what is in the book.
    #[must_use]
    pub fn of(book: &Book, by: &[By], span: &Span) -> Self {
        let of_messages = by.contains(&By::Agent) || by.contains(&By::Tool);
        let all = if of_messages { &book.said } else { &book.spent };
        let times = || all.iter().filter_map(|entry| entry.place.time).collect();
        let blocks = if by.contains(&By::Block) { Blocks::of(times()) } else { Blocks::default() };
        let calendar = Calendar::new(span.zone.clone());
        let mut sorter = Sorter { book, calendar, blocks, now: span.now };
        let mut root = Branch::default();
        let (mut undated, mut entries) = (0, 0);
        for entry in all {
            if span.has(&entry.place) {
                entries += 1;
                root.visit(entry, by, None, &mut sorter, &mut |sum| sum.add(entry));
            } else {
                undated += u64::from(entry.place.time.is_none() && !entry.count.is_zero());
            }
        }
        let calls = book.calls.iter().filter(|_| by.contains(&By::Tool));
        for call in calls {
            let Some(entry) = book.said.get(call.said).filter(|entry| span.has(&entry.place)) else {
                continue;
            };
            root.visit(entry, by, Some(call.tool), &mut sorter, &mut |sum| {
                sum.calls += 1;
                sum.failed += u64::from(call.failed);
                sum.bytes += call.bytes;
            });
        }
        let all = root.node(&sorter, None, by);
        Groups {
            by: by.to_vec(),
            of_messages,
            all,
            undated,
            entries,
            is_part: !span.is_open(),
            now: span.now,
        }
    }
}

impl Groups {
    /// Whether nothing was spent in the time that was asked for, whatever was before and after.
    pub(super) fn has_none_of_it(&self) -> bool {
        self.is_part && self.entries == 0
    }
}

/// What is needed to know to which group something belongs.
struct Sorter<'b> {
    book: &'b Book,
    calendar: Calendar,
    blocks: Blocks,
    now: i64,
}

/// A group that grows.
#[derive(Default)]
struct Branch {
    sum: Sum,
    groups: BTreeMap<Key, Branch>,
}

impl Branch {
    /// Shows an entry to the group and to those inside it that it belongs to: several where it has called several
    /// tools, unless only one of them is meant.
    fn visit(
        &mut self,
        entry: &Entry,
        by: &[By],
        tool: Option<u32>,
        sorter: &mut Sorter<'_>,
        add: &mut impl FnMut(&mut Sum),
    ) {
        add(&mut self.sum);
        let Some((first, rest)) = by.split_first() else { return };
        for key in sorter.keys(entry, *first, tool) {
            self.groups.entry(key).or_default().visit(entry, rest, tool, sorter, add);
        }
    }

    fn node(self, sorter: &Sorter<'_>, key: Option<Key>, by: &[By]) -> Node {
        let book = sorter.book;
        let inside = self.groups.into_iter();
        let mut groups: Vec<Node> = inside.map(|(key, branch)| branch.node(sorter, Some(key), by)).collect();
        if matches!(groups.first(), Some(Node { key: Some(Key::Model(_) | Key::Tool(_)), .. })) {
            groups.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
        }
        let one_session = by.contains(&By::Session) || book.sessions.len() == 1;
        let name = key.map_or_else(|| "total".to_owned(), |key| clean_line(&sorter.name(key, one_session)));
        Node { key, name, sum: self.sum, groups }
    }
}

/// What the groups that matter most have most of: calls, of tools; else money, where it is known, before tokens.
fn weight(node: &Node) -> f64 {
    let sum = &node.sum;
    let tokens = sum.tokens() as f64;
    match node.key {
        Some(Key::Tool(None)) => -1.0,
        Some(Key::Tool(_)) => sum.calls as f64,
        _ => sum.money().unwrap_or(0.0) * 1e18 + tokens,
    }
}

impl Sorter<'_> {
    fn keys(&mut self, entry: &Entry, by: By, tool: Option<u32>) -> Vec<Key> {
        let Sorter { book, calendar, blocks, .. } = self;
        let place = &entry.place;
        match by {
            By::Turn => vec![Key::Turn(place.session, place.turn)],
            By::Agent => vec![Key::Agent(entry.agent)],
            By::Model => vec![Key::Model(entry.model)],
            By::Session => vec![Key::Session(place.session)],
            By::Day => vec![Key::Day(place.time.and_then(|time| calendar.day(time)))],
            By::Week => vec![Key::Week(place.time.and_then(|time| calendar.week(time)))],
            By::Month => vec![Key::Month(place.time.and_then(|time| calendar.month(time)))],
            By::Project => vec![Key::Project(book.project_of(place.session))],
            By::Block => vec![Key::Block(place.time.and_then(|time| blocks.at(time)))],
            By::Tool if tool.is_some() => vec![Key::Tool(tool)],
            By::Tool if entry.tools.is_empty() => vec![Key::Tool(None)],
            By::Tool => entry.tools.iter().map(|tool| Key::Tool(Some(*tool))).collect(),
        }
    }

    fn name(&self, key: Key, one_session: bool) -> String {
        let book = self.book;
        let session = |number: u32| match book.sessions.name(number) {
            "" => "no session id",
            id => id,
        };
        match key {
            Key::Turn(of, turn) => {
                let turn = if turn == 0 { "between turns".to_owned() } else { format!("turn {turn}") };
                let session = session(of).split('-').next().unwrap_or_default();
                if one_session { turn } else { format!("{session} {turn}") }
            }
            Key::Agent(None) => "no agent".to_owned(),
            Key::Agent(Some(agent)) => {
                book.agent_labels.get(&agent).cloned().unwrap_or_else(|| book.agents.name(agent).to_owned())
            }
            Key::Model(None) => "not by model".to_owned(),
            Key::Model(Some(model)) => book.models.name(model).to_owned(),
            Key::Tool(None) => "no call".to_owned(),
            Key::Tool(Some(tool)) => book.tools.name(tool).to_owned(),
            Key::Session(of) => self.session_name(of, session(of)),
            Key::Day(None) => "no day".to_owned(),
            Key::Day(Some(day)) => day.to_string(),
            Key::Week(None) => "no week".to_owned(),
            Key::Week(Some(monday)) => format!("week of {monday}"),
            Key::Month(None) => "no month".to_owned(),
            Key::Month(Some(first)) => first.strftime("%Y-%m").to_string(),
            Key::Project(None) => "no project".to_owned(),
            Key::Project(Some(project)) => ends(book.projects.name(project), 3),
            Key::Block(None) => "no block".to_owned(),
            Key::Block(Some(block)) => {
                let clock = |time, form| self.calendar.clock(time, form);
                let active = if block.is_active(self.now) { " (active)" } else { "" };
                format!(
                    "{} – {}{active}",
                    clock(block.begins, "%Y-%m-%d %H:%M"),
                    clock(block.ends(), "%H:%M")
                )
            }
        }
    }

    /// The beginning of its id, by which it can be named, its folder, and what it is about.
    fn session_name(&self, of: u32, id: &str) -> String {
        let heading = self.book.headings.get(&of).cloned().unwrap_or_default();
        let project = heading.project.map(|project| ends(&project, 1));
        let about: Vec<String> = project.into_iter().chain(heading.title).collect();
        match about.is_empty() {
            true => id.to_owned(),
            false => format!("{} {}", id.split('-').next().unwrap_or_default(), about.join(" · ")),
        }
    }
}

/// The last folders of a path.
fn ends(path: &str, folders: usize) -> String {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    if parts.len() <= folders {
        return path.to_owned();
    }
    parts.iter().skip(parts.len() - folders).copied().collect::<Vec<_>>().join("/")
}
