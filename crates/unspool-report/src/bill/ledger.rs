//! The statement of a session on disk, from the entries that are about costs alone.
//!
//! Files are read in any order, one after the other or line by line in turns; what comes of them is the same.

use super::count::Count;
use super::statement::{
    BilledMessage, ExpensePlace, Heading, Kind, Names, OfModel, Reported, Statement, digest,
};
use memchr::{memchr, memmem, memrchr};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use unspool::event::Tokens;
use unspool::json::Json;
use unspool::transcript::{Expense, Figure, Figures, Merge, Totals};
use unspool::wire::{EntryHead, Mention, Wire};

/// Keeps the figures of a session's files.
#[derive(Default)]
pub struct Ledger {
    figures: Figures,
    /// The session whose main file it is. Entries that were copied from another one may bear that one's id.
    session: Option<u32>,
    sessions: Names,
    models: Names,
    main: Page,
    agents: BTreeMap<PathBuf, Page>,
    /// The folder that Claude Code worked in.
    project: Option<String>,
}

/// What an entry mentions that names the folder that Claude Code worked in.
static FOLDER: Mention = Mention::of(EntryHead::NAMES.cwd);

/// The figures of one file.
#[derive(Default)]
struct Page {
    said: Vec<BilledMessage>,
    known: HashMap<u64, usize>,
    totals: Vec<Sum>,
    /// The first time in it.
    begins: Option<i64>,
    has_copies: bool,
}

/// What the session had cost at some time.
struct Sum {
    session: Option<u32>,
    cost: f64,
    models: Vec<OfModel>,
    /// How many messages of the main file came before.
    before: usize,
}

impl Ledger {
    /// The ledger of the session with this id, if the name of its file tells it.
    #[must_use]
    pub fn new(session: Option<&str>) -> Self {
        let mut ledger = Ledger::default();
        ledger.session = session.map(|session| ledger.sessions.number(session));
        ledger
    }

    /// Takes lines of the main file, or of that of an agent.
    pub fn take(&mut self, agent: Option<&Path>, lines: &[u8]) {
        let Ledger { figures, session, sessions, models, main, agents, project } = self;
        if project.is_none() {
            *project = folder_in(lines);
        }
        let page = match agent {
            None => main,
            Some(path) if agents.contains_key(path) => agents.get_mut(path).unwrap_or(main),
            Some(path) => agents.entry(path.to_owned()).or_default(),
        };
        if page.begins.is_none() {
            page.begins = lines.split(|&byte| byte == b'\n').find_map(Merge::time_of);
        }
        figures.read(lines, |figure| match figure {
            Figure::Message(expense) => {
                let its_own = || expense.session.map(|id| id.decode()).unwrap_or_default();
                let session = session.unwrap_or_else(|| sessions.number(&its_own()));
                page.message(session, models, &expense);
            }
            Figure::Totals(Totals { cost_usd, models: spent, session: its_own, .. }) if agent.is_none() => {
                let session = session.or_else(|| Some(sessions.number(&its_own?.decode())));
                let of_model = |(name, spent): &(String, unspool::event::ModelTokens)| {
                    (models.number(name), Count::of_model(spent), spent.cost_usd)
                };
                let models = spent.iter().map(of_model).collect();
                page.totals.push(Sum { session, cost: cost_usd, models, before: page.said.len() });
            }
            _ => {}
        });
    }

    /// All files are at their ends.
    #[must_use]
    pub fn finish(self) -> Statement {
        let Ledger { session, mut sessions, models, mut main, agents, project, .. } = self;
        let begins = main.begins.or_else(|| agents.values().filter_map(|page| page.begins).min());
        let in_main = main.said.len();
        let mut has_copies = main.has_copies;
        for page in agents.into_values() {
            has_copies |= page.has_copies;
            main.join(page.said);
        }
        let Page { mut said, totals, .. } = main;
        let (main, others) = said.split_at_mut(in_main);
        let mut reported = Vec::new();
        for sum in &totals {
            let last = sum.before.checked_sub(1).and_then(|last| main.get(last));
            let place = last.map(|said| said.place).unwrap_or_else(|| {
                let session = session.or(sum.session).unwrap_or_else(|| sessions.number(""));
                ExpensePlace { session, turn: 0, time: begins }
            });
            let (total, models) = (Some(sum.cost), Some(sum.models.clone()));
            reported.push(Reported { place, id: None, cost: None, total, models });
        }
        include(&totals, main, others);
        let began = said.iter().filter_map(|said| said.place.time).min().or(begins);
        let notes = match has_copies && !reported.is_empty() {
            true => vec![("may_include_resumed".to_owned(), 1)],
            false => Vec::new(),
        };
        let mut agents = Names::default();
        agents.number("main");
        let headings = (0..).take(sessions.len());
        let heading = |session| (session, Heading { title: None, project: project.clone() });
        let headings = headings.map(heading).collect();
        let kind = Kind::Transcript;
        let unknown = Statement::default();
        Statement { kind, sessions, models, agents, said, reported, notes, began, headings, ..unknown }
    }
}

