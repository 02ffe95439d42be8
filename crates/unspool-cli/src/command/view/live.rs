//! The loop of the live view: what is piped in, signals, and a clock that ticks.

use super::ViewOptions;
use crate::input::Input;
use crate::view::{Recorder, Screen, Stage, TICK};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use unspool::{Grain, Spool};

/// Pieces that may wait; then the one who writes waits too, so that memory is bounded.
const WAITING: usize = 16;

/// So long whoever writes may take to end after Ctrl-C, which has reached it too.
const GRACE: Duration = Duration::from_millis(1500);

/// What the loop waits for.
enum News {
    Bytes(Vec<u8>),
    End(anyhow::Result<()>),
    /// Ctrl-C: whoever writes will end, too.
    Interrupt,
    /// We are to end.
    Terminate,
}

/// Shows what is piped in, live.
pub(super) fn run(options: &ViewOptions, mut recorder: Option<Recorder>) -> anyhow::Result<ExitCode> {
    let news = listen();
    let settings = options.settings(true);
    let screen = Arc::new(Mutex::new(Screen::open(settings.colors)));
    let mut stage = Stage::on_screen(settings, options.is_fixed(), screen);
    let mut spool = Spool::new(Grain::Deltas).fail_on(options.fail_on());
    let mut ends_at: Option<Instant> = None;
    let mut is_new = true;
    let read = loop {
        let wait = if is_new { stage.wait() } else { TICK };
        let wait = ends_at.map_or(wait, |at| wait.min(at.saturating_duration_since(Instant::now())));
        match news.recv_timeout(wait) {
            Ok(News::Bytes(bytes)) => {
                let now = stage.now();
                recorder.iter_mut().try_for_each(|recorder| recorder.feed(&bytes, now))?;
                spool.set_clock(now);
                spool.feed(&bytes, |event| stage.step(&event));
                is_new = true;
                if !stage.wait().is_zero() {
                    continue;
                }
            }
            Ok(News::End(read)) => break read,
            Ok(News::Interrupt) if ends_at.is_none() => ends_at = Some(Instant::now() + GRACE),
            Ok(News::Interrupt | News::Terminate) | Err(RecvTimeoutError::Disconnected) => break Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if ends_at.is_some_and(|at| at <= Instant::now()) {
            break Ok(());
        }
        stage.draw()?;
        is_new = false;
        if stage.is_closed() && recorder.is_none() {
            break Ok(());
        }
    };
    recorder.iter_mut().try_for_each(|recorder| recorder.finish(stage.now()))?;
    spool.set_clock(stage.now());
    spool.finish(|event| stage.step(&event));
    stage.draw()?;
    read.map(|()| options.conclude(&stage))
}

/// Everything that may happen, one after the other.
fn listen() -> Receiver<News> {
    let (tell, news) = sync_channel(WAITING);
    let reader = tell.clone();
    // A thread, because nothing can end a read from a pipe; the process does not wait for it.
    thread::spawn(move || {
        let read = Input::of("-".into()).read(|bytes| Ok(reader.send(News::Bytes(bytes.to_vec())).is_ok()));
        let _ = reader.send(News::End(read));
    });
    hear_signals(tell);
    news
}

/// Before anything is hidden on the screen, signals must find somebody who shows it again.
#[cfg(unix)]
fn hear_signals(tell: SyncSender<News>) {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let entered = runtime.enter();
    let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = kinds.map(signal) else { return };
    drop(entered);
    thread::spawn(move || {
        runtime.block_on(async {
            loop {
                let news = tokio::select! {
                    _ = interrupt.recv() => News::Interrupt,
                    _ = terminate.recv() => News::Terminate,
                    _ = hangup.recv() => News::Terminate,
                };
                if tell.send(news).is_err() {
                    return;
                }
            }
        });
    });
}

#[cfg(not(unix))]
fn hear_signals(_: SyncSender<News>) {}
