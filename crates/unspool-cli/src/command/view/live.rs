//! The loop of the live view: what is piped in, signals, and a clock that ticks.

use super::signals::{self, Signal};
use super::{CANNOT, ViewOptions};
use crate::input::{Ended, read_stdin};
use crate::recording::Recorder;
use crate::source::Incoming;
use crate::stage::{Screen, Stage, TICK};
use anyhow::Context;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use unspool::journal::Way;
use unspool::{Event, Grain};

/// Pieces that may wait; then the one who writes waits too, so that memory is bounded.
const WAITING: usize = 16;

/// So long whoever writes may take to end after Ctrl-C, which has reached it too.
const GRACE: Duration = Duration::from_millis(1500);

/// What the loop waits for.
enum News {
    Bytes(Vec<u8>),
    End(anyhow::Result<Ended>),
    Signal(Signal),
}

/// Shows what is piped in, live.
pub(super) fn run(options: &ViewOptions, mut recorder: Option<Recorder>) -> anyhow::Result<ExitCode> {
    let news = listen();
    let settings = options.settings(true);
    let screen = Screen::open(settings.colors);
    let mut stage = Stage::on_screen(settings, options.is_fixed(), screen);
    let mut incoming = Incoming::new(Grain::Deltas, options.fail_on());
    let mut ends_at: Option<Instant> = None;
    let mut is_new = true;
    let read = loop {
        let wait = if is_new { stage.wait() } else { TICK };
        let wait = ends_at.map_or(wait, |at| wait.min(at.saturating_duration_since(Instant::now())));
        match news.recv_timeout(wait) {
            Ok(News::Bytes(bytes)) => {
                let now = stage.now();
                recorder.iter_mut().try_for_each(|recorder| recorder.feed(Way::Out, &bytes, now))?;
                incoming
                    .feed(&bytes, Some(now), &mut |event: &Event<'_>| stage.step(event))
                    .context(CANNOT)?;
                is_new = true;
                if !stage.wait().is_zero() {
                    continue;
                }
            }
            Ok(News::End(read)) => break read,
            // Whoever writes has heard it, too, and may have something to say before it ends.
            Ok(News::Signal(Signal::Interrupt)) if ends_at.is_none() => {
                ends_at = Some(Instant::now() + GRACE)
            }
            Ok(News::Signal(_)) | Err(RecvTimeoutError::Disconnected) => break Ok(Ended::Whole),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if ends_at.is_some_and(|at| at <= Instant::now()) {
            break Ok(Ended::Whole);
        }
        stage.draw()?;
        is_new = false;
        if stage.is_closed() && recorder.is_none() {
            break Ok(Ended::Whole);
        }
    };
    let cut = matches!(read, Ok(Ended::Cut));
    // What is told of the end bears the time that is recorded.
    let now = stage.now();
    recorder.iter_mut().try_for_each(|recorder| recorder.finish(now))?;
    incoming.finish(Some(now), cut, &mut |event: &Event<'_>| stage.step(event)).context(CANNOT)?;
    stage.draw()?;
    incoming.say_faults("standard input");
    read.map(|_| options.conclude(&stage))
}

/// Everything that may happen, one after the other.
fn listen() -> Receiver<News> {
    let (tell, news) = sync_channel(WAITING);
    let reader = tell.clone();
    // A thread, because nothing can end a read from a pipe; the process does not wait for it.
    thread::spawn(move || {
        let read = read_stdin(|bytes| Ok(reader.send(News::Bytes(bytes.to_vec())).is_ok()));
        let _ = reader.send(News::End(read));
    });
    // Before anything is hidden on the screen, signals must find somebody who shows it again.
    signals::hear(move |signal| tell.send(News::Signal(signal)).is_ok());
    news
}
