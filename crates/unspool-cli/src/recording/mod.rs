//! Recordings that are made: journals in a file, or bare streams.
//!
//! A bare stream is a file with what Claude Code wrote, byte for byte, and beside it `FILE.times` with all else that is known:
//!
//! ```text
//! # t_ms  dir  line  bytes  text
//! 0       in   1     118    {"type":"user",…}           a line was written to Claude Code: what events tell of it
//! 12      out  1     2769                               a line of FILE has come to its end
//! 90      end  1     2769   {"cut":"hung","why":"…"}    it is over: what is known of the end beside the stream
//! ```
//!
//! Rows stand in the order in which things happened, so that whoever reads both tells what was told live. `FILE` alone is a
//! stream like any other, and so is one whose rows are of `out` alone.

mod bare;
mod masked;
mod read;
mod whole;

pub(crate) use read::Record;

use crate::wrong_call::WrongCall;
use bare::Bare;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use unspool::journal::Way;
use unspool::verdict::Beside;
#[cfg(unix)]
use unspool_client::tap::{Traffic, TrafficJournal};
use whole::Whole;

/// A recording that is being made.
pub(crate) enum Recorder {
    /// A bare stream, with its times.
    Bare(Box<Bare>),
    /// A journal.
    Whole(Box<Whole>),
}

impl Recorder {
    /// Makes the recording that its name asks for: a bare stream if it ends with `.ndjson`, `.jsonl` or `.json`, else a journal, which is
    /// compressed if it ends with `.zst`.
    pub(crate) fn create(file: &Path) -> anyhow::Result<Self> {
        match Form::of(file)? {
            Form::Stream => Recorder::bare(file),
            Form::Journal => Ok(Recorder::Whole(Box::new(Whole::create(file)?))),
        }
    }

    /// Goes on with a journal, or begins one.
    pub(crate) fn append(file: &Path) -> anyhow::Result<Self> {
        match Form::of(file)? {
            Form::Journal => Ok(Recorder::Whole(Box::new(Whole::append(file)?))),
            Form::Stream => {
                Err(WrongCall::new("a bare stream says nothing of several programs: name a recording").into())
            }
        }
    }

    /// A bare stream, whatever its name is.
    pub(crate) fn bare(file: &Path) -> anyhow::Result<Self> {
        Ok(Recorder::Bare(Box::new(Bare::create(file)?)))
    }

    /// It begins: what stands next to the session, and what was started, if we know it.
    pub(crate) fn begin(&mut self, source: &str, command: &[OsString]) -> anyhow::Result<()> {
        match self {
            Recorder::Bare(_) => Ok(()),
            Recorder::Whole(whole) => whole.begin(source, command),
        }
    }

    /// These bytes went this way now.
    pub(crate) fn feed(&mut self, way: Way, bytes: &[u8], now: u64) -> anyhow::Result<()> {
        match (self, way) {
            (Recorder::Whole(whole), _) => whole.feed(way, bytes, now),
            (Recorder::Bare(bare), Way::Out) => bare.feed(bytes, now),
            (Recorder::Bare(bare), Way::In) => bare.wrote(bytes, now),
            // What stands on standard error is no part of a stream.
            (Recorder::Bare(_), _) => Ok(()),
        }
    }

    /// Nothing more goes this way.
    pub(crate) fn closed(&mut self, way: Way, now: u64) -> anyhow::Result<()> {
        match self {
            Recorder::Whole(whole) => whole.closed(way, now),
            Recorder::Bare(bare) if way == Way::Out => bare.finish(now),
            Recorder::Bare(_) => Ok(()),
        }
    }

    /// This was heard of a program that we drive; the journal is of nothing else.
    #[cfg(unix)]
    pub(crate) fn hear(
        &mut self,
        traffic: Traffic<'_>,
        at: u64,
        journal: &mut TrafficJournal,
    ) -> anyhow::Result<()> {
        match (self, traffic) {
            (Recorder::Whole(whole), _) => {
                journal.hear(traffic, at, |entry| whole.take(&entry));
                if let Traffic::Ended(_) = traffic { whole.ended() } else { whole.write() }
            }
            (Recorder::Bare(bare), Traffic::Read(bytes)) => bare.feed(bytes, at),
            (Recorder::Bare(bare), Traffic::Wrote(bytes)) => bare.wrote(bytes, at),
            (Recorder::Bare(bare), Traffic::Ended(known)) => bare.end(known, at),
            (Recorder::Bare(_), _) => Ok(()),
        }
    }

    /// There is no more of it, and nothing is known of the program.
    pub(crate) fn finish(&mut self, now: u64) -> anyhow::Result<()> {
        match self {
            Recorder::Whole(whole) => whole.end((None, None), &Beside::new(), now),
            Recorder::Bare(bare) => bare.finish(now),
        }
    }

    /// The program has ended so, and this is known of it.
    pub(crate) fn end(
        &mut self,
        (code, signal): (Option<i32>, Option<i32>),
        known: &Beside,
        now: u64,
    ) -> anyhow::Result<()> {
        match self {
            Recorder::Whole(whole) => whole.end((code, signal), known, now),
            Recorder::Bare(bare) => bare.end(known, now),
        }
    }
}

/// What a name asks for.
#[derive(Debug, PartialEq)]
enum Form {
    Stream,
    Journal,
}

impl Form {
    fn of(file: &Path) -> Result<Self, WrongCall> {
        let ending = |file: &Path| file.extension().and_then(OsStr::to_str).map(str::to_owned);
        let is_stream = |file: &Path| {
            ending(file).is_some_and(|ending| ["ndjson", "jsonl", "json"].contains(&ending.as_str()))
        };
        match ending(file).as_deref() {
            Some("gz" | "zstd") => Err(WrongCall::new(
                "a recording is compressed by zstd, and then has a name that ends with .zst",
            )),
            Some("zst") if is_stream(&file.with_extension("")) => Err(WrongCall::new(
                "a bare stream is not compressed while it comes: name it run.rec.zst, which has it all",
            )),
            _ if is_stream(file) => Ok(Form::Stream),
            _ => Ok(Form::Journal),
        }
    }
}

/// What is kept beside a bare stream.
pub(crate) fn beside(recording: &Path) -> PathBuf {
    let mut name = OsString::from(recording);
    name.push(".times");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_how_it_is_recorded() {
        let of = |name: &str| Form::of(Path::new(name)).ok();
        for name in ["run.rec", "a.ndjson/run", "run.rec.zst", "run.zst", "run", "/dev/null"] {
            assert_eq!(of(name), Some(Form::Journal), "{name}");
        }
        for name in ["run.ndjson", "run.jsonl", "run.rec.json"] {
            assert_eq!(of(name), Some(Form::Stream), "{name}");
        }
        for name in ["run.rec.gz", "run.rec.zstd", "run.ndjson.zst", "run.ndjson.gz"] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
