//! Waiting, and never for ever: what does not happen fails the test that waits for it.

use std::future::Future;
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
