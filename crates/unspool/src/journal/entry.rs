//! One entry, and its line of text.
//!
//! The text is that of the bytes wherever they can stand in a file that people look at. Where they cannot (they are no UTF-8, or
//! have control characters, which might steer a terminal) the way is marked with `%`, and each such byte is `%` and two digits.

use super::note::Note;
use crate::json::Json;
use crate::line::End;
use crate::wire::Wire;
use std::borrow::Cow;
use std::fmt;
use std::io::Write as _;

/// One line that went one way, whole.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// 1, 2, 3 …: each journal has all of them.
    pub number: u64,
    /// When it went, in milliseconds since the journal began.
    pub at: u64,
    /// Where it went.
    pub way: Way,
    /// The line without its line feed, exactly.
    pub bytes: Cow<'a, [u8]>,
    /// Whether a line feed stood behind it.
    pub end: End,
}

/// Where bytes went.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Way {
    /// From Claude Code's standard output.
    Out,
    /// To Claude Code's standard input.
    In,
    /// From its standard error.
    Err,
    /// Nowhere: what happened around it, a [`Note`].
    Note,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 4] = [Way::Out, Way::In, Way::Err, Way::Note];

    /// Its name in a journal.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Way::Out => "out",
            Way::In => "in",
            Way::Err => "err",
            Way::Note => "note",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn of(name: &[u8]) -> Option<Self> {
        Way::ALL.into_iter().find(|way| way.name().as_bytes() == name)
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a line is no entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Odd {
    /// It has not the columns of one.
    Columns,
    /// It has them, but its way is one that this version does not know.
    Way { number: u64 },
}

impl<'a> Entry<'a> {
    /// A line with a line feed behind it.
    pub fn new(number: u64, at: u64, way: Way, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        Entry { number, at, way, bytes: bytes.into(), end: End::Newline }
    }

    /// Keeps it.
    #[must_use]
    pub fn into_owned(self) -> Entry<'static> {
        Entry { bytes: Cow::Owned(self.bytes.into_owned()), ..self }
    }

    /// What happened; of a line that went somewhere, and of what cannot be read, nothing.
    #[must_use]
    pub fn note(&self) -> Option<Note<'_>> {
        if self.way != Way::Note {
            return None;
        }
        Note::of(Json::new(str::from_utf8(&self.bytes).ok()?).ok()?)
    }

    /// Appends the bytes as they went, with their line feed.
    pub fn write_bytes(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes);
        if self.end == End::Newline {
            out.push(b'\n');
        }
    }

    /// Appends its line.
    pub fn write(&self, out: &mut Vec<u8>) {
        let is_plain = is_plain(&self.bytes);
        let escaped = if is_plain { "" } else { "%" };
        let open = if self.end == End::Newline { "" } else { "-" };
        // Writing to a `Vec` cannot fail.
        let _ = write!(out, "{}\t{}\t{}{escaped}{open}\t", self.number, self.at, self.way.name());
        if is_plain {
            out.extend_from_slice(&self.bytes);
        } else {
            escape(&self.bytes, out);
        }
        out.push(b'\n');
    }

    /// Reads one line of a journal by itself, without its line feed; nothing of what is no entry that this version knows. Whether it
    /// stands where it should is the [`Reader`](super::Reader)'s to say.
    #[must_use]
    pub fn of_line(line: &'a [u8]) -> Option<Self> {
        Entry::read(line).ok()
    }

    /// Reads what `write` wrote, without its line feed.
    pub(super) fn read(line: &'a [u8]) -> Result<Self, Odd> {
        let (number, at, way, rest) = columns(line).ok_or(Odd::Columns)?;
        let (way, is_escaped, end) = way_of(way).ok_or(Odd::Way { number })?;
        let bytes = if is_escaped { unescape(rest).ok_or(Odd::Columns)?.into() } else { rest.into() };
        Ok(Entry { number, at, way, bytes, end })
    }
}

/// The columns of a line, or of its beginning: the number, the time, the way, the bytes.
pub(super) fn columns(line: &[u8]) -> Option<(u64, u64, &[u8], &[u8])> {
    let mut columns = line.splitn(4, |byte| *byte == b'\t');
    let (first, at, way) = (columns.next()?, columns.next()?, columns.next()?);
    let rest = columns.next()?;
    Some((number(first).filter(|number| *number > 0)?, number(at)?, way, rest))
}

/// What the third column says: where it went, whether it is escaped, and how the line ended.
pub(super) fn way_of(column: &[u8]) -> Option<(Way, bool, End)> {
    let (column, end) = match column.strip_suffix(b"-") {
        Some(column) => (column, End::Stream),
        None => (column, End::Newline),
    };
    let (name, is_escaped) = match column.strip_suffix(b"%") {
        Some(name) => (name, true),
        None => (column, false),
    };
    Some((Way::of(name)?, is_escaped, end))
}

/// A number as we write it: digits, and nothing before them.
fn number(column: &[u8]) -> Option<u64> {
    let plain = column.iter().all(u8::is_ascii_digit) && (column.len() == 1 || column.first() != Some(&b'0'));
    str::from_utf8(column).ok().filter(|_| plain)?.parse().ok()
}

/// Whether these bytes can stand in the file as they are.
fn is_plain(bytes: &[u8]) -> bool {
    // Without a branch for each byte, so that it is done many bytes at a time.
    let controls = bytes.iter().fold(false, |any, &byte| any | is_control(byte));
    !controls && !has_c1(bytes) && simdutf8::basic::from_utf8(bytes).is_ok()
}

fn is_control(byte: u8) -> bool {
    (byte < b' ' && byte != b'\t') || byte == 0x7f
}

/// U+0080 to U+009F, which some terminals take for commands.
fn has_c1(bytes: &[u8]) -> bool {
    memchr::memchr_iter(0xc2, bytes).any(|at| matches!(bytes.get(at + 1), Some(0x80..=0x9f)))
}

fn escape(bytes: &[u8], out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let spell = |byte: u8, out: &mut Vec<u8>| {
        out.extend([b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
    };
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            let mut buffer = [0; 4];
            let encoded = letter.encode_utf8(&mut buffer).as_bytes();
            if letter == '%' || (letter.is_control() && letter != '\t') {
                encoded.iter().for_each(|&byte| spell(byte, out));
            } else {
                out.extend_from_slice(encoded);
            }
        }
        chunk.invalid().iter().for_each(|&byte| spell(byte, out));
    }
}

/// Nothing, if a `%` is not followed by two digits.
fn unescape(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'%', rest) {
        bytes.extend_from_slice(&rest[..at]);
        let digits = rest.get(at + 1..at + 3).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
        bytes.push(u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?);
        rest = &rest[at + 3..];
    }
    bytes.extend_from_slice(rest);
    Some(bytes)
}
