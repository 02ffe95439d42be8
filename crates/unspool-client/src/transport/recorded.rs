//! A recording in the place of a program.

use super::{Child, Exit, Output, Signal, Transport};
use std::future::{Future, pending};
use std::pin::Pin;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};
use unspool::journal::Way;
use unspool::standin::{Act, Ended, StandIn};

/// As large as a pipe.
const PIPE: usize = 64 << 10;

/// Plays a recording, without a process: what was recorded comes when the driver has written what it waits for. Where the driver does
/// otherwise than the host that was recorded, the program exits with [`DEVIATED`](unspool::standin::DEVIATED), and says what and
/// where on standard error, which is in the error that the application gets.
///
/// ```no_run
/// use unspool_client::unspool::standin::Recorded;
/// use unspool_client::{Claude, Options, transport};
///
/// # async fn show() -> Result<(), Box<dyn std::error::Error>> {
/// let recorded = Recorded::read(&std::fs::read("tests/recordings/hello.rec")?);
/// let claude = Claude::new(Options::new()).start_with(move |launch| {
///     let args: Vec<_> = launch.args.iter().map(|arg| arg.to_string_lossy()).collect();
///     let claude = recorded.stand_in(0, &args);
///     async move { Ok(transport::recorded(claude)) }
/// });
/// assert_eq!(claude.ask("Hello!").await?.text, "Hello yourself.");
/// # Ok(())
/// # }
/// ```
///
/// # Panics
///
/// Outside a tokio runtime.
#[must_use]
pub fn recorded(claude: StandIn) -> Transport {
    let (input, heard) = duplex(PIPE);
    let (output, says) = duplex(PIPE);
    let (errors, complains) = duplex(PIPE);
    let (exit, exited) = watch::channel(None);
    let (signal, signals) = mpsc::unbounded_channel();
    let stage = Stage { claude, began: Instant::now(), heard, is_open: true, says, complains };
    tokio::spawn(async move {
        let exited = stage.play(signals).await;
        exit.send_replace(Some(exited));
    });
    let errors: Output = Box::new(errors);
    Transport::new(Box::new(input), Box::new(output), Some(errors), Recorded { exited, signal })
}

/// The program's side of the pipes.
struct Stage {
    claude: StandIn,
    began: Instant,
    heard: DuplexStream,
    is_open: bool,
    says: DuplexStream,
    complains: DuplexStream,
}

impl Stage {
    /// Plays until it exits, or is told to end.
    async fn play(mut self, mut signals: mpsc::UnboundedReceiver<Signal>) -> Exit {
        tokio::select! {
            exit = self.go_on() => exit,
            // Whoever drops the child wants it gone.
            signal = signals.recv() => match signal {
                Some(Signal::Terminate) => Exit { code: Some(TERMINATED), signal: None },
                Some(Signal::Kill) | None => Exit { code: None, signal: Some(KILLED) },
            },
        }
    }

    async fn go_on(&mut self) -> Exit {
        loop {
            let now = clock(self.began);
            let until = match self.claude.poll(now) {
                // Whoever does not read does not want it.
                Act::Write(Way::Err, bytes) => {
                    let _ = self.complains.write_all(&bytes).await;
                    continue;
                }
                Act::Write(_, bytes) => {
                    let _ = self.says.write_all(&bytes).await;
                    continue;
                }
                Act::Tell(deviation) => {
                    let _ = self.complains.write_all(format!("{deviation}\n").as_bytes()).await;
                    continue;
                }
                Act::Exit(Ended { code, signal, .. }) => return Exit { code, signal },
                Act::Wait(due) => Some(self.began + Duration::from_millis(due)),
                _ => None,
            };
            self.listen(until).await;
        }
    }

    /// Hears what comes next, or that it is time.
    async fn listen(&mut self, until: Option<Instant>) {
        let mut piece = Vec::with_capacity(PIPE);
        let heard = async {
            // Nothing comes behind the end.
            if !self.is_open { pending().await } else { self.heard.read_buf(&mut piece).await }
        };
        let time = async {
            match until {
                Some(until) => sleep_until(until).await,
                None => pending().await,
            }
        };
        tokio::select! {
            heard = heard => {
                let now = clock(self.began);
                match heard {
                    Ok(length) if length > 0 => self.claude.feed(&piece, now),
                    _ => {
                        self.is_open = false;
                        self.claude.close(now);
                    }
                }
            }
            () = time => {}
        }
    }
}

/// What Claude Code exits with on SIGTERM.
const TERMINATED: i32 = 143;

/// The number of SIGKILL.
const KILLED: i32 = 9;

fn clock(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)
}

struct Recorded {
    exited: watch::Receiver<Option<Exit>>,
    signal: mpsc::UnboundedSender<Signal>,
}

impl Child for Recorded {
    fn signal(&mut self, signal: Signal) {
        // One that has exited hears nothing.
        let _ = self.signal.send(signal);
    }

    fn wait(&mut self) -> Pin<Box<dyn Future<Output = Exit> + Send + '_>> {
        Box::pin(async {
            let exit = self.exited.wait_for(Option::is_some).await;
            exit.ok().and_then(|exit| *exit).unwrap_or_default()
        })
    }
}
