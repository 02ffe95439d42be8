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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handlers::BoxFuture;
    use crate::store::MemoryStore;
    use crate::store::StoredTranscript;
    use serde_json::json;
    use std::sync::Mutex;

    /// Remembers how many entries it was given at once.
    #[derive(Default)]
    struct Portions(Mutex<Vec<usize>>, MemoryStore);

    impl SessionStore for Portions {
        fn append(&self, file: TranscriptFile, entries: Vec<Payload>) -> BoxFuture<Result<(), StoreError>> {
            self.0.lock().unwrap().push(entries.len());
            self.1.append(file, entries)
        }

        fn load(&self, session: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
            self.1.load(session)
        }
    }

    #[tokio::test]
    async fn a_store_is_given_portions_and_all_of_them_in_order() {
        let (small, large) = (10, 700 << 10);
        for (sizes, portions) in [
            (vec![], vec![]),
            (vec![small; 500], vec![500]),
            (vec![small; 1001], vec![500, 500, 1]),
            (vec![large; 3], vec![1, 1, 1]),
            (vec![small, small, 2 << 20, small], vec![2, 1, 1]),
        ] {
            let store = Portions::default();
            let sized = sizes.iter().enumerate();
            let entries: Vec<Payload> =
                sized.map(|(at, size)| json!({ "at": at, "text": "x".repeat(*size) }).into()).collect();
            give(&store, &TranscriptFile::at("p/s.jsonl").unwrap(), entries.clone()).await.unwrap();
            assert_eq!(*store.0.lock().unwrap(), portions);
            let loaded = store.load("s").await.unwrap();
            assert!(loaded.into_iter().flat_map(|it| it.entries).eq(entries));
        }
    }
}
