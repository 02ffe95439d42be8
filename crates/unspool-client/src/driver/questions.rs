//! The questions of Claude Code that somebody is working on, each in a task of its own.

use crate::controls::Controls;
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio::task::{Id, JoinSet};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;
use unspool::control::{Answer, AskId, Asked};

/// Answers a question; `None` if another host of the session does. Dropped when the question is withdrawn.
pub(crate) type Handler = Arc<
    dyn Fn(Asked, CancellationToken, Controls) -> Pin<Box<dyn Future<Output = Option<Answer>> + Send>>
        + Send
        + Sync,
>;

/// The handler of a question has panicked.
pub(super) struct Panicked;

pub(super) struct Questions {
    handler: Handler,
    controls: Controls,
    work: JoinSet<Option<Answer>>,
    asks: HashMap<Id, (AskId, CancellationToken)>,
    /// Questions that another host of the session answers.
    left: Vec<AskId>,
}

impl Questions {
    pub(super) fn new(handler: Handler, controls: Controls) -> Self {
        Questions { handler, controls, work: JoinSet::new(), asks: HashMap::new(), left: Vec::new() }
    }

    /// Whether a handler works on one here.
    pub(super) fn is_empty(&self) -> bool {
        self.asks.is_empty()
    }

    /// Whether Claude Code waits for an answer, from here or elsewhere.
    pub(super) fn is_asked(&self) -> bool {
        !self.is_empty() || !self.left.is_empty()
    }

    /// The turn is over, and its questions with it.
    pub(super) fn forget(&mut self) {
        self.left.clear();
    }

    pub(super) fn ask(&mut self, asked: Asked) {
        let (ask, token) = (asked.id.clone(), CancellationToken::new());
        let span = tracing::info_span!("question", id = %ask, subtype = asked.subtype);
        let answer = (self.handler)(asked, token.clone(), self.controls.clone());
        let withdrawn = token.clone();
        let work = async move { withdrawn.run_until_cancelled(answer).await.flatten() };
        let task = self.work.spawn(work.instrument(span));
        self.asks.insert(task.id(), (ask, token));
    }

    pub(super) fn withdraw(&mut self, ask: &AskId) {
        for (_, token) in self.asks.values().filter(|(other, _)| other == ask) {
            token.cancel();
        }
        self.left.retain(|other| other != ask);
    }

    /// The next answer; `None` if a question was left to another host.
    pub(super) async fn next(&mut self) -> Option<(AskId, Result<Answer, Panicked>)> {
        let done = self.work.join_next_with_id().await?;
        let (id, answer) = match done {
            Ok((id, answer)) => (id, answer.map(Ok)),
            Err(error) => (error.id(), Some(Err(Panicked))),
        };
        let (ask, token) = self.asks.remove(&id)?;
        let Some(answer) = answer else {
            if !token.is_cancelled() {
                self.left.push(ask);
            }
            return None;
        };
        Some((ask, answer))
    }

    pub(super) fn clear(&mut self) {
        self.asks.values().for_each(|(_, token)| token.cancel());
        self.asks.clear();
        self.work.abort_all();
    }
}
