//! Lines that wait, in their order.

use crate::unescape::Unescaped;
use std::collections::VecDeque;
use std::ops::Range;

/// Lines that wait for one before them that is not decided.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    lines: VecDeque<Held<T>>,
    /// The number of the first of them.
    first: u64,
    /// Bytes in them.
    bytes: usize,
}

/// A line.
#[derive(Debug)]
pub(crate) struct Held<T> {
    /// What belongs to it.
    pub(crate) tag: T,
    pub(crate) bytes: Vec<u8>,
    /// The piece in it that is open: where it stands.
    piece: Option<Range<usize>>,
    is_json: bool,
    is_open: bool,
    changes: Vec<(Range<usize>, String)>,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue { lines: VecDeque::new(), first: 0, bytes: 0 }
    }
}

impl<T> Queue<T> {
    /// The number of the next line.
    pub(crate) fn next(&self) -> u64 {
        self.first + self.lines.len() as u64
    }

    pub(crate) fn push(&mut self, line: Held<T>) {
        self.bytes += line.bytes.len();
        self.lines.push_back(line);
    }

    /// Lines and bytes that wait.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.lines.len(), self.bytes)
    }

    /// What stands in the piece of this line is replaced.
    pub(crate) fn change(&mut self, line: u64, range: Range<usize>, words: String) {
        let Some(held) = self.line(line) else { return };
        let Some(place) = held.piece.clone() else { return };
        let source = if held.is_json {
            str::from_utf8(&held.bytes[place.clone()])
                .map(|raw| Unescaped::json(raw).source(range))
                .unwrap_or_default()
        } else {
            Unescaped::lossy(&held.bytes[place.clone()]).source(range)
        };
        held.changes.push((place.start + source.start..place.start + source.end, words));
    }

    /// Nothing of this line is open any more.
    pub(crate) fn decided(&mut self, line: u64) {
        if let Some(held) = self.line(line) {
            held.is_open = false;
        }
    }

    /// The next line that is decided, with whether it was changed.
    pub(crate) fn pop(&mut self) -> Option<(T, Vec<u8>, bool)> {
        if self.lines.front()?.is_open {
            return None;
        }
        let held = self.lines.pop_front()?;
        self.first += 1;
        self.bytes -= held.bytes.len();
        let is_changed = !held.changes.is_empty();
        Some((held.tag, if is_changed { changed(&held.bytes, held.changes) } else { held.bytes }, is_changed))
    }

    fn line(&mut self, line: u64) -> Option<&mut Held<T>> {
        self.lines.get_mut(usize::try_from(line.checked_sub(self.first)?).ok()?)
    }
}

impl<T> Held<T> {
    /// A line with these changes, nothing of which is open.
    pub(crate) fn done(tag: T, bytes: Vec<u8>, changes: Vec<(Range<usize>, String)>) -> Self {
        Held { tag, bytes, piece: None, is_json: true, is_open: false, changes }
    }

    /// The piece that stands there is open.
    pub(crate) fn open(mut self, piece: Range<usize>, is_json: bool) -> Self {
        (self.piece, self.is_json, self.is_open) = (Some(piece), is_json, true);
        self
    }
}

/// A line with these places replaced.
fn changed(bytes: &[u8], mut changes: Vec<(Range<usize>, String)>) -> Vec<u8> {
    changes.sort_by_key(|(range, _)| range.start);
    let mut made = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for (range, words) in changes {
        made.extend_from_slice(&bytes[at..range.start.max(at)]);
        made.extend_from_slice(words.as_bytes());
        at = range.end.max(at);
    }
    made.extend_from_slice(&bytes[at..]);
    made
}
