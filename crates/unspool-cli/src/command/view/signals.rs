//! Signals that end the program, heard before they do.

/// What was heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Signal {
    /// Ctrl-C, which everybody at the terminal hears.
    Interrupt,
    /// We are to end.
    Terminate,
}

/// Tells signals from now on, until `tell` says that it is enough. They no longer end the program.
#[cfg(unix)]
pub(crate) fn hear(mut tell: impl FnMut(Signal) -> bool + Send + 'static) {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let entered = runtime.enter();
    let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = kinds.map(signal) else { return };
    drop(entered);
    std::thread::spawn(move || {
        runtime.block_on(async {
            loop {
                let heard = tokio::select! {
                    _ = interrupt.recv() => Signal::Interrupt,
                    _ = terminate.recv() => Signal::Terminate,
                    _ = hangup.recv() => Signal::Terminate,
                };
                if !tell(heard) {
                    return;
                }
            }
        });
    });
}

#[cfg(not(unix))]
pub(crate) fn hear(_: impl FnMut(Signal) -> bool + Send + 'static) {}
