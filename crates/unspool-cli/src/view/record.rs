//! Writes a stream down as it comes, and beside it when each line came.

use anyhow::Context;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// A file for the stream, and one for its times.
pub(crate) struct Recorder {
    stream: BufWriter<File>,
    times: BufWriter<File>,
    line: u64,
    /// Bytes of the line that has no end yet.
    bytes: usize,
}

impl Recorder {
    /// Writes to `file`, and to `file.times`.
    pub(crate) fn create(file: &Path) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            File::create(path).map(BufWriter::new).with_context(|| format!("cannot write {}", path.display()))
        };
        let mut name = file.as_os_str().to_owned();
        name.push(".times");
        let mut times = open(Path::new(&name))?;
        writeln!(times, "# t_ms\tdir\tline\tbytes")?;
        Ok(Recorder { stream: open(file)?, times, line: 0, bytes: 0 })
    }

    /// These bytes came now.
    pub(crate) fn feed(&mut self, bytes: &[u8], now: u64) -> anyhow::Result<()> {
        self.stream.write_all(bytes).context("cannot write the recording")?;
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.bytes += piece.len();
            if piece.ends_with(b"\n") {
                self.end_line(now)?;
            }
        }
        // What is on the disk is what was seen, however this ends.
        self.stream.flush().and_then(|()| self.times.flush()).context("cannot write the recording")
    }

    /// The stream has ended.
    pub(crate) fn finish(&mut self, now: u64) -> anyhow::Result<()> {
        if self.bytes > 0 {
            self.end_line(now)?;
        }
        self.times.flush().context("cannot write the recording")
    }

    fn end_line(&mut self, now: u64) -> anyhow::Result<()> {
        self.line += 1;
        let bytes = std::mem::take(&mut self.bytes);
        writeln!(self.times, "{now}\tout\t{}\t{bytes}", self.line).context("cannot write the recording")
    }
}
