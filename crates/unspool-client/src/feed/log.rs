//! The list behind a feed: the latest events, who waits for the next one, and who may still tell one.

use super::Fed;
use std::collections::{HashMap, VecDeque};
use std::mem::size_of;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use unspool::Event;

/// Nobody holds it for longer than it takes to look at one event.
#[derive(Debug)]
pub(super) struct Log(Mutex<Kept>);

#[derive(Debug)]
struct Kept {
    latest: VecDeque<Entry>,
    /// The number of the next event.
    next: u64,
    bytes: usize,
    most: usize,
    /// Those who may tell of events.
    sources: usize,
    /// How many programs there were.
    programs: u64,
    /// How many subscribers there were.
    subscribers: u64,
    /// Subscribers that have read everything.
    waiting: HashMap<u64, Waker>,
}

#[derive(Debug)]
struct Entry {
    program: u64,
    event: Arc<Event<'static>>,
    bytes: usize,
}

impl Log {
    pub(super) fn new(most: usize) -> Self {
        Log(Mutex::new(Kept {
            latest: VecDeque::new(),
            next: 1,
            bytes: 0,
            most,
            sources: 0,
            programs: 0,
            subscribers: 0,
            waiting: HashMap::new(),
        }))
    }

    pub(super) fn next(&self) -> u64 {
        self.lock().next
    }

    pub(super) fn open(&self) {
        self.lock().sources += 1;
    }

    pub(super) fn close(&self) {
        let mut kept = self.lock();
        kept.sources -= 1;
        if kept.sources == 0 {
            wake_all(kept);
        }
    }

    pub(super) fn begin(&self) -> u64 {
        let mut kept = self.lock();
        kept.programs += 1;
        kept.programs
    }

    pub(super) fn push(&self, program: u64, event: &Arc<Event<'static>>, bytes: usize) {
        let mut kept = self.lock();
        let bytes = bytes + size_of::<Event<'_>>();
        kept.latest.push_back(Entry { program, event: Arc::clone(event), bytes });
        kept.next += 1;
        kept.bytes += bytes;
        // The last one stays, however large: whoever is not late misses nothing.
        while kept.bytes > kept.most && kept.latest.len() > 1 {
            kept.bytes -= kept.latest.pop_front().map_or(0, |entry| entry.bytes);
        }
        wake_all(kept);
    }

    pub(super) fn subscribe(&self) -> u64 {
        let mut kept = self.lock();
        kept.subscribers += 1;
        kept.subscribers
    }

    pub(super) fn unsubscribe(&self, id: u64) {
        self.lock().waiting.remove(&id);
    }

