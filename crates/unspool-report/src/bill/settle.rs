//! Reports of all files, made entries: each adds what its session had not come to.

use super::book::{Book, Entry};
use super::count::Count;
use super::cover::plain;
use super::messages::{File, Message, Paid};
use super::statement::{ExpensePlace, Kind, Names, OfModel, Reported};
use std::collections::{HashMap, HashSet};

/// Enters all reports into the book. Sessions come behind those they were forked from; of each session streams come
/// first, since they tell more.
pub(super) fn settle(book: &mut Book, files: &[File], messages: &mut [Message]) {
    let mut settling = Settling { forks: forks_of(files, messages), ..Settling::default() };
    for Session { number, streams, totals } in sessions_of(files) {
        for (file, due) in streams {
            let goes_on = settling.goes_on(file, number);
            for Due { reported, file, included } in due {
                settling.begin(number);
                settling.report(book, reported, file, goes_on, &included, messages);
                settling.stage(number, &included);
            }
            settling.in_streams.extend(file.mentions.iter().map(|mention| mention.message));
        }
        // Files of a session may differ in what they have of it: what is in one total is in all that are as high.
        let mut unread = totals.iter().peekable();
        for Due { reported, file, .. } in &totals {
            settling.begin(number);
            let is_due = |due: &&Due<'_>| due.total() <= reported.total.unwrap_or(0.0) + NOISE;
            while let Some(Due { included, .. }) = unread.next_if(is_due) {
                settling.include(number, included, messages, &book.models);
                settling.stage_next(included);
            }
            settling.totals(book, reported, *file);
            settling.stage(number, &[]);
        }
    }
}

/// A session, and its reports in the order in which they are entered.
struct Session<'f> {
    number: u32,
    streams: Vec<(&'f File, Vec<Due<'f>>)>,
    totals: Vec<Due<'f>>,
}

/// A report, its file, and the messages that it includes.
struct Due<'f> {
    reported: &'f Reported,
    file: usize,
    included: Vec<usize>,
}

impl Due<'_> {
    fn total(&self) -> f64 {
        self.reported.total.unwrap_or(0.0)
    }
}

/// How far the sessions have come.
#[derive(Default)]
struct Settling {
    marks: HashMap<u32, Mark>,
    /// Reports that were seen, and whether they have been counted as repeated.
    reports: HashMap<u64, bool>,
    /// Messages of streams that were settled.
    in_streams: HashSet<usize>,
    /// Messages whose tokens are in a mark by themselves.
    marked: HashSet<usize>,
    /// Of sessions whose totals go on from those of another one: the messages that they share.
    forks: HashMap<u32, Vec<usize>>,
    /// How far totals had come with each report, and the first of these that includes a message; if there are forks.
    stages: Vec<Mark>,
    included: HashMap<usize, usize>,
}

/// How far the totals of a session have come.
#[derive(Clone, Debug, Default)]
struct Mark {
    /// The money that was entered.
    cost: f64,
    /// The highest total that was reported. It may include what stands in no file.
    highest: f64,
    /// By the plain name of the model.
    models: HashMap<String, (Count, f64)>,
    /// The file that raised it last.
    file: Option<usize>,
}

/// Differences of sums of binary fractions.
const NOISE: f64 = 1e-6;

impl Settling {
    /// A fork has an id of its own, and totals that go on from where it was forked.
    fn begin(&mut self, session: u32) {
        if self.marks.contains_key(&session) {
            return;
        }
        let shared = self.forks.get(&session).into_iter().flatten();
        let stage = shared.filter_map(|message| self.included.get(message)).max();
        let mark = stage.and_then(|stage| self.stages.get(*stage)).cloned().unwrap_or_default();
        self.marks.insert(session, mark);
    }

    /// Remembers how far the session has come with a report that includes these.
    fn stage(&mut self, session: u32, included: &[usize]) {
        self.stage_next(included);
        if !self.forks.is_empty() {
            self.stages.push(self.marks.get(&session).cloned().unwrap_or_default());
        }
    }

    /// The next stage includes these.
    fn stage_next(&mut self, included: &[usize]) {
        if !self.forks.is_empty() {
            for message in included {
                self.included.entry(*message).or_insert(self.stages.len());
            }
        }
    }

