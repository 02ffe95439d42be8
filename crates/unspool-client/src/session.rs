//! What the application holds: a session of many turns.

use crate::answer::{Answer, Collector};
use crate::controls::{Controls, Prompt};
use crate::driver::{Handle, Told};
use crate::error::Error;
use crate::feed::Feed;
use crate::open_turn::{InterruptOnDrop, OpenTurn};
use crate::{Ending, Turn};
use futures_core::Stream;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio_util::sync::CancellationToken;
use unspool::event::What;
use unspool::{Event, Verdict};

/// A session with Claude Code: prompts go in, events come out, until the application ends it.
///
/// It is a process that lives as long as the session; dropping the session ends it.
#[derive(Debug)]
pub struct Session {
    handle: Handle,
    feed: Feed,
    program: u64,
    open: OpenTurn,
    id: Option<String>,
    /// The session that it was to go on with.
    resumed: Option<String>,
    finished: bool,
}

impl Session {
    pub(crate) fn new(handle: Handle, (feed, program): (Feed, u64), resumed: Option<String>) -> Self {
        Session { handle, feed, program, open: OpenTurn::default(), id: None, resumed, finished: false }
    }

    /// Sends a prompt; the turn gives its events and its answer. Where the program is ending, and no prompt can be sent, how it
    /// ends is told by what is left of the session's events.
    pub async fn turn(&mut self, prompt: impl Into<Prompt>) -> Result<Turn<'_>, Error> {
        self.settle().await;
        let sent = self.handle.controls.send(prompt);
        match sent {
            Ok(prompt) if !self.finished => {
                self.open.begin(prompt.clone());
                let open = InterruptOnDrop { prompt, open: self.open.clone(), controls: self.controls() };
                Ok(Turn::new(self, open))
            }
            _ => Err(self.unanswered()),
        }
    }

    /// Sends a prompt and waits for its answer.
    pub async fn ask(&mut self, prompt: impl Into<Prompt>) -> Result<Answer, Error> {
        self.turn(prompt).await?.answer().await
    }

    /// The next event, whichever turn it is of; `None` after the last one, which is `finished`.
    pub async fn next(&mut self) -> Option<Event<'static>> {
        self.told().await.map(|told| Arc::unwrap_or_clone(told.event))
    }

    /// The events for any number of other readers, at the same time and from any number on; see [`Feed`]. What this session's own
    /// reader has taken or not makes no difference to them, unless it leaves more than 8 MiB of lines unread: what comes then is told
    /// to all when that is read.
    #[must_use]
    pub fn feed(&self) -> Feed {
        self.feed.clone()
    }

    /// For commands, and for prompts while a turn is running.
    #[must_use]
    pub fn controls(&self) -> Controls {
        self.handle.controls.clone()
    }

    /// The id of the session as Claude Code last gave it, to resume it.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Whether the program still runs.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.handle.ending.get().is_none()
    }

    /// Whether the program still runs. Asks the system, too: the driver may not know yet that it has just ended.
    pub(crate) fn is_running(&self) -> bool {
        #[cfg(feature = "process")]
        let has_ended = self.handle.process.is_some_and(crate::process::has_ended);
        #[cfg(not(feature = "process"))]
        let has_ended = false;
        self.is_alive() && !has_ended
    }

    /// The id of the process, if it is one of this machine.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.handle.process
    }

    /// Its number among the programs that a shared feed hears of; 1 if none does.
    pub(crate) fn program(&self) -> u64 {
        self.program
    }

    /// Cancelled when the program is gone, and what it has started, whether or not its events were read.
    pub(crate) fn gone(&self) -> CancellationToken {
        self.handle.gone.clone()
    }

    /// Waits until everything is done that was asked for, background agents too, and ends the session.
    pub async fn finish(mut self) -> Ending {
        self.handle.controls.finish();
        self.drain().await
    }

    /// Interrupts what is running and ends the session.
    pub async fn close(mut self) -> Ending {
        self.handle.controls.close();
        self.drain().await
    }

    /// Ends the session, and says why it cannot be used.
    pub(crate) async fn close_unanswered(mut self) -> Error {
        self.handle.controls.close();
        self.drain().await;
        self.unanswered()
    }

    /// How it ended, once the last event was read.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        self.handle.ending.get().filter(|_| self.finished)
    }

    pub(crate) async fn told(&mut self) -> Option<Told> {
        poll_fn(|cx| self.poll_told(cx)).await
    }

    fn poll_told(&mut self, cx: &mut Context<'_>) -> Poll<Option<Told>> {
        let told = ready!(self.handle.told.poll_recv(cx));
        if let Some(told) = &told {
            self.note(told);
        }
        Poll::Ready(told)
    }

    fn note(&mut self, told: &Told) {
        if let Some(session) = &told.event.session
            && self.id.as_deref() != Some(session)
        {
            self.id = Some(session.to_string());
        }
        self.open.settle(&told.noted.settles);
        self.finished |= matches!(told.event.what, What::Finished { .. });
    }

    /// Waits for the end of a turn that the application does not read any more, so that the next one does not get into
    /// it. One that was not dropped is interrupted first.
    async fn settle(&mut self) {
        self.open.abandon(&self.handle.controls, |_| true);
        while self.open.is_there() {
            tokio::select! {
                () = self.open.taken_back() => self.open.forget(),
                told = self.handle.told.recv() => match told {
                    Some(told) => self.note(&told),
                    None => self.open.forget(),
                },
            }
        }
    }

    async fn drain(&mut self) -> Ending {
        while self.told().await.is_some() {}
        self.handle.ending.get().cloned().unwrap_or_else(Ending::lost)
    }

    /// Why a turn failed. If we have interrupted it, our reason counts.
    pub(crate) fn why(&self, error: Error) -> Error {
        match (error, self.handle.cut.get()) {
            (Error::Interrupted(failed), Some(cut)) => Error::cut(cut, *failed),
            (error, _) => error.of_session(self.resumed.as_deref()),
        }
    }

    /// Why a prompt has no answer and never will.
    pub(crate) fn unanswered(&self) -> Error {
        let ending = self.handle.ending.get().cloned().unwrap_or_else(Ending::to_come);
        Error::unanswered(ending).of_session(self.resumed.as_deref())
    }

    /// Why there is no more to come.
    pub(crate) fn over(&self, answer: Option<Answer>) -> Error {
        let ending = self.handle.ending.get().cloned().unwrap_or_else(Ending::lost);
        Error::ended(ending, answer).of_session(self.resumed.as_deref())
    }
}

