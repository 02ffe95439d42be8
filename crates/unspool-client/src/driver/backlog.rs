//! What was read and cannot be told yet, because the application has not taken what was told before.
//!
//! It lies in a file, so that memory is bounded, and questions of Claude Code's are found in it as soon as they come: whoever
//! reads slowly does not keep Claude Code waiting for an answer. Where the disk is full there is a reserve in memory; only
//! when that is full too nothing more is read, and no question found.

use crate::tap::Written;
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use unspool::line::{Line, Splitter};
use uuid::Uuid;

/// So many bytes may lie there; then nothing more is read.
const MOST: u64 = 1 << 30;

/// So many may lie in memory while the file takes no more.
const RESERVE: usize = 16 << 20;

pub(super) struct Backlog {
    /// Made when it is first needed.
    file: Option<File>,
    /// What was taken of the file, and what was put there.
    taken: u64,
    put: u64,
    /// What could not be put there as yet.
    rest: Vec<u8>,
    /// Until where it came when, in milliseconds of the session.
    times: VecDeque<(u64, u64)>,
    /// Lines that were written to Claude Code meanwhile, and how much was there before them.
    written: VecDeque<(u64, Written)>,
    /// Where its lines end. It begins with a whole line.
    splitter: Splitter,
    line_limit: usize,
}

/// The oldest that is there.
pub(super) enum Taken {
    /// So many bytes that were read, and when.
    Read(usize, u64),
    /// A line that was written.
    Written(Written),
}

impl Backlog {
    pub(super) fn new(line_limit: usize) -> Self {
        Backlog {
            file: None,
            taken: 0,
            put: 0,
            rest: Vec::new(),
            times: VecDeque::new(),
            written: VecDeque::new(),
            splitter: Splitter::new(line_limit),
            line_limit,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.taken == self.end() && self.written.is_empty()
    }

    pub(super) fn has_room(&self) -> bool {
        self.rest.len() < RESERVE && self.put < MOST
    }

    /// Puts bytes behind what is there, which came just now, and shows the lines that they complete. Says so if the file takes no more
    /// from now on.
    pub(super) fn push(&mut self, bytes: &[u8], at: u64, show: impl FnMut(Line<'_>)) -> io::Result<()> {
        if self.times.back().is_some_and(|(_, last)| *last == at) {
            self.times.pop_back();
        }
        self.times.push_back((self.end() + bytes.len() as u64, at));
        let had_room = self.rest.is_empty();
        let written =
            if had_room { self.write(bytes) } else { self.write_rest().and_then(|()| self.write(bytes)) };
        if written.is_err() {
            self.rest.extend_from_slice(bytes);
        }
        self.splitter.feed(bytes, show);
        if had_room { written } else { Ok(()) }
    }

    /// A line was written to Claude Code: to be taken behind all that is there.
    pub(super) fn wrote(&mut self, written: Written) {
        self.written.push_back((self.end(), written));
    }

    /// Takes the oldest that is there; bytes, as many as fit.
    pub(super) fn take(&mut self, piece: &mut [u8]) -> io::Result<Option<Taken>> {
        let mark = self.written.front().map_or_else(|| self.end(), |(mark, _)| *mark);
        if self.taken == mark {
            let written = self.written.pop_front().map(|(_, written)| Taken::Written(written));
            self.clear_if_empty()?;
            return Ok(written);
        }
        let (same_time, at) = self.times.front().copied().unwrap_or((mark, 0));
        let mark = mark.min(same_time);
        let from_file = self.taken < self.put;
        let until = if from_file { mark.min(self.put) } else { mark };
        let length = usize::try_from(until - self.taken).unwrap_or(usize::MAX).min(piece.len());
        if let Some(file) = self.file.as_mut().filter(|_| from_file) {
            file.seek(SeekFrom::Start(self.taken))?;
            file.read_exact(&mut piece[..length])?;
        } else {
            let at = usize::try_from(self.taken - self.put).unwrap_or(usize::MAX);
            piece[..length].copy_from_slice(&self.rest[at..at + length]);
        }
        self.taken += length as u64;
        if self.taken == same_time {
            self.times.pop_front();
        }
        self.clear_if_empty()?;
        Ok(Some(Taken::Read(length, at)))
    }

    fn end(&self) -> u64 {
        self.put + self.rest.len() as u64
    }

    fn clear_if_empty(&mut self) -> io::Result<()> {
        if self.is_empty() && self.taken > 0 {
            (self.taken, self.put) = (0, 0);
            self.rest.clear();
            // A line that is not whole is shown by whoever takes the rest of it.
            self.splitter = Splitter::new(self.line_limit);
            self.file.as_mut().map_or(Ok(()), |file| file.set_len(0))?;
        }
        Ok(())
    }

    /// There may be room again. What of it was taken already stays where it stands.
    fn write_rest(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.rest);
        let written = self.write(&rest);
        if written.is_err() {
            self.rest = rest;
        }
        written
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(nameless()?),
        };
        file.seek(SeekFrom::Start(self.put))?;
        file.write_all(bytes)?;
        self.put += bytes.len() as u64;
        Ok(())
    }
}

