//! Writes a journal down as it happens.

use anyhow::Context;
use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use unspool::journal::{Begin, Closed, Entry, FORMAT, Finish, Scribe, Way};
use unspool::verdict::Beside;
use unspool::wire::input::Owned;

/// A file for all of it.
pub(crate) struct Whole {
    file: File,
    scribe: Scribe,
    /// The text that is being written.
    text: Vec<u8>,
}

impl Whole {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Whole { file, scribe: Scribe::new(), text: Vec::new() })
    }

    pub(super) fn begin(&mut self, source: &str, command: &[OsString]) -> anyhow::Result<()> {
        let words: Vec<_> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let argv = Owned::of(words);
        let cwd = std::env::current_dir().map(|cwd| cwd.display().to_string()).unwrap_or_default();
        let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string();
        let writer = concat!("unspool ", env!("CARGO_PKG_VERSION"));
        let mut begin = Begin::default().format(FORMAT).writer(writer).source(source).cwd(&*cwd).time(&*time);
        if !command.is_empty() {
            begin = begin.argv(&argv);
        }
        self.scribe.note(&begin, 0, |entry| entry.write(&mut self.text));
        self.write()
    }

    pub(super) fn feed(&mut self, way: Way, bytes: &[u8], now: u64) -> anyhow::Result<()> {
        self.scribe.feed(way, bytes, now, |entry| entry.write(&mut self.text));
        self.write()
    }

    pub(super) fn closed(&mut self, way: Way, now: u64) -> anyhow::Result<()> {
        self.scribe.close(way, |entry| entry.write(&mut self.text));
        self.scribe.note(&Closed::default().way(way.name()), now, |entry| entry.write(&mut self.text));
        self.write()
    }

    /// An entry that somebody else has made; to be written by [`write`](Self::write).
    pub(super) fn take(&mut self, entry: &Entry<'_>) {
        entry.write(&mut self.text);
    }

    pub(super) fn end(
        &mut self,
        (code, signal): (Option<i32>, Option<i32>),
        known: &Beside,
        now: u64,
    ) -> anyhow::Result<()> {
        for way in [Way::In, Way::Out, Way::Err] {
            self.scribe.close(way, |entry| entry.write(&mut self.text));
        }
        let end = Finish::of(code, signal, known);
        self.scribe.note(&end, now, |entry| entry.write(&mut self.text));
        self.write()
    }

    /// What is on the disk is what was seen, however this ends.
    pub(super) fn write(&mut self) -> anyhow::Result<()> {
        let written = self.file.write_all(&self.text).context("cannot write the recording");
        self.text.clear();
        // One huge line must not cost its size for ever.
        self.text.shrink_to(1 << 20);
        written
    }
}
