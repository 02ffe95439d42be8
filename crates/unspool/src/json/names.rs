//! Finds a key among the few that somebody wants, by one look.

/// Keys that are wanted.
///
/// Their first eight bytes and their length tell them apart, and are made a number that is another for each:
/// which one is found out when the program is built.
#[derive(Debug)]
pub(crate) struct Names {
    names: &'static [&'static str],
    /// The first eight bytes of each, and the last eight of those that have as many.
    words: [(u64, u64); MOST],
    /// Which name it can be, by its number.
    slots: [u8; SLOTS],
    factor: u64,
}

const MOST: usize = 64;
const SLOTS: usize = 256;
const NONE: u8 = u8::MAX;

impl Names {
    /// Fails to compile if names cannot be told apart, or if there are more than 64.
    pub(crate) const fn new(names: &'static [&'static str]) -> Self {
        let mut it = Names { names, words: [(0, 0); MOST], slots: [NONE; SLOTS], factor: 0 };
        let mut at = 0;
        while at < names.len() {
            let name = names[at].as_bytes();
            it.words[at] = (first_word(name), last_word(name));
            at += 1;
        }
        it.factor = 0x9e37_79b9_7f4a_7c15;
        while !it.fill() {
            it.factor = it.factor.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(2);
        }
        it
    }

    /// Gives each name its slot. Returns whether each has one of its own.
    const fn fill(&mut self) -> bool {
        self.slots = [NONE; SLOTS];
        let mut at = 0;
        while at < self.names.len() {
            let slot = self.slot(self.words[at].0, self.names[at].len());
            if self.slots[slot] != NONE {
                return false;
            }
            self.slots[slot] = at as u8;
            at += 1;
        }
        true
    }

    #[inline(always)]
    const fn slot(&self, word: u64, length: usize) -> usize {
        ((word ^ length as u64).wrapping_mul(self.factor | 1) >> 56) as usize
    }

    /// Which of the names stands in a text at `start..end`.
    #[inline(always)]
    pub(super) fn find(&self, text: &[u8], start: usize, end: usize) -> Option<usize> {
        let key = text.get(start..end)?;
        let length = key.len();
        let first = match text.get(start..start + 8).and_then(<[u8]>::first_chunk) {
            Some(chunk) if length < 8 => u64::from_le_bytes(*chunk) & !(!0 << (8 * length)),
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => first_word(key),
        };
        let last = key.last_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk));
        let at = usize::from(self.slots[self.slot(first, length)]);
        let name = self.names.get(at)?.as_bytes();
        let same = self.words[at % MOST] == (first, last) && name.len() == length;
        (same && (length <= 16 || key == name)).then_some(at)
    }

    /// Which of the names a key is that had to be decoded.
    pub(super) fn find_decoded(&self, key: &str) -> Option<usize> {
        self.names.iter().position(|name| *name == key)
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
}

/// The first eight bytes of a text as a number, the first one lowest.
const fn first_word(text: &[u8]) -> u64 {
    let (mut word, mut at) = (0, 0);
    while at < text.len() && at < 8 {
        word |= (text[at] as u64) << (8 * at);
        at += 1;
    }
    word
}

/// The last eight bytes of a text that has as many; else 0.
const fn last_word(text: &[u8]) -> u64 {
    match text.last_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static NAMES: Names = Names::new(&["id", "type", "tool_use", "tool_use_id", "user_message_uuids", ""]);

    #[test]
    fn each_name_is_found_wherever_it_stands() {
        let others = ["i", "ida", "tool_us", "tool_use_ix", "user_message_uuid", "types", "x"];
        for pad in 0..9 {
            for name in NAMES.names.iter().chain(&others) {
                let text = format!("\"{name}\"{}", "\0".repeat(pad));
                let found = NAMES.find(text.as_bytes(), 1, 1 + name.len());
                assert_eq!(found, NAMES.find_decoded(name), "{name}");
                assert_eq!(found.is_some(), !others.contains(name), "{name}");
            }
        }
    }
}