impl Stream for Session {
    type Item = Event<'static>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_told(cx).map(|told| told.map(|told| Arc::unwrap_or_clone(told.event)))
    }
}

/// One run of Claude Code: a prompt, its events, and an end.
///
/// It is over when the last turn has its result and nothing is at work any more that Claude Code waits for; the last
/// event is `finished`.
#[derive(Debug)]
pub struct Run {
    session: Session,
    collector: Collector,
    last: Option<Result<Answer, Error>>,
}

impl Run {
    pub(crate) fn new(session: Session) -> Self {
        Run { session, collector: Collector::default(), last: None }
    }

    /// The next event; `None` after `finished`.
    pub async fn next(&mut self) -> Option<Event<'static>> {
        self.shared().await.map(Arc::unwrap_or_clone)
    }

    /// The events for any number of other readers; see [`Session::feed`].
    #[must_use]
    pub fn feed(&self) -> Feed {
        self.session.feed()
    }

    /// For commands, and for more prompts as long as something is going on.
    #[must_use]
    pub fn controls(&self) -> Controls {
        self.session.controls()
    }

    /// The id of the process, while it runs on this machine.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.session.process_id()
    }

    /// The id of the session, to resume it.
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.session.id()
    }

    /// How it ended, once the last event was read.
    #[must_use]
    pub fn ending(&self) -> Option<&Ending> {
        self.session.ending()
    }

    /// Reads to the end; the answer of the last turn.
    pub async fn answer(mut self) -> Result<Answer, Error> {
        while self.shared().await.is_some() {}
        let ending = self.session.ending();
        let ours = ending.is_none_or(Ending::is_ours);
        let fine = ending.is_some_and(|ending| ending.verdict == Verdict::Ok && ending.owed.is_none());
        match self.last.take() {
            Some(Ok(answer)) if fine => Ok(answer),
            Some(Err(error)) if !ours => Err(self.session.why(error)),
            Some(Ok(answer)) => Err(self.session.over(Some(answer))),
            Some(Err(error)) => Err(self.session.over(error.into_answer())),
            None => Err(self.session.over(None)),
        }
    }

    async fn shared(&mut self) -> Option<Arc<Event<'static>>> {
        poll_fn(|cx| self.poll_shared(cx)).await
    }

    fn poll_shared(&mut self, cx: &mut Context<'_>) -> Poll<Option<Arc<Event<'static>>>> {
        let told = ready!(self.session.poll_told(cx));
        if let Some(told) = &told {
            self.last = self.collector.step(&told.event).or(self.last.take());
        }
        Poll::Ready(told.map(|told| told.event))
    }
}

impl Stream for Run {
    type Item = Event<'static>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_shared(cx).map(|event| event.map(Arc::unwrap_or_clone))
    }
}
