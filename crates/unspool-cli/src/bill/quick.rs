//! The statement of a transcript, from the entries that are about costs alone.
//!
//! It says the same as the events do, but for turns, agents and tools, of which it knows nothing.

use super::count::Count;
use super::statement::{Day, Place, Reported, Said, Statement, digest};
use crate::source::OnDisk;
use anyhow::Context;
use jiff::tz::TimeZone;
use memchr::memrchr;
use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use unspool::tally::Models;
use unspool::transcript::{Expense, Figure, Figures};

/// Bytes that are read at once; small enough to stay in the cache until they are looked at.
const PIECE: usize = 256 << 10;

/// Reads the files of a session.
pub(crate) fn statement(session: OnDisk, zone: TimeZone) -> anyhow::Result<Statement> {
    let mut quick = Quick::new(session.session.as_deref(), zone);
    let mut buffer = session.head;
    let filled = buffer.len();
    read(session.rest, &mut buffer, filled, |lines| quick.take(lines))?;
    quick.is_main = false;
    quick.in_main = quick.statement.said.len();
    for file in &session.agents {
        let open = || File::open(file).map(|file| Box::new(file) as Box<dyn Read>);
        open()
            .and_then(|source| read(source, &mut buffer, 0, |lines| quick.take(lines)))
            .with_context(|| format!("cannot read {}", file.display()))?;
    }
    Ok(quick.finish())
}

/// Hands on the lines of a file, many at a time. So many bytes of it are in the buffer already.
fn read(
    mut source: Box<dyn Read>,
    buffer: &mut Vec<u8>,
    mut filled: usize,
    mut take: impl FnMut(&[u8]),
) -> std::io::Result<()> {
    let mut kept = 0;
    loop {
        if let Some(end) = memrchr(b'\n', &buffer[kept..filled]).map(|end| kept + end + 1) {
            take(&buffer[..end]);
            buffer.copy_within(end..filled, 0);
            filled -= end;
        }
        kept = filled;
        if buffer.len() < kept + PIECE {
            buffer.resize(kept + PIECE, 0);
        }
        let read = loop {
            match source.read(&mut buffer[kept..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        if read == 0 {
            take(&buffer[..kept]);
            return Ok(());
        }
        filled = kept + read;
    }
}

struct Quick {
    figures: Figures,
    session: Option<u32>,
    is_main: bool,
    /// Messages of the main file.
    in_main: usize,
    day: Day,
    statement: Statement,
    /// Of each message, when it was.
    times: Vec<Option<i64>>,
    known: HashMap<u64, usize>,
    totals: Vec<Totals>,
    has_copies: bool,
}

/// What the session had cost at some time.
struct Totals {
    cost: f64,
    models: Models,
    /// How many messages of the main file came before.
    main: usize,
}

impl Quick {
    fn new(session: Option<&str>, zone: TimeZone) -> Self {
        let mut statement = Statement::default();
        statement.agents.number("main");
        Quick {
            figures: Figures::default(),
            session: session.map(|session| statement.sessions.number(session)),
            is_main: true,
            in_main: 0,
            day: Day::new(zone),
            statement,
            times: Vec::new(),
            known: HashMap::new(),
            totals: Vec::new(),
            has_copies: false,
        }
    }

    fn take(&mut self, lines: &[u8]) {
        let mut figures = std::mem::take(&mut self.figures);
        figures.read(lines, |figure| match figure {
            Figure::Message(expense) => self.message(&expense),
            Figure::Totals(cost, models) if self.is_main => {
                self.totals.push(Totals { cost, models, main: self.statement.said.len() });
            }
            _ => {}
        });
        self.figures = figures;
    }

    fn message(&mut self, expense: &Expense<'_>) {
        self.has_copies |= expense.copied;
        let id = expense.message.map(|id| digest(&id.decode()));
        let model = expense.model.map(|model| self.statement.models.number(&model.decode()));
        let count = Count::of(&expense.tokens).with_hour(expense.cache_creation_1h);
        let day = expense.time.and_then(|time| self.day.of(time));
        self.statement.began = self.statement.began.into_iter().chain(expense.time).min();
        let statement = &mut self.statement;
        if let Some(&at) = id.and_then(|id| self.known.get(&id)) {
            let said = &mut statement.said[at];
            said.count.get_or_insert_default().raise(&count);
            said.model = model.or(said.model);
            said.place.day = day.or(said.place.day);
            said.early &= !expense.is_final;
            self.times[at] = expense.time.or(self.times[at]);
            return;
        }
        let session = self.session.unwrap_or_else(|| {
            statement.sessions.number(&expense.session.map(|session| session.decode()).unwrap_or_default())
        });
        statement.said.push(Said {
            place: Place { session, turn: 0, day },
            id,
            agent: 0,
            model,
            count: Some(count),
            cost: expense.cost_usd,
            early: !expense.is_final,
            tools: Vec::new(),
            covered: false,
            paid_by: None,
        });
        self.times.push(expense.time);
        if let Some(id) = id {
            self.known.insert(id, statement.said.len() - 1);
        }
    }

    /// Totals include what agents have said before the main one went on.
    fn finish(mut self) -> Statement {
        let totals = std::mem::take(&mut self.totals);
        let (mut paid, mut unpaid) = (0.0_f64, 0);
        let mut counted: HashMap<u32, (Count, f64)> = HashMap::new();
        for Totals { cost: total, models, main } in totals {
            let until = self.times[..self.in_main].get(main).copied().flatten();
            let report = self.statement.reported.len();
            let mut place = None;
            for (at, said) in self.statement.said.iter_mut().enumerate().skip(unpaid) {
                let before =
                    at < main || until.is_none_or(|until| self.times[at].is_some_and(|time| time < until));
                if said.paid_by.is_some() || !before {
                    continue;
                }
                said.paid_by = Some(report);
                if let Some(model) = said.model {
                    counted.entry(model).or_default().0.add(&said.count.unwrap_or_default());
                }
                if at < main {
                    place = Some(said.place);
                }
            }
            unpaid = main.max(unpaid);
            let Some(place) = place.or(self.statement.reported.last().map(|last| last.place)) else {
                continue;
            };
            let names = &mut self.statement.models;
            let models = models.into_iter().map(|(name, spent)| {
                let model = names.number(&name);
                let (had, cost_had) = counted.entry(model).or_default();
                let beyond = Count::of_model(&spent).minus(had);
                had.add(&beyond);
                let cost = spent.cost_usd.map(|cost| (cost - *cost_had).max(0.0));
                *cost_had += cost.unwrap_or(0.0);
                (model, beyond, cost)
            });
            let models = Some(models.collect());
            let cost = Some((total - paid).max(0.0));
            paid = paid.max(total);
            let (total, tokens_are_new) = (Some(total), true);
            self.statement.reported.push(Reported { place, id: None, cost, total, models, tokens_are_new });
        }
        if self.has_copies && !self.statement.reported.is_empty() {
            self.statement.notes.push(("may_include_resumed".to_owned(), 1));
        }
        self.statement
    }
}
