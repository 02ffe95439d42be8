//! The text of a journal in, its entries out, and what is wrong with it.

use super::FORMAT;
use super::entry::{Entry, Odd};
use super::note::Note;
use crate::digest::hash_of_bytes;
use crate::line::{DEFAULT_LIMIT, End, Line, MARK, Splitter};
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
    /// Another journal has begun: nothing more of the text is read.
    over: bool,
    /// Somebody has changed the line ends, and it was said.
    converted: bool,
    latest: Latest,
}

/// What the latest entries say, so that one that stands there again is known.
#[derive(Debug, Default)]
struct Latest(Vec<(u64, u64)>);

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
    /// This entry stands behind one with the same or a higher number, and was passed over. What it says may stand nowhere else.
    Late {
        /// Its number.
        number: u64,
    },
    /// This entry, one of the latest, stands there again, and says the same.
    Twice {
        /// Its number.
        number: u64,
    },
    /// Another journal begins: it and all behind it was passed over.
    Another {
        /// Which line of those that were read.
        line: u64,
    },
    /// The line ends were converted: each has a carriage return, which a writer never leaves there. Nothing is lost by that.
    Converted,
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
            Fault::Late { .. } | Fault::Another { .. } | Fault::Cut | Fault::NoEnd => true,
            Fault::Twice { .. } | Fault::Converted | Fault::Newer { .. } => false,
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
            Fault::Twice { number } => write!(f, "entry {number} of the recording stands twice"),
            Fault::Another { line } => {
                write!(f, "another recording begins in line {line}, and nothing from there on is read")
            }
            Fault::Converted => {
                f.write_str("the line ends of the recording were converted, which harms nothing")
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
        Reader { order: Order { last: Some(0), ..Order::default() }, ..Reader::anywhere() }
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
        self.lines.finish(|_| cut = !self.order.over);
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
        if self.over {
            return;
        }
        let unreadable = Fault::Unreadable { line: line.number };
        if line.is_too_long() {
            return take(Err(unreadable));
        }
        let text = self.as_written(line, take);
        match Entry::read(text) {
            Ok(entry) => {
                if entry.number == 1 && self.is_another(&entry, text) {
                    self.over = true;
                    return take(Err(Fault::Another { line: line.number }));
                }
                if self.is_next(entry.number, text, take) {
                    self.look(&entry, take);
                    take(Ok(entry));
                }
            }
            Err(Odd::Columns) => take(Err(unreadable)),
            Err(Odd::Way { number }) => {
                if self.is_next(number, text, take) {
                    take(Err(Fault::Unknown { number }));
                }
            }
        }
    }

    /// The line without what editors add. A writer escapes each carriage return, so one at its end is not its own.
    fn as_written<'l>(
        &mut self,
        line: &Line<'l>,
        take: &mut impl FnMut(Result<Entry<'_>, Fault>),
    ) -> &'l [u8] {
        let text = if line.number == 1 { without_mark(line.bytes) } else { line.bytes };
        let Some(plain) = text.strip_suffix(b"\r") else { return text };
        if !std::mem::replace(&mut self.converted, true) {
            take(Err(Fault::Converted));
        }
        plain
    }

    /// Whether a journal begins behind this one: two of them stand in one file.
    fn is_another(&self, first: &Entry<'_>, text: &[u8]) -> bool {
        let is_behind = self.last.is_some_and(|last| last > 0);
        is_behind && matches!(first.note(), Some(Note::Begin(_))) && !self.latest.has(1, text)
    }

    /// Whether this entry may be given; says what is missing before it.
    fn is_next(&mut self, number: u64, text: &[u8], take: &mut impl FnMut(Result<Entry<'_>, Fault>)) -> bool {
        let last = self.last.unwrap_or(number - 1);
        if number <= last {
            let is_same = self.latest.has(number, text);
            take(Err(if is_same { Fault::Twice { number } } else { Fault::Late { number } }));
            return false;
        }
        if number > last + 1 {
            take(Err(Fault::Missing { from: last + 1, to: number - 1 }));
        }
        self.latest.put(number, text);
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

impl Latest {
    /// So many are known.
    const MOST: usize = 1024;

    fn has(&self, number: u64, text: &[u8]) -> bool {
        self.0.get(Self::place(number)) == Some(&(number, hash_of_bytes(text)))
    }

    fn put(&mut self, number: u64, text: &[u8]) {
        let place = Self::place(number);
        if self.0.len() <= place {
            self.0.resize(place + 1, (0, 0));
        }
        self.0[place] = (number, hash_of_bytes(text));
    }

    fn place(number: u64) -> usize {
        (number % Self::MOST as u64) as usize
    }
}

/// The first line without the mark that some editors and shells put before a text.
pub(super) fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(MARK).unwrap_or(line)
}
