//! Lists of objects: `--output-format json --verbose` prints its messages so, on one line, and others print what it
//! said so over many.
//!
//! ```text
//! Opened "[" --"{"--> Brace --a key or "}"--> Element --its end--> Behind --","--> Comma --a value--> Element
//!                                                                  Behind, Comma --"]"--> Closed --a newline--> no list
//! Opened, Brace --anything else--> it was no list, and what was held is lines
//! Element --what cannot be in one--> the list is given up, and what was held is lines
//! ```
//!
//! An element is handed on as soon as it has ended, so no more than one is held.

use super::{End, Line};

/// A list that is being read.
#[derive(Debug)]
pub(super) struct List {
    limit: usize,
    place: ListState,
    /// The line that opened it.
    opened: u64,
    /// The line that is being read.
    number: u64,
    /// What was not handed on: an element, and before the first one all of the list.
    held: Vec<u8>,
    /// How many bytes came beyond the limit.
    beyond: u64,
    /// Where in it the element begins, and in which line that is.
    begins: (usize, u64),
    /// Where in it the last line begins.
    line: usize,
    /// Brackets of the element that are open.
    depth: u64,
    string: Within,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum ListState {
    Opened,
    Brace,
    Element,
    Behind,
    Comma,
    Closed,
}

/// Whether a byte of an element stands in a string.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Within {
    Nothing,
    String,
    /// Behind the backslash in one.
    Escape,
}

/// What comes of some bytes.
pub(super) enum Fed {
    /// All of them are of the list.
    All,
    /// So many are, and it is over.
    Over(usize),
}

/// What stands for a list that is not closed.
const OPEN: &[u8] = b"[";

impl List {
    /// The bracket that opens it is still to come, in this line, behind these blanks.
    pub(super) fn new(number: u64, limit: usize, blanks: Vec<u8>) -> Self {
        List {
            limit,
            place: ListState::Opened,
            opened: number,
            number,
            held: blanks,
            beyond: 0,
            begins: (0, number),
            line: 0,
            depth: 0,
            string: Within::Nothing,
        }
    }

