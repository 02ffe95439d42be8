//! How what was read and written becomes events: at once, or later if nobody takes them.

use super::Driver;
use super::backlog::{Backlog, Taken};
use crate::ledger::Noted;
use crate::tap::Written;
use crate::warning::Warning;
use tokio::time::Instant;
use unspool::Event;
use unspool::control::Dialogue;
use unspool::json::Json;
use unspool::line::Line;
use unspool::verdict::Cut;
use unspool::wire::system::{Init, SystemKind};
use unspool::wire::{Kind, Wire};

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
        let (written, at) = self.tap.read(bytes);
        self.on_written(written);
        let told = match (self.intake.backlog.is_empty(), self.outbox.has_room()) {
            (true, true) => length,
            (true, false) if self.intake.mid_line => memchr::memchr(b'\n', bytes).map_or(length, |at| at + 1),
            _ => 0,
        };
        self.tell(Piece::Bytes(&bytes[..told]), at, false);
        if told < length {
            let Driver { intake, dialogue, .. } = self;
            if let Err(error) = intake.backlog.push(&bytes[told..], at, |line| answer(dialogue, line)) {
                self.watchers.warnings.tell(&Warning::NoRoom { reason: error.to_string() });
            }
        }
        self.intake.piece = piece;
    }

    /// These lines have reached the program.
    pub(super) fn on_written(&mut self, written: Vec<Written>) {
        for written in written {
            if self.intake.backlog.is_empty() {
                self.tell_written(&written);
            } else {
                self.intake.backlog.wrote(written);
            }
        }
    }

    /// Tells what waits, as long as the application takes it.
    pub(super) fn work_off(&mut self) {
        let mut piece = std::mem::take(&mut self.intake.piece);
        while !self.intake.backlog.is_empty() && self.outbox.has_room() {
            match self.intake.backlog.take(&mut piece) {
                Ok(Some(Taken::Read(length, at))) => self.tell(Piece::Bytes(&piece[..length]), at, true),
                Ok(Some(Taken::Written(written))) => self.tell_written(&written),
                Ok(None) => {}
                Err(error) => {
                    self.intake.backlog = Backlog::new(0);
                    self.cut(Cut::Interrupted(format!("what was read is lost: {error}")));
                }
            }
        }
        self.intake.piece = piece;
    }

    /// Tells what was read, and when. Lines that have waited have had their answers.
    pub(super) fn tell(&mut self, piece: Piece<'_>, at: u64, answered: bool) {
        if let Piece::Bytes(bytes) = piece {
            let Some(last) = bytes.last() else { return };
            self.intake.mid_line = *last != b'\n';
            self.outbox.weigh(bytes.len());
        }
        let now = Instant::now();
        self.spool.set_clock(at);
        let (mut too_much, mut unwanted) = (None, false);
        let mut key = self.watchers.watch.knows_key().then(String::new);
        let Driver { spool, dialogue, outbox, watchers, abandoned, .. } = self;
        let show = |line: Line<'_>| {
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
        self.watchers.watch.asked(Instant::now());
        self.writer.write(line);
    }

    fn tell_written(&mut self, Written { line, at }: &Written) {
        self.spool.set_clock(*at);
        let Driver { spool, outbox, .. } = self;
        spool.wrote(line, |event| outbox.push(event.into_owned(), Noted::default()));
    }
}

/// Takes note of a line if it is part of the dialogue.
fn answer(dialogue: &mut Dialogue, line: Line<'_>) {
    if Dialogue::may_concern(line.bytes)
        && let Ok(json) = Json::new(&line.text())
    {
        dialogue.handle(json);
    }
}

/// Where Claude Code has its key from, if this line says so: no event does.
fn key_source(line: Line<'_>) -> Option<String> {
    let text = line.text();
    if Kind::of(&text) != Kind::System(SystemKind::Init) {
        return None;
    }
    Init::of(Json::new(&text).ok()?)?.api_key_source.map(|source| source.to_string())
}
