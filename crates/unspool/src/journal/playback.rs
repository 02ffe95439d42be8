//! A journal as events: those that were told when it was written.

use super::entry::{Entry, Way};
use super::note::Note;
use super::reader::{Fault, Reader};
use crate::event::Event;
use crate::line::End;
use crate::spool::Spool;
use crate::verdict::Beside;

/// Tells a journal.
///
/// ```
/// use unspool::journal::Playback;
/// use unspool::{Grain, Spool};
///
/// let journal = b"1\t0\tnote\t{\"note\":\"begin\",\"format\":1}\n2\t7\tout\t{\"type\":\"system\",\"subtype\":\"init\"}\n";
/// let mut playback = Playback::new(Spool::new(Grain::Blocks));
/// playback.feed(journal, |event| println!("{event}"));
/// playback.finish(|event| println!("{event}"));
/// assert_eq!(playback.faults().len(), 1, "it has no end, and so its verdict is `truncated`");
/// ```
#[derive(Debug)]
pub struct Playback {
    reader: Reader,
    teller: Teller,
}

#[derive(Debug)]
struct Teller {
    spool: Spool,
    faults: Vec<Fault>,
    /// How many entries were read.
    entries: u64,
    /// Their times say nothing.
    untimed: bool,
}

/// What a journal tells, in order: an entry, and behind it the events that it adds.
#[derive(Debug)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "it is handed on, and never kept")]
pub enum Told<'a> {
    /// An entry, as it was written down.
    Entry(&'a Entry<'a>),
    /// An event that the entry before it adds.
    Event(Event<'a>),
}

/// More faults than anybody reads are counted by nobody.
const FAULTS: usize = 100;

impl Playback {
    /// Tells it by this spool, from which come the grain and what counts as a failure.
    #[must_use]
    pub fn new(spool: Spool) -> Self {
        Playback {
            reader: Reader::new(),
            teller: Teller { spool, faults: Vec::new(), entries: 0, untimed: false },
        }
    }

    /// Takes the next bytes of the journal's text, cut anywhere, and hands on what they add.
    pub fn feed(&mut self, bytes: &[u8], mut sink: impl FnMut(Event<'_>)) {
        self.play(bytes, |told| {
            if let Told::Event(event) = told {
                sink(event);
            }
        });
    }

    /// Takes the next bytes as [`feed`](Self::feed) does, and hands on each entry before the events that it adds.
    pub fn play(&mut self, bytes: &[u8], mut sink: impl FnMut(Told<'_>)) {
        let Playback { reader, teller } = self;
        reader.feed(bytes, |entry| {
            entry.iter().for_each(|entry| sink(Told::Entry(entry)));
            teller.take(entry, &mut |event| sink(Told::Event(event)));
        });
    }

    /// What was read is not all that was there, as of a compressed file that was cut.
    pub fn cut_off(&mut self) {
        self.teller.spool.cut_off();
    }

    /// There is no more: hands on what is still owed, and `finished`.
    pub fn finish(&mut self, mut sink: impl FnMut(Event<'_>)) {
        let Playback { reader, teller } = self;
        reader.finish(|entry| teller.take(entry, &mut sink));
        teller.spool.finish(sink);
    }

    /// How many of its entries were read so far.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.teller.entries
    }

    /// What is wrong with it, as far as it was read: the first hundred of it.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.teller.faults
    }
}

impl Teller {
    fn take(&mut self, entry: Result<Entry<'_>, Fault>, sink: &mut impl FnMut(Event<'_>)) {
        match entry {
            Ok(entry) => self.step(&entry, sink),
            Err(fault) => {
                if fault.is_loss() {
                    self.spool.incomplete(fault.to_string());
                }
                if self.faults.len() < FAULTS {
                    self.faults.push(fault);
                }
            }
        }
    }

    fn step(&mut self, entry: &Entry<'_>, sink: &mut impl FnMut(Event<'_>)) {
        self.entries += 1;
        let Teller { spool, untimed, .. } = self;
        if let Some(Note::Begin(begin)) = entry.note() {
            *untimed = begin.untimed == Some(true);
        }
        if !*untimed {
            spool.set_clock(entry.at);
        }
        match entry.way {
            Way::Out => {
                spool.feed(&entry.bytes, &mut *sink);
                if entry.end == End::Newline {
                    spool.feed(b"\n", sink);
                }
            }
            // Half a line was never read as one.
            Way::In if entry.end == End::Stream => {}
            Way::In => spool.wrote(&String::from_utf8_lossy(&entry.bytes), sink),
            Way::Err => {}
            Way::Note => match entry.note() {
                Some(Note::Finish(end)) => spool.beside(end.beside()),
                // It goes on: how the program before ended says nothing of the end.
                Some(Note::Start(_)) => spool.beside(Beside::new()),
                _ => {}
            },
        }
    }
}
