//! The messages and calls of all files, each once.

use super::book::{BilledCall, Book};
use super::statement::{BilledMessage, Called, ExpensePlace, Kind, Names, OfModel, Reported, Statement};
use std::collections::{BTreeSet, HashMap};

/// Messages as they are taken.
#[derive(Default)]
pub(super) struct Messages {
    list: Vec<Message>,
    known: HashMap<u64, usize>,
    known_silent: HashMap<u64, usize>,
    calls: Vec<Called>,
    known_calls: HashMap<u64, usize>,
}

/// A message, as all files together tell it. Numbers are those of the book.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) said: BilledMessage,
    /// The report of a stream that includes it: its tokens, its money, or both.
    pub(super) report: Option<ReportId>,
    /// Whether its tokens are in that report.
    pub(super) covered: bool,
    /// Where its money is, if it is in a report.
    pub(super) paid: Option<Paid>,
    pub(super) is_repeated: bool,
}

/// A file, and which of its reports it is.
pub(super) type ReportId = (usize, usize);

/// Where the money of a message is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Paid {
    /// In a report of what was added.
    ByReport,
    /// In totals, which include its tokens too.
    ByTotals,
}

/// What one file says beside its messages. Numbers are those of the book.
#[derive(Debug)]
pub(super) struct File {
    pub(super) kind: Kind,
    pub(super) reported: Vec<Reported>,
    pub(super) mentions: Vec<Mention>,
}

/// A message in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention {
    pub(super) message: usize,
    pub(super) session: u32,
    pub(super) is_main: bool,
    /// No file before has it.
    pub(super) is_first: bool,
    /// The reports of the file that include its tokens, and its money.
    pub(super) covered_by: Option<usize>,
    pub(super) paid_by: Option<usize>,
}

impl Messages {
    /// Takes the next file.
    pub(super) fn take(&mut self, book: &mut Book, statement: Statement) -> File {
        let file = book.files;
        book.files += 1;
        let numbers = Numbers::of(book, &statement);
        for (reason, turns) in &statement.notes {
            *book.facts.notes.entry(reason.clone()).or_default() += turns;
        }
        let Statement { kind, said, silent, reported, calls, headings, .. } = statement;
        for (session, heading) in headings {
            let session = Numbers::get(&numbers.sessions, session);
            book.headings.entry(session).or_default().join(heading);
        }
        let mentions: Vec<Mention> =
            said.into_iter().map(|said| self.mention(numbers.said(said), file, kind)).collect();
        let mut callers: Vec<(usize, bool)> = mentions.iter().map(|it| (it.message, it.is_first)).collect();
        callers.extend(silent.into_iter().map(|said| self.silent(numbers.said(said))));
        for call in calls {
            self.call(Called { tool: Numbers::get(&numbers.tools, call.tool), ..call }, &callers);
        }
        let reported = reported.into_iter().map(|reported| numbers.reported(reported)).collect();
        File { kind, reported, mentions }
    }

    /// Where a message without tokens is among all, and whether it is new.
    fn silent(&mut self, said: BilledMessage) -> (usize, bool) {
        if let Some(known) = said.id.and_then(|id| self.known_silent.get(&id)) {
            return (*known, false);
        }
        self.known_silent.extend(said.id.map(|id| (id, self.list.len())));
        self.list.push(Message { said, report: None, covered: false, paid: None, is_repeated: false });
        (self.list.len() - 1, true)
    }

    /// All files are taken.
    pub(super) fn finish(self, book: &mut Book) -> Vec<Message> {
        let projects = book.headings.values().filter_map(|heading| heading.project.as_deref());
        // In their order, whichever came first.
        for project in projects.collect::<BTreeSet<_>>() {
            book.projects.number(project);
        }
        let calls = self.calls.into_iter();
        book.calls.extend(calls.map(|Called { said, tool, failed, bytes, .. }| BilledCall {
            said,
            tool,
            failed,
            bytes,
        }));
        self.list
    }

    fn mention(&mut self, mut said: BilledMessage, file: usize, kind: Kind) -> Mention {
        let (covered_by, paid_by) = (said.covered_by.take(), said.paid_by.take());
        let paid = paid_by.filter(|_| kind == Kind::Stream).map(|_| Paid::ByReport);
        let report = covered_by.or(paid_by.filter(|_| paid.is_some())).map(|report| (file, report));
        let covered = covered_by.is_some();
        let (session, is_main) = (said.place.session, said.is_main);
        let known = said.id.and_then(|id| self.known.get(&id).copied());
        let message = known.unwrap_or(self.list.len());
        if let Some(known) = self.list.get_mut(message) {
            known.said.join(&said);
            known.said.tools.extend(said.tools);
            known.said.tools.sort_unstable();
            known.said.tools.dedup();
            known.report = known.report.or(report);
            known.covered |= covered;
            known.paid = known.paid.or(paid);
            known.is_repeated = true;
        } else {
            self.known.extend(said.id.map(|id| (id, message)));
            self.list.push(Message { said, report, covered, paid, is_repeated: false });
        }
        Mention { message, session, is_main, is_first: known.is_none(), covered_by, paid_by }
    }

    fn call(&mut self, call: Called, callers: &[(usize, bool)]) {
        let Some((message, is_new)) = callers.get(call.said).copied() else { return };
        let known = call.id.and_then(|id| self.known_calls.get(&id).copied());
        if let Some(known) = known.and_then(|at| self.calls.get_mut(at)) {
            if call.answered && !known.answered {
                (known.answered, known.failed, known.bytes) = (true, call.failed, call.bytes);
            }
        } else if call.id.is_some() || is_new {
            self.known_calls.extend(call.id.map(|id| (id, self.calls.len())));
            self.calls.push(Called { said: message, ..call });
        }
    }
}

/// The numbers that the names of a statement have in the book.
struct Numbers {
    sessions: Vec<u32>,
    models: Vec<u32>,
    tools: Vec<u32>,
    agents: Vec<u32>,
}

impl Numbers {
    fn of(book: &mut Book, statement: &Statement) -> Self {
        let all = |names: &Names, book: &mut Names| -> Vec<u32> {
            names.iter().map(|name| book.number(name)).collect()
        };
        let sessions = all(&statement.sessions, &mut book.sessions);
        let models = all(&statement.models, &mut book.models);
        let tools = all(&statement.tools, &mut book.tools);
        let agents = (0..).take(statement.agents.len());
        let agents = agents.map(|agent| book.agent_number(statement, agent)).collect();
        Numbers { sessions, models, tools, agents }
    }

    fn said(&self, said: BilledMessage) -> BilledMessage {
        BilledMessage {
            place: self.place(said.place),
            agent: Self::get(&self.agents, said.agent),
            model: said.model.map(|model| Self::get(&self.models, model)),
            tools: said.tools.iter().map(|tool| Self::get(&self.tools, *tool)).collect(),
            ..said
        }
    }

    fn reported(&self, reported: Reported) -> Reported {
        let number = |(model, count, cost): OfModel| (Self::get(&self.models, model), count, cost);
        let models = reported.models.map(|models| models.into_iter().map(number).collect());
        Reported { place: self.place(reported.place), models, ..reported }
    }

    fn place(&self, place: ExpensePlace) -> ExpensePlace {
        ExpensePlace { session: Self::get(&self.sessions, place.session), ..place }
    }

    /// A number that nobody has stands for no name.
    fn get(numbers: &[u32], number: u32) -> u32 {
        numbers.get(number as usize).copied().unwrap_or(u32::MAX)
    }
}
