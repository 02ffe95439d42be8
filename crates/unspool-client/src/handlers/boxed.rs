//! Handlers of all kinds as one type each.

use std::pin::Pin;
use std::sync::Arc;
use unspool::control::Answer;

/// A future that can be sent to where it is needed.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What answers a question; no answer means that another host gives it.
pub(crate) type Handler<Q> = Arc<dyn Fn(Q) -> BoxFuture<Option<Answer>> + Send + Sync>;

/// A handler made of a closure and what turns its outcome into an answer.
pub(super) fn handler<Q, F, R>(
    call: impl Fn(Q) -> F + Send + Sync + 'static,
    answer: impl Fn(R) -> Option<Answer> + Clone + Send + Sync + 'static,
) -> Handler<Q>
where
    F: Future<Output = R> + Send + 'static,
{
    Arc::new(move |question| {
        let reply = call(question);
        let answer = answer.clone();
        Box::pin(async move { answer(reply.await) })
    })
}
