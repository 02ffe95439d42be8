//! A journal: all of one session, in order, and exactly. A recording is a journal in a file.
//!
//! What Claude Code wrote, what was written to it, what it complained of, and what happened around it, one entry a line:
//!
//! ```text
//! 1   0     note  {"note":"begin","format":1,"argv":["claude","-p", …], …}
//! 2   0     in    {"type":"user","message":{"role":"user","content":"hi"}}
//! 3   812   out   {"type":"system","subtype":"init", …}
//! 4   1490  err%  %1B[33mwarning%1B[0m
//! 5   2003  out   {"type":"result", …}
//! 6   2010  note  {"note":"end","code":0}
//! ```
//!
//! The columns are apart by tabs: the number, milliseconds since the beginning, the way the bytes went, and the bytes. [`Scribe`]
//! cuts pieces of bytes into [entries](Entry), [`Entry::write`] makes the text of one; [`Reader`] takes that text, cut anywhere,
//! and gives the entries back and says of each that is missing. [`Playback`] tells a journal as events, [`find`] finds an entry
//! in one that is too long to be read.
//!
//! ```
//! use unspool::journal::{Begin, Entry, FORMAT, Reader, Scribe, Way};
//!
//! let mut text = Vec::new();
//! let mut scribe = Scribe::new();
//! let mut keep = |entry: Entry<'_>| entry.write(&mut text);
//! scribe.note(&Begin::default().format(FORMAT).cwd("/src"), 0, &mut keep);
//! scribe.feed(Way::Out, b"{\"type\":\"sys", 12, &mut keep);
//! scribe.feed(Way::Out, b"tem\"}\n", 13, &mut keep);
//! assert!(text.ends_with(b"2\t13\tout\t{\"type\":\"system\"}\n"));
//!
//! let mut lines = Vec::new();
//! Reader::new().feed(&text, |entry| lines.push(entry.map(Entry::into_owned)));
//! assert_eq!(lines[1].as_ref().unwrap().bytes, b"{\"type\":\"system\"}".as_slice());
//! ```

mod entry;
mod find;
mod note;
mod playback;
mod reader;
mod scribe;
#[cfg(test)]
mod tests;

pub use entry::{Entry, Way};
pub use find::{Goal, Place, find};
pub use note::{Begin, Closed, Finish, Note, NoteKind, Start};
pub use playback::{Playback, Told};
pub use reader::{Fault, Reader};
pub use scribe::Scribe;

/// The version of the format that is written.
///
/// A reader takes a newer one as far as it understands it, and says so: [`Fault::Newer`].
pub const FORMAT: u64 = 1;

/// Whether a file that begins so is a journal: its first line has the columns of an entry.
#[must_use]
pub fn is_journal(head: &[u8]) -> bool {
    let head = reader::without_mark(&head[..head.len().min(64)]);
    entry::columns(head).is_some_and(|(_, _, way, _)| entry::way_of(way).is_some())
}

/// Whether all of a file, this text, is no more than the beginning of a journal's first entry.
#[must_use]
pub fn is_begun(text: &[u8]) -> bool {
    let mut columns = reader::without_mark(text).split(|byte| *byte == b'\t');
    let is_first = columns.next() == Some(b"1");
    let is_time = columns.next().is_some_and(|at| at.iter().all(u8::is_ascii_digit));
    let begins_way = |way: &[u8]| Way::ALL.iter().any(|known| known.name().as_bytes().starts_with(way));
    is_first && is_time && columns.next().is_none_or(begins_way) && columns.next().is_none()
}
