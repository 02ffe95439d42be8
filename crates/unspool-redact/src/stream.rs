//! Bytes and entries in, the same without their secrets out.

use crate::masks::Masks;
use crate::redactor::{Lines, Masked};
use unspool::journal::{Entry, Note, Way, is_journal};
use unspool::line::{DEFAULT_LIMIT, End};

/// Masks a stream, a transcript, events or a recording, as its bytes come.
///
/// What comes out are the lines that went in, in their order; one without a secret is byte for byte what it was. A line waits only while
/// the piece of a part in it, or one before it, may be the beginning of a secret.
///
/// ```
/// use unspool_redact::{Masks, Redactor};
///
/// let mut redactor = Redactor::new(&Masks::new());
/// let mut out = Vec::new();
/// redactor.feed(b"{\"type\":\"user\",\"message\":{\"content\":\"it is postgres://me:hun", &mut out);
/// redactor.feed(b"ter2@db\"}}\n", &mut out);
/// redactor.finish(&mut out);
/// assert!(String::from_utf8_lossy(&out).contains("postgres://me:[redacted:url-password:1]@db"));
/// ```
#[derive(Debug)]
pub struct Redactor {
    lines: Lines<Tag>,
    form: Form,
    /// Bytes of the line that is not whole.
    begun: Vec<u8>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Form {
    /// Nothing has come.
    Unknown,
    Lines,
    Journal,
}

/// What belongs to a line.
#[derive(Debug)]
struct Tag {
    /// What stands behind it: a line feed, if it is whole.
    ends: &'static str,
    /// As an entry of a journal it is of this number, time and way, and ends so.
    entry: Option<(u64, u64, Way, End)>,
    /// The line of a journal as it stands there.
    text: Vec<u8>,
}

impl Redactor {
    /// Masks what `masks` says.
    #[must_use]
    pub fn new(masks: &Masks) -> Self {
        Redactor { lines: Lines::new(masks.clone()), form: Form::Unknown, begun: Vec::new() }
    }

    /// Takes bytes, cut anywhere, and appends what is decided.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let mut line = std::mem::take(&mut self.begun);
            line.extend_from_slice(&rest[..end]);
            self.line(line, true);
            self.write(out);
            rest = &rest[end + 1..];
        }
        self.begun.extend_from_slice(rest);
        // Nobody reads a longer line as one.
        if self.begun.len() > DEFAULT_LIMIT {
            let line = std::mem::take(&mut self.begun);
            self.line(line, false);
            self.write(out);
        }
    }

    /// There are no more bytes.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        let line = std::mem::take(&mut self.begun);
        if !line.is_empty() {
            self.line(line, false);
        }
        self.lines.finish();
        self.write(out);
    }

    fn line(&mut self, mut line: Vec<u8>, is_whole: bool) {
        if self.form == Form::Unknown {
            let mut head = line[..line.len().min(64)].to_vec();
            head.push(b'\n');
            self.form = if is_journal(&head) { Form::Journal } else { Form::Lines };
        }
        if self.form == Form::Lines {
            let ends = if is_whole { "\n" } else { "" };
            return self.lines.line(Way::Out, line, is_whole, Tag { ends, entry: None, text: Vec::new() });
        }
        // An editor may have left it there; it is no part of the entry.
        let ends = match line.last() {
            Some(b'\r') if is_whole => {
                line.pop();
                "\r\n"
            }
            _ if is_whole => "\n",
            _ => "",
        };
        match Entry::of_line(&line).map(Entry::into_owned) {
            Some(entry) => entry_line(&mut self.lines, entry, ends, line),
            None => {
                // Nobody knows what it is, nor which way it goes: it is a text by itself.
                self.lines.close(Way::Note);
                self.lines.line(Way::Note, line, is_whole, Tag { ends, entry: None, text: Vec::new() });
                self.lines.close(Way::Note);
            }
        }
    }

    fn write(&mut self, out: &mut Vec<u8>) {
        while let Some(Masked { tag, bytes, is_changed }) = self.lines.pop() {
            match tag.entry {
                Some((number, at, way, end)) if is_changed => {
                    let mut entry = Entry::new(number, at, way, bytes);
                    entry.end = end;
                    entry.write(out);
                    // It ends as it did.
                    out.pop();
                    out.extend_from_slice(tag.ends.as_bytes());
                }
                Some(_) => {
                    out.extend_from_slice(&tag.text);
                    out.extend_from_slice(tag.ends.as_bytes());
                }
                None => {
                    out.extend_from_slice(&bytes);
                    out.extend_from_slice(tag.ends.as_bytes());
                }
            }
        }
    }
}

/// Masks entries of a journal, as they are made.
///
/// An entry keeps its number, its time and its way. It waits only while it, or one before it, may have the beginning of a secret.
#[derive(Debug)]
pub struct EntryRedactor {
    lines: Lines<Tag>,
}

impl EntryRedactor {
    /// Masks what `masks` says.
    #[must_use]
    pub fn new(masks: &Masks) -> Self {
        EntryRedactor { lines: Lines::new(masks.clone()) }
    }

    /// Takes an entry, and hands on what is decided.
    pub fn feed(&mut self, entry: Entry<'_>, take: impl FnMut(Entry<'_>)) {
        entry_line(&mut self.lines, entry.into_owned(), "\n", Vec::new());
        self.take(take);
    }

    /// There are no more entries.
    pub fn finish(&mut self, take: impl FnMut(Entry<'_>)) {
        self.lines.finish();
        self.take(take);
    }

    fn take(&mut self, mut take: impl FnMut(Entry<'_>)) {
        while let Some(Masked { tag, bytes, .. }) = self.lines.pop() {
            let Some((number, at, way, end)) = tag.entry else { continue };
            let mut entry = Entry::new(number, at, way, bytes);
            entry.end = end;
            take(entry);
        }
    }
}

fn entry_line(lines: &mut Lines<Tag>, entry: Entry<'static>, ends: &'static str, text: Vec<u8>) {
    match entry.note() {
        Some(Note::Finish(_) | Note::Start(_)) => lines.finish(),
        Some(Note::Closed(closed)) => {
            if let Some(way) = closed.way.and_then(|way| Way::of(way.decode().as_bytes())) {
                lines.close(way);
            }
        }
        _ => {}
    }
    let (number, at, way, end) = (entry.number, entry.at, entry.way, entry.end);
    let tag = Tag { ends, entry: Some((number, at, way, end)), text };
    lines.line(way, entry.bytes.into_owned(), end == End::Newline, tag);
}
