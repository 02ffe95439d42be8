//! A session played again as the stream that it was, each line when it came.

use super::cue::Cue;
use super::position::Side;
use crate::source::{Came, Listener, Source};
use crate::stage::TICK;
use std::io::{self, ErrorKind, Write};
use unspool::{Event, Grain};

/// What is written before it is passed on, at the most.
const BUFFER: usize = 64 << 10;

/// Plays it, byte for byte.
pub(crate) fn lines(source: &Source, cue: Cue, out: &mut impl Write) -> anyhow::Result<()> {
    let mut writer =
        Writer { cue, out, line: Vec::new(), number: 0, ready: Vec::new(), written: Ok(()), is_over: false };
    let goal = writer.cue.goal();
    let is_told = goal.map_or(Ok(false), |goal| source.tell_lines_from(goal, &mut writer))?;
    if !is_told {
        source.tell_to(Grain::Blocks, &mut writer)?;
    }
    writer.end_line();
    let written = writer.flush();
    writer.written.and(written)?;
    writer.cue.end()
}

struct Writer<'o, W: Write> {
    cue: Cue,
    out: &'o mut W,
    /// The line that came last. Its events say whether it belongs to what is played, and come behind it.
    line: Vec<u8>,
    number: u64,
    /// Lines that are due.
    ready: Vec<u8>,
    written: io::Result<()>,
    is_over: bool,
}

impl<W: Write> Writer<'_, W> {
    /// All is known of the line that came last.
    fn end_line(&mut self) {
        if self.number > 0 && !self.is_over && self.written.is_ok() {
            match self.cue.side() {
                Side::Before => {}
                Side::Within => self.written = self.write_line(),
                Side::Behind => self.is_over = true,
            }
        }
        self.line.clear();
    }

    fn write_line(&mut self) -> io::Result<()> {
        if self.line.is_empty() {
            return Ok(());
        }
        let Writer { cue, out, ready, is_over, .. } = self;
        cue.wait(TICK, |_| pass(out, ready, is_over))?;
        self.ready.append(&mut self.line);
        if self.ready.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        pass(self.out, &mut self.ready, &mut self.is_over)
    }
}

/// Passes on what is ready. Whoever has gone away wants no more.
fn pass(out: &mut impl Write, ready: &mut Vec<u8>, is_over: &mut bool) -> io::Result<()> {
    if ready.is_empty() {
        return Ok(());
    }
    let written = out.write_all(ready).and_then(|()| out.flush());
    ready.clear();
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            *is_over = true;
            Ok(())
        }
        other => other,
    }
}

impl<W: Write> Listener for Writer<'_, W> {
    fn is_by_line(&self) -> bool {
        true
    }

    fn begins(&mut self, has_times: bool) {
        self.cue.begins(has_times);
    }

    fn came(&mut self, line: &Came<'_>) {
        if line.number != self.number {
            self.end_line();
            self.number = line.number;
        }
        self.cue.came(line);
        if !self.is_over {
            self.line.extend_from_slice(line.bytes);
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        self.cue.step(event);
    }

    fn pause(&mut self) -> anyhow::Result<bool> {
        std::mem::replace(&mut self.written, Ok(()))?;
        self.flush()?;
        Ok(!self.is_over)
    }
}
