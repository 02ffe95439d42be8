//! Remembers the last so many things, by their hash.

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// A set that forgets its oldest members.
#[derive(Debug)]
pub(crate) struct Recent {
    most: usize,
    order: VecDeque<u64>,
    /// The members again, to look them up; only once there are more than a few.
    members: HashSet<u64, AsHash>,
}

/// So many are looked through quickly. Most sessions are short, and need no more.
const FEW: usize = 16;

/// Looks up what is a hash already.
pub(crate) type AsHash = BuildHasherDefault<AsItIs>;

#[derive(Debug, Default)]
pub(crate) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Recent {
    pub(crate) fn new(most: usize) -> Self {
        Recent { most, order: VecDeque::new(), members: HashSet::default() }
    }

    /// Returns whether it is new.
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        if self.contains(hash) {
            return false;
        }
        if self.order.len() == self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.members.remove(&oldest);
        }
        self.order.push_back(hash);
        match self.members.is_empty() {
            true if self.order.len() > FEW => self.members.extend(&self.order),
            true => {}
            false => _ = self.members.insert(hash),
        }
        true
    }

    pub(crate) fn contains(&self, hash: u64) -> bool {
        if self.members.is_empty() { self.order.contains(&hash) } else { self.members.contains(&hash) }
    }
}
