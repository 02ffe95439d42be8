//! Sessions to read: recorded streams, standard input, and what Claude Code keeps on disk.
//!
//! What a file is, its content says, not its name. A session on disk is its main file and those of its agents.

mod agents;
mod denied;
mod entries;
mod events;
mod find;
mod follow;
mod frames;
mod glance;
mod grown;
mod incoming;
mod kind;
mod lines;
mod many;
mod open;
mod played;
mod progress;
mod recording;
mod seek;
mod stream;
mod transcript;
mod unpack;

pub(crate) use entries::Held;
pub(crate) use find::{Found, is_session_id, kept_folders, project_folders};
pub(crate) use follow::Follow;
pub(crate) use glance::Glance;
pub(crate) use incoming::Incoming;
pub(crate) use many::each;
pub(crate) use played::recorded;
pub(crate) use unpack::Unpacked;

use crate::recording::Record;
use crate::wrong_call::WrongCall;
use anyhow::Context;
use kind::What;
use open::Opened;
use std::io::{self, Cursor, IsTerminal, Read, stdin};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use unspool::verdict::FailOn;
use unspool::{Event, Grain};

/// What to read.
#[derive(clap::Args, Default)]
pub(crate) struct Sources {
    /// Recordings, streams, transcripts, files of events, folders of them, or ids of sessions; `-` or nothing for standard input.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Sources {
    pub(crate) fn of(files: Vec<PathBuf>) -> Self {
        Sources { files }
    }

    /// Whether nothing is named, and somebody would have to type it.
    pub(crate) fn are_typed(&self) -> bool {
        self.files.is_empty() && stdin().is_terminal()
    }

    /// All sessions, in order. What cannot be found is named on standard error, unless it is all there is.
    pub(crate) fn find(&self) -> anyhow::Result<Found> {
        let by_stdin = self.files.iter().all(|file| file.as_os_str() == "-");
        if by_stdin && stdin().is_terminal() {
            return Err(WrongCall::new(NOTHING).into());
        }
        if self.files.is_empty() { Ok(Found::of(Source::of("-".into()))) } else { find::all(&self.files) }
    }

    /// All sessions that are there by now, in order: a folder may have none yet.
    pub(crate) fn find_so_far(&self) -> anyhow::Result<Found> {
        find::so_far(&self.files)
    }
}

/// Nobody types a stream.
const NOTHING: &str = "there is nothing to read: name a file or a folder (~/.claude/projects has your own sessions), or pipe a stream into it";

/// One session to read.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    path: PathBuf,
    /// The files of its agents; none if nobody has looked for them.
    agents: Option<Vec<PathBuf>>,
    modified: Option<SystemTime>,
    /// Somebody named it, and it was not just found.
    named: bool,
    fail_on: FailOn,
    /// Whoever is told says what it is.
    quiet: bool,
    /// What is wrong with a recording is not said.
    silent: bool,
    /// All of standard input, where it is read more than once.
    held: Option<Arc<[u8]>>,
}

/// A line of what is read, or a part of a long one.
pub(crate) struct Came<'a> {
    /// Which one it is, from 1: a line of the file, an entry of a recording.
    pub(crate) number: u64,
    /// When it came, in milliseconds since the beginning, where that is known before its events are.
    pub(crate) at: Option<u64>,
    /// What of it stands in the stream.
    pub(crate) bytes: &'a [u8],
}

/// The files of a session on disk.
pub(crate) struct OnDisk {
    /// Its id, if its main file is named so.
    pub(crate) session: Option<String>,
    /// What was read of the main file already.
    pub(crate) head: Vec<u8>,
    /// The rest of it.
    pub(crate) rest: Box<dyn std::io::Read>,
    /// The files of its agents.
    pub(crate) agents: Vec<PathBuf>,
}

