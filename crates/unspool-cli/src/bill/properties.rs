//! What holds for any folder of sessions, tried with real ones that were harmed.

use super::statement;
use crate::source::{Source, Sources};
use jiff::tz::TimeZone;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use unspool_report::bill::{Book, By, Groups, Span, Statement, json};

/// What is done to a line: of which file, which line, and how.
type Harm = (usize, usize, u8);

/// Tokens: input, output, read from the cache, written to it.
type Figures = [u64; 4];

/// A file below the folder, and its lines.
type Texts = Vec<(PathBuf, Vec<String>)>;

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn a_bill_never_panics_drops_or_doubles(
        folders in prop::collection::vec(0..1000_usize, 1..3),
        harms in prop::collection::vec((0..1000_usize, 0..1000_usize, 0..10_u8), 0..12),
        has_streams in any::<bool>(),
    ) {
        holds(&folders, &harms, has_streams)?;
    }
}

/// Checks the bill of some folders to which harm was done.
fn holds(folders: &[usize], harms: &[Harm], has_streams: bool) -> Result<(), TestCaseError> {
    let mut texts = Vec::new();
    for (at, folder) in folders.iter().enumerate() {
        texts.extend(read(*folder, &format!("{at}"), has_streams));
    }
    harms.iter().for_each(|harm| do_harm(&mut texts, *harm));
    let folder = Folder::of(&texts);
    let sources = folder.sources();
    let [quick, full] = [&[By::Model][..], &[By::Turn]].map(|by| statements(&sources, by));
    let most = most(&full);
    let each_once = each_message_once(&full);
    let [quick, full] = [quick, full].map(Book::of);
    for by in [&[By::Model][..], &[By::Session], &[By::Day, By::Model]] {
        prop_assert_eq!(bill(&quick, by), bill(&full, by), "{:?}", by);
    }
    prop_assert_eq!(said(&quick), said(&full));
    prop_assert_eq!(said(&full).0, each_once);
    let cost = money(&full);
    prop_assert!(cost <= most + 1e-6, "{} of at most {}", cost, most);
    nothing_is_lost(&texts, &full)?;
    for turned in [sources.len() / 2, 1] {
        let mut others = sources.clone();
        others.reverse();
        others.rotate_left(turned.min(sources.len()));
        let other = Book::of(statements(&others, &[By::Turn]));
        prop_assert_eq!(bill(&full, &[By::Turn]), bill(&other, &[By::Turn]));
    }
    let twice = Book::of(statements(&[sources.clone(), sources].concat(), &[By::Turn]));
    prop_assert_eq!(&bill(&full, &[By::Turn])["total"], &bill(&twice, &[By::Turn])["total"]);
    prop_assert_eq!(said(&full), said(&twice));
    Ok(())
}

/// Two files began together and share a message, which a line of a stream gives to another session. Which one is asked first
/// must not depend on what only events tell.
#[test]
fn a_message_of_two_files_has_one_session_however_it_is_read() {
    let fork = folders().iter().position(|folder| folder.ends_with("1.0.128-fork")).unwrap();
    holds(&[fork], &[(391, 2, 0), (894, 27, 9)], true).unwrap();
}

/// `PROPTEST_CASES` asks for more of them.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(50)
}

/// Nothing is harmed: the two ways of reading, and every order, agree on what real versions wrote.
#[test]
fn the_folders_are_read_alike_in_every_order() {
    let count = folders().len();
    for at in 0..count {
        let folder = Folder::of(&read(at, "0", true));
        let sources = folder.sources();
        let quick = Book::of(statements(&sources, &[By::Model]));
        let mut others = sources.clone();
        others.reverse();
        let full = Book::of(statements(&others, &[By::Turn]));
        assert_eq!(bill(&quick, &[By::Model]), bill(&full, &[By::Model]), "{at}");
    }
    assert!(count > 8, "{count}");
}

/// The bill, without what is said about it, and without titles, which need not be read.
fn bill(book: &Book, by: &[By]) -> Value {
    let mut bill = json(book, &Groups::of(book, by, &Span::all(TimeZone::UTC)));
    bill.as_object_mut().map(|bill| bill.remove("notes"));
    for group in bill["groups"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        group.remove("title");
        group.remove("name");
    }
    bill
}

