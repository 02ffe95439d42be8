//! Lines in, lines out, and an end: what the driver needs of the program that it drives.
//!
//! Normally that is a process; it may as well be a container, a machine far away, or
//! a script in a test ([`memory`]), or a recording ([`recorded`]).

mod recorded;

pub use recorded::recorded;

use crate::tap::Started;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, duplex};
use tokio::sync::{mpsc, watch};

/// Bytes that go to the program.
pub type Input = Box<dyn AsyncWrite + Send + Unpin>;

/// Bytes that come from the program.
pub type Output = Box<dyn AsyncRead + Send + Unpin>;

/// A program that was started, seen from the driver.
pub struct Transport {
    pub(crate) input: Input,
    pub(crate) output: Output,
    pub(crate) errors: Option<Output>,
    pub(crate) child: Box<dyn Child>,
    /// What was started, where we know it.
    pub(crate) started: Option<Started>,
}

impl Transport {
    /// A program whose standard input, output and error are these.
    pub fn new(input: Input, output: Output, errors: Option<Output>, child: impl Child + 'static) -> Self {
        Transport { input, output, errors, child: Box::new(child), started: None }
    }
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transport").field("id", &self.child.id()).finish_non_exhaustive()
    }
}

/// A program that runs.
///
/// Dropping it ends it, and everything that it has started.
pub trait Child: Send {
    /// The id of the process, if it is one of this machine.
    fn id(&self) -> Option<u32> {
        None
    }

    /// Tells it, and everything that it has started, to end.
    fn signal(&mut self, signal: Signal);

    /// Waits for its end. May be dropped and called again.
    fn wait(&mut self) -> Pin<Box<dyn Future<Output = Exit> + Send + '_>>;
}

/// How a program is told to end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "a transport must do what each of them says")]
pub enum Signal {
    /// Politely: it may tidy up.
    Terminate,
    /// At once.
    Kill,
}

/// How a program ended. Both are `None` if that cannot be known.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "a program ends with a code or by a signal")]
pub struct Exit {
    /// The code it exited with.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit code {code}"),
            (None, Some(signal)) => write!(f, "ended by signal {signal}"),
            (None, None) => f.write_str("ended in an unknown way"),
        }
    }
}

/// Starts a process as [`Claude`](crate::Claude) does: in a group of its own, with all that it starts ended when it ends or we are
/// killed.
#[cfg(feature = "process")]
pub fn process(launch: &crate::options::Launch) -> std::io::Result<Transport> {
    let command = tokio::process::Command::from(launch.command());
    let started = crate::process::start(command, launch.user, None)?;
    if let Some(error) = started.unguarded {
        tracing::warn!(%error, "nobody ends the program if we are killed");
    }
    Ok(started.transport)
}

/// A program that is played by a test: the transport, and the other end of it.
#[must_use]
pub fn memory(pipe: usize) -> (Transport, Peer) {
    let (input, heard) = duplex(pipe);
    let (output, says) = duplex(pipe);
    let (exit, exited) = watch::channel(None);
    let (signal, signals) = mpsc::unbounded_channel();
    let child = MemoryChild { exited, signal };
    let transport = Transport::new(Box::new(input), Box::new(output), None, child);
    (transport, Peer { heard, says: Some(says), signals, exit })
}

/// The program's side of [`memory`].
#[derive(Debug)]
pub struct Peer {
    /// What the driver writes.
    pub heard: DuplexStream,
    /// What the driver reads; `None` once standard output is closed.
    pub says: Option<DuplexStream>,
    /// How the driver tells it to end.
    pub signals: mpsc::UnboundedReceiver<Signal>,
    exit: watch::Sender<Option<Exit>>,
}

impl Peer {
    /// The program exits. Its output is open as long as a process has it, as with a real one.
    pub fn exit(&mut self, code: i32) {
        self.exit.send_replace(Some(Exit { code: Some(code), signal: None }));
    }
}

struct MemoryChild {
    exited: watch::Receiver<Option<Exit>>,
    signal: mpsc::UnboundedSender<Signal>,
}

impl Child for MemoryChild {
    fn signal(&mut self, signal: Signal) {
        // A peer that is gone has ended already.
        let _ = self.signal.send(signal);
    }

    fn wait(&mut self) -> Pin<Box<dyn Future<Output = Exit> + Send + '_>> {
        Box::pin(async {
            let exit = self.exited.wait_for(Option::is_some).await;
            exit.ok().and_then(|exit| *exit).unwrap_or_default()
        })
    }
}
