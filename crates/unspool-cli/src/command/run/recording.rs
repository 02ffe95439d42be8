//! What Claude Code writes, kept as it comes.

use crate::view::Recorder;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use unspool_client::Claude;

/// A recording that is being made. A disk that is full does not end the run: what is done is done.
#[derive(Clone)]
pub(super) struct Recording {
    made: Arc<Mutex<anyhow::Result<Recorder>>>,
    began: Instant,
}

impl Recording {
    /// Writes to `file`, and the times of the lines to `file.times`.
    pub(super) fn create(file: &Path) -> anyhow::Result<Self> {
        let made = Arc::new(Mutex::new(Ok(Recorder::create(file)?)));
        Ok(Recording { made, began: Instant::now() })
    }

    /// Records what this one says from now on.
    pub(super) fn of(&self, claude: Claude) -> Claude {
        let recording = self.clone();
        claude.on_line(move |line| recording.feed(&format!("{line}\n")))
    }

    fn feed(&self, line: &str) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(recorder) = &mut *made
            && let Err(error) = recorder.feed(line.as_bytes(), now)
        {
            *made = Err(error);
        }
    }

    /// Whether all was written.
    pub(super) fn end(self) -> anyhow::Result<()> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *made {
            Ok(_) => Ok(()),
            Err(error) => Err(std::mem::replace(error, anyhow::anyhow!("told before"))),
        }
    }
}
