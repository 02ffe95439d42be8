//! A session played again as events, each when it was told.

use super::cue::Cue;
use super::position::Side;
use crate::output::Lines;
use crate::source::{Came, Listener, Source};
use crate::stage::TICK;
use std::io::{self, Write};
use unspool::{Event, Grain};

/// Plays it, one line of JSON for each event.
pub(crate) fn events(source: &Source, grain: Grain, cue: Cue, out: &mut impl Write) -> anyhow::Result<()> {
    let mut teller = Teller { cue, lines: Lines::new(out), written: Ok(()), is_over: false };
    source.tell_to(grain, &mut teller)?;
    teller.cue.end()
}

struct Teller<'o, W: Write> {
    cue: Cue,
    lines: Lines<'o, W>,
    written: io::Result<()>,
    is_over: bool,
}

impl<W: Write> Teller<'_, W> {
    fn tell(&mut self, event: &Event<'_>) -> io::Result<()> {
        let Teller { cue, lines, .. } = self;
        cue.wait(TICK, |_| lines.flush())?;
        lines.line(|line| event.write(line))
    }
}

impl<W: Write> Listener for Teller<'_, W> {
    fn is_by_line(&self) -> bool {
        true
    }

    fn begins(&mut self, has_times: bool) {
        self.cue.begins(has_times);
    }

    fn came(&mut self, line: &Came<'_>) {
        self.cue.came(line);
    }

    fn event(&mut self, event: &Event<'_>) {
        self.cue.step(event);
        if self.is_over || self.written.is_err() || self.lines.is_closed() {
            return;
        }
        match self.cue.side() {
            Side::Before => {}
            Side::Within => self.written = self.tell(event),
            Side::Behind => self.is_over = true,
        }
    }

    fn pause(&mut self) -> anyhow::Result<bool> {
        std::mem::replace(&mut self.written, Ok(()))?;
        self.lines.flush()?;
        Ok(!self.is_over && !self.lines.is_closed())
    }
}
