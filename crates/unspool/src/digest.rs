//! Remembers a text by its length and a hash, so that it need not be kept.
//!
//! The hash does not depend on how the text was cut into pieces, which is what lets a streamed text be
//! compared with the whole one that confirms it.

use std::hash::{BuildHasherDefault, Hasher};

/// A text that may still grow.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Digest {
    length: u64,
    state: u64,
    /// The bytes behind the last whole word of eight.
    tail: u64,
}

impl Digest {
    pub(crate) fn of(text: &str) -> Self {
        let mut digest = Digest::default();
        digest.push(text);
        digest
    }

    pub(crate) fn push(&mut self, text: &str) {
        let bytes = text.as_bytes();
        // How many bytes of a word are there; the first ones of the text fill it up.
        let begun = (self.length % 8) as usize;
        self.length += bytes.len() as u64;
        if begun + bytes.len() < 8 {
            self.tail |= few(bytes) << (8 * begun);
            return;
        }
        let (fill, rest) = bytes.split_at(8 - begun);
        self.state = mix(self.state, self.tail | few(fill) << (8 * begun));
        let (words, rest) = rest.as_chunks::<8>();
        for word in words {
            self.state = mix(self.state, u64::from_le_bytes(*word));
        }
        self.tail = few(rest);
    }

    /// Length in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// The hash.
    pub(crate) fn hash(&self) -> u64 {
        mix(mix(self.state, self.tail), self.length)
    }

    /// Whether `text` begins with the text of this digest; then what stands behind it.
    pub(crate) fn rest_of<'t>(&self, text: &'t str) -> Option<&'t str> {
        let (head, rest) = text.split_at_checked(usize::try_from(self.length).ok()?)?;
        (Digest::of(head) == *self).then_some(rest)
    }
}

/// Up to eight bytes as a number, the first lowest. Without a loop: how many there are cannot be foreseen.
#[inline]
fn few(bytes: &[u8]) -> u64 {
    if let Some(word) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*word);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u64::from(first) | u64::from(last) << (8 * (bytes.len() - 4));
    }
    let byte = |at: usize| bytes.get(at).map_or(0, |&byte| u64::from(byte) << (8 * at));
    byte(0) | byte(1) | byte(2)
}

/// A hash of a text that is at hand whole.
pub(crate) fn hash_of(text: &str) -> u64 {
    hash_of_bytes(text.as_bytes())
}

/// A hash of bytes that are at hand whole. Four words are mixed side by side, which is faster where they are many.
pub(crate) fn hash_of_bytes(bytes: &[u8]) -> u64 {
    let (blocks, rest) = bytes.as_chunks::<32>();
    let mut lanes = [0; 4];
    for block in blocks {
        for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane = mix(*lane, u64::from_le_bytes(*word));
        }
    }
    let rest = rest.chunks(8).fold(bytes.len() as u64, |hash, word| mix(hash, few(word)));
    lanes.into_iter().fold(rest, mix)
}

/// Looks texts up by a hash that is made in a few instructions.
pub(crate) type ByText = BuildHasherDefault<TextHasher>;

#[derive(Debug, Default)]
pub(crate) struct TextHasher(u64);

impl Hasher for TextHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let length = mix(self.0, bytes.len() as u64);
        self.0 = bytes.chunks(8).fold(length, |hash, word| mix(hash, few(word)));
    }

    fn write_u8(&mut self, byte: u8) {
        self.0 = mix(self.0, u64::from(byte));
    }

    /// How many bytes follow, which [`write`](Self::write) says too.
    fn write_usize(&mut self, _length: usize) {}
}

/// Adds a hash to a hash; the order counts.
pub(crate) fn join(hash: u64, other: u64) -> u64 {
    mix(hash, other)
}

/// Both halves of a product depend on all bits of both factors.
fn mix(state: u64, word: u64) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = u128::from(state ^ ODD ^ word.rotate_left(32)) * u128::from(word ^ 0xd6e8_feb8_6659_fd93);
    (product as u64 ^ (product >> 64) as u64).wrapping_add(state.rotate_left(23)).wrapping_add(ODD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::BuildHasher;

    #[test]
    fn pieces_do_not_matter() {
        let text = "I will now look at every file, é and 🚀 among them, one by one.";
        for (cut, _) in text.char_indices() {
            let mut digest = Digest::of(&text[..cut]);
            assert_eq!(digest.rest_of(text), Some(&text[cut..]));
            digest.push(&text[cut..]);
            assert_eq!(digest, Digest::of(text));
        }
        assert_eq!(Digest::of("other").rest_of(text), None);
        assert_eq!(Digest::of(text).rest_of("I will"), None);
    }

    #[test]
    fn similar_texts_differ() {
        let texts: Vec<_> =
            (0..2000).map(|n| format!("{n}")).chain((0..200).map(|n| "\0".repeat(n))).collect();
        let hashes: [fn(&str) -> u64; 3] =
            [|text| Digest::of(text).hash(), hash_of, |text| ByText::default().hash_one(text)];
        for hash in hashes {
            let mut hashes: Vec<_> = texts.iter().map(|text| hash(text)).collect();
            hashes.sort_unstable();
            hashes.dedup();
            assert_eq!(hashes.len(), texts.len());
        }
    }
}
