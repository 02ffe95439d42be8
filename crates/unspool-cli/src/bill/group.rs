//! Sums of entries, grouped as was asked.

use super::book::{Book, Entry};
use super::count::Count;
use crate::words::clean_line;
use jiff::civil::Date;
use std::collections::BTreeMap;

/// What to group by.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::ValueEnum)]
pub(crate) enum By {
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
}

/// All that was spent, in groups.
#[derive(Debug)]
pub(crate) struct Groups {
    pub(crate) by: Vec<By>,
    /// Whether the figures are those of messages, not those of reports.
    pub(crate) of_messages: bool,
    /// The whole.
    pub(crate) all: Node,
}

/// A group.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) key: Option<Key>,
    /// Its name for people; cannot steer a terminal.
    pub(crate) name: String,
    pub(crate) sum: Sum,
    pub(crate) groups: Vec<Node>,
}

/// What makes a group. Numbers are those of the book.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Key {
    Turn(u32, u64),
    Agent(Option<u32>),
    Model(Option<u32>),
    Tool(Option<u32>),
    Session(u32),
    Day(Option<Date>),
}

/// Figures of a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) count: Count,
    pub(crate) messages: u64,
    pub(crate) cost: Option<f64>,
    pub(crate) computed: Option<f64>,
    /// Tokens whose money nobody knows.
    pub(crate) lacks_money: bool,
    pub(crate) calls: u64,
    pub(crate) failed: u64,
    pub(crate) bytes: u64,
}

impl Sum {
    fn add(&mut self, entry: &Entry) {
        self.count.add(&entry.count);
        self.messages += entry.messages;
        add_money(&mut self.cost, entry.cost);
        add_money(&mut self.computed, entry.computed);
        self.lacks_money |= entry.lacks_money();
    }

    /// What it cost as far as is known, computed or not.
    pub(crate) fn money(&self) -> Option<f64> {
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
    pub(crate) fn of(book: &Book, by: &[By]) -> Self {
        let of_messages = by.contains(&By::Agent) || by.contains(&By::Tool);
        let mut root = Branch::default();
        for entry in if of_messages { &book.said } else { &book.spent } {
            root.visit(entry, by, None, &mut |sum| sum.add(entry));
        }
        if by.contains(&By::Tool) {
            for call in &book.calls {
                root.visit(&book.said[call.said], by, Some(call.tool), &mut |sum| {
                    sum.calls += 1;
                    sum.failed += u64::from(call.failed);
                    sum.bytes += call.bytes;
                });
            }
        }
        let all = root.node(book, None, by);
        Groups { by: by.to_vec(), of_messages, all }
    }
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
    fn visit(&mut self, entry: &Entry, by: &[By], tool: Option<u32>, add: &mut impl FnMut(&mut Sum)) {
        add(&mut self.sum);
        let Some((first, rest)) = by.split_first() else { return };
        for key in keys(entry, *first, tool) {
            self.groups.entry(key).or_default().visit(entry, rest, tool, add);
        }
    }

    fn node(self, book: &Book, key: Option<Key>, by: &[By]) -> Node {
        let inside = self.groups.into_iter();
        let mut groups: Vec<Node> = inside.map(|(key, branch)| branch.node(book, Some(key), by)).collect();
        if matches!(groups.first(), Some(Node { key: Some(Key::Model(_) | Key::Tool(_)), .. })) {
            groups.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
        }
        let one_session = by.contains(&By::Session) || book.sessions.len() == 1;
        let name = key.map_or_else(|| "total".to_owned(), |key| clean_line(&name(book, key, one_session)));
        Node { key, name, sum: self.sum, groups }
    }
}

/// What the groups that matter most have most of: calls, of tools; else money, where it is known, before tokens.
fn weight(node: &Node) -> f64 {
    let sum = &node.sum;
    let tokens = sum.count.total_input().saturating_add(sum.count.output) as f64;
    match node.key {
        Some(Key::Tool(None)) => -1.0,
        Some(Key::Tool(_)) => sum.calls as f64,
        _ => sum.money().unwrap_or(0.0) * 1e18 + tokens,
    }
}

fn keys(entry: &Entry, by: By, tool: Option<u32>) -> Vec<Key> {
    let place = &entry.place;
    match by {
        By::Turn => vec![Key::Turn(place.session, place.turn)],
        By::Agent => vec![Key::Agent(entry.agent)],
        By::Model => vec![Key::Model(entry.model)],
        By::Session => vec![Key::Session(place.session)],
        By::Day => vec![Key::Day(place.day)],
        By::Tool if tool.is_some() => vec![Key::Tool(tool)],
        By::Tool if entry.tools.is_empty() => vec![Key::Tool(None)],
        By::Tool => entry.tools.iter().map(|tool| Key::Tool(Some(*tool))).collect(),
    }
}

fn name(book: &Book, key: Key, one_session: bool) -> String {
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
        Key::Session(of) => session(of).to_owned(),
        Key::Day(None) => "no day".to_owned(),
        Key::Day(Some(day)) => day.to_string(),
    }
}
