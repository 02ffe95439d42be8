//! One turn of a session: its events, then its answer.

use crate::Session;
use crate::answer::{Answer, Collector};
use crate::controls::Controls;
use crate::error::{Error, Failed};
use crate::open_turn::InterruptOnDrop;
use std::sync::Arc;
use unspool::Event;

/// A prompt that was sent: gives its events and its answer.
///
/// Other things may happen meanwhile, such as background agents at work; their events come too. Whoever drops a turn
/// before its end interrupts it; the session lives on. One that was read to its end need not be dropped before the session
/// is used again:
///
/// ```no_run
/// # async fn show(mut session: unspool_client::Session) -> Result<(), unspool_client::Error> {
/// let mut turn = session.turn("What does this project do?").await?;
/// while let Some(event) = turn.next().await {
///     println!("{event}");
/// }
/// let ending = session.finish().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Turn<'s> {
    session: &'s mut Session,
    open: InterruptOnDrop,
    collector: Collector,
    answer: Option<Result<Answer, Error>>,
    begun: bool,
    done: bool,
}

impl<'s> Turn<'s> {
    pub(crate) fn new(session: &'s mut Session, open: InterruptOnDrop) -> Self {
        Turn { session, open, collector: Collector::default(), answer: None, begun: false, done: false }
    }

    /// The name of the prompt.
    #[must_use]
    pub fn prompt(&self) -> &str {
        &self.open.prompt
    }

    /// The next event; `None` once the prompt has its answer, or the session has ended.
    pub async fn next(&mut self) -> Option<Event<'static>> {
        self.shared().await.map(Arc::unwrap_or_clone)
    }

    /// The next event, as all have it who are told of it.
    pub(crate) async fn shared(&mut self) -> Option<Arc<Event<'static>>> {
        if self.done {
            return None;
        }
        let Some(told) = self.session.told().await else {
            self.done = true;
            return None;
        };
        let answer = self.collector.step(&told.event);
        self.begun |= told.noted.begins.contains(&self.open.prompt);
        if told.noted.settles.contains(&self.open.prompt) {
            self.answer = Some(answer.unwrap_or_else(|| Err(taken_back())));
            self.done = true;
        }
        Some(told.event)
    }

    /// Reads to the end of the turn.
    pub async fn answer(mut self) -> Result<Answer, Error> {
        while self.shared().await.is_some() {}
        match self.answer.take() {
            Some(answer) => answer.map_err(|error| self.session.why(error)),
            None => Err(self.session.unanswered()),
        }
    }

    /// Whether Claude Code has begun to work on the prompt.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun
    }

    /// For commands while the turn is running, such as `interrupt`.
    #[must_use]
    pub fn controls(&self) -> Controls {
        self.session.controls()
    }
}

/// The application has cancelled the prompt, or Claude Code did not want it.
fn taken_back() -> Error {
    let text = "the prompt was taken back before its turn began".to_owned();
    Error::Interrupted(Box::new(Failed { text, ..Failed::default() }))
}