/// A file that is gone when it is closed.
fn nameless() -> io::Result<File> {
    let path = std::env::temp_dir().join(format!("unspool-{}", Uuid::new_v4()));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    #[cfg(windows)]
    // FILE_FLAG_DELETE_ON_CLOSE
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0400_0000);
    let file = options.open(&path)?;
    #[cfg(unix)]
    std::fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_taken_in_order_and_whole_lines_are_shown_at_once() {
        let mut backlog = Backlog::new(1 << 20);
        for round in 0..3 {
            let mut shown = Vec::new();
            let said = |line: &str| Written { line: line.to_owned(), at: 0 };
            backlog.push(b"one\ntw", 3, |line| shown.push(line.text().into_owned())).unwrap();
            backlog.wrote(said("said"));
            backlog.push(b"o\n", 7, |line| shown.push(line.text().into_owned())).unwrap();
            backlog.push(b"three\nhalf", 9, |line| shown.push(line.text().into_owned())).unwrap();
            backlog.wrote(said("again"));
            assert_eq!(shown, ["one", "two", "three"], "{round}");
            let (mut all, mut times, mut piece) = (String::new(), Vec::new(), [0; 5]);
            while !backlog.is_empty() {
                match backlog.take(&mut piece).unwrap().unwrap() {
                    Taken::Read(length, at) => {
                        all.push_str(std::str::from_utf8(&piece[..length]).unwrap());
                        times.push((at, length));
                    }
                    Taken::Written(written) => all.push_str(&format!("[{}]", written.line)),
                }
            }
            assert_eq!(all, "one\ntw[said]o\nthree\nhalf[again]", "{round}");
            assert_eq!(times, [(3, 5), (3, 1), (7, 2), (9, 5), (9, 5)], "{round}");
            assert!(backlog.has_room());
        }
    }

    /// The disk is full, then it is not, then it is again.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_the_disk_has_no_room_for_waits_in_memory_and_no_more_than_so_much() {
        let full = || OpenOptions::new().read(true).write(true).open("/dev/full").unwrap();
        let mut backlog = Backlog::new(1 << 20);
        let (mut all, mut told, mut shown) = (Vec::new(), 0, 0);
        let mut file = None;
        for number in 0..60 {
            match number {
                0 | 40 => file = backlog.file.replace(full()),
                20 => backlog.file = file.take().or_else(|| nameless().ok()),
                _ => {}
            }
            let line = format!("{number}\n");
            all.extend_from_slice(line.as_bytes());
            told += usize::from(backlog.push(line.as_bytes(), 0, |_| shown += 1).is_err());
            assert_eq!(backlog.rest.is_empty(), (20..40).contains(&number), "{number}");
        }
        assert_eq!((told, shown), (2, 60), "once each time, and every line at once");
        // What is in the file is read from there.
        std::mem::swap(&mut backlog.file, &mut file);
        let (mut taken, mut piece) = (Vec::new(), [0; 7]);
        while let Ok(Some(Taken::Read(length, _))) = backlog.take(&mut piece) {
            taken.extend_from_slice(&piece[..length]);
        }
        assert_eq!(taken, all);
        backlog.file = Some(full());
        while backlog.has_room() {
            let _ = backlog.push(&[b'x'; 64 << 10], 0, |_| {});
        }
        assert!((RESERVE..RESERVE + (64 << 10)).contains(&backlog.rest.len()));
    }
}
