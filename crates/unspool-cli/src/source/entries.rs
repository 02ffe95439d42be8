//! A recording or a stream as the entries of a journal, exactly; and what a source holds.

use super::kind::What;
use super::open::{Opened, read_more};
use super::unpack::plain_name;
use super::{Source, nothing_in, recording};
use crate::recording::Record;
use anyhow::Context;
use unspool::journal::{Begin, Entry, FORMAT, Fault, Finish, Reader, Scribe, Way};
use unspool::verdict::Beside;

/// In which form a source holds its session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Held {
    Recording,
    Stream,
    Transcript,
    Events,
}

/// More faults than anybody reads are not kept.
const FAULTS: usize = 100;

impl Source {
    /// In which form it is there.
    pub(crate) fn form(&self) -> anyhow::Result<Held> {
        let look = || -> anyhow::Result<Held> {
            let opened = self.opened()?;
            let nothing = nothing_in(opened.what, opened.rest.is_cut())?;
            match opened.what {
                What::Recording => Ok(Held::Recording),
                What::Stream => Ok(Held::Stream),
                What::Transcript => Ok(Held::Transcript),
                What::Events => Ok(Held::Events),
                What::Empty | What::Other | What::Binary => anyhow::bail!(nothing.unwrap_or_default()),
            }
        };
        look().with_context(|| format!("cannot read {}", self.name()))
    }

    /// The entries of a recording as they stand there, and of a stream, with all that is known beside it, as a recording would have
    /// them. Returns what is wrong with it.
    pub(crate) fn entries(
        &self,
        mut take: impl FnMut(&Entry<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<Fault>> {
        let mut read = || {
            let opened = self.opened()?;
            let mut taking = Taking { take: &mut take, failed: Ok(()) };
            let faults = match opened.what {
                What::Recording => of_recording(opened, &mut taking)?,
                _ => of_stream(self, opened, &mut taking)?,
            };
            taking.failed.map(|()| faults)
        };
        read().with_context(|| format!("cannot convert {}", self.name()))
    }

    /// Whether it is a stream beside which stands when its lines came.
    pub(crate) fn is_timed(&self) -> bool {
        Record::of(&plain_name(self.path())).is_some()
    }

    /// All of it as it is read, piece by piece. What is no text is refused.
    pub(crate) fn text(
        &self,
        mut take: impl FnMut(&mut Vec<u8>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let Opened { what, head: mut piece, mut rest } = self.opened()?;
        nothing_in(what, rest.is_cut())?;
        while !piece.is_empty() {
            take(&mut piece)?;
            piece.clear();
            read_more(&mut rest, &mut piece)?;
        }
        Ok(())
    }

    /// Says what is wrong with its entries, as whoever tells them does.
    pub(crate) fn say_faults(&self, faults: &[Fault], entries: u64) {
        recording::say(&self.name(), faults, entries);
    }
}

/// Whoever takes entries, as long as that goes well.
struct Taking<'t> {
    take: &'t mut dyn FnMut(&Entry<'_>) -> anyhow::Result<()>,
    failed: anyhow::Result<()>,
}

impl Taking<'_> {
    fn take(&mut self, entry: &Entry<'_>) {
        if self.failed.is_ok() {
            self.failed = (self.take)(entry);
        }
    }
}

fn of_recording(opened: Opened, taking: &mut Taking<'_>) -> anyhow::Result<Vec<Fault>> {
    let (mut reader, mut faults) = (Reader::new(), Vec::new());
    let Opened { head: mut piece, mut rest, .. } = opened;
    let mut see = |entry: Result<Entry<'_>, Fault>| match entry {
        Ok(entry) => taking.take(&entry),
        Err(fault) if faults.len() < FAULTS => faults.push(fault),
        Err(_) => {}
    };
    while !piece.is_empty() {
        reader.feed(&piece, &mut see);
        piece.clear();
        read_more(&mut rest, &mut piece)?;
    }
    reader.finish(see);
    // What is compressed may be cut where an entry ends.
    if rest.is_cut() && !faults.contains(&Fault::Cut) {
        faults.push(Fault::Cut);
    }
    Ok(faults)
}

fn of_stream(source: &Source, opened: Opened, taking: &mut Taking<'_>) -> anyhow::Result<Vec<Fault>> {
    let mut scribe = Scribe::new();
    let mut record = Record::of(&plain_name(&source.path)).filter(|_| !source.is_stdin());
    let writer = concat!("unspool ", env!("CARGO_PKG_VERSION"));
    let mut begin = Begin::default().format(FORMAT).writer(writer).source("converted");
    if record.is_none() {
        begin = begin.untimed(true);
    }
    scribe.note(&begin, 0, |entry| taking.take(&entry));
    let Opened { head: mut piece, mut rest, .. } = opened;
    let (mut line, mut last) = (1, 0);
    while !piece.is_empty() {
        for part in piece.split_inclusive(|&byte| byte == b'\n') {
            let wrote = |at, text: &str| wrote(&mut scribe, at, text, taking);
            last = record.as_mut().and_then(|record| record.until(line, wrote)).unwrap_or(last);
            scribe.feed(Way::Out, part, last, |entry| taking.take(&entry));
            line += u64::from(part.ends_with(b"\n"));
        }
        piece.clear();
        read_more(&mut rest, &mut piece)?;
    }
    scribe.close(Way::Out, |entry| taking.take(&entry));
    let end = record.and_then(|record| record.rest(|at, text| wrote(&mut scribe, at, text, taking)));
    if rest.is_cut() {
        return Ok(vec![Fault::Cut]);
    }
    let (at, known) = end.unwrap_or((last, Beside::new()));
    scribe.note(&Finish::of(None, None, &known), at, |entry| taking.take(&entry));
    Ok(vec![])
}

fn wrote(scribe: &mut Scribe, at: u64, text: &str, taking: &mut Taking<'_>) {
    scribe.feed(Way::In, text.as_bytes(), at, |entry| taking.take(&entry));
    scribe.feed(Way::In, b"\n", at, |entry| taking.take(&entry));
}
