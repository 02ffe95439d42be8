//! Lines that repeat a message and add to it.
//!
//! Old programs send a message as snapshots: each line has all blocks of the line before, and one more. What
//! was read and told before need not be read again. Where a line begins as the last one did, up to the end
//! of its last block, the blocks in between are left out, and the rest is read as a line of its own:
//!
//! ```text
//! last  {"type":"assistant","message":{"id":"m","content":[{A},{B}]},"session_id":"s"}
//! now   {"type":"assistant","message":{"id":"m","content":[{A},{B},{C}]},"session_id":"s"}
//! read  {"type":"assistant","message":{"id":"m","content":[{C}]},"session_id":"s"}
//! ```

/// A longer line is not remembered.
const LONGEST: usize = 16 << 20;

/// The last line that may be repeated.
#[derive(Debug, Default)]
pub(super) struct Growth {
    /// The line up to the end of its last block; empty if there is none.
    line: Vec<u8>,
    /// Where its first block begins.
    first: usize,
    repeated: Repeated,
    /// The line without what it repeats.
    short: Vec<u8>,
}

/// What a line repeats.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Repeated {
    /// Blocks, those with nothing in them too.
    pub(super) blocks: usize,
    /// Parts that were told and are remembered, in this order.
    pub(super) parts: usize,
    /// Their hash.
    pub(super) hash: u64,
    /// Whose message it is.
    pub(super) whose: u64,
    /// It is not from a model.
    pub(super) synthetic: bool,
}

impl Growth {
    /// Whether there is no line that may be repeated.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    /// The line without what it repeats of the last one, where its first block then begins, and what was
    /// repeated; `None` if it is another. There must be a last one.
    pub(super) fn shorten(&mut self, line: &[u8]) -> Option<(&[u8], usize, Repeated)> {
        let rest = match line.strip_prefix(self.line.as_slice())? {
            // Nothing may follow a comma but another block.
            [b',', rest @ ..] if rest.starts_with(b"{") => rest,
            rest @ [b']', ..] => rest,
            _ => return None,
        };
        self.short.clear();
        self.short.extend_from_slice(&self.line[..self.first]);
        self.short.extend_from_slice(rest);
        Some((&self.short, self.first, self.repeated))
    }

    /// A line was told whose next one may repeat it: its text, where its first block begins and its last
    /// one ends.
    pub(super) fn learn(&mut self, line: &[u8], (first, end): (usize, usize), repeated: Repeated) {
        self.forget();
        if end <= LONGEST && repeated.blocks > 0 {
            self.line.extend_from_slice(&line[..end]);
            (self.first, self.repeated) = (first, repeated);
        }
    }

    /// A line was told whose beginning was left out, because it repeats the one before; the next one may repeat both.
    pub(super) fn learn_more(&mut self, repeated: Repeated, (first, end): (usize, usize)) {
        if self.line.len() + end > LONGEST {
            return self.forget();
        }
        if end > first {
            self.line.push(b',');
            self.line.extend_from_slice(&self.short[first..end]);
        }
        self.repeated = repeated;
    }

    /// Another line came.
    pub(super) fn forget(&mut self) {
        if self.is_empty() {
            return;
        }
        for text in [&mut self.line, &mut self.short] {
            text.clear();
            text.shrink_to(1 << 20);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(last: &str, end: usize, line: &str, short: Option<&str>) {
        let mut growth = Growth::default();
        let repeated = Repeated { blocks: 1, ..Repeated::default() };
        growth.learn(last.as_bytes(), (2, end), repeated);
        let found = growth.shorten(line.as_bytes()).map(|(short, first, _)| (short.to_vec(), first));
        assert_eq!(found, short.map(|short| (short.as_bytes().to_vec(), 2)), "{line}");
    }

    #[test]
    fn what_is_repeated_is_left_out() {
        let last = "x[{A}]y";
        check(last, 5, "x[{A},{B}]z", Some("x[{B}]z"));
        check(last, 5, "x[{A}]z", Some("x[]z"));
        for other in ["x[{A}", "x[{A},]y", "x[{A}, {B}]y", "x[{A} ]y", "x[{B}]y", "x[{A}{B}]", "x[{A},5]"] {
            check(last, 5, other, None);
        }
    }
}
