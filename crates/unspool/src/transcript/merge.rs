//! The order of lines that stand in several files.

use crate::json::Cursor;
use crate::translate::milliseconds;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Says which of several files has the next line, by the times of their entries.
///
/// Inside a file the order stays: a line without a time, or with an earlier one, counts as of the time before it. At
/// the same time an agent's first line comes behind the call that started it, and its other lines come before the
/// answer. File 0 is the main one.
#[derive(Debug, Default)]
pub struct Merge {
    waiting: BinaryHeap<Reverse<(i64, u8, usize)>>,
    /// For each file that has begun, the time of its last line.
    times: Vec<Option<i64>>,
}

impl Merge {
    /// Nothing is waiting.
    #[must_use]
    pub fn new() -> Self {
        Merge::default()
    }

    /// The next line of this file.
    pub fn push(&mut self, file: usize, line: &[u8]) {
        if self.times.len() <= file {
            self.times.resize(file + 1, None);
        }
        let before = self.times[file];
        let time = time_of(line).max(before).unwrap_or(i64::MIN);
        let rank = match (file, before) {
            (0, _) => 1,
            (_, None) => 2,
            (_, Some(_)) => 0,
        };
        self.times[file] = Some(time);
        self.waiting.push(Reverse((time, rank, file)));
    }

    /// The file whose line is next. Its line after that is to be pushed then.
    pub fn pop(&mut self) -> Option<usize> {
        self.waiting.pop().map(|Reverse((_, _, file))| file)
    }

    /// The time of the line that is next, in milliseconds since 1970.
    #[must_use]
    pub fn next_time(&self) -> Option<i64> {
        self.waiting.peek().map(|Reverse((time, _, _))| *time)
    }

    /// The time of an entry, in milliseconds since 1970.
    #[must_use]
    pub fn time_of(line: &[u8]) -> Option<i64> {
        time_of(line)
    }
}

/// How nearly every entry writes its time.
const TIME: &[u8] = b"\"timestamp\":\"";

fn time_of(line: &[u8]) -> Option<i64> {
    let mut found = memchr::memmem::find_iter(line, TIME);
    match (found.next(), found.next()) {
        (None, _) => None,
        (Some(at), None) => {
            let time = &line[at + TIME.len()..];
            let end = memchr::memchr(b'"', time)?;
            milliseconds(str::from_utf8(&time[..end]).ok()?)
        }
        // Values in it have times of their own.
        (Some(_), Some(_)) => time_of_entry(line),
    }
}

/// The time of the entry itself.
fn time_of_entry(line: &[u8]) -> Option<i64> {
    let text = simdutf8::basic::from_utf8(line).ok()?;
    let mut time = None;
    let mut cursor = Cursor::new(text.trim());
    // What comes behind a fault is not looked at; whoever tells the line tells the fault.
    let _ = cursor.object(|key, cursor| {
        let value = cursor.skip()?;
        if key == "timestamp" {
            time = value.as_str().and_then(|time| milliseconds(&time.decode()));
        }
        Ok(())
    });
    time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_decide_and_files_keep_their_order() {
        let at =
            |time: &str| format!(r#"{{"a":{{"timestamp":"x"}},"timestamp":"2026-01-01T00:00:0{time}Z"}}"#);
        let files = [
            vec![at("1"), at("3"), "{}".to_owned(), at("2"), at("6")],
            vec![at("3"), at("4"), at("6")],
            vec![at("2")],
        ];
        let mut files: Vec<_> = files.iter().map(|lines| lines.iter().zip(1..)).collect();
        let mut merge = Merge::new();
        for (at, file) in files.iter().enumerate() {
            merge.push(at, file.clone().next().unwrap().0.as_bytes());
        }
        let mut order = Vec::new();
        while let Some(at) = merge.pop() {
            order.push((at, files[at].next().unwrap().1));
            files[at].clone().next().into_iter().for_each(|(line, _)| merge.push(at, line.as_bytes()));
        }
        assert_eq!(order, [(0, 1), (2, 1), (0, 2), (0, 3), (0, 4), (1, 1), (1, 2), (1, 3), (0, 5)]);
    }
}
