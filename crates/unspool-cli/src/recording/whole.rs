//! Writes a journal down as it happens.

use crate::redact;
use anyhow::Context;
use std::ffi::OsString;
use std::path::Path;
use unspool::journal::{Begin, Closed, Entry, FORMAT, Finish, Scribe, Start, Way};
use unspool::verdict::Beside;
use unspool::wire::input::Owned;
use unspool_client::tap::RecordingFile;
use unspool_redact::EntryRedactor;

/// A file for all of it.
pub(crate) struct Whole {
    file: Page,
    scribe: Scribe,
    /// So long ago it was begun by somebody else.
    since: Option<u64>,
}

/// What is written to.
struct Page {
    file: RecordingFile,
    masked: Option<EntryRedactor>,
}

impl Page {
    fn of(file: RecordingFile) -> Self {
        Page { file, masked: redact::masks().map(EntryRedactor::new) }
    }

    /// Takes an entry; one that is masked may have to wait.
    fn take(&mut self, entry: Entry<'_>) {
        let file = &mut self.file;
        match &mut self.masked {
            Some(masked) => masked.feed(entry, |entry| file.take(&entry)),
            None => file.take(&entry),
        }
    }
}

impl Whole {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let file = RecordingFile::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Whole { file: Page::of(file), scribe: Scribe::new(), since: None })
    }

    /// Goes on with one that is there.
    pub(super) fn append(path: &Path) -> anyhow::Result<Self> {
        let appended = RecordingFile::append(path);
        let (file, resumed) = appended.with_context(|| format!("cannot go on with {}", path.display()))?;
        let scribe = resumed.map_or(Scribe::new(), |resumed| Scribe::after(resumed.number, resumed.at));
        Ok(Whole { file: Page::of(file), scribe, since: resumed.map(|resumed| resumed.now) })
    }

    pub(super) fn begin(&mut self, source: &str, command: &[OsString]) -> anyhow::Result<()> {
        let words: Vec<_> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let argv = Owned::of(words);
        let cwd = std::env::current_dir().map(|cwd| cwd.display().to_string()).unwrap_or_default();
        let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string();
        if let Some(since) = self.since {
            let mut start = Start::default().cwd(&*cwd);
            if !command.is_empty() {
                start = start.argv(&argv);
            }
            self.scribe.note(&start, since, |entry| self.file.take(entry));
            return self.write();
        }
        let writer = concat!("unspool ", env!("CARGO_PKG_VERSION"));
        let mut begin = Begin::default().format(FORMAT).writer(writer).source(source).cwd(&*cwd).time(&*time);
        if !command.is_empty() {
            begin = begin.argv(&argv);
        }
        self.scribe.note(&begin, 0, |entry| self.file.take(entry));
        self.write()
    }

    pub(super) fn feed(&mut self, way: Way, bytes: &[u8], now: u64) -> anyhow::Result<()> {
        let now = self.clock(now);
        self.scribe.feed(way, bytes, now, |entry| self.file.take(entry));
        self.write()
    }

    pub(super) fn closed(&mut self, way: Way, now: u64) -> anyhow::Result<()> {
        let now = self.clock(now);
        self.scribe.close(way, |entry| self.file.take(entry));
        self.scribe.note(&Closed::default().way(way.name()), now, |entry| self.file.take(entry));
        self.write()
    }

    /// An entry that somebody else has made; to be written by [`write`](Self::write).
    pub(super) fn take(&mut self, entry: &Entry<'_>) {
        self.file.take(entry.clone());
    }

    pub(super) fn end(
        &mut self,
        (code, signal): (Option<i32>, Option<i32>),
        known: &Beside,
        now: u64,
    ) -> anyhow::Result<()> {
        for way in [Way::In, Way::Out, Way::Err] {
            self.scribe.close(way, |entry| self.file.take(entry));
        }
        let (end, now) = (Finish::of(code, signal, known), self.clock(now));
        self.scribe.note(&end, now, |entry| self.file.take(entry));
        self.ended()
    }

    /// All of it was taken, for now.
    pub(super) fn ended(&mut self) -> anyhow::Result<()> {
        self.file.file.end().context(CANNOT)
    }

    /// What is in the file is what was seen, however this ends.
    pub(super) fn write(&mut self) -> anyhow::Result<()> {
        self.file.file.write().context(CANNOT)
    }

    /// So long after the beginning of the recording.
    fn clock(&self, now: u64) -> u64 {
        self.since.unwrap_or(0).saturating_add(now)
    }
}

const CANNOT: &str = "cannot write the recording";

/// Whatever ends it, what had to wait is not lost.
impl Drop for Whole {
    fn drop(&mut self) {
        let Page { file, masked: Some(masked) } = &mut self.file else { return };
        masked.finish(|entry| file.take(&entry));
        // Who has not ended it hears nothing of it any more.
        let _ = self.write();
    }
}
