//! A run as people watch it: the view, live on a screen, or line by line.

use crate::command::ViewOptions;
use crate::drive::{obey_signals, tell_not_started};
use crate::redact::MaskedEvents;
use crate::report::Outcome;
use crate::stage::{Screen, Stage, TICK};
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::time::{MissedTickBehavior, interval, sleep};
use unspool::Event;
use unspool_client::{Claude, Run};

/// The screen that the view and whoever asks share.
pub(super) fn screen() -> Arc<Mutex<Screen>> {
    Screen::open(ViewOptions::default().settings(true).colors)
}

/// Runs it, and shows it.
pub(super) async fn tell(
    claude: &Claude,
    prompt: String,
    screen: Option<Arc<Mutex<Screen>>>,
    out: &mut impl Write,
) -> anyhow::Result<Outcome> {
    let mut settings = ViewOptions::default().settings(io::stdout().is_terminal());
    settings.answers = true;
    let stage = match &screen {
        Some(screen) => Stage::on_screen(settings, false, screen.clone()),
        None => Stage::on_lines(settings, out),
    };
    let mut watched =
        Watched { stage, outcome: Outcome::default(), masked: MaskedEvents::new(), written: Ok(()) };
    let began = Instant::now();
    let mut run = match claude.run(prompt).await {
        Ok(run) => run,
        Err(error) => {
            tell_not_started(error, |event| watched.step(event))?;
            watched.draw();
            watched.outcome.end(None, began.elapsed());
            return watched.end();
        }
    };
    obey_signals(run.controls(), move |words| say(screen.as_deref(), words))?;
    watched.show(&mut run).await;
    watched.outcome.end(run.ending(), began.elapsed());
    watched.end()
}

struct Watched<'o> {
    stage: Stage<'o>,
    outcome: Outcome,
    masked: MaskedEvents,
    /// A screen that cannot be written to does not end the run: what is done is done.
    written: io::Result<()>,
}

impl Watched<'_> {
    async fn show(&mut self, run: &mut Run) {
        let mut clock = interval(TICK);
        clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let mut is_new = false;
        loop {
            tokio::select! {
                event = run.next() => match event {
                    Some(event) => {
                        self.step(&event);
                        is_new = true;
                    }
                    None => {
                        let Watched { stage, outcome, masked, .. } = self;
                        masked.finish(|event| tell_both(stage, outcome, event));
                        break;
                    }
                },
                () = sleep(self.stage.wait()), if is_new => {
                    self.draw();
                    is_new = false;
                }
                _ = clock.tick() => self.draw(),
            }
        }
        self.draw();
    }

    fn step(&mut self, event: &Event<'_>) {
        let Watched { stage, outcome, masked, .. } = self;
        masked.step(event, |event| tell_both(stage, outcome, event));
    }

    fn draw(&mut self) {
        if self.written.is_ok() {
            self.written = self.stage.draw();
        }
    }

    fn end(self) -> anyhow::Result<Outcome> {
        let is_shown = self.stage.is_screen() && io::stderr().is_terminal();
        drop(self.stage);
        // On the screen stands all but what the program said at its end.
        if self.outcome.has_last_words() || !self.outcome.is_ok() && !is_shown {
            eprintln!("{}", unspool_report::words::clean(&self.outcome.sentence()));
        }
        self.written?;
        Ok(self.outcome)
    }
}

fn tell_both(stage: &mut Stage<'_>, outcome: &mut Outcome, event: &Event<'_>) {
    outcome.step(event);
    stage.step(event);
}

/// Tells people something beside the run.
pub(super) fn say(screen: Option<&Mutex<Screen>>, words: &str) {
    match screen {
        // Where nobody looks nothing is lost.
        Some(screen) => drop(screen.lock().unwrap_or_else(PoisonError::into_inner).say(words)),
        None => eprintln!("{words}"),
    }
}
