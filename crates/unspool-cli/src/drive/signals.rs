//! Ctrl-C interrupts the turn, a second one ends the run; other signals end it at once, children and all.

use std::io;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::timeout;
use unspool::Verdict;
use unspool_client::controls::Controls;
use unspool_client::process::end_all;

/// So long Claude Code may take to end by itself, once it was told to; whoever sends us signals kills us soon.
const GRACE: Duration = Duration::from_secs(3);

/// So long whoever reads our output may take to read the end of it.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// Lets signals end a run. `say` tells people what happens.
pub(crate) fn obey_signals(
    controls: Controls,
    say: impl Fn(&str) + Send + 'static,
) -> io::Result<tokio::task::JoinHandle<()>> {
    let mut signals = Signals::new()?;
    Ok(tokio::spawn(async move {
        let mut name = signals.next().await;
        if name == INTERRUPT {
            say("interrupting the turn; Ctrl-C again ends the run");
            controls.halt("interrupted by Ctrl-C");
            name = signals.next().await;
        }
        controls.end(format!("ended by {name}"));
        if timeout(GRACE, signals.next()).await.is_ok() {
            say("killing it");
        }
        end_all();
        tokio::time::sleep(LAST_WORDS).await;
        crate::stage::restore();
        // Nobody reads what we write, and we were told to end.
        std::process::exit(Verdict::Failed.code().into());
    }))
}

const INTERRUPT: &str = "SIGINT";

struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// `None` where we were started to outlive the terminal, as by `nohup`.
    hangup: Option<Signal>,
}

impl Signals {
    fn new() -> io::Result<Self> {
        let hangup = SignalKind::hangup();
        let outlives = ignored() >> (hangup.as_raw_value() - 1) & 1 == 1;
        Ok(Signals {
            // Shells start what runs in the background so that it ignores this one; whoever sends it here means it.
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: (!outlives).then(|| signal(hangup)).transpose()?,
        })
    }

    /// The name of the next one.
    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => INTERRUPT,
            _ = self.terminate.recv() => "SIGTERM",
            () = came(self.hangup.as_mut()) => "SIGHUP",
        }
    }
}

async fn came(signal: Option<&mut Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// The signals that this process ignores, a bit each; none where there is no `/proc` to say so.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
