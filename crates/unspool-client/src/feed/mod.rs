//! The events of a session for any number of readers, who do not wait for each other.
//!
//! There is one list of the latest events, bounded by their size, and each reader has its place in it. Nothing is queued for
//! anybody: a reader that is too slow finds that what it has not read is gone, and is told which events those were.

mod log;

use futures_core::Stream;
use log::Log;
use std::future::poll_fn;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use unspool::Event;

/// So many bytes of lines are kept as events, unless said otherwise: more than a driver tells at once.
pub(crate) const HISTORY: usize = 16 << 20;

/// The events of one session, or of several, for any number of [subscribers](Subscriber).
///
/// From [`Session::feed`](crate::Session::feed), [`Run::feed`](crate::Run::feed), [`Lasting::feed`](crate::Lasting::feed) and
/// [`Pool::feed`](crate::Pool::feed). Cheap to clone. It keeps nothing alive: dropping the session ends it, whoever subscribes.
///
/// ```no_run
/// # async fn show(claude: unspool_client::Claude) -> Result<(), unspool_client::Error> {
/// use unspool_client::feed::Fed;
///
/// let mut session = claude.session().await?;
/// let mut events = session.feed().subscribe(1);
/// tokio::spawn(async move {
///     while let Some(fed) = events.next().await {
///         match fed {
///             Fed::Event { seq, event, .. } => println!("{seq} {event}"),
///             Fed::Gap(missed) => println!("too slow for {missed:?}"),
///             _ => {}
///         }
///     }
/// });
/// println!("{}", session.ask("What does this project do?").await?.text);
/// # Ok(())
/// # }
/// ```
///
/// # Numbers
///
/// Events are numbered from 1, without a gap, in the order in which they were told. In the feed of a session that is the
/// [`seq`](Event::seq) of the event itself. A feed of a `Lasting` session or of a `Pool` hears of several programs: its numbers go
/// on through all of them, and [`Fed::Event::program`] says which one it was, while the events themselves are those that each program's
/// own stream tells, which begin anew with `seq` 1 and turn 1 and end with `finished`. Whoever folds them has a fold for
/// each program.
///
/// # What is kept
///
/// The latest events, up to [`Claude::history`](crate::Claude::history). A subscriber needs no memory of its own, and one that does not
/// read costs nothing.
#[derive(Clone, Debug)]
pub struct Feed(Arc<Log>);

/// What a [`Subscriber`] is told.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fed {
    /// Something that happened.
    Event {
        /// Its number in this feed.
        seq: u64,
        /// Which of the programs that this feed has heard of it came from: 1 for the first that was started.
        program: u64,
        /// The event, which all subscribers share.
        event: Arc<Event<'static>>,
    },
    /// These numbers are not kept any more, or never were: what was told under them is missing here.
    Gap(Range<u64>),
}

impl Feed {
    pub(crate) fn new(history: usize) -> Self {
        Feed(Arc::new(Log::new(history)))
    }

    /// Reads from this number on: from 1 for all that is kept, from [`next_seq`](Self::next_seq) for what comes from now on, from
    /// behind the last that was read to go on there. What is not kept any more is told as a [gap](Fed::Gap); what is still to
    /// come is waited for.
    #[must_use]
    pub fn subscribe(&self, seq: u64) -> Subscriber {
        Subscriber { id: self.0.subscribe(), log: Arc::clone(&self.0), seq: seq.max(1) }
    }

    /// The number of the next event.
    #[must_use]
    pub fn next_seq(&self) -> u64 {
        self.0.next()
    }

    /// Lets events in; the feed ends when all that do are dropped.
    pub(crate) fn source(&self) -> Source {
        self.0.open();
        Source(Arc::clone(&self.0))
    }
}

/// A reader of a [`Feed`]. Dropping it is all that is needed to leave.
#[derive(Debug)]
pub struct Subscriber {
    log: Arc<Log>,
    id: u64,
    seq: u64,
}

impl Subscriber {
    /// What comes next; `None` after the end. May be dropped and called again.
    ///
    /// A session's feed ends when its program has ended and everything is told. That of a [`Lasting`](crate::Lasting) session or a
    /// [`Pool`](crate::Pool) goes on until the last clone of that is dropped as well, since it may start another program at any time.
    pub async fn next(&mut self) -> Option<Fed> {
        poll_fn(|cx| self.poll(cx)).await
    }

    /// The number of the event that it waits for, to go on from there with another one.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Fed>> {
        self.log.poll(self.id, &mut self.seq, cx)
    }
}

impl Stream for Subscriber {
    type Item = Fed;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Fed>> {
        self.poll(cx)
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        self.log.unsubscribe(self.id);
    }
}

/// Somebody who may tell a feed of events, now or later.
#[derive(Debug)]
pub(crate) struct Source(Arc<Log>);

impl Source {
    /// Another program is started.
    pub(crate) fn begin(&self) -> Teller {
        Teller { program: self.0.begin(), source: self.clone() }
    }
}

impl Clone for Source {
    fn clone(&self) -> Self {
        self.0.open();
        Source(Arc::clone(&self.0))
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Tells a feed of the events of one program.
#[derive(Debug)]
pub(crate) struct Teller {
    source: Source,
    pub(crate) program: u64,
}

impl Teller {
    /// An event that stands for so many bytes of lines.
    pub(crate) fn tell(&self, event: &Arc<Event<'static>>, bytes: usize) {
        self.source.0.push(self.program, event, bytes);
    }
}
