//! Many entries, given to a store in portions that it can take.

use super::{SessionStore, StoreError, TranscriptFile};
use unspool::control::Payload;

/// So many entries are given to a store at once.
pub(super) const BATCH: usize = 500;

/// So many bytes are, unless one entry alone is more.
pub(super) const BATCH_BYTES: usize = 1 << 20;

/// Gives a store all of these entries, in order.
pub(crate) async fn give(
    store: &dyn SessionStore,
    file: &TranscriptFile,
    entries: Vec<Payload>,
) -> Result<(), StoreError> {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    for entry in entries {
        let more = entry.json().text().len();
        if batch.len() == BATCH || (bytes + more > BATCH_BYTES && !batch.is_empty()) {
            store.append(file.clone(), std::mem::take(&mut batch)).await?;
            bytes = 0;
        }
        bytes += more;
        batch.push(entry);
    }
    if batch.is_empty() { Ok(()) } else { store.append(file.clone(), batch).await }
}
