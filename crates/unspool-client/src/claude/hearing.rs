//! Who else hears of what a program says and does.

use super::Claude;
use crate::Warning;
use crate::tap::Traffic;
use std::sync::Arc;

impl Claude {
    /// Hears what the program writes to its standard error, piece by piece. Its end is kept in any case.
    #[must_use]
    pub fn on_stderr(mut self, listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.listener = Some(Arc::new(listener));
        self
    }

    /// Hears every byte that crosses a pipe to or from the program, exactly as it did, in order, before anything is told of it; and how many
    /// milliseconds after the session's beginning that was, by the clock of its events. For recordings and relays: [`Traffic`] says how
    /// to get the events again from it.
    ///
    /// Each call adds a listener. They hear of one thing after the other, and what they do keeps the session waiting.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    /// use unspool_client::{Claude, Options};
    /// use unspool_client::tap::Traffic;
    ///
    /// static OUT: AtomicUsize = AtomicUsize::new(0);
    /// let claude = Claude::new(Options::new()).tap(|traffic, _at| {
    ///     if let Traffic::Read(bytes) = traffic {
    ///         OUT.fetch_add(bytes.len(), Relaxed);
    ///     }
    /// });
    /// # drop(claude);
    /// ```
    #[must_use]
    pub fn tap(mut self, listener: impl Fn(Traffic<'_>, u64) + Send + Sync + 'static) -> Self {
        self.taps.push(Arc::new(listener));
        self
    }

    /// Hears of what is not as it should be, and is no reason to end. It is traced in any case.
    #[must_use]
    pub fn on_warning(mut self, listener: impl Fn(&Warning) + Send + Sync + 'static) -> Self {
        self.on_warning = Some(Arc::new(listener));
        self
    }

    /// How much a [feed](crate::Session::feed) keeps for those who subscribe late or read slowly: the latest events, as many as came in
    /// so many bytes, and always the last. 16 MiB unless said otherwise.
    #[must_use]
    pub fn history(mut self, bytes: usize) -> Self {
        self.history = bytes;
        self
    }
}
