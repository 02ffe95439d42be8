//! What a store does not offer.

use super::StoreError;
use crate::handlers::BoxFuture;

/// A [store](crate::store::SessionStore) was asked for something that it does not offer.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("the store cannot {what}")]
#[non_exhaustive]
pub struct Unable {
    /// What it was asked for: `list sessions`.
    pub what: &'static str,
}

impl Unable {
    /// Whether a store has failed because it does not offer what it was asked for.
    #[must_use]
    pub fn is(error: &StoreError) -> bool {
        error.is::<Unable>()
    }

    /// The answer of a store that cannot do this.
    pub(super) fn to<T: Send + 'static>(what: &'static str) -> BoxFuture<Result<T, StoreError>> {
        Box::pin(std::future::ready(Err(Unable { what }.into())))
    }

    /// What a store has answered; none if it does not offer it.
    pub(super) fn or_none<T>(answer: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
        match answer {
            Err(error) if Unable::is(&error) => Ok(None),
            other => other.map(Some),
        }
    }
}
