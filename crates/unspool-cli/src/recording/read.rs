//! What is kept beside a recording, row by row as the stream is read.

use super::beside;
use crate::redact;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use unspool::verdict::{Beside, Cut};

/// What is known beside a recorded stream.
pub(crate) struct Record {
    rows: BufReader<File>,
    /// The rows are of this very stream, so that it may be believed what else they say.
    belongs: bool,
    next: Option<Row>,
    /// When the last line came.
    last: Option<u64>,
}

/// Something that happened.
#[derive(Debug, PartialEq)]
enum Row {
    /// A line has ended.
    Out { at: u64, line: u64, bytes: u64 },
    /// A line was written to Claude Code.
    In { at: u64, text: String },
    /// It is over.
    End { at: u64, known: Beside },
}

impl Record {
    /// What stands beside this recording: `run.ndjson.times`, or `timeline.tsv` beside `stdout.ndjson`.
    pub(crate) fn of(recording: &Path) -> Option<Self> {
        let is_capture = recording.file_name().is_some_and(|name| name == "stdout.ndjson");
        let timeline = is_capture.then(|| recording.with_file_name("timeline.tsv"));
        let file = [Some(beside(recording)), timeline].into_iter().flatten().find(|file| file.is_file())?;
        // It may be there only compressed; what else is known of it is then not believed.
        let length = fs::metadata(recording).ok().map(|metadata| metadata.len());
        let mut record = Record { rows: open(&file)?, belongs: false, next: None, last: None };
        let (mut bytes, mut ended) = (0_u64, false);
        while let Some(row) = record.read() {
            match row {
                Row::Out { bytes: more, .. } => bytes = bytes.saturating_add(more),
                Row::In { .. } => {}
                Row::End { .. } => ended = true,
            }
        }
        // One that was not ended may still be written, the stream first.
        let belongs = length.is_some_and(|length| if ended { bytes == length } else { bytes <= length });
        let mut record = Record { rows: open(&file)?, belongs, next: None, last: None };
        record.advance();
        Some(record)
    }

    /// When this line has ended, counted from 1, and before that what was written to Claude Code since the one before. Lines that
    /// are not listed came with one that is.
    pub(crate) fn until(&mut self, number: u64, mut wrote: impl FnMut(u64, &str)) -> Option<u64> {
        loop {
            match &self.next {
                Some(Row::In { at, text }) => wrote(*at, text),
                Some(Row::Out { at, line, .. }) if *line < number => self.last = Some(*at),
                Some(Row::Out { at, .. }) => return Some(*at),
                Some(Row::End { .. }) | None => return self.last,
            }
            self.advance();
        }
    }

    /// There is no more of the stream: what was written to Claude Code since, then what is known of the end, and when that was.
    pub(crate) fn rest(mut self, mut wrote: impl FnMut(u64, &str)) -> Option<(u64, Beside)> {
        loop {
            match self.next.take()? {
                Row::In { at, text } => wrote(at, &text),
                Row::Out { .. } => {}
                Row::End { at, known } => return Some((at, known)),
            }
            self.advance();
        }
    }

    fn advance(&mut self) {
        self.next = None;
        while let Some(row) = self.read() {
            if self.belongs || matches!(row, Row::Out { .. }) {
                self.next = Some(row);
                return;
            }
        }
    }

    /// The next row that can be read.
    fn read(&mut self) -> Option<Row> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if self.rows.read_until(b'\n', &mut line).ok()? == 0 {
                return None;
            }
            if let Some(row) = Row::of(String::from_utf8_lossy(&line).trim_end_matches('\n')) {
                return Some(row);
            }
        }
    }
}

fn open(file: &PathBuf) -> Option<BufReader<File>> {
    File::open(file).ok().map(BufReader::new)
}

impl Row {
    fn of(row: &str) -> Option<Row> {
        let mut fields = row.splitn(5, '\t');
        let mut field = || fields.next().map(str::trim);
        let at = field()?.parse::<f64>().ok().filter(|at| at.is_finite())?.max(0.0).round() as u64;
        let (direction, line, bytes, text) = (field()?, field()?, field(), field());
        let bytes = bytes.and_then(|bytes| bytes.parse().ok()).unwrap_or(0);
        match direction {
            "out" => Some(Row::Out { at, line: line.parse().ok()?, bytes }),
            "in" => Some(Row::In { at, text: redact::json(text?).into_owned() }),
            "end" => Some(Row::End { at, known: known(&serde_json::from_str(&redact::json(text?)).ok()?) }),
            _ => None,
        }
    }
}

