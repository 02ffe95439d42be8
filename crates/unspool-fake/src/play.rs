//! A response that is sent as it is played, and noted as it is sent.

use crate::log::{Log, SentKind};
use crate::script::Cut;
use crate::stream::Frame;
use hyper::body::{Body, Bytes, Frame as BodyFrame, SizeHint};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// The body of a response.
pub(crate) struct Play {
    steps: VecDeque<Step>,
    pause: Option<Pin<Box<Sleep>>>,
    /// Where it is noted, and as part of which answer; nothing for answers about the log itself.
    log: Option<(Arc<Log>, u64)>,
    ended: bool,
}

enum Step {
    Frame(Frame),
    /// A body that is not a stream, or the first half of one.
    Body(String),
}

/// The connection is to break.
#[derive(Debug, thiserror::Error)]
#[error("the script cuts the connection")]
pub(crate) struct Broken;

/// Before the connection breaks, what was sent has to be on its way.
const FLUSH: Duration = Duration::from_millis(20);

impl Play {
    /// A stream of events.
    pub(crate) fn stream(frames: Vec<Frame>, log: Arc<Log>, request: u64) -> Self {
        Play::new(frames.into_iter().map(Step::Frame), Some((log, request)))
    }

    /// A body at once.
    pub(crate) fn whole(body: String, log: Arc<Log>, request: u64) -> Self {
        Play::new((!body.is_empty()).then_some(Step::Body(body)), Some((log, request)))
    }

    /// A body that breaks off in the middle.
    pub(crate) fn half(body: &str, cut: Cut, log: Arc<Log>, request: u64) -> Self {
        let half: String = body.chars().take(body.chars().count() / 2).collect();
        Play::new([Step::Body(half), Step::Frame(Frame::Cut(cut))], Some((log, request)))
    }

    /// A body that is no part of the play.
    pub(crate) fn aside(body: String) -> Self {
        Play::new([Step::Body(body)], None)
    }

    fn new(steps: impl IntoIterator<Item = Step>, log: Option<(Arc<Log>, u64)>) -> Self {
        Play { steps: steps.into_iter().collect(), pause: None, log, ended: false }
    }

    fn note(&self, kind: SentKind, name: &str, data: &str) {
        if let Some((log, request)) = &self.log {
            log.sent(*request, kind, name, data);
        }
    }

    fn end(&mut self, kind: SentKind) {
        if !self.ended {
            self.ended = true;
            self.note(kind, "", "null");
        }
    }
}

impl Body for Play {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<BodyFrame<Bytes>, Broken>>> {
        loop {
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(context));
                self.pause = None;
            }
            let data = match self.steps.pop_front() {
                Some(Step::Frame(Frame::Pause(time))) => {
                    self.pause = Some(Box::pin(sleep(time)));
                    continue;
                }
                Some(Step::Frame(Frame::Cut(Cut::Connection))) if !self.ended => {
                    self.end(SentKind::Cut);
                    self.steps.push_front(Step::Frame(Frame::Cut(Cut::Connection)));
                    self.pause = Some(Box::pin(sleep(FLUSH)));
                    continue;
                }
                Some(Step::Frame(Frame::Cut(Cut::Connection))) => return Poll::Ready(Some(Err(Broken))),
                Some(Step::Frame(Frame::Cut(Cut::Stream))) => {
                    self.end(SentKind::Cut);
                    return Poll::Ready(None);
                }
                Some(Step::Frame(Frame::Event { name, data })) => {
                    self.note(SentKind::Event, &name, &data);
                    format!("event: {name}\ndata: {data}\n\n")
                }
                Some(Step::Body(body)) => {
                    self.note(SentKind::Body, "", &body);
                    body
                }
                None => {
                    self.end(SentKind::End);
                    return Poll::Ready(None);
                }
            };
            return Poll::Ready(Some(Ok(BodyFrame::data(Bytes::from(data)))));
        }
    }

    fn is_end_stream(&self) -> bool {
        self.steps.is_empty() && self.pause.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        match (self.steps.len(), self.steps.front()) {
            (1, Some(Step::Body(body))) => SizeHint::with_exact(body.len() as u64),
            (0, _) => SizeHint::with_exact(0),
            _ => SizeHint::new(),
        }
    }
}

/// The client may go away before the end.
impl Drop for Play {
    fn drop(&mut self) {
        let kind = if self.is_end_stream() { SentKind::End } else { SentKind::Gone };
        self.end(kind);
    }
}
