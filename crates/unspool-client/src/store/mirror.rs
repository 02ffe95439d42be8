//! Hands on to a store what Claude Code says that it has written.

use super::give::{BATCH, BATCH_BYTES};
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
use unspool::wire::{Envelope, Kind};

/// How long to wait before each attempt.
const ATTEMPTS: [Duration; 3] = [Duration::ZERO, Duration::from_millis(200), Duration::from_millis(800)];

/// When a [store](crate::store::SessionStore) is given what Claude Code has written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum Flush {
    /// At once, each time that it writes: the store is hardly ever behind, and is asked often.
    #[default]
    Eager,
    /// When a turn is over, when the session ends, or when 500 entries or a megabyte have come together: the store is asked less often, for
    /// more at once. If our own process is killed, it lacks what was not given to it; Claude Code's own folder has it.
    Batched,
}

/// A store, and what is on its way there. The work is done by a task of its own, one thing at a time.
#[derive(Debug)]
pub(crate) struct Mirror {
    flush: Flush,
    /// `None` once nothing more will come.
    post: Option<mpsc::UnboundedSender<Post>>,
    work: JoinHandle<()>,
}

enum Post {
    Written(Written),
    TurnOver,
}

/// What was written to a transcript. Until the store has it, it weighs as much as an event that the application has not read.
struct Written {
    path: String,
    entries: Vec<Payload>,
    bytes: usize,
    load: Load,
}

impl Mirror {
    pub(crate) fn new(store: Arc<dyn SessionStore>, flush: Flush, warnings: Warnings) -> Self {
        let (post, read) = mpsc::unbounded_channel();
        let keeper = Keeper { store, warnings, waiting: Vec::new() };
        Mirror { flush, post: Some(post), work: tokio::spawn(keeper.keep(flush, read)) }
    }

    /// Takes what an event says was written; `weigh` gives it its weight.
    pub(crate) fn step(&self, event: &Event<'_>, weigh: impl FnOnce(usize) -> Load) {
        let Some(post) = &self.post else { return };
        // If the store has panicked, that is told at the end.
        match &event.what {
            What::TurnComplete { .. } if self.flush == Flush::Batched => drop(post.send(Post::TurnOver)),
            What::Notice { data, .. } if event.what.line_kind() == Some(Kind::TranscriptMirror) => {
                let Some(Envelope::TranscriptMirror(line)) = event.what.envelope() else { return };
                let bytes = data.json().text().len();
                let entries = line.entries.iter().flat_map(|entries| entries.iter()).map(Payload::from);
                let path = line.file_path.unwrap_or_default().to_string();
                let load = weigh(bytes);
                drop(post.send(Post::Written(Written { path, entries: entries.collect(), bytes, load })));
            }
            _ => {}
        }
    }

    /// Nothing more will come.
    pub(crate) fn close(&mut self) {
        self.post = None;
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

/// Who gives to the store what comes.
struct Keeper {
    store: Arc<dyn SessionStore>,
    warnings: Warnings,
    waiting: Vec<Written>,
}

impl Keeper {
    async fn keep(mut self, flush: Flush, mut read: mpsc::UnboundedReceiver<Post>) {
        while let Some(post) = read.recv().await {
            let turn_over = match post {
                Post::Written(written) => {
                    self.waiting.push(written);
                    false
                }
                Post::TurnOver => true,
            };
            if turn_over || flush == Flush::Eager || self.is_full() {
                self.give().await;
            }
        }
        self.give().await;
    }

    fn is_full(&self) -> bool {
        let entries: usize = self.waiting.iter().map(|written| written.entries.len()).sum();
        let bytes: usize = self.waiting.iter().map(|written| written.bytes).sum();
        entries >= BATCH || bytes >= BATCH_BYTES
    }

    /// Gives away all that waits, what is of the same transcript at once.
    async fn give(&mut self) {
        let mut batches: Vec<Written> = Vec::new();
        // What was put together with others keeps its weight until all is given away.
        let mut loads = Vec::new();
        for written in self.waiting.drain(..) {
            match batches.iter_mut().find(|batch| batch.path == written.path) {
                Some(batch) => {
                    batch.entries.extend(written.entries);
                    loads.push(written.load);
                }
                None => batches.push(written),
            }
        }
        for Written { path, entries, load, .. } in batches {
            let kept = match TranscriptFile::written(&path) {
                Some(file) => append(&*self.store, &file, &entries).await,
                None => Err("it is no transcript".to_owned()),
            };
            if let Err(reason) = kept {
                self.warnings.tell(&Warning::NotKept { path, reason });
            }
            drop(load);
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
