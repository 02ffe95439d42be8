//! What ends Claude Code by a signal ends the stand-in in the same way.

use std::io;
use std::thread;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

/// The codes with which Claude Code exits when these signals come: on SIGINT it is done, and all is well.
const CODES: [(SignalKind, i32); 3] =
    [(SignalKind::terminate(), 143), (SignalKind::hangup(), 129), (SignalKind::interrupt(), 0)];

/// From now on signals end this process as they end Claude Code.
pub(super) fn obey() -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let [terminate, hangup, interrupt] = {
        let _inside = runtime.enter();
        CODES.map(|(kind, code)| signal(kind).map(|signal| (signal, code)))
    };
    let (mut terminate, mut hangup, mut interrupt) = (terminate?, hangup?, interrupt?);
    thread::spawn(move || {
        let code = runtime.block_on(async {
            tokio::select! {
                _ = terminate.0.recv() => terminate.1,
                _ = hangup.0.recv() => hangup.1,
                _ = interrupt.0.recv() => interrupt.1,
            }
        });
        std::process::exit(code);
    });
    Ok(())
}
