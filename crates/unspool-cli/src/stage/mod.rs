//! Where a view is shown: a screen with rows that are alive, or lines one after the other.

#[cfg(test)]
mod paper;
#[cfg(test)]
mod pictures;
mod screen;

#[cfg(unix)]
pub(crate) use screen::size_of;
pub(crate) use screen::{Screen, columns_behind, restore, screen_columns};

use screen::locked;
use std::collections::HashSet;
use std::io::{self, ErrorKind, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use unspool::Event;
use unspool_report::view::{NARROWEST, Settings, View};

/// Frames are at least so far apart, so that many events make one; yet nobody should wait for what is there.
const FRAME: Duration = Duration::from_millis(2);

/// The clock and the wheel of the status line move so often.
pub(crate) const TICK: Duration = Duration::from_millis(120);

/// Rows at the bottom of the screen that may change, at the most.
const ROWS: usize = 16;

/// What is written before it is passed on, at the most.
const BUFFER: usize = 64 << 10;

/// A view, and where it is shown.
pub(crate) struct Stage<'o> {
    view: View,
    place: Destination<'o>,
    clock: Clock,
    drawn: Option<Instant>,
    /// No line is wider, however wide the screen is.
    widest: usize,
}

/// What time it is on the stage.
enum Clock {
    /// Since the curtain rose.
    Own(Instant),
    /// What somebody says.
    Told(u64),
}

enum Destination<'o> {
    Screen(Arc<Mutex<Screen>>),
    Lines { out: &'o mut dyn Write, colors: bool, held: String, is_closed: bool },
}

impl<'o> Stage<'o> {
    /// On a screen, which others may ask for.
    pub(crate) fn on_screen(mut settings: Settings, is_fixed: bool, screen: Arc<Mutex<Screen>>) -> Self {
        let widest = if is_fixed { settings.columns } else { usize::MAX };
        settings.columns = locked(&screen).size().0.clamp(NARROWEST, widest);
        let view = View::new(settings);
        Stage {
            view,
            place: Destination::Screen(screen),
            clock: Clock::Own(Instant::now()),
            drawn: None,
            widest,
        }
    }

    /// Line by line.
    pub(crate) fn on_lines(settings: Settings, out: &'o mut dyn Write) -> Self {
        let colors = settings.colors;
        let place = Destination::Lines { out, colors, held: String::new(), is_closed: false };
        Stage {
            view: View::new(settings),
            place,
            clock: Clock::Own(Instant::now()),
            drawn: None,
            widest: usize::MAX,
        }
    }

    /// Milliseconds since the curtain rose, unless somebody says what time it is: what the events' clock should say.
    pub(crate) fn now(&self) -> u64 {
        match self.clock {
            Clock::Own(began) => u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            Clock::Told(now) => now,
        }
    }

    /// From now on it is this time, until somebody says another.
    pub(crate) fn set_now(&mut self, now: u64) {
        self.clock = Clock::Told(now);
    }

    /// Takes an event. It is shown by the next `draw`, or when there is much to show.
    pub(crate) fn step(&mut self, event: &Event<'_>) {
        if self.is_screen() {
            self.view.set_now(self.now());
        }
        self.view.step(event);
    }

    /// Whether there is a screen, whose rows may change.
    pub(crate) fn is_screen(&self) -> bool {
        matches!(self.place, Destination::Screen(_))
    }

    /// These calls were not allowed.
    pub(crate) fn set_denied(&mut self, calls: HashSet<String>) {
        self.view.set_denied(calls);
    }

    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    /// Whether nobody looks any more.
    pub(crate) fn is_closed(&self) -> bool {
        match &self.place {
            Destination::Screen(screen) => locked(screen).is_closed(),
            Destination::Lines { is_closed, .. } => *is_closed,
        }
    }

    /// How long to wait before the next frame; nothing if it is due.
    pub(crate) fn wait(&self) -> Duration {
        self.drawn.map_or(Duration::ZERO, |drawn| FRAME.saturating_sub(drawn.elapsed()))
    }

    /// Shows what is new.
    pub(crate) fn draw(&mut self) -> io::Result<()> {
        let now = self.now();
        self.drawn = Some(Instant::now());
        match &mut self.place {
            Destination::Screen(screen) => {
                let mut screen = locked(screen);
                let (columns, rows) = screen.size();
                self.view.set_columns(columns.min(self.widest));
                let live = self.view.live(rows.saturating_sub(1).min(ROWS), now);
                screen.draw(self.view.take(), live)
            }
            Destination::Lines { .. } => {
                self.paint()?;
                self.flush()
            }
        }
    }

    /// Lines one after the other are passed on when there are many.
    pub(crate) fn spill(&mut self) -> io::Result<()> {
        if self.view.has_lines() {
            self.paint()?;
        }
        match &self.place {
            Destination::Lines { held, .. } if held.len() >= BUFFER => self.flush(),
            _ => Ok(()),
        }
    }

    /// What was shown since the last time is not.
    pub(crate) fn forget(&mut self) {
        drop(self.view.take());
    }

    fn paint(&mut self) -> io::Result<()> {
        if let Destination::Lines { colors, held, is_closed, .. } = &mut self.place {
            for line in self.view.take() {
                if !*is_closed {
                    line.paint(*colors, held);
                    held.push('\n');
                }
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let Destination::Lines { out, held, is_closed, .. } = &mut self.place else { return Ok(()) };
        let written = out.write_all(held.as_bytes()).and_then(|()| out.flush());
        held.clear();
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                *is_closed = true;
                Ok(())
            }
            other => other,
        }
    }
}