    /// Takes bytes; hands on the elements that they complete.
    pub(super) fn feed(&mut self, bytes: &[u8], take: &mut impl FnMut(Line<'_>)) -> Fed {
        let mut at = 0;
        while at < bytes.len() {
            let (length, goes_on) = match self.place {
                ListState::Opened | ListState::Brace => self.begin(bytes[at]),
                ListState::Element => self.element(&bytes[at..], take),
                ListState::Behind | ListState::Comma | ListState::Closed => self.between(bytes[at], take),
            };
            at += length;
            if !goes_on {
                return Fed::Over(at);
            }
        }
        Fed::All
    }

    /// The stream has ended.
    pub(super) fn finish(&mut self, take: &mut impl FnMut(Line<'_>)) {
        match self.place {
            ListState::Element => self.hand_on(End::Stream, take),
            ListState::Behind | ListState::Comma => take(Line::whole(self.opened, OPEN, End::Stream)),
            ListState::Opened | ListState::Brace | ListState::Closed => {}
        }
    }

    /// It is over: what was held are lines. Returns them, and the number of the first one.
    pub(super) fn into_lines(self) -> (Vec<u8>, u64) {
        let first = match (self.begins.0, self.held.is_empty()) {
            (_, true) => self.number,
            (0, false) if self.place == ListState::Element => self.begins.1,
            (_, false) => self.opened,
        };
        (self.held, first)
    }

    /// Before the first element is certain. Returns how many bytes were taken, and whether it may be a list.
    fn begin(&mut self, byte: u8) -> (usize, bool) {
        match (self.place, byte) {
            (_, b' ' | b'\t' | b'\r') if self.held.len() < self.limit => {}
            (_, b'\n') if self.held.len() < self.limit => self.number += 1,
            (ListState::Opened, b'[') if !self.held.contains(&b'[') => {}
            (ListState::Opened, b'{') => {
                self.place = ListState::Brace;
                self.begins = (self.held.len(), self.number);
            }
            (ListState::Brace, b'"' | b'}') => {
                self.place = ListState::Element;
                self.depth = 1;
                return (0, true);
            }
            _ => return (0, false),
        }
        self.held.push(byte);
        self.line = if byte == b'\n' { self.held.len() } else { self.line };
        (1, true)
    }

    /// Between elements. Returns how many bytes were taken, and whether the list goes on.
    fn between(&mut self, byte: u8, take: &mut impl FnMut(Line<'_>)) -> (usize, bool) {
        match (self.place, byte) {
            (ListState::Closed, b'\n') => {
                self.number += 1;
                return (1, false);
            }
            (_, b'\n') => self.number += 1,
            (_, b' ' | b'\t' | b'\r') => {}
            (ListState::Behind, b',') => self.place = ListState::Comma,
            (ListState::Behind | ListState::Comma, b']') => self.place = ListState::Closed,
            (ListState::Comma, _) => {
                self.place = ListState::Element;
                self.begins = (0, self.number);
                self.line = 0;
                return (0, true);
            }
            (ListState::Closed, _) => return (0, false),
            (_, _) => {
                take(Line::whole(self.opened, OPEN, End::Newline));
                return (0, false);
            }
        }
        (1, true)
    }

    /// Inside an element. Returns how many bytes were taken, and whether it is still a list.
    fn element(&mut self, bytes: &[u8], take: &mut impl FnMut(Line<'_>)) -> (usize, bool) {
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            at += 1;
            match (self.string, byte) {
                (Within::Nothing, b'"') => self.string = Within::String,
                (Within::Nothing, b'{' | b'[') => self.depth += 1,
                (Within::Nothing, b',' | b']' | b'\n') if self.depth == 0 => {
                    return self.end_element(&bytes[..at - 1], take);
                }
                (Within::Nothing, b'}' | b']') => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return self.end_element(&bytes[..at], take);
                    }
                }
                (Within::Nothing, b'\n') => {
                    self.hold(&bytes[..at]);
                    self.number += 1;
                    if self.is_alone() {
                        return (at, self.give_up(take));
                    }
                    self.line = self.held.len();
                    return (at, true);
                }
                (Within::String | Within::Escape, b'\n') => {
                    self.hold(&bytes[..at]);
                    self.number += 1;
                    return (at, self.give_up(take));
                }
                (Within::String, b'"') => {
                    self.string = Within::Nothing;
                    if self.depth == 0 {
                        return self.end_element(&bytes[..at], take);
                    }
                }
                (Within::String, b'\\') => self.string = Within::Escape,
                (Within::String, _) => {
                    let rest = &bytes[at..];
                    at += memchr::memchr3(b'"', b'\\', b'\n', rest).unwrap_or(rest.len());
                }
                (Within::Escape, _) => self.string = Within::String,
                (Within::Nothing, _) => {}
            }
        }
        self.hold(bytes);
        (bytes.len(), true)
    }

    fn end_element(&mut self, bytes: &[u8], take: &mut impl FnMut(Line<'_>)) -> (usize, bool) {
        self.hold(bytes);
        self.hand_on(End::Newline, take);
        self.place = ListState::Behind;
        (bytes.len(), true)
    }

    fn hand_on(&mut self, end: End, take: &mut impl FnMut(Line<'_>)) {
        let (from, number) = std::mem::take(&mut self.begins);
        let bytes = &self.held[from.min(self.held.len())..];
        take(Line { number, bytes, length: bytes.len() as u64 + self.beyond, end });
        self.beyond = 0;
        self.held.clear();
        // One huge element must not cost its size for ever.
        self.held.shrink_to(1 << 20);
    }

    /// Whether the last line is an object by itself: then this is a stream whose beginning looked like a list.
    fn is_alone(&self) -> bool {
        let line = &self.held[self.line.min(self.held.len())..];
        self.line > 0
            && line.first() == Some(&b'{')
            && crate::json::Json::new(&Line::whole(0, line, End::Newline).text()).is_ok()
    }

    /// What is held can be in no list.
    fn give_up(&mut self, take: &mut impl FnMut(Line<'_>)) -> bool {
        if self.begins.0 == 0 {
            take(Line::whole(self.opened, OPEN, End::Newline));
        }
        if self.beyond > 0 {
            self.hand_on(End::Newline, take);
        }
        false
    }

    fn hold(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.held.len()).min(bytes.len());
        self.held.extend_from_slice(&bytes[..room]);
        self.beyond += (bytes.len() - room) as u64;
    }
}
