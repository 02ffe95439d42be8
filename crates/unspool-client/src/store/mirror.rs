//! Hands on to a store what Claude Code says that it has written.

use super::{LIMIT, SessionStore, TranscriptFile};
use crate::driver::Load;
use crate::warning::{Warning, Warnings};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use unspool::Event;
use unspool::control::Payload;
use unspool::event::What;
use unspool::wire::{TranscriptMirror, Wire as _};

/// How long to wait before each attempt.
const ATTEMPTS: [Duration; 3] = [Duration::ZERO, Duration::from_millis(200), Duration::from_millis(800)];

/// A store, and what is on its way there. The work is done by a task of its own, one thing at a time.
#[derive(Debug)]
pub(crate) struct Mirror {
    /// `None` once nothing more will come.
    written: Option<mpsc::UnboundedSender<Written>>,
    work: JoinHandle<()>,
}

/// What was written to a transcript. Until the store has it, it weighs as much as an event that nobody reads.
struct Written {
    path: String,
    entries: Vec<Payload>,
    _load: Load,
}

impl Mirror {
    pub(crate) fn new(store: Arc<dyn SessionStore>, warnings: Warnings) -> Self {
        let (written, read) = mpsc::unbounded_channel();
        Mirror { written: Some(written), work: tokio::spawn(keep(store, read, warnings)) }
    }

    /// Takes what an event says was written; `weigh` gives it its weight.
    pub(crate) fn step(&self, event: &Event<'_>, weigh: impl FnOnce(usize) -> Load) {
        let What::Notice { kind, data } = &event.what else { return };
        let (Some(written), "transcript_mirror") = (&self.written, &**kind) else { return };
        let Some(line) = TranscriptMirror::of(data.json()) else { return };
        let written_now = Written {
            path: line.file_path.unwrap_or_default().to_string(),
            entries: line.entries.iter().flat_map(|entries| entries.iter()).map(Payload::from).collect(),
            _load: weigh(data.json().text().len()),
        };
        // If the store has panicked, that is told at the end.
        let _ = written.send(written_now);
    }

    /// Nothing more will come.
    pub(crate) fn close(&mut self) {
        self.written = None;
    }

    /// Waits until the store has everything, after [`close`](Self::close). Returns whether it was there to the end.
    pub(crate) async fn done(&mut self) -> bool {
        (&mut self.work).await.is_ok()
    }
}

impl Drop for Mirror {
    fn drop(&mut self) {
        self.work.abort();
    }
}

async fn keep(store: Arc<dyn SessionStore>, mut read: mpsc::UnboundedReceiver<Written>, warnings: Warnings) {
    while let Some(written) = read.recv().await {
        let Written { path, entries, _load } = written;
        let kept = match TranscriptFile::written(&path) {
            Some(file) => append(&*store, &file, &entries).await,
            None => Err("it is no transcript".to_owned()),
        };
        if let Err(reason) = kept {
            warnings.tell(&Warning::NotKept { path, reason });
        }
    }
}

/// Tries until it works or makes no sense any more. What takes too long may have been done.
async fn append(store: &dyn SessionStore, file: &TranscriptFile, entries: &[Payload]) -> Result<(), String> {
    let mut reason = String::new();
    for pause in ATTEMPTS {
        sleep(pause).await;
        match timeout(LIMIT, store.append(file.clone(), entries.to_vec())).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => reason = error.to_string(),
            Err(_) => return Err(format!("no answer in {} s", LIMIT.as_secs())),
        }
    }
    Err(reason)
}
