//! How what was read and written becomes events: at once, or later if nobody takes them.

use super::Driver;
use super::backlog::{Backlog, Taken};
use crate::Traffic;
use crate::ledger::Noted;
use crate::warning::Warning;
use std::time::Duration;
use tokio::time::Instant;
use unspool::Event;
use unspool::control::Dialogue;
use unspool::json::Json;
use unspool::line::{End, Line};
use unspool::verdict::Cut;

/// A piece of what was read.
#[derive(Clone, Copy)]
pub(super) enum Piece<'b> {
    Bytes(&'b [u8]),
    /// Nothing more comes: what is behind the last newline is the last line.
    End,
}

impl Driver {
    pub(super) fn on_read(&mut self, read: std::io::Result<usize>) {
        let Ok(length @ 1..) = read else {
            self.intake.close();
            return self.dialogue.close();
        };
        let now = Instant::now();
        self.intake.heard = now;
        self.watchers.watch.heard(now);
        self.phase.heard(now);
        let piece = std::mem::take(&mut self.intake.piece);
        let bytes = &piece[..length];
        let told = match (self.intake.backlog.is_empty(), self.outbox.has_room()) {
            (true, true) => length,
            (true, false) if self.intake.mid_line => memchr::memchr(b'\n', bytes).map_or(length, |at| at + 1),
            _ => 0,
        };
        self.tell(Piece::Bytes(&bytes[..told]), false);
        if told < length {
            let Driver { intake, dialogue, .. } = self;
            if let Err(error) = intake.backlog.push(&bytes[told..], |line| answer(dialogue, line)) {
                self.watchers.warnings.tell(&Warning::NoRoom { reason: error.to_string() });
            }
        }
        self.intake.piece = piece;
    }

    /// Tells what waits, as long as the application takes it.
    pub(super) fn work_off(&mut self) {
        let mut piece = std::mem::take(&mut self.intake.piece);
        while !self.intake.backlog.is_empty() && self.outbox.has_room() {
            match self.intake.backlog.take(&mut piece) {
                Ok(Some(Taken::Read(length))) => self.tell(Piece::Bytes(&piece[..length]), true),
                Ok(Some(Taken::Written(line))) => self.tell_written(&line),
                Ok(None) => {}
                Err(error) => {
                    self.intake.backlog = Backlog::new(0);
                    self.cut(Cut::Interrupted(format!("what was read is lost: {error}")));
                }
            }
        }
        self.intake.piece = piece;
    }

    /// Tells what was read. Lines that have waited have had their answers.
    pub(super) fn tell(&mut self, piece: Piece<'_>, answered: bool) {
        if let Piece::Bytes(bytes) = piece {
            let Some(last) = bytes.last() else { return };
            self.intake.mid_line = *last != b'\n';
            self.outbox.weigh(bytes.len());
        }
        let now = Instant::now();
        self.set_clock(now);
        if let Piece::Bytes(bytes) = piece {
            self.hand_on(Traffic::Read(bytes));
        }
        let (mut too_much, mut unwanted) = (None, false);
        let mut key = self.watchers.watch.knows_key().then(String::new);
        let Driver { spool, dialogue, outbox, watchers, on_line, abandoned, .. } = self;
        let show = |line: Line<'_>| {
            // Half of a line is told as such, and is none.
            if let Some(on_line) = &on_line
                && (line.end == End::Newline || Json::new(&line.text()).is_ok())
            {
                on_line(&line.text());
            }
            if !answered {
                answer(dialogue, line);
            }
            if key.is_none() {
                key = key_source(line);
            }
        };
        let sink = |event: Event<'_>| {
            let (noted, cut) = watchers.step(&event, now, outbox);
            unwanted |= abandoned.note(&noted);
            too_much = too_much.take().or(cut);
            outbox.push(event.into_owned(), noted);
        };
        match piece {
            Piece::Bytes(bytes) => spool.feed_and_show(bytes, show, sink),
            Piece::End => spool.end_line(show, sink),
        }
        if let Some(key) = key.filter(|_| !self.watchers.watch.knows_key()) {
            self.watchers.watch.key_from(&key);
        }
        if unwanted {
            self.interrupt(false);
        }
        if let Some(cut) = too_much {
            self.cut(cut);
        }
    }

    pub(super) fn write(&mut self, line: String) {
        let now = Instant::now();
        self.watchers.watch.asked(now);
        if self.intake.backlog.is_empty() {
            self.tell_written(&line);
        } else {
            self.intake.backlog.wrote(line.clone());
        }
        self.writer.write(line);
    }

    fn tell_written(&mut self, line: &str) {
        self.set_clock(Instant::now());
        self.hand_on(Traffic::Wrote(line));
        let Driver { spool, outbox, .. } = self;
        spool.wrote(line, |event| outbox.push(event.into_owned(), Noted::default()));
    }

    /// For recordings and relays, before it is told, and by the clock of the events.
    pub(super) fn hand_on(&self, traffic: Traffic<'_>) {
        if let Some(on_traffic) = &self.on_traffic {
            on_traffic(traffic, self.clock);
        }
    }

    fn set_clock(&mut self, now: Instant) {
        self.clock = millis(now - self.began);
        self.spool.set_clock(self.clock);
    }
}

/// Takes note of a line if it is part of the dialogue.
fn answer(dialogue: &mut Dialogue, line: Line<'_>) {
    if memchr::memmem::find(line.bytes, b"\"control_").is_some()
        && let Ok(json) = Json::new(&line.text())
    {
        dialogue.handle(json);
    }
}

/// Where Claude Code has its key from, if this line says so: no event does.
fn key_source(line: Line<'_>) -> Option<String> {
    memchr::memmem::find(line.bytes, b"\"apiKeySource\"")?;
    let text = line.text();
    let source = Json::new(&text).ok()?.get("apiKeySource")?.as_str()?;
    Some(source.decode().into_owned())
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
