//! Remembers the last so many things, by their hash.

use std::collections::{HashSet, VecDeque};

/// A set that forgets its oldest members.
#[derive(Debug)]
pub(super) struct Recent {
    most: usize,
    order: VecDeque<u64>,
    members: HashSet<u64>,
}

impl Recent {
    pub(super) fn new(most: usize) -> Self {
        Recent { most, order: VecDeque::new(), members: HashSet::new() }
    }

    /// Returns whether it is new.
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        if !self.members.insert(hash) {
            return false;
        }
        if self.order.len() == self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.members.remove(&oldest);
        }
        self.order.push_back(hash);
        true
    }

    pub(super) fn contains(&self, hash: u64) -> bool {
        self.members.contains(&hash)
    }
}
