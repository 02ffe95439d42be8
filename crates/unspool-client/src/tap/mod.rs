//! All that crosses the pipes between us and Claude Code, byte by byte, in the order in which it does.
//!
//! Bytes are read by the driver, written by the writer and complained of on standard error in a task each. They pass
//! through one turnstile, so that what Claude Code says to a line never stands before the line.

mod journal;
mod recording;

pub use journal::TrafficJournal;
pub use recording::{RecordingFile, Resumed};

use crate::options::Launch;
use crate::transport::{Exit, Input};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::AsyncWrite;
use tokio::sync::Notify;
use tokio::time::Instant;
use unspool::verdict::Beside;

/// Hears of traffic, and when it was, in milliseconds since the session began.
pub(crate) type OnTraffic = Arc<dyn Fn(Traffic<'_>, u64) + Send + Sync>;

/// What crossed a pipe between us and Claude Code, exactly and in order.
///
/// A reader that feeds all of it to a [`Spool`](unspool::Spool) of the same settings gets the same events, with the same times: what was
/// read to [`feed`](unspool::Spool::feed), each whole line that was written to [`wrote`](unspool::Spool::wrote), the end to
/// [`beside`](unspool::Spool::beside).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Traffic<'t> {
    /// A program was started, and this is known of it. Nothing is said of one that was connected to.
    Started(&'t Started),
    /// Claude Code wrote these bytes to its standard output. They are cut anywhere.
    Read(&'t [u8]),
    /// These bytes were written to Claude Code's standard input, and taken. They are cut anywhere; each line ends with a line feed.
    Wrote(&'t [u8]),
    /// Claude Code, or what it has started, wrote these bytes to its standard error. They are cut anywhere.
    Errors(&'t [u8]),
    /// Claude Code's standard input was closed: everything was written.
    InputClosed,
    /// The program has ended, and everything it wrote was read.
    Exited(Exit),
    /// It is over: what is known of the end beside all that.
    Ended(&'t Beside),
}

/// What was started.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Started {
    /// The program and its arguments. Where secrets are kept in private files, these name them.
    pub argv: Vec<String>,
    /// In which folder.
    pub cwd: Option<PathBuf>,
}

impl Started {
    pub(crate) fn of(launch: &Launch) -> Self {
        let words =
            [launch.program.as_os_str()].into_iter().chain(launch.args.iter().map(OsString::as_os_str));
        let cwd = launch.cwd.clone().or_else(|| std::env::current_dir().ok());
        Started { argv: words.map(|word| word.to_string_lossy().into_owned()).collect(), cwd }
    }
}

/// The turnstile. All clones are one.
#[derive(Clone)]
pub(crate) struct Tap(Arc<Turnstile>);

struct Turnstile {
    began: Instant,
    listeners: Vec<OnTraffic>,
    passing: Mutex<Passing>,
    /// A line was written whole.
    crossed: Notify,
}

#[derive(Default)]
struct Passing {
    /// What was written of a line that is not whole.
    begun: Vec<u8>,
    /// Lines that were written, and that the driver has not taken.
    written: Vec<Written>,
    closed: bool,
}

/// A line that was written to Claude Code, whole, and when.
pub(crate) struct Written {
    pub(crate) line: String,
    pub(crate) at: u64,
}

impl Tap {
    pub(crate) fn new(began: Instant, listeners: Vec<OnTraffic>) -> Self {
        Tap(Arc::new(Turnstile { began, listeners, passing: Mutex::default(), crossed: Notify::new() }))
    }

    /// These bytes were read. Returns the lines that had been written before, and when it is.
    pub(crate) fn read(&self, bytes: &[u8]) -> (Vec<Written>, u64) {
        let mut passing = self.passing();
        let at = self.tell(Traffic::Read(bytes));
        (std::mem::take(&mut passing.written), at)
    }

    /// These bytes were read from standard error.
    pub(crate) fn errors(&self, bytes: &[u8]) {
        let _passing = self.passing();
        self.tell(Traffic::Errors(bytes));
    }

    /// Writes as many of these bytes as are taken. Whoever reads what is said to them has to pass here, too, and cannot be
    /// faster.
    pub(crate) fn poll_write(
        &self,
        input: &mut Input,
        bytes: &[u8],
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        let mut passing = self.passing();
        if passing.closed {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let length = ready!(Pin::new(input).poll_write(cx, bytes))?;
        let at = self.tell(Traffic::Wrote(&bytes[..length]));
        for piece in bytes[..length].split_inclusive(|byte| *byte == b'\n') {
            passing.begun.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = String::from_utf8_lossy(&std::mem::take(&mut passing.begun)).into_owned();
                passing.written.push(Written { line, at });
                self.0.crossed.notify_one();
            }
        }
        Poll::Ready(Ok(length))
    }

    /// The lines that have been written since they were last taken.
    pub(crate) fn written(&self) -> Vec<Written> {
        std::mem::take(&mut self.passing().written)
    }

    /// Waits until a line was written. May be dropped and called again.
    pub(crate) async fn crossed(&self) {
        self.0.crossed.notified().await;
    }

    /// Nothing more is written. Returns the last lines that were.
    pub(crate) fn close(&self) -> Vec<Written> {
        let mut passing = self.passing();
        passing.closed = true;
        std::mem::take(&mut passing.written)
    }

    /// A program was started with this.
    pub(crate) fn started(&self, started: &Started) {
        let _passing = self.passing();
        self.tell(Traffic::Started(started));
    }

    /// Everything was written, and the input is closed. Once it is all over nobody wants to know.
    pub(crate) fn input_closed(&self) {
        let passing = self.passing();
        if !passing.closed {
            self.tell(Traffic::InputClosed);
        }
    }

    /// The last there is to be heard, by the clock of the last event.
    pub(crate) fn end(&self, exit: Exit, beside: &Beside, at: u64) {
        let _passing = self.passing();
        for listener in &self.0.listeners {
            listener(Traffic::Exited(exit), at);
            listener(Traffic::Ended(beside), at);
        }
    }

    /// The milliseconds since the session began.
    pub(crate) fn clock(&self) -> u64 {
        u64::try_from(self.0.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn tell(&self, traffic: Traffic<'_>) -> u64 {
        let at = self.clock();
        self.0.listeners.iter().for_each(|listener| listener(traffic, at));
        at
    }

    fn passing(&self) -> MutexGuard<'_, Passing> {
        self.0.passing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
