//! The turn of a session that has no answer yet: known to the session and to whoever reads the turn.

use crate::controls::{Controls, Order};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use tokio::sync::oneshot;

/// None, or the one that has no answer. All clones are one.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenTurn(Arc<Mutex<Option<Open>>>);

#[derive(Debug)]
struct Open {
    prompt: String,
    abandoned: bool,
    /// Says that it was taken back, where no event does.
    taken_back: Option<oneshot::Receiver<()>>,
}

impl OpenTurn {
    pub(crate) fn begin(&self, prompt: String) {
        *self.lock() = Some(Open { prompt, abandoned: false, taken_back: None });
    }

    pub(crate) fn is_there(&self) -> bool {
        self.lock().is_some()
    }

    /// These prompts are done with.
    pub(crate) fn settle(&self, prompts: &[String]) {
        self.lock().take_if(|open| prompts.contains(&open.prompt));
    }

    pub(crate) fn forget(&self) {
        *self.lock() = None;
    }

    /// Interrupts it, if it is the one that is meant, and leaves its end to the next turn.
    pub(crate) fn abandon(&self, controls: &Controls, is_meant: impl FnOnce(&str) -> bool) {
        let mut open = self.lock();
        let meant = open.as_mut().filter(|open| !open.abandoned && is_meant(&open.prompt));
        let Some(open) = meant else { return };
        let (reply, taken_back) = oneshot::channel();
        // A session that is gone has no turn.
        let _ = controls.orders.send(Order::Abandon { uuid: open.prompt.clone(), reply });
        open.abandoned = true;
        open.taken_back = Some(taken_back);
    }

    /// Waits until it was taken back. May be dropped and called again; never ends if the driver does not say so.
    pub(crate) async fn taken_back(&self) {
        poll_fn(|cx| {
            let mut open = self.lock();
            let Some(word) = open.as_mut().and_then(|open| open.taken_back.as_mut()) else {
                return Poll::Pending;
            };
            match Pin::new(word).poll(cx) {
                Poll::Ready(Ok(())) => Poll::Ready(()),
                Poll::Pending => Poll::Pending,
                Poll::Ready(Err(_)) => {
                    // Nobody can say it any more.
                    if let Some(open) = &mut *open {
                        open.taken_back = None;
                    }
                    Poll::Pending
                }
            }
        })
        .await;
    }

    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Interrupts a turn when it is dropped before the turn has its answer. It borrows nothing: if a `Turn` itself did something
/// when it is dropped, its session could not be used for as long as it is in scope.
#[derive(Debug)]
pub(crate) struct InterruptOnDrop {
    pub(crate) prompt: String,
    pub(crate) open: OpenTurn,
    pub(crate) controls: Controls,
}

impl Drop for InterruptOnDrop {
    fn drop(&mut self) {
        self.open.abandon(&self.controls, |prompt| prompt == self.prompt);
    }
}
