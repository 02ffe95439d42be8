//! What one file says about its costs, before it is compared with others.

use super::count::Count;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The figures of one file, in the order they came.
#[derive(Debug, Default)]
pub(crate) struct Statement {
    pub(crate) sessions: Names,
    pub(crate) models: Names,
    pub(crate) tools: Names,
    pub(crate) agents: Names,
    /// Of each agent, what it is.
    pub(crate) briefs: HashMap<u32, Brief>,
    /// What messages said of themselves.
    pub(crate) said: Vec<Said>,
    /// What Claude Code reported at the end of turns.
    pub(crate) reported: Vec<Reported>,
    pub(crate) calls: Vec<Called>,
    /// Notes of turns, by reason, and how many turns have them.
    pub(crate) notes: Vec<(String, u64)>,
    /// The first time that is known, in milliseconds.
    pub(crate) began: Option<i64>,
}

/// What an agent is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Brief {
    pub(crate) kind: Option<String>,
    pub(crate) description: Option<String>,
}

/// Where an expense belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) session: u32,
    /// Its number, from 1; 0 between turns.
    pub(crate) turn: u64,
    pub(crate) day: Option<Date>,
}

/// A message of a model.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) place: Place,
    pub(crate) id: Option<u64>,
    pub(crate) agent: u32,
    pub(crate) model: Option<u32>,
    /// None until the message has told its tokens.
    pub(crate) count: Option<Count>,
    /// Its money, where it tells it.
    pub(crate) cost: Option<f64>,
    /// The output may grow yet.
    pub(crate) early: bool,
    /// Tools it has called, each once.
    pub(crate) tools: Vec<u32>,
    /// A report of Claude Code includes its tokens.
    pub(crate) covered: bool,
    /// The report that includes its money, among those of the statement.
    pub(crate) paid_by: Option<usize>,
}

/// What was spent since the last report.
#[derive(Debug)]
pub(crate) struct Reported {
    pub(crate) place: Place,
    pub(crate) id: Option<u64>,
    pub(crate) cost: Option<f64>,
    /// Of the session so far.
    pub(crate) total: Option<f64>,
    pub(crate) models: Option<Vec<(u32, Count, Option<f64>)>>,
    /// Its tokens have nothing of older messages, though its money may: it stands in a transcript, where tokens are
    /// told with each turn, and money when Claude Code ends.
    pub(crate) tokens_are_new: bool,
}

/// A call of a tool.
#[derive(Debug)]
pub(crate) struct Called {
    /// The message that made it.
    pub(crate) said: usize,
    pub(crate) tool: u32,
    pub(crate) failed: bool,
    /// Bytes of text that the model was given for it.
    pub(crate) bytes: u64,
}

/// The days of a time zone.
pub(crate) struct Day {
    zone: TimeZone,
    /// The last quarter of an hour that was asked for, and its day: no day begins inside one.
    last: Option<(i64, Date)>,
}

const QUARTER: i64 = 15 * 60 * 1000;

impl Day {
    pub(crate) fn new(zone: TimeZone) -> Self {
        Day { zone, last: None }
    }

    /// The day of a time in milliseconds since 1970.
    pub(crate) fn of(&mut self, time: i64) -> Option<Date> {
        let quarter = time.div_euclid(QUARTER);
        if let Some((_, day)) = self.last.filter(|(last, _)| *last == quarter) {
            return Some(day);
        }
        let day = self.zone.to_datetime(Timestamp::from_millisecond(time).ok()?).date();
        self.last = Some((quarter, day));
        Some(day)
    }
}

/// Names, each once, known by number.
#[derive(Debug, Default)]
pub(crate) struct Names {
    list: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    pub(crate) fn name(&self, number: u32) -> &str {
        self.list.get(number as usize).map_or("?", String::as_str)
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}

/// An id as a number: only whether two are equal matters.
pub(crate) fn digest(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
