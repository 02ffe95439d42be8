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
}

impl Growth {
    /// The line without what it repeats of the last one, and what that was; `None` if it is another.
    pub(super) fn shorten(&mut self, line: &[u8]) -> Option<(&[u8], Repeated)> {
        if self.line.is_empty() {
            return None;
        }
        let rest = line.strip_prefix(self.line.as_slice())?;
        let rest = match rest.first()? {
            b',' => &rest[1..],
            b']' => rest,
            _ => return None,
        };
        self.short.clear();
        self.short.extend_from_slice(&self.line[..self.first]);
        self.short.extend_from_slice(rest);
        Some((&self.short, self.repeated))
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

    /// The same for a line that was shortened.
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
        self.line.clear();
        self.line.shrink_to(1 << 20);
        self.short.shrink_to(1 << 20);
    }
}
