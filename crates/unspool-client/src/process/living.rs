//! The programs that run, so that all of them can be ended when we are told to stop.

use super::survivors::Mark;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

static LIVING: Mutex<BTreeMap<u32, Mark>> = Mutex::new(BTreeMap::new());

fn living() -> MutexGuard<'static, BTreeMap<u32, Mark>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn add(id: Option<u32>, mark: Mark) {
    living().extend(id.map(|id| (id, mark)));
}

pub(super) fn remove(mark: Mark) {
    living().retain(|_, other| *other != mark);
}

/// Ends every program that runs, and everything that those have started, at once.
///
/// Sessions end their programs by themselves when they are dropped. A process that is ended by a signal drops nothing: what it
/// ran is ended a moment later, by a guard. An application that wants it to have ended before calls this before it exits,
/// or leaves both to [`end_on_signals`].
pub fn end_all() {
    for (id, mark) in std::mem::take(&mut *living()) {
        super::kill_group(id);
        mark.kill_all();
    }
}

/// From now on, a signal that ends this process (SIGINT, SIGTERM, SIGHUP) first ends every program that it runs. The
/// exit code is the usual one, 128 and the signal's number. To be called within a tokio runtime.
#[cfg(unix)]
pub fn end_on_signals() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
        let mut told = signal(kind)?;
        tokio::spawn(async move {
            if told.recv().await.is_some() {
                end_all();
                std::process::exit(128 + kind.as_raw_value());
            }
        });
    }
    Ok(())
}