fn said(book: &Book) -> (Figures, u64) {
    let sum = book.said.iter().fold([0; 4], |sum, entry| added(sum, &entry.count.figures()));
    (sum, book.said.iter().map(|entry| entry.messages).sum())
}

fn money(book: &Book) -> f64 {
    book.spent.iter().filter_map(|entry| entry.cost).sum()
}

/// No bill is above the sum of what each file comes to by itself.
fn most(statements: &[Statement]) -> f64 {
    let of_one = |statement: &Statement| -> f64 {
        let added: f64 = statement.reported.iter().filter_map(|reported| reported.cost).sum();
        let totals = statement.reported.iter().filter(|reported| reported.cost.is_none());
        let highest = totals.filter_map(|reported| reported.total).fold(0.0, f64::max);
        added + highest + statement.said.iter().filter_map(|said| said.cost).sum::<f64>()
    };
    statements.iter().map(of_one).sum()
}

/// What messages said: of each the highest figures that any file has.
fn each_message_once(statements: &[Statement]) -> Figures {
    let mut of_messages: HashMap<u64, Figures> = HashMap::new();
    let mut sum = [0; 4];
    for said in statements.iter().flat_map(|statement| &statement.said) {
        let figures = said.count.unwrap_or_default().figures();
        match said.id {
            Some(id) => each(of_messages.entry(id).or_default(), &figures, u64::max),
            None => each(&mut sum, &figures, |one, other| one + other),
        }
    }
    of_messages.values().fold(sum, added)
}

/// Files that have nothing in common come to what each of them comes to alone, and that is no less than what some of them says by
/// itself.
fn nothing_is_lost(texts: &Texts, all: &Book) -> Result<(), TestCaseError> {
    let (mut cost, mut tokens) = (0.0, [0; 4]);
    for part in parts(texts) {
        let streams =
            part.iter().filter(|(path, _)| path.extension().is_some_and(|it| it == "ndjson")).count();
        let folder = Folder::of(&part);
        let statements = statements(&folder.sources(), &[By::Turn]);
        let least = least(&statements, streams);
        let book = Book::of(statements);
        let part = (money(&book), spent(&book));
        let is_enough =
            part.0 >= least.0 - 1e-6 && part.1.iter().zip(&least.1).all(|(is, least)| is >= least);
        prop_assert!(is_enough, "{:?} of at least {:?}", part, least);
        (cost, tokens) = (cost + part.0, added(tokens, &part.1));
    }
    prop_assert!((cost - money(all)).abs() < 1e-6, "{} of {}", money(all), cost);
    prop_assert_eq!(spent(all), tokens);
    Ok(())
}

/// What these files come to at least: the highest total of a transcript, and where there is no stream the tokens of all messages,
/// which nothing else says; or what one stream says that it adds, if its totals only grow.
fn least(statements: &[Statement], streams: usize) -> (f64, Figures) {
    let reported = statements.iter().flat_map(|statement| &statement.reported);
    let totals = reported.filter(|reported| reported.cost.is_none()).filter_map(|reported| reported.total);
    let highest = totals.fold(0.0, f64::max);
    if streams == 0 {
        return (highest, each_message_once(statements));
    }
    let is_stream =
        |statement: &&Statement| statement.reported.iter().any(|reported| reported.cost.is_some());
    let Some(stream) = statements.iter().find(is_stream).filter(|_| streams == 1) else {
        return (highest, [0; 4]);
    };
    if !stream.reported.is_sorted_by(|one, next| one.total < next.total) {
        return (highest, [0; 4]);
    }
    let adds: f64 = stream.reported.iter().filter_map(|reported| reported.cost).sum();
    let counts = stream.reported.iter().flat_map(|reported| reported.models.iter().flatten());
    let tokens = counts.fold([0; 4], |sum, (_, count, _)| added(sum, &count.figures()));
    (highest.max(adds), tokens)
}