/// Whoever is told a session.
pub(crate) trait Listener {
    /// Something happened.
    fn event(&mut self, event: &Event<'_>);

    /// An entry of a session on disk, as it stands in the main file or in that of an agent; its events follow.
    fn entry(&mut self, _agent: Option<&Path>, _line: &[u8]) {}

    /// These were events with whole parts, each of which was told as one piece, since deltas were wanted.
    fn had_whole_parts(&mut self) {}

    /// Whether it wants to know which line made each event told.
    fn is_by_line(&self) -> bool {
        false
    }

    /// It begins; somebody knows when its lines came, or nobody does. Said only if lines are [wanted](Self::is_by_line).
    fn begins(&mut self, _has_times: bool) {}

    /// A line was read, by whose end its events are told; only if it is [wanted](Self::is_by_line).
    fn came(&mut self, _line: &Came<'_>) {}

    /// All that was read so far is told. Returns whether there should be more.
    fn pause(&mut self) -> anyhow::Result<bool> {
        Ok(true)
    }
}

impl<F: FnMut(&Event<'_>)> Listener for F {
    fn event(&mut self, event: &Event<'_>) {
        self(event);
    }
}

impl Source {
    /// A file, or `-` for standard input.
    pub(crate) fn of(path: PathBuf) -> Self {
        Source { named: true, ..Source::found(path, None, None) }
    }

    fn found(path: PathBuf, agents: Option<Vec<PathBuf>>, modified: Option<SystemTime>) -> Self {
        Source {
            path,
            agents,
            modified,
            named: false,
            fail_on: FailOn::default(),
            quiet: false,
            silent: false,
            held: None,
        }
    }

    /// Says what else counts as a failure.
    pub(crate) fn fail_on(mut self, fail_on: FailOn) -> Self {
        self.fail_on = fail_on;
        self
    }

    /// Says nothing where there is nothing of Claude Code in it: whoever shows the verdict says so.
    pub(crate) fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// Whether somebody named it, and it was not just found.
    pub(crate) fn is_named(&self) -> bool {
        self.named
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The session whose main file it is, if its name tells that.
    pub(crate) fn session(&self) -> Option<String> {
        transcript::session_of(&self.path)
    }

    /// Tells it from its beginning to its end; `finished` is the last event.
    pub(crate) fn tell(&self, grain: Grain, mut sink: impl FnMut(&Event<'_>)) -> anyhow::Result<()> {
        self.tell_to(grain, &mut sink)
    }

    /// Tells it from its beginning to its end to who wants to know when there is nothing more for now, too.
    pub(crate) fn tell_to(&self, grain: Grain, listener: &mut dyn Listener) -> anyhow::Result<()> {
        let mut read = || -> anyhow::Result<()> {
            if self.is_stdin() && self.held.is_none() && !listener.is_by_line() {
                let what = stream::tell_stdin(self, grain, listener)?;
                return what.map_or(Ok(()), |(what, is_cut)| self.must_be_one(what, is_cut));
            }
            let opened = self.opened()?;
            self.must_be_one(opened.what, opened.rest.is_cut())?;
            listener.begins(self.has_times(&opened));
            match opened.what {
                What::Transcript => transcript::tell(self, opened, grain, listener),
                What::Recording => recording::tell(self, opened, grain, listener),
                What::Events => events::tell(self, opened, grain, listener),
                _ => stream::tell(self, opened, grain, listener),
            }
        };
        read().or_else(|error| match error.downcast::<Stopped>() {
            Ok(Stopped(why)) => Err(why),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", self.name())),
        })
    }

    /// What is wrong with a recording was said already.
    pub(crate) fn silently(mut self) -> Self {
        self.silent = true;
        self
    }

    /// Reads standard input to its end, so that it can be told more than once.
    pub(crate) fn hold(mut self) -> anyhow::Result<Self> {
        if self.is_stdin() && self.held.is_none() {
            let mut bytes = Vec::new();
            stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
            self.held = Some(bytes.into());
        }
        Ok(self)
    }

    pub(crate) fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    fn opened(&self) -> io::Result<Opened> {
        match &self.held {
            Some(bytes) => Opened::of(Unpacked::new(Box::new(Cursor::new(Arc::clone(bytes))))?),
            None if self.is_stdin() => Opened::of(Unpacked::new(Box::new(stdin().lock()))?),
            None => Opened::new(&self.path),
        }
    }

    /// Whether it is compressed.
    pub(crate) fn is_packed(&self) -> bool {
        self.opened().is_ok_and(|opened| opened.rest.is_packed())
    }

    /// Whether it is known when its lines came.
    fn has_times(&self, opened: &Opened) -> bool {
        match opened.what {
            What::Transcript | What::Recording => true,
            What::Events => events::have_times(&opened.head),
            _ => Record::of(&unpack::plain_name(&self.path)).is_some(),
        }
    }

    /// What people call it.
    pub(crate) fn name(&self) -> String {
        if self.is_stdin() { "standard input".into() } else { self.path.display().to_string() }
    }

    /// The files of a session on disk, for whoever wants to read them in another way; none of anything else.
    pub(crate) fn on_disk(&self) -> anyhow::Result<Option<OnDisk>> {
        if self.path.as_os_str() == "-" {
            return Ok(None);
        }
        let opened =
            Opened::new(&self.path).with_context(|| format!("cannot read {}", self.path.display()))?;
        if opened.what != What::Transcript {
            return Ok(None);
        }
        let agents = self.agents.clone().map_or_else(|| agents::agents_of(&self.path), Ok)?;
        let is_packed = |file: &PathBuf| open::open(file).is_ok_and(|file| file.is_packed());
        if opened.rest.is_packed() || agents.iter().any(is_packed) {
            return Ok(None);
        }
        let session = transcript::session_of(&self.path);
        Ok(Some(OnDisk { session, head: opened.head, rest: Box::new(opened.rest), agents }))
    }

    /// Whether this failure is none: a file that was only found need not be a session.
    pub(crate) fn may_ignore(&self, error: &anyhow::Error) -> bool {
        !self.named && (error.is::<NoSession>() || error.is::<NoText>())
    }

    /// What is no text is refused; of what is none of Claude Code's there is nothing to tell, and that is said.
    fn must_be_one(&self, what: What, is_cut: bool) -> anyhow::Result<()> {
        let Some(why) = nothing_in(what, is_cut)? else { return Ok(()) };
        if what == What::Other && !self.named {
            return Err(NoSession.into());
        }
        if !self.quiet {
            eprintln!("unspool: {}: {why}", self.name());
        }
        Ok(())
    }
}

/// Why there is nothing to tell of it, if so.
fn nothing_in(what: What, is_cut: bool) -> Result<Option<&'static str>, NoText> {
    match what {
        What::Stream | What::Transcript | What::Recording | What::Events => Ok(None),
        What::Binary => Err(NoText),
        What::Other => Ok(Some("no line in it is one of Claude Code's")),
        What::Empty if is_cut => Ok(Some("it is compressed, and cut so soon that nothing of it can be read")),
        What::Empty => Ok(Some("there is nothing in it")),
    }
}

/// Says that there is nothing more for now. Returns whether there should be more.
fn pause(listener: &mut dyn Listener) -> anyhow::Result<bool> {
    listener.pause().map_err(|error| Stopped(error).into())
}

/// The listener cannot go on: no fault of what is read.
#[derive(Debug)]
struct Stopped(anyhow::Error);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Stopped {}

/// A file of text that is no session.
#[derive(Debug)]
struct NoSession;

impl std::fmt::Display for NoSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("it is neither a recording or stream of Claude Code nor a transcript")
    }
}

impl std::error::Error for NoSession {}

/// What is no text at all.
#[derive(Debug)]
pub(crate) struct NoText;

impl std::fmt::Display for NoText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("it is no text, so it is neither a recording or stream of Claude Code nor a transcript")
    }
}

impl std::error::Error for NoText {}