impl Page {
    fn message(&mut self, session: u32, models: &mut Names, expense: &Expense<'_>) {
        self.has_copies |= expense.copied;
        let id = expense.message.map(|id| digest(&id.decode()));
        let said = BilledMessage {
            place: ExpensePlace { session, turn: 0, time: expense.time },
            id,
            model: expense.model.map(|model| models.number(&model.decode())),
            count: Some(
                count(&expense.tokens, expense.cache_creation_1h).with_searches(expense.web_searches),
            ),
            cost: expense.cost_usd,
            is_fast: expense.is_fast,
            early: !expense.is_final,
            // Versions up to 1.0 keep what agents say in the main file.
            is_main: !expense.of_agent,
            ..BilledMessage::default()
        };
        let place = said.place;
        self.join([said]);
        for (at, advice) in expense.advice.iter().enumerate() {
            self.join([BilledMessage {
                place,
                id: id.map(|id| digest(&format!("{id} {at}"))),
                advises: id,
                model: advice.model.map(|model| models.number(&model.decode())),
                count: Some(count(&advice.tokens, advice.cache_creation_1h)),
                // What the message cost includes it.
                cost: expense.cost_usd.map(|_| 0.0),
                ..BilledMessage::default()
            }]);
        }
    }

    /// Several entries, and several files, may tell of one message.
    fn join(&mut self, all: impl IntoIterator<Item = BilledMessage>) {
        for said in all {
            let at = said.id.and_then(|id| self.known.get(&id).copied());
            if let Some(known) = at.and_then(|at| self.said.get_mut(at)) {
                known.join(&said);
                continue;
            }
            if let Some(id) = said.id {
                self.known.insert(id, self.said.len());
            }
            self.said.push(said);
        }
    }
}

fn count(tokens: &Tokens, kept_1h: Option<u64>) -> Count {
    Count::of(tokens).with_hour(kept_1h)
}

/// Totals include what the main agent has said before, and what others had said until it went on.
fn include(totals: &[Sum], main: &mut [BilledMessage], others: &mut [BilledMessage]) {
    let times: Vec<Option<i64>> = main.iter().map(|said| said.place.time).collect();
    let mut waiting: Vec<&mut BilledMessage> = others.iter_mut().collect();
    waiting.sort_by_key(|said| said.place.time.unwrap_or(i64::MAX));
    let (mut waiting, mut unpaid) = (waiting.into_iter().peekable(), main.iter_mut().enumerate().peekable());
    for (report, sum) in totals.iter().enumerate() {
        while let Some((_, said)) = unpaid.next_if(|(at, _)| *at < sum.before) {
            said.paid_by = Some(report);
        }
        let goes_on = times.get(sum.before);
        let until = goes_on.map(|time| time.unwrap_or(i64::MIN));
        let is_in = |said: &&mut BilledMessage| {
            until.is_none_or(|until| said.place.time.is_some_and(|time| time < until))
        };
        while let Some(said) = waiting.next_if(is_in) {
            said.paid_by = Some(report);
        }
    }
}

/// The folder that the first entry with one names; a line that is cut is no entry.
fn folder_in(lines: &[u8]) -> Option<String> {
    memmem::find_iter(lines, FOLDER.as_bytes()).find_map(|at| {
        let (before, behind) = lines.split_at(at);
        let begin = memrchr(b'\n', before).map_or(0, |end| end + 1);
        let end = memchr(b'\n', behind).map_or(lines.len(), |end| at + end);
        let line = str::from_utf8(lines.get(begin..end)?).ok()?;
        Some(EntryHead::of(Json::new(line.trim()).ok()?)?.cwd?.to_string())
    })
}
