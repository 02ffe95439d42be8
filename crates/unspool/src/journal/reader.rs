//! The text of a journal in, its entries out, and what is wrong with it.

use super::FORMAT;
use super::entry::{Entry, Odd};
use super::note::Note;
use crate::line::{DEFAULT_LIMIT, End, Line, Splitter};
use std::fmt;

/// Reads a journal from its beginning, or from any line on.
///
/// What is damaged is said, and the rest is read: never is an entry given twice, and never one before another that has a lower
/// number.
#[derive(Debug)]
pub struct Reader {
    lines: Splitter,
    order: Order,
}

/// What was read so far.
#[derive(Debug, Default)]
struct Order {
    /// The number of the last entry, or none if any may be the first.
    last: Option<u64>,
    /// The last entry said that it is the last.
    ended: bool,
}

/// What is wrong with a journal.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// This line is no entry.
    Unreadable {
        /// Which line of those that were read.
        line: u64,
    },
    /// These entries are not there.
    Missing {
        /// The first of them.
        from: u64,
        /// The last of them.
        to: u64,
    },
    /// This entry stands behind one with the same or a higher number, and was passed over.
    Late {
        /// Its number.
        number: u64,
    },
    /// This entry went a way that this version does not know, and was passed over.
    Unknown {
        /// Its number.
        number: u64,
    },
    /// It was written in a newer version of the format.
    Newer {
        /// Which one.
        format: u64,
    },
    /// The last line is not whole: whoever wrote it was stopped, or has not finished.
    Cut,
    /// There is no last entry that says how it ended.
    NoEnd,
}

impl Fault {
    /// Whether something that stood in the journal cannot be told.
    #[must_use]
    pub fn is_loss(&self) -> bool {
        match self {
            Fault::Unreadable { .. } | Fault::Missing { .. } | Fault::Unknown { .. } => true,
            Fault::Cut | Fault::NoEnd => true,
            Fault::Late { .. } | Fault::Newer { .. } => false,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unreadable { line } => write!(f, "line {line} of the recording is no entry"),
            Fault::Missing { from, to } if from == to => {
                write!(f, "entry {from} of the recording is missing")
            }
            Fault::Missing { from, to } => write!(f, "entries {from} to {to} of the recording are missing"),
            Fault::Late { number } => {
                write!(f, "entry {number} of the recording stands twice, or behind a later one")
            }
            Fault::Unknown { number } => {
                write!(f, "entry {number} of the recording is of a kind that this version does not know")
            }
            Fault::Newer { format } => write!(
                f,
                "the recording has format {format}, and this version knows {FORMAT}: what it does not know is passed over"
            ),
            Fault::Cut => f.write_str("the recording is cut in the middle of an entry"),
            Fault::NoEnd => {
                f.write_str("the recording has no end: whoever wrote it was stopped, or still writes")
            }
        }
    }
}

impl Default for Reader {
    fn default() -> Self {
        Reader::new()
    }
}

impl Reader {
    /// From the beginning: the first entry has number 1.
    #[must_use]
    pub fn new() -> Self {
        Reader { order: Order { last: Some(0), ended: false }, ..Reader::anywhere() }
    }

    /// From somewhere in the middle, at the beginning of a line: the first entry may have any number.
    #[must_use]
    pub fn anywhere() -> Self {
        // An escaped line is three times as long at most, and has its columns.
        Reader { lines: Splitter::new(DEFAULT_LIMIT.saturating_mul(3)), order: Order::default() }
    }

    /// Takes the next bytes, cut anywhere.
    pub fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(Result<Entry<'_>, Fault>)) {
        let Reader { lines, order } = self;
        lines.feed(bytes, |line| order.step(&line, &mut take));
    }

    /// There is no more: says what is missing at the end.
    pub fn finish(&mut self, mut take: impl FnMut(Result<Entry<'_>, Fault>)) {
        let mut cut = false;
        self.lines.finish(|_| cut = true);
        if cut {
            take(Err(Fault::Cut));
        }
        if !cut && !self.order.ended {
            take(Err(Fault::NoEnd));
        }
    }

    /// The number of the last entry that was given; 0 if there was none.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.order.last.unwrap_or(0)
    }

    /// Whether its last entry was read.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.order.ended
    }
}

impl Order {
    fn step(&mut self, line: &Line<'_>, take: &mut impl FnMut(Result<Entry<'_>, Fault>)) {
        debug_assert_eq!(line.end, End::Newline, "a line without an end is not fed");
        let unreadable = Fault::Unreadable { line: line.number };
        if line.is_too_long() {
            return take(Err(unreadable));
        }
        match Entry::read(line.bytes) {
            Ok(entry) => {
                if self.is_next(entry.number, take) {
                    self.look(&entry, take);
                    take(Ok(entry));
                }
            }
            Err(Odd::Columns) => take(Err(unreadable)),
            Err(Odd::Way { number }) => {
                if self.is_next(number, take) {
                    take(Err(Fault::Unknown { number }));
                }
            }
        }
    }

    /// Whether this entry may be given; says what is missing before it.
    fn is_next(&mut self, number: u64, take: &mut impl FnMut(Result<Entry<'_>, Fault>)) -> bool {
        let last = self.last.unwrap_or(number - 1);
        if number <= last {
            take(Err(Fault::Late { number }));
            return false;
        }
        if number > last + 1 {
            take(Err(Fault::Missing { from: last + 1, to: number - 1 }));
        }
        (self.last, self.ended) = (Some(number), false);
        true
    }

    /// What an entry says of the journal.
    fn look(&mut self, entry: &Entry<'_>, take: &mut impl FnMut(Result<Entry<'_>, Fault>)) {
        match entry.note() {
            Some(Note::Begin(begin)) => {
                if let Some(format) = begin.format.filter(|format| *format > FORMAT) {
                    take(Err(Fault::Newer { format }));
                }
            }
            Some(Note::Finish(_)) => self.ended = true,
            _ => {}
        }
    }
}
