//! The times of a recording: a file beside it, with a line for each line of the stream.
//!
//! ```text
//! # t_ms  dir  line  bytes
//! 12.5    out  1     2769
//! ```

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// When each line came, in milliseconds.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Times(Vec<u64>);

impl Times {
    /// The times beside this recording: `run.ndjson.times`, or `timeline.tsv` beside `stdout.ndjson`.
    pub(super) fn beside(recording: &Path) -> Option<Self> {
        let mut name = OsString::from(recording);
        name.push(".times");
        let timeline = || recording.with_file_name("timeline.tsv");
        let is_capture = recording.file_name().is_some_and(|name| name == "stdout.ndjson");
        let files = [Some(PathBuf::from(name)), is_capture.then(timeline)];
        let text = files.into_iter().flatten().find_map(|file| fs::read_to_string(file).ok())?;
        Some(Times::read(&text)).filter(|times| !times.0.is_empty())
    }

    fn read(text: &str) -> Self {
        let mut times = Vec::<u64>::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            let (time, direction, number) = (fields.next(), fields.next(), fields.next());
            let time = time.and_then(|time| time.trim().parse::<f64>().ok());
            let number = number.and_then(|number| number.trim().parse::<usize>().ok());
            let (Some(time), Some("out"), Some(number)) = (time, direction, number) else { continue };
            // Lines that came with another one may have been left out.
            if number > times.len() && number <= times.len() + (1 << 20) && time.is_finite() {
                times.resize(number, time.max(0.0).round() as u64);
            }
        }
        Times(times)
    }

    /// When a line came, from 1. Lines behind the last that is listed came with it.
    pub(super) fn of(&self, line: usize) -> Option<u64> {
        self.0.get(line.checked_sub(1)?).or(self.0.last()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_by_line() {
        let times = Times::read(
            "# t_ms\tdir\tline\tbytes\n1.4\tin\t1\t5\n12.5\tout\t1\t9\n13\tout\t3\t9\nx\n9\tout\n",
        );
        assert_eq!(times, Times(vec![13, 13, 13]));
        assert_eq!((times.of(0), times.of(1), times.of(9)), (None, Some(13), Some(13)));
        assert_eq!(Times::read("").of(1), None);
    }
}
