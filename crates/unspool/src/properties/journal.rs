//! What holds for any journal: of any stream, cut anywhere, damaged in any way.

use crate::event::Event;
use crate::journal::{Begin, Entry, Fault, Finish, Goal, Playback, Reader, Scribe, Way, find};
use crate::{Grain, Spool};
use std::convert::Infallible;

/// All of it at once, of bytes that are taken for a stream and for a journal.
pub fn holds_for_journals(bytes: &[u8], piece: usize, cut: usize) {
    journals_keep_streams(bytes, piece);
    damaged_journals_are_read(bytes, cut);
}

/// A stream that is kept in a journal comes back byte for byte and tells the same events, however it was cut, and each entry is found.
/// A stream that comes line by line is told at the same times, too.
pub fn journals_keep_streams(stream: &[u8], piece: usize) {
    let lines: Vec<&[u8]> = stream.split_inclusive(|byte| *byte == b'\n').collect();
    tells_the_same(&lines, 1);
    // What is read before its line is whole, as of a list, is told a moment sooner than the journal can say.
    let pieces: Vec<&[u8]> = stream.chunks(piece.max(1)).collect();
    tells_the_same(&pieces, 0);
    comes_back(stream, &journal_of(&pieces, 1));
}

/// The journal of these pieces, which came so many milliseconds one after the other, tells what was told while they came.
fn tells_the_same(pieces: &[&[u8]], pause: u64) {
    let text = journal_of(pieces, pause);
    for grain in [Grain::Blocks, Grain::Deltas] {
        assert_eq!(played(grain, &text), live(grain, pieces, pause), "told as it was live");
    }
}

/// The journal's text gives this stream back, and each entry is found in it.
fn comes_back(stream: &[u8], text: &[u8]) {
    assert!(crate::journal::is_journal(text));
    let plain = text.iter().all(|&byte| byte == b'\t' || byte == b'\n' || (byte >= b' ' && byte != 0x7f));
    assert!(plain && str::from_utf8(text).is_ok(), "text that a person can look at");

    let entries = entries_of(text, 1);
    assert_eq!(entries, entries_of(text, 4093), "cut elsewhere");
    let entries: Vec<Entry<'_>> = entries.into_iter().map(|entry| entry.expect("no fault")).collect();
    let (mut came, mut again) = (Vec::new(), Vec::new());
    for entry in &entries {
        entry.write(&mut again);
        if entry.way == Way::Out {
            entry.write_bytes(&mut came);
        }
    }
    assert_eq!(came, stream, "byte for byte");
    assert!(again == text, "the same text again");

    // A few of many, the first and the last among them.
    for entry in entries.iter().step_by(entries.len() / 8 + 1).chain(entries.last()) {
        is_found(text, Goal::Number(entry.number), |found| found.number == entry.number);
        is_found(text, Goal::Time(entry.at), |found| found.at >= entry.at);
    }
}

/// Whatever a journal's text is, it is read to its end: no entry twice, none out of order, and what is cut is never `ok`.
pub fn damaged_journals_are_read(text: &[u8], cut: usize) {
    let mut last = 0;
    for entry in entries_of(text, 7).iter().flatten() {
        assert!(entry.number > last, "in order, and none twice");
        last = entry.number;
    }
    let cut = &text[..cut.min(text.len())];
    let (whole, part) = (entries_of(text, 4093), entries_of(cut, 4093));
    let shared = part.iter().take_while(|entry| !matches!(entry, Err(Fault::Cut | Fault::NoEnd))).count();
    assert_eq!(part[..shared], whole[..shared], "each entry that is whole is read");
    let mut playback = Playback::new(Spool::new(Grain::Blocks));
    playback.feed(cut, |_| {});
    let mut verdict = None;
    playback.finish(|event| verdict = verdict_of(&event));
    let has_end =
        part.iter().flatten().last().is_some_and(|entry| matches!(entry.note(), Some(note) if ends(note)));
    assert!(has_end || verdict.as_deref() != Some("ok"), "ok, though there is no end");
}

fn ends(note: crate::journal::Note<'_>) -> bool {
    matches!(note, crate::journal::Note::Finish(_))
}

fn verdict_of(event: &Event<'_>) -> Option<String> {
    match &event.what {
        crate::event::What::Finished { verdict, .. } => Some(verdict.to_string()),
        _ => None,
    }
}

/// A journal in which each piece came so many milliseconds after the one before.
fn journal_of(pieces: &[&[u8]], pause: u64) -> Vec<u8> {
    let (mut text, mut scribe) = (Vec::new(), Scribe::new());
    let mut keep = |entry: Entry<'_>| entry.write(&mut text);
    scribe.note(&Begin::default().format(crate::journal::FORMAT), 0, &mut keep);
    let mut now = 0;
    for piece in pieces {
        now += pause;
        scribe.feed(Way::Out, piece, now, &mut keep);
    }
    scribe.close(Way::Out, &mut keep);
    scribe.note(&Finish::default().code(0_u64), now + pause, &mut keep);
    text
}

/// What was told while these pieces came.
fn live(grain: Grain, pieces: &[&[u8]], pause: u64) -> Vec<Event<'static>> {
    let (mut told, mut spool) = (Vec::new(), Spool::new(grain));
    let mut now = 0;
    for piece in pieces {
        now += pause;
        spool.set_clock(now);
        spool.feed(piece, |event| told.push(event.into_owned()));
    }
    spool.set_clock(now + pause);
    spool.finish(|event| told.push(event.into_owned()));
    told
}

fn played(grain: Grain, text: &[u8]) -> Vec<Event<'static>> {
    let (mut told, mut playback) = (Vec::new(), Playback::new(Spool::new(grain)));
    playback.feed(text, |event| told.push(event.into_owned()));
    playback.finish(|event| told.push(event.into_owned()));
    assert_eq!(playback.faults(), []);
    told
}

fn entries_of(text: &[u8], piece: usize) -> Vec<Result<Entry<'static>, Fault>> {
    let (mut entries, mut reader) = (Vec::new(), Reader::new());
    for piece in text.chunks(piece) {
        reader.feed(piece, |entry| entries.push(entry.map(Entry::into_owned)));
    }
    reader.finish(|entry| entries.push(entry.map(Entry::into_owned)));
    entries
}

/// From where the search leads, the first entry that fits is not far.
fn is_found(text: &[u8], goal: Goal, fits: impl Fn(&Entry<'_>) -> bool) {
    let Ok(offset) = find(text.len() as u64, goal, |at, bytes| {
        let rest = text.get(usize::try_from(at).expect("small")..).unwrap_or_default();
        bytes.extend_from_slice(&rest[..rest.len().min(100)]);
        Ok::<_, Infallible>(())
    });
    let offset = usize::try_from(offset).expect("small");
    assert!(offset == 0 || text[offset - 1] == b'\n', "the beginning of a line");
    let mut found = false;
    Reader::anywhere().feed(&text[offset..], |entry| found |= entry.is_ok_and(|entry| fits(&entry)));
    assert!(found, "{goal:?} is not behind {offset}");
}