/// Files apart that share no id, neither of a session nor of a message nor of a line.
fn parts(texts: &Texts) -> Vec<Texts> {
    let mut parts: Vec<(HashSet<String>, Texts)> = Vec::new();
    for (path, lines) in texts {
        let path_text = path.to_string_lossy();
        let words = path_text.split(['/', '.']).chain(lines.iter().flat_map(|line| line.split('"')));
        let is_id =
            |word: &&str| word.starts_with("msg_") || word.len() == 36 && word.matches('-').count() == 4;
        let mut part: (HashSet<String>, Texts) =
            (words.filter(is_id).map(str::to_owned).collect(), vec![(path.clone(), lines.clone())]);
        let (shared, others) = parts.into_iter().partition(|(ids, _)| !ids.is_disjoint(&part.0));
        parts = others;
        let shared: Vec<(HashSet<String>, Texts)> = shared;
        for (ids, files) in shared {
            part.0.extend(ids);
            part.1.extend(files);
        }
        parts.push(part);
    }
    parts.into_iter().map(|(_, files)| files).collect()
}

fn spent(book: &Book) -> Figures {
    book.spent.iter().fold([0; 4], |sum, entry| added(sum, &entry.count.figures()))
}

fn added(mut sum: Figures, more: &Figures) -> Figures {
    each(&mut sum, more, |one, other| one + other);
    sum
}

fn each(figures: &mut Figures, others: &Figures, join: fn(u64, u64) -> u64) {
    figures.iter_mut().zip(others).for_each(|(one, other)| *one = join(*one, *other));
}

fn statements(sources: &[Source], by: &[By]) -> Vec<Statement> {
    // What is no session after the harm that was done to it is named, and left out.
    sources.iter().filter_map(|source| statement(source, by).ok()).collect()
}

fn do_harm(texts: &mut Texts, (file, line, how): Harm) {
    let (files, other) = (texts.len(), line);
    let Some((_, lines)) = texts.get_mut(file % files.max(1)) else { return };
    if lines.is_empty() {
        return;
    }
    let at = line % lines.len();
    match how {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            let with = (line / 7) % lines.len();
            lines.swap(at, with);
        }
        3 => lines[at] = lines[at].chars().take(lines[at].chars().count() / 2).collect(),
        4 => lines.retain(|line| !line.contains("\"assistant\"")),
        5 => lines.truncate(at),
        6 => lines[at] = lines[at].replace("\"timestamp\"", "\"when\""),
        7 => lines[at] = lines[at].replace("\"usage\"", "\"used\"").replace("totalCostUSD", "total"),
        8 => {
            lines[at] =
                lines[at].replace("_tokens\":1", "_tokens\":31").replace("CostUSD\":0.0", "CostUSD\":0.1")
        }
        _ => {
            let moved = lines.remove(at);
            let (_, lines) = &mut texts[other % files];
            lines.insert((line / 3) % (lines.len() + 1), moved);
        }
    }
}

fn folders() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/transcripts");
    let mut folders: Vec<_> = fs::read_dir(all).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

/// The files of a recorded folder, below a name.
fn read(folder: usize, name: &str, with_stream: bool) -> Texts {
    let folders = folders();
    let folder = &folders[folder % folders.len()];
    let mut texts = Vec::new();
    let mut due = vec![folder.clone()];
    while let Some(next) = due.pop() {
        if next.is_dir() {
            due.extend(fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let is_stream = next.extension().is_some_and(|extension| extension == "stream");
        if is_stream && !with_stream {
            continue;
        }
        let below = Path::new(name).join(next.strip_prefix(folder).unwrap());
        let below = if is_stream { below.with_extension("ndjson") } else { below };
        let text = String::from_utf8(fs::read(next).unwrap()).unwrap();
        texts.push((below, text.lines().map(str::to_owned).collect()));
    }
    texts.sort();
    texts
}

/// A folder that is there for as long as it is looked at.
struct Folder(PathBuf);

impl Folder {
    fn of(texts: &Texts) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("unspool-bill-{}-{next}", std::process::id()));
        for (path, lines) in texts {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, lines.join("\n") + "\n").unwrap();
        }
        Folder(folder)
    }

    fn sources(&self) -> Vec<Source> {
        Sources::of(vec![self.0.clone()]).find().map(|found| found.sources).unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}
