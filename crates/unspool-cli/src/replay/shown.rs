//! A session played again as people saw it: on a screen, or line by line.

use super::cue::Cue;
use super::position::Side;
use crate::source::{Came, Listener, Source};
use crate::stage::{Stage, TICK};
use std::io;
use unspool::{Event, Grain};

/// Plays it on a stage.
pub(crate) fn show(source: &Source, cue: Cue, stage: &mut Stage<'_>) -> anyhow::Result<()> {
    let mut shower = Shower { cue, stage, written: Ok(()), is_over: false };
    source.tell_to(Grain::Deltas, &mut shower)?;
    shower.written?;
    shower.cue.end()?;
    Ok(stage.draw()?)
}

struct Shower<'s, 'o> {
    cue: Cue,
    stage: &'s mut Stage<'o>,
    written: io::Result<()>,
    is_over: bool,
}

impl Shower<'_, '_> {
    fn show(&mut self, event: &Event<'_>) -> io::Result<()> {
        let Shower { cue, stage, .. } = self;
        cue.wait(TICK, |now| {
            stage.set_now(now);
            stage.draw()
        })?;
        stage.set_now(cue.at());
        stage.step(event);
        stage.spill()
    }
}

impl Listener for Shower<'_, '_> {
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
        if self.is_over || self.written.is_err() || self.stage.is_closed() {
            return;
        }
        match self.cue.side() {
            // It must have happened, so that what comes behind it is shown as it was.
            Side::Before => {
                self.stage.set_now(self.cue.at());
                self.stage.step(event);
                self.stage.forget();
            }
            Side::Within => self.written = self.show(event),
            Side::Behind => self.is_over = true,
        }
    }

    fn pause(&mut self) -> anyhow::Result<bool> {
        Ok(self.written.is_ok() && !self.is_over && !self.stage.is_closed())
    }
}