    /// What a subscriber that waits for this number is told next.
    pub(super) fn poll(&self, id: u64, seq: &mut u64, cx: &mut Context<'_>) -> Poll<Option<Fed>> {
        let mut kept = self.lock();
        if *seq >= kept.next {
            if kept.sources == 0 {
                return Poll::Ready(None);
            }
            kept.waiting.insert(id, cx.waker().clone());
            return Poll::Pending;
        }
        let first = kept.next - kept.latest.len() as u64;
        let Some(place) = seq.checked_sub(first) else {
            let gap = *seq..first;
            *seq = first;
            return Poll::Ready(Some(Fed::Gap(gap)));
        };
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let fed = kept.latest.get(place).map(|Entry { program, event, .. }| Fed::Event {
            seq: *seq,
            program: *program,
            event: Arc::clone(event),
        });
        *seq += 1;
        Poll::Ready(fed)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes all who wait, and lets others at the list first.
fn wake_all(mut kept: MutexGuard<'_, Kept>) {
    let waiting = std::mem::take(&mut kept.waiting);
    drop(kept);
    waiting.into_values().for_each(Waker::wake);
}

#[cfg(test)]
mod tests {
    use super::super::{Feed, Subscriber};
    use super::*;
    use futures_core::Stream;
    use std::pin::Pin;
    use unspool::{Grain, Spool};

    /// An event that is nothing but its number.
    fn event(seq: u64) -> Arc<Event<'static>> {
        let mut event = Spool::read(Grain::Blocks, b"{\"type\":\"x\"}\n").remove(0);
        event.seq = seq;
        Arc::new(event)
    }

    /// All that it can be told without waiting, as words.
    fn read(subscriber: &mut Subscriber) -> Vec<String> {
        let mut cx = Context::from_waker(Waker::noop());
        let mut told = Vec::new();
        loop {
            told.push(match Pin::new(&mut *subscriber).poll_next(&mut cx) {
                Poll::Pending => return told,
                Poll::Ready(None) => "end".to_owned(),
                Poll::Ready(Some(Fed::Gap(missed))) => format!("gap {missed:?}"),
                Poll::Ready(Some(Fed::Event { seq, program, event })) => {
                    format!("{seq} is {} of {program}", event.seq)
                }
            });
            if told.last().is_some_and(|last| last == "end") {
                return told;
            }
        }
    }

    #[test]
    fn each_reads_from_its_number_on_what_is_kept() {
        let weight = size_of::<Event<'_>>() + 10;
        let feed = Feed::new(3 * weight);
        let teller = feed.source().begin();
        let mut early = feed.subscribe(0);
        assert!(read(&mut early).is_empty());
        for seq in 1..=5 {
            teller.tell(&event(seq), 10);
        }
        assert_eq!(feed.next_seq(), 6);
        let all = ["3 is 3 of 1", "4 is 4 of 1", "5 is 5 of 1"];
        assert_eq!(read(&mut early), ["gap 1..3", all[0], all[1], all[2]]);
        assert_eq!(early.seq(), 6);
        for (from, told) in
            [(2, vec!["gap 2..3", all[0], all[1], all[2]]), (4, vec![all[1], all[2]]), (6, vec![])]
        {
            assert_eq!(read(&mut feed.subscribe(from)), told, "{from}");
        }
        // One that is still to come is waited for.
        let mut ahead = feed.subscribe(7);
        teller.tell(&event(6), 10);
        assert!(read(&mut ahead).is_empty());
        teller.tell(&event(7), 10);
        assert_eq!(read(&mut ahead), ["7 is 7 of 1"]);
        // One that is larger than all that is kept is there for those who are not late.
        teller.tell(&event(8), 100 * weight);
        assert_eq!(read(&mut ahead), ["8 is 8 of 1"]);
        assert_eq!(read(&mut early), ["gap 6..8", "8 is 8 of 1"]);
        drop(teller);
        assert_eq!(read(&mut ahead), ["end"]);
        assert_eq!(read(&mut feed.subscribe(1)), ["gap 1..8", "8 is 8 of 1", "end"]);
        assert_eq!(read(&mut feed.subscribe(100)), ["end"]);
    }

    #[test]
    fn a_feed_ends_with_the_last_who_may_tell_of_something() {
        let feed = Feed::new(1 << 20);
        let source = feed.source();
        let (first, second) = (source.begin(), source.clone().begin());
        let mut subscriber = feed.subscribe(1);
        first.tell(&event(1), 0);
        second.tell(&event(1), 0);
        first.tell(&event(2), 0);
        drop((first, source));
        assert_eq!(read(&mut subscriber), ["1 is 1 of 1", "2 is 1 of 2", "3 is 2 of 1"]);
        drop(second);
        assert_eq!(read(&mut subscriber), ["end"]);
    }

    #[test]
    fn who_leaves_is_forgotten() {
        let feed = Feed::new(1 << 20);
        let teller = feed.source().begin();
        let mut subscribers: Vec<Subscriber> = (0..1000).map(|_| feed.subscribe(1)).collect();
        for subscriber in &mut subscribers {
            assert!(read(subscriber).is_empty());
        }
        assert_eq!(feed.0.lock().waiting.len(), 1000);
        subscribers.truncate(10);
        assert_eq!(feed.0.lock().waiting.len(), 10);
        let shared = event(1);
        teller.tell(&shared, 0);
        assert_eq!(feed.0.lock().waiting.len(), 0, "they were woken");
        for subscriber in &mut subscribers {
            assert_eq!(read(subscriber), ["1 is 1 of 1"]);
        }
        assert_eq!(Arc::strong_count(&shared), 2, "one is kept, and none is copied");
    }
}