    /// Totals of the session include these.
    fn include(&mut self, session: u32, included: &[usize], messages: &mut [Message], names: &Names) {
        let mark = self.marks.entry(session).or_default();
        for at in included {
            let Some(message) = messages.get_mut(*at) else { continue };
            let is_new = !message.covered && self.marked.insert(*at);
            if let (true, Some(model), Some(count)) = (is_new, message.said.model, &message.said.count) {
                mark.models.entry(plain(names.name(model)).to_owned()).or_default().0.add(count);
            }
            message.paid = message.paid.or(Some(Paid::ByTotals));
        }
    }

    /// Whether the totals of a stream are those of a session that another one had: they are never below what that one
    /// came to, or the two share messages.
    fn goes_on(&self, file: &File, session: u32) -> bool {
        let mark = self.marks.get(&session).map_or(0.0, |mark| mark.highest);
        let above = |reported: &Reported| reported.total.is_some_and(|total| total + NOISE >= mark);
        let shares = file.mentions.iter().any(|mention| self.in_streams.contains(&mention.message));
        shares || self.forks.contains_key(&session) || file.reported.last().is_some_and(above)
    }

    /// A report of what was added.
    fn report(
        &mut self,
        book: &mut Book,
        reported: &Reported,
        file: usize,
        goes_on: bool,
        included: &[usize],
        messages: &[Message],
    ) {
        let Book { facts, models: names, .. } = book;
        if let Some(id) = reported.id {
            if let Some(counted) = self.reports.get_mut(&id) {
                facts.repeated.reports += u64::from(!std::mem::replace(counted, true));
                return;
            }
            self.reports.insert(id, false);
        }
        let mark = self.marks.entry(reported.place.session).or_default();
        let above = (reported.total.filter(|_| goes_on)).map(|total| (total - mark.highest).max(0.0));
        let cost = match (reported.cost, above) {
            (Some(cost), Some(above)) if above + NOISE < cost => Some(above),
            (cost, _) => cost,
        };
        let continued = cost != reported.cost;
        if continued && cost.is_some_and(|cost| cost <= NOISE) {
            facts.repeated.reports += 1;
            return;
        }
        let added = reported.models.iter().flatten().map(|(model, count, cost)| {
            let had =
                mark.models.get(plain(names.name(*model))).copied().filter(|_| continued).unwrap_or_default();
            (*model, count.minus(&had.0), cost.map(|cost| (cost - had.1).max(0.0)))
        });
        let added: Vec<OfModel> = added.collect();
        mark.raise(file, cost.unwrap_or(0.0), reported.total);
        for (model, count, cost) in &added {
            let mark = mark.models.entry(plain(names.name(*model)).to_owned()).or_default();
            mark.0.add(count);
            mark.1 += cost.unwrap_or(0.0);
            facts.reported.add(count);
        }
        facts.reports += 1;
        facts.continued += u64::from(continued);
        facts.without_cost += u64::from(cost.is_none());
        // A stream may not say when it was, and its transcript does.
        let last = included.iter().rev().find_map(|message| messages.get(*message)?.said.place.time);
        let place = ExpensePlace { time: reported.place.time.or(last), ..reported.place };
        enter(book, place, &added, cost);
    }

    /// What a session has cost so far, by its transcript.
    fn totals(&mut self, book: &mut Book, reported: &Reported, file: usize) {
        let Book { facts, models: names, .. } = book;
        let mark = self.marks.entry(reported.place.session).or_default();
        let is_of_another_file = mark.file.is_some_and(|last| last != file);
        let total = reported.total.unwrap_or(0.0);
        let cost = (total - mark.cost).max(0.0);
        let mut had = mark.models.clone();
        let added = reported.models.iter().flatten().map(|(model, count, cost)| {
            let had = had.entry(plain(names.name(*model)).to_owned()).or_default();
            let added = (*model, count.minus(&had.0), cost.map(|cost| (cost - had.1).max(0.0)));
            *had = (had.0.minus(count), (had.1 - cost.unwrap_or(0.0)).max(0.0));
            added
        });
        let is_something =
            |(_, count, cost): &OfModel| !count.is_zero() || cost.is_some_and(|cost| cost > NOISE);
        let added: Vec<OfModel> = added.filter(is_something).collect();
        let is_new = cost > NOISE || !added.is_empty();
        if is_of_another_file && !is_new {
            facts.repeated.reports += 1;
            return;
        }
        facts.reports += 1;
        facts.continued += u64::from(is_of_another_file);
        mark.raise(file, cost, Some(total));
        for (model, count, cost) in &added {
            let mark = mark.models.entry(plain(names.name(*model)).to_owned()).or_default();
            mark.0.add(count);
            mark.1 += cost.unwrap_or(0.0);
            facts.beyond.add(count);
        }
        enter(book, reported.place, &added, Some(cost));
    }
}

