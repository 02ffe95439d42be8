//! What holds for any folder of sessions, tried with real ones that were harmed.

use super::statement;
use crate::source::{Source, Sources};
use jiff::tz::TimeZone;
use proptest::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use unspool_report::bill::{Book, By, Groups, Span, Statement, json};

/// What is done to a line: of which file, which line, and how.
type Harm = (usize, usize, u8);

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
    let least = least(&full);
    let [quick, full] = [quick, full].map(Book::of);
    for by in [&[By::Model][..], &[By::Session], &[By::Day, By::Model]] {
        prop_assert_eq!(bill(&quick, by), bill(&full, by), "{:?}", by);
    }
    prop_assert_eq!(said(&quick), said(&full));
    let cost = money(&full);
    prop_assert!(cost <= most + 1e-6, "{} of at most {}", cost, most);
    prop_assert!(cost >= least - 1e-6, "{} of at least {}", cost, least);
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

fn said(book: &Book) -> ([u64; 4], u64) {
    let mut sum = ([0; 4], 0);
    for entry in &book.said {
        sum.0.iter_mut().zip(entry.count.figures()).for_each(|(sum, more)| *sum += more);
        sum.1 += entry.messages;
    }
    sum
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

/// None is below the highest total of any transcript.
fn least(statements: &[Statement]) -> f64 {
    let totals = statements.iter().flat_map(|statement| &statement.reported);
    totals
        .filter(|reported| reported.cost.is_none())
        .filter_map(|reported| reported.total)
        .fold(0.0, f64::max)
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