fn known(end: &Value) -> Beside {
    let words = |name: &str| end[name].as_str().map(str::to_owned);
    let cut = words("cut").and_then(|name| Cut::of(&name, words("why").unwrap_or_default()));
    let known = Beside::new().unfit(words("unfit")).left(words("left"));
    cut.into_iter().fold(known, Beside::cut)
}

#[cfg(test)]
mod tests {
    use super::super::bare::Bare as Recorder;
    use super::*;

    /// The rows, as they are met while so many lines are read.
    fn story(recording: &Path, lines: u64) -> String {
        let mut record = Record::of(recording).unwrap();
        let mut story = Vec::new();
        for number in 1..=lines {
            let at = record.until(number, |at, text| story.push(format!("{at} {text}")));
            story.push(format!("{} #{number}", at.map_or("-".to_owned(), |at| at.to_string())));
        }
        let end = record.rest(|at, text| story.push(format!("{at} {text}")));
        story.extend(end.map(|(at, known)| format!("{at} {known:?}")));
        story.join(", ")
    }

    fn folder() -> PathBuf {
        let folder = std::env::temp_dir().join(format!("unspool-recording-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn rows_are_read_in_the_order_in_which_things_happened() {
        let file = folder().join("order.ndjson");
        let mut recorder = Recorder::create(&file).unwrap();
        recorder.wrote(b"{\"type\":\"user\"}\n", 1).unwrap();
        recorder.feed(b"one\ntw", 12).unwrap();
        // A line that is taken in two pieces was written when the second was.
        recorder.wrote(b"{\"type\":\t", 12).unwrap();
        recorder.wrote(b"\"user\"}\n", 13).unwrap();
        recorder.feed(b"o\nthree\ncut", 14).unwrap();
        recorder.wrote(b"{\"type\":\"keep_alive\"}\n", 15).unwrap();
        let known = Beside::new().cut(Cut::Hung("a\tb\nc".into())).left(Some("x".into()));
        recorder.end(&known, 20).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"one\ntwo\nthree\ncut");
        let told = format!(
            "1 {{\"type\":\"user\"}}, 12 #1, 13 {{\"type\":\t\"user\"}}, 14 #2, 14 #3, 15 {{\"type\":\"keep_alive\"}}, 20 #4, 20 {known:?}"
        );
        assert_eq!(story(&file, 4), told);
        // Rows of another stream say when its lines came, as far as that goes, and nothing else.
        fs::write(&file, "others\nare\nhere\nnow\n").unwrap();
        assert_eq!(story(&file, 4), "12 #1, 14 #2, 14 #3, 20 #4");
    }

    #[test]
    fn a_recording_that_was_not_ended_is_believed_so_far() {
        let file = folder().join("killed.ndjson");
        let mut recorder = Recorder::create(&file).unwrap();
        recorder.wrote(b"{\"type\":\"user\"}\n", 1).unwrap();
        recorder.feed(b"one\nhal", 12).unwrap();
        recorder.wrote(b"{\"type\":\"keep_alive\"}\n", 13).unwrap();
        assert_eq!(story(&file, 2), "1 {\"type\":\"user\"}, 12 #1, 13 {\"type\":\"keep_alive\"}, 12 #2");
    }

    #[test]
    fn times_are_by_line_whoever_wrote_them() {
        let file = folder().join("stdout.ndjson");
        fs::write(&file, "").unwrap();
        let rows = "# t_ms\tdir\tline\tbytes\n1.4\tin\t1\t5\n12.5\tout\t1\t9\n13\tout\t3\t9\nx\n9\tout\n";
        fs::write(file.with_file_name("timeline.tsv"), rows).unwrap();
        assert_eq!(story(&file, 5), "13 #1, 13 #2, 13 #3, 13 #4, 13 #5");
        assert!(Record::of(&folder().join("nothing.ndjson")).is_none());
    }
}
