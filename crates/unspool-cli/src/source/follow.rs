//! A session that still grows: what was added since the last look, in its file and in those of its agents.

use super::agents::agents_of;
use super::grown::{Grown, is_zstd};
use super::kind::What;
use super::open::Opened;
use super::transcript::session_of;
use super::{Incoming, Listener, Source};
use crate::redact::Reading;
use anyhow::Context;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use unspool::Grain;
use unspool::line::{DEFAULT_LIMIT, End, Line, Splitter};
use unspool::transcript::{Cast, Merge, Transcript};
use unspool_client::kept::KeptAgent;

/// A session that is looked at again and again.
pub(crate) struct Follow {
    path: PathBuf,
    form: Form,
}

enum Form {
    /// One file, whatever is in it.
    Single(Tail, Box<Incoming>),
    Transcript(Box<Kept>),
}

/// A session on disk, with its agents.
struct Kept {
    transcript: Transcript,
    main: Tail,
    agents: Vec<Tail>,
    known: HashSet<PathBuf>,
}

impl Follow {
    /// Follows this session from its beginning.
    pub(crate) fn new(source: &Source, grain: Grain) -> anyhow::Result<Self> {
        let path = source.path().to_owned();
        let opened = Opened::new(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let form = match opened.what {
            What::Transcript => {
                let mut cast = Cast::default();
                opened.head.split(|&byte| byte == b'\n').for_each(|line| cast.look(line));
                let mut transcript = Transcript::new(grain).fail_on(source.fail_on).cast(cast);
                if let Some(session) = session_of(&path) {
                    transcript = transcript.session(session);
                }
                let main = Tail::new(path.clone());
                Form::Transcript(Box::new(Kept {
                    transcript,
                    main,
                    agents: Vec::new(),
                    known: HashSet::new(),
                }))
            }
            _ => Form::Single(Tail::new(path.clone()), Box::new(Incoming::new(grain, source.fail_on))),
        };
        Ok(Follow { path, form })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Tells what was added, which came `now` by the clock of whoever looks; returns whether that is anything.
    pub(crate) fn look(&mut self, now: Option<u64>, listener: &mut dyn Listener) -> anyhow::Result<bool> {
        let looked = match &mut self.form {
            Form::Single(tail, incoming) => {
                let mut fed = Ok(());
                let grown = tail.read(|bytes| {
                    if fed.is_ok() {
                        fed = incoming.feed(bytes, now, listener);
                    }
                });
                fed.map_err(anyhow::Error::from).and(grown.map_err(anyhow::Error::from))
            }
            Form::Transcript(kept) => kept.look(listener).map_err(anyhow::Error::from),
        };
        looked.with_context(|| format!("cannot read {}", self.path.display()))
    }

    /// Nobody wants to know more: tells what is still owed, and `finished`.
    pub(crate) fn finish(mut self, now: Option<u64>, listener: &mut dyn Listener) -> anyhow::Result<()> {
        match &mut self.form {
            Form::Single(tail, incoming) => {
                let held = tail.masked.as_mut().map(|masked| masked.pass(None)).unwrap_or_default();
                incoming.feed(&held, now, listener)?;
                Ok(incoming.finish(now, false, listener)?)
            }
            Form::Transcript(kept) => {
                kept.transcript.finish(|event| listener.event(&event));
                Ok(())
            }
        }
    }
}

impl Kept {
    /// Lines that were added to several files are told in the order of their times.
    fn look(&mut self, listener: &mut dyn Listener) -> io::Result<bool> {
        for path in agents_of(&self.main.path).unwrap_or_default() {
            if self.known.insert(path.clone()) {
                self.agents.push(Tail::new(path));
            }
        }
        let Kept { transcript, main, agents, .. } = self;
        let mut added = main.lines()?;
        for agent in agents.iter_mut() {
            added.extend(agent.lines()?);
        }
        let grown = !added.is_empty();
        // Lines without a time stay behind the one before them.
        let mut last = i64::MIN;
        let mut timed: Vec<(i64, Added)> = Vec::with_capacity(added.len());
        for line in added {
            last = Merge::time_of(&line.bytes).unwrap_or(last);
            timed.push((last, line));
        }
        timed.sort_by_key(|(time, _)| *time);
        for (_, line) in timed {
            listener.entry(line.agent.as_deref(), &line.bytes);
            let entry = Line::whole(line.number, &line.bytes, End::Newline);
            transcript.step(entry, |event| listener.event(&event));
        }
        Ok(grown)
    }
}

/// A line that was added to a file.
struct Added {
    /// The file, if it is that of an agent.
    agent: Option<PathBuf>,
    number: u64,
    bytes: Vec<u8>,
}

/// The end of a file that may grow.
struct Tail {
    path: PathBuf,
    /// How much of it was read.
    read: u64,
    /// It is compressed by zstd.
    packed: Option<Grown>,
    splitter: Splitter,
    masked: Option<Box<Reading>>,
}

impl Tail {
    fn new(path: PathBuf) -> Self {
        Tail {
            path,
            read: 0,
            packed: None,
            splitter: Splitter::new(DEFAULT_LIMIT),
            masked: Reading::wanted(),
        }
    }

    /// Hands on the bytes that were added. Returns whether there are any.
    fn read(&mut self, mut take: impl FnMut(&[u8])) -> io::Result<bool> {
        let mut file = match File::open(&self.path) {
            // Whoever writes it may put another in its place.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            file => file?,
        };
        let length = file.metadata()?.len();
        if length <= self.read {
            return Ok(false);
        }
        let masked = &mut self.masked;
        let mut take = |bytes: &[u8]| match masked {
            Some(masked) => take(&masked.pass(Some(bytes))),
            None => take(bytes),
        };
        if self.read == 0 && is_zstd(&mut file)? {
            self.packed = Some(Grown::default());
        }
        if let Some(packed) = &mut self.packed {
            self.read = length;
            return packed.read(&mut file, take);
        }
        file.seek(SeekFrom::Start(self.read))?;
        let (mut piece, mut grown) = (vec![0; 256 << 10], false);
        loop {
            match file.read(&mut piece) {
                Ok(0) => return Ok(grown),
                Ok(length) => {
                    self.read += length as u64;
                    grown = true;
                    take(&piece[..length]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The whole lines that were added.
    fn lines(&mut self) -> io::Result<Vec<Added>> {
        let agent = KeptAgent::at(self.path.clone()).map(|agent| agent.path);
        let mut splitter = std::mem::replace(&mut self.splitter, Splitter::new(DEFAULT_LIMIT));
        let mut lines = Vec::new();
        let mut take = |line: Line<'_>| {
            lines.push(Added { agent: agent.clone(), number: line.number, bytes: line.bytes.to_vec() });
        };
        let read = self.read(|bytes| splitter.feed(bytes, &mut take));
        self.splitter = splitter;
        read.map(|_| lines)
    }
}
