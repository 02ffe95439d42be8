//! Objects that were printed over several lines.

use super::{End, Line};

/// Puts an object that was printed over several lines together again: CLI 0.2.70 writes so.
///
/// ```text
/// closed --"{" alone--> open --"}" alone--> closed, one line
///                       open --a line that is an object by itself, the end--> closed, each line alone
/// ```
#[derive(Debug, Default)]
pub(super) struct Joiner {
    held: Vec<u8>,
    /// Where each held line begins, its number and its end.
    starts: Vec<(usize, u64, End)>,
}

impl Joiner {
    /// Takes a line; hands on the lines that are complete.
    pub(super) fn step(&mut self, line: Line<'_>, limit: usize, mut take: impl FnMut(Line<'_>)) {
        let opens = self.starts.is_empty();
        if opens && !is_only(line.bytes, b"{") {
            return take(line);
        }
        let stands_alone =
            || line.bytes.first() == Some(&b'{') && crate::json::Json::new(&line.text()).is_ok();
        // A line that is held costs more than its bytes.
        let held = self.held.len() + self.starts.len() * size_of::<(usize, u64, End)>();
        let odd = line.is_too_long() || held + line.bytes.len() > limit;
        if !opens && (odd || stands_alone()) {
            self.give_up(&mut take);
            return take(line);
        }
        self.starts.push((self.held.len(), line.number, line.end));
        self.held.extend_from_slice(line.bytes);
        self.held.push(b'\n');
        if !opens && is_only(line.bytes, b"}") {
            let number = self.starts[0].1;
            let whole = Line::whole(number, &self.held, line.end);
            if crate::json::Json::new(&whole.text()).is_err() {
                return self.give_up(&mut take);
            }
            take(whole);
            self.held.clear();
            self.starts.clear();
        } else if line.end == End::Stream {
            self.give_up(&mut take);
        }
    }

    /// Whether lines are held that may be an object together.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        !self.starts.is_empty()
    }

    /// The stream has ended.
    pub(super) fn finish(&mut self, mut take: impl FnMut(Line<'_>)) {
        self.give_up(&mut take);
    }

    /// It was no such object: each line is on its own.
    fn give_up(&mut self, take: &mut impl FnMut(Line<'_>)) {
        let held = std::mem::take(&mut self.held);
        let starts = std::mem::take(&mut self.starts);
        let ends = starts.iter().skip(1).map(|(start, ..)| *start).chain([held.len()]);
        for (&(start, number, ended), end) in starts.iter().zip(ends) {
            take(Line::whole(number, &held[start..end - 1], ended));
        }
    }
}

/// Whether the line has nothing else; what is indented stands inside something.
fn is_only(line: &[u8], brace: &[u8]) -> bool {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    line.trim_ascii_end() == brace
}
