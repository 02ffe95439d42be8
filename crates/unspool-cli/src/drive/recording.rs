//! What went between us and Claude Code, kept as it came.

use crate::recording::Recorder;
use crate::report::Outcome;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use unspool::Verdict;
use unspool::verdict::{Beside, Cut};
use unspool_client::Claude;
use unspool_client::tap::{Traffic, TrafficJournal};

/// A recording that is being made. A disk that is full does not end the run: what is done is done.
#[derive(Clone)]
pub(crate) struct Recording(Arc<Mutex<Made>>);

struct Made {
    recorder: Recorder,
    journal: TrafficJournal,
    /// The run has said how it ended.
    ended: bool,
    written: anyhow::Result<()>,
}

impl Recording {
    /// Writes to `file`, as its name says.
    pub(crate) fn create(file: &Path) -> anyhow::Result<Self> {
        let recorder = Recorder::create(file)?;
        Ok(Recording(Arc::new(Mutex::new(Made {
            recorder,
            journal: TrafficJournal::new(),
            ended: false,
            written: Ok(()),
        }))))
    }

    /// Records what goes in and out of this one from now on.
    pub(crate) fn of(&self, claude: Claude) -> Claude {
        let recording = self.clone();
        claude.tap(move |traffic, at| recording.made().take(traffic, at))
    }

    /// Whether all was written. A run that never was has not said how it ended.
    pub(crate) fn end(self, outcome: &Outcome) -> anyhow::Result<()> {
        let mut made = self.made();
        if !made.ended && outcome.verdict() == Verdict::NotStarted {
            let cut = Cut::NotStarted(outcome.reason());
            made.take(Traffic::Ended(&Beside::new().cut(cut)), 0);
        }
        std::mem::replace(&mut made.written, Ok(()))
    }

    fn made(&self) -> MutexGuard<'_, Made> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Made {
    fn take(&mut self, traffic: Traffic<'_>, at: u64) {
        if self.written.is_err() {
            return;
        }
        self.ended |= matches!(traffic, Traffic::Ended(_));
        self.written = self.recorder.hear(traffic, at, &mut self.journal);
    }
}
