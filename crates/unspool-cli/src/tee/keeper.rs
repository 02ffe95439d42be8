//! Keeps what passes. A disk that is full is said once, and nothing else is changed by it.

use crate::recording::Recorder;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use unspool::journal::Way;
use unspool::verdict::Beside;

/// All clones are one.
#[derive(Clone)]
pub(super) struct Keeper(Arc<Kept>);

struct Kept {
    began: Instant,
    /// `None` once it is over, or cannot go on.
    recorder: Mutex<Option<Recorder>>,
    /// Pieces that passed.
    passed: AtomicU64,
}

impl Keeper {
    pub(super) fn new(recorder: Recorder) -> Self {
        let recorder = Mutex::new(Some(recorder));
        Keeper(Arc::new(Kept { began: Instant::now(), recorder, passed: AtomicU64::new(0) }))
    }

    /// These bytes are about to be handed on.
    pub(super) fn keep(&self, way: Way, bytes: &[u8]) {
        self.0.passed.fetch_add(1, Ordering::Relaxed);
        self.with(|recorder, now| recorder.feed(way, bytes, now));
    }

    /// Nothing more goes this way.
    pub(super) fn close(&self, way: Way) {
        self.with(|recorder, now| recorder.closed(way, now));
    }

    /// How many pieces have passed.
    pub(super) fn passed(&self) -> u64 {
        self.0.passed.load(Ordering::Relaxed)
    }

    /// The program has ended so. What passes from now on is not kept.
    pub(super) fn finish(&self, status: ExitStatus) {
        self.with(|recorder, now| recorder.end((status.code(), status.signal()), &Beside::new(), now));
        *self.recorder() = None;
    }

    fn with(&self, keep: impl FnOnce(&mut Recorder, u64) -> anyhow::Result<()>) {
        let mut recorder = self.recorder();
        let Some(it) = recorder.as_mut() else { return };
        let now = u64::try_from(self.0.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        if let Err(error) = keep(it, now) {
            *recorder = None;
            eprintln!("unspool: {error:#}; the program goes on, and is not recorded any more");
        }
    }

    fn recorder(&self) -> MutexGuard<'_, Option<Recorder>> {
        self.0.recorder.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
