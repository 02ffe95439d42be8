//! What is read: streams of lines, in memory.

mod kept;
mod made;
mod recorded;
mod renumber;
mod text;

pub use kept::{Kept, keep};
pub use made::{blocks, huge, line_of, snapshots, tools};
pub use recorded::{deltas, folder, long, mixed};
pub use text::Text;

use unspool::Grain;

/// Streams that are read one after the other, each as a session of its own.
///
/// Recordings must not be joined into one session: their message ids repeat, so the parts of the second
/// would be taken for repeats of the first.
pub struct Input {
    pub name: String,
    /// How its events are told: the way that somebody who reads such a stream would choose.
    pub grain: Grain,
    bytes: Vec<u8>,
    /// Where each stream ends.
    ends: Vec<usize>,
}

impl Input {
    pub fn new(name: impl Into<String>, grain: Grain) -> Self {
        Input { name: name.into(), grain, bytes: Vec::new(), ends: Vec::new() }
    }

    /// Adds a stream.
    pub fn push(&mut self, stream: &[u8]) {
        self.bytes.extend_from_slice(stream);
        self.ends.push(self.bytes.len());
    }

    /// All bytes of all streams.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The streams, each as it came.
    pub fn streams(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.bytes[std::mem::replace(&mut start, end)..end])
    }

    /// The lines of all streams, without their ends.
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.streams().flat_map(lines)
    }

    /// The same streams over and over, until there are as many bytes: enough that caches do not help.
    pub fn repeated(self, size: usize) -> Self {
        let mut all = Input::new(self.name.clone(), self.grain);
        while all.bytes.len() < size {
            self.streams().for_each(|stream| all.push(stream));
        }
        all
    }
}

/// The lines of a stream; the last one may lack its end.
pub fn lines(stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let cut = stream.last().filter(|&&last| last != b'\n').map(|_| stream.len());
    memchr::memchr_iter(b'\n', stream)
        .chain(cut)
        .map(move |end| &stream[std::mem::replace(&mut start, end + 1)..end])
}
