//! Waiting, and never for ever: what does not happen fails the test that waits for it.

use std::future::Future;
use std::path::Path;
use std::time::Duration;

/// More than anything takes on the slowest machine.
const LIMIT: Duration = Duration::from_secs(60);

/// What it comes to.
#[track_caller]
pub(crate) fn soon<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let place = std::panic::Location::caller();
    async move {
        let done = tokio::time::timeout(LIMIT, work).await;
        done.unwrap_or_else(|_| panic!("{place}: it does not end"))
    }
}

/// Looks again and again until it is so.
#[track_caller]
pub(crate) fn until(mut is_so: impl FnMut() -> bool) -> impl Future<Output = ()> {
    soon(async move {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
}

/// Waits for a file, as which a program says something.
#[track_caller]
pub(crate) fn file(path: &Path) -> impl Future<Output = ()> + use<'_> {
    until(|| path.exists())
}