impl Mark {
    fn raise(&mut self, file: usize, cost: f64, total: Option<f64>) {
        self.cost += cost;
        self.highest = self.highest.max(total.unwrap_or(self.cost));
        self.file = Some(file);
    }
}

/// What a report adds: by model, and what of its money is by none.
fn enter(book: &mut Book, place: ExpensePlace, added: &[OfModel], cost: Option<f64>) {
    let Book { spent, facts, .. } = book;
    let mut rest = cost;
    for (model, count, of_model) in added {
        rest = rest.map(|rest| rest - of_model.unwrap_or(0.0));
        let (model, count, cost, paid) = (Some(*model), *count, *of_model, cost.is_some());
        spent.push(Entry { place, model, count, cost, paid, ..Entry::default() });
    }
    if rest.is_some_and(|rest| rest.abs() > NOISE) {
        facts.by_no_model = true;
        spent.push(Entry { place, cost: rest, paid: true, ..Entry::default() });
    }
}

/// All sessions with reports: in the order in which they come in transcripts, which have copies of those they were forked from.
fn sessions_of(files: &[File]) -> Vec<Session<'_>> {
    let mut order: HashMap<u32, usize> = HashMap::new();
    let mut sessions: Vec<Session<'_>> = Vec::new();
    for kind in [Kind::Transcript, Kind::Stream] {
        for (at, file) in files.iter().enumerate().filter(|(_, file)| file.kind == kind) {
            for mention in &file.mentions {
                session_of(mention.session, &mut order, &mut sessions);
            }
            let mut included: Vec<Vec<usize>> = vec![Vec::new(); file.reported.len()];
            for mention in &file.mentions {
                let report =
                    mention.paid_by.or(mention.covered_by).and_then(|report| included.get_mut(report));
                report.into_iter().for_each(|report| report.push(mention.message));
            }
            for (reported, included) in file.reported.iter().zip(included) {
                let due = Due { reported, file: at, included };
                let session = session_of(reported.place.session, &mut order, &mut sessions);
                let Some(session) = sessions.get_mut(session) else { continue };
                match (kind, session.streams.last_mut()) {
                    (Kind::Transcript, _) => session.totals.push(due),
                    (Kind::Stream, Some((last, list))) if std::ptr::eq(*last, file) => list.push(due),
                    (Kind::Stream, _) => session.streams.push((file, vec![due])),
                }
            }
        }
    }
    for session in &mut sessions {
        session.totals.sort_by(|one, other| one.total().total_cmp(&other.total()));
    }
    sessions
}

/// Where a session is in the list.
fn session_of(number: u32, order: &mut HashMap<u32, usize>, sessions: &mut Vec<Session<'_>>) -> usize {
    *order.entry(number).or_insert_with(|| {
        sessions.push(Session { number, streams: Vec::new(), totals: Vec::new() });
        sessions.len() - 1
    })
}

/// Sessions that have messages of another one, and totals that include these.
fn forks_of(files: &[File], messages: &[Message]) -> HashMap<u32, Vec<usize>> {
    let mut forks: HashMap<u32, Vec<usize>> = HashMap::new();
    for file in files.iter().filter(|file| file.kind == Kind::Transcript && !file.reported.is_empty()) {
        for mention in &file.mentions {
            let owner = messages.get(mention.message).map(|message| message.said.place.session);
            if owner.is_some_and(|owner| owner != mention.session) {
                forks.entry(mention.session).or_default().push(mention.message);
            }
        }
    }
    forks
}
