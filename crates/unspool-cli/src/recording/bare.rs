//! Writes a bare stream down as it comes, and beside it when each line came and what else happened.

use super::beside;
use super::masked::Masked;
use crate::redact;
use anyhow::Context;
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use unspool::convert::kept;
use unspool::journal::Way;
use unspool::verdict::Beside;

/// A file for the stream, and one for all else.
pub(crate) struct Bare {
    stream: BufWriter<File>,
    rows: BufWriter<File>,
    /// Lines that came, and that were written to Claude Code.
    came: u64,
    sent: u64,
    /// Bytes that came in lines that have ended, and of the line that has not.
    whole: u64,
    open: u64,
    /// What was written to Claude Code of a line that is not whole.
    begun: Vec<u8>,
    /// What is masked may have to wait.
    masked: Option<Box<Masked>>,
}

impl Bare {
    /// Writes to `file`, and to `file.times`.
    pub(super) fn create(file: &Path) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            private(path).map(BufWriter::new).with_context(|| format!("cannot write {}", path.display()))
        };
        let (stream, mut rows) = (open(file)?, open(&beside(file))?);
        writeln!(rows, "# t_ms\tdir\tline\tbytes\ttext")?;
        Ok(Bare {
            stream,
            rows,
            came: 0,
            sent: 0,
            whole: 0,
            open: 0,
            begun: Vec::new(),
            masked: Masked::wanted(),
        })
    }

    /// These bytes came now.
    pub(super) fn feed(&mut self, bytes: &[u8], now: u64) -> anyhow::Result<()> {
        match &mut self.masked {
            Some(masked) => masked.feed(Way::Out, bytes, now),
            None => return self.came(bytes, now),
        }
        self.keep()
    }

    fn came(&mut self, bytes: &[u8], now: u64) -> anyhow::Result<()> {
        self.stream.write_all(bytes).context("cannot write the recording")?;
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.open += piece.len() as u64;
            if piece.ends_with(b"\n") {
                self.end_line(now)?;
            }
        }
        self.flush()
    }

    /// These bytes were written to Claude Code now. No more is kept of a line than events tell.
    pub(super) fn wrote(&mut self, bytes: &[u8], now: u64) -> anyhow::Result<()> {
        match &mut self.masked {
            Some(masked) => masked.feed(Way::In, bytes, now),
            None => return self.sent(bytes, now),
        }
        self.keep()
    }

    fn sent(&mut self, bytes: &[u8], now: u64) -> anyhow::Result<()> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.begun.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.begun);
                self.sent += 1;
                let text = kept(&String::from_utf8_lossy(&line));
                self.row(now, "in", self.sent, line.len() as u64, &text)?;
            }
        }
        self.flush()
    }

    /// The stream has ended.
    pub(super) fn finish(&mut self, now: u64) -> anyhow::Result<()> {
        if let Some(masked) = &mut self.masked {
            masked.finish();
            self.keep()?;
        }
        if self.open > 0 {
            self.end_line(now)?;
        }
        self.flush()
    }

    /// The run has ended, and this is known of how.
    pub(super) fn end(&mut self, known: &Beside, now: u64) -> anyhow::Result<()> {
        self.finish(now)?;
        let Beside { cut, unfit, left, .. } = known;
        let fields = [
            ("cut", cut.as_ref().map(|cut| cut.name())),
            ("why", cut.as_ref().map(|cut| cut.why())),
            ("unfit", unfit.as_deref()),
            ("left", left.as_deref()),
        ];
        let known: Map<String, Value> =
            fields.into_iter().filter_map(|(name, words)| Some((name.to_owned(), words?.into()))).collect();
        self.row(now, "end", self.came, self.whole, &redact::json(&Value::Object(known).to_string()))?;
        self.flush()
    }

    /// Keeps what is masked and need not wait.
    fn keep(&mut self) -> anyhow::Result<()> {
        let ready = self.masked.as_mut().map(|masked| masked.ready()).unwrap_or_default();
        for (way, bytes, at) in ready {
            match way {
                Way::Out => self.came(&bytes, at)?,
                _ => self.sent(&bytes, at)?,
            }
        }
        Ok(())
    }

    fn end_line(&mut self, now: u64) -> anyhow::Result<()> {
        self.came += 1;
        let bytes = std::mem::take(&mut self.open);
        self.whole += bytes;
        self.row(now, "out", self.came, bytes, "")
    }

    fn row(&mut self, now: u64, what: &str, line: u64, bytes: u64, text: &str) -> anyhow::Result<()> {
        let tab = if text.is_empty() { "" } else { "\t" };
        writeln!(self.rows, "{now}\t{what}\t{line}\t{bytes}{tab}{text}").context("cannot write the recording")
    }

    /// What is on the disk is what was seen, however this ends.
    fn flush(&mut self) -> anyhow::Result<()> {
        self.stream.flush().and_then(|()| self.rows.flush()).context("cannot write the recording")
    }
}

/// A file that, if it is a new one, its owner alone can read.
fn private(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
