//! What is known of one message, so that each of its parts is told once.

use crate::translate::memory::slot;
use crate::translate::speech::part::{Mark, Part};
use std::collections::HashMap;

/// Parts of one message for which memory is kept.
const FEW: usize = 32;

/// Parts of one message that are compared. A longer message is trusted to repeat its beginning.
const PARTS: usize = 4096;

/// What is known of one message.
///
/// ```text
/// seen [a b]  line [a b c]   ->  c is new        a snapshot that grew
/// seen [a b]  line [a b]     ->  nothing         a snapshot repeated, or a shorter one
/// seen [a]    line [b]       ->  b is new        one block per line
/// seen [ab]   line [abc]     ->  c, of the same  a text that grew; only where lines have no uuid
/// ```
///
/// 0.2.118 and later write one block per line. Snapshots and texts that grow are in no recording, but in older
/// documents: fixtures/odd/snapshots_with_ids, text_grows.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// `None` for a message without id.
    id: Option<String>,
    marks: Vec<(Mark, u64)>,
    /// How often each of them was told; counted only once a line has left the order.
    counts: Option<HashMap<u64, usize>>,
    /// How many parts were shown, remembered or not.
    shown: usize,
    /// The rank of the next part.
    ranks: u64,
    /// Its tokens were told.
    usage_told: bool,
    /// The user lines there were when it was last heard.
    users: u64,
    /// The results there were when it began; only for one without id.
    results: u64,
}

/// What a part of a line adds to what was told.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fresh {
    /// Nothing.
    Known,
    /// All of it.
    New,
    /// What stands behind this many bytes, to the part of this rank.
    Grown { from: usize, part: u64 },
}

/// How a line stands to what was said of a message without id.
enum Relation {
    /// It has more blocks, or more words in the last one.
    Longer,
    /// It has nothing new. `proven`: it has a call, which is made only once.
    Repeated { proven: bool },
    /// It begins otherwise.
    None,
}

impl Said {
    /// What is known of another message, in the same memory.
    pub(super) fn renewed(self, id: Option<&str>, users: u64, results: u64) -> Said {
        let Said { id: old_id, mut marks, .. } = self;
        let id = id.map(|id| {
            let mut new = old_id.unwrap_or_default();
            new.clear();
            new.shrink_to(slot::LONG);
            new.push_str(id);
            new
        });
        marks.clear();
        marks.shrink_to(FEW);
        Said { id, marks, users, results, ..Said::default() }
    }

    /// Whether it is the message with this id.
    pub(super) fn has_id(&self, id: &str) -> bool {
        self.id.as_deref() == Some(id)
    }

    /// Whether a line without id, with these parts, repeats or continues this message, which has none either.
    /// `users`, `results`: how many user lines and results there were.
    pub(super) fn continues(&self, parts: &[(Part<'_>, Mark)], users: u64, results: u64) -> bool {
        self.id.is_none()
            && self.results == results
            && match self.relation(parts) {
                Relation::Longer => true,
                Relation::Repeated { proven } => proven || self.users == users,
                Relation::None => false,
            }
    }

    /// It was heard when there were so many user lines.
    pub(super) fn heard(&mut self, users: u64) {
        self.users = users;
    }

    /// Whether its tokens were not told.
    pub(crate) fn owes_usage(&self) -> bool {
        !self.usage_told
    }

    /// Its tokens are to be told. Returns whether it is the first time.
    pub(crate) fn tell_usage(&mut self) -> bool {
        !std::mem::replace(&mut self.usage_told, true)
    }

    /// A rank for a part that is about to be told.
    pub(crate) fn rank(&mut self) -> u64 {
        self.ranks += 1;
        self.ranks - 1
    }

    /// So many ranks were given before the message was known by its id.
    pub(crate) fn ranks_given(&mut self, ranks: u64) {
        self.ranks = self.ranks.max(ranks);
    }

    /// Remembers a part that was told under this rank.
    pub(crate) fn remember(&mut self, mark: Mark, part: u64) {
        self.shown += 1;
        if self.marks.len() < PARTS {
            self.marks.push((mark, part));
            if let Some(counts) = &mut self.counts {
                *counts.entry(mark.hash()).or_default() += 1;
            }
        }
    }

    /// What each part of a line adds; for parts that are not listed, all of it. `new_line`: the line has a uuid
    /// that was not seen before. Parts that are new must then be told and [remembered](Said::remember), in order.
    pub(crate) fn fresh(&mut self, parts: &[(Part<'_>, Mark)], blocks: usize, new_line: bool) -> Vec<Fresh> {
        // 1.0.128 and later: every line has a uuid of its own; fixtures/blocks/thinktool-2.1.325.
        if blocks == 1 && new_line {
            return Vec::new();
        }
        let mut snapshot = Snapshot::default();
        parts.iter().map(|(part, mark)| self.compare(&mut snapshot, part, mark, blocks, new_line)).collect()
    }

    fn compare(
        &mut self,
        snapshot: &mut Snapshot,
        part: &Part<'_>,
        mark: &Mark,
        blocks: usize,
        has_uuid: bool,
    ) -> Fresh {
        let at = snapshot.at;
        let Some(&(seen, rank)) = self.marks.get(at) else {
            snapshot.at += 1;
            let trusted = at < self.shown && self.shown > PARTS;
            let repeated = snapshot.used.is_some() && snapshot.repeat(mark, self.told(mark));
            return if trusted || repeated { Fresh::Known } else { Fresh::New };
        };
        if seen == *mark && (snapshot.used.is_none() || snapshot.repeat(mark, self.told(mark))) {
            snapshot.at += 1;
            return Fresh::Known;
        }
        let alone = blocks == 1;
        if !has_uuid
            && (!alone || self.marks.len() == 1)
            && let Some(rest) = seen.rest_of(part, mark)
        {
            let from = part.words().map_or(0, str::len) - rest.len();
            self.marks[at].0 = *mark;
            self.counts = None;
            snapshot.at += 1;
            return Fresh::Grown { from, part: rank };
        }
        // Lines of 0.2.118 to 1.0.85 have no uuid (fixtures/old/thinktool-1.0.0). In 1.0.128 the blocks of a message
        // that was not streamed share one (fixtures/blocks/mcpblocks-1.0.128).
        if alone {
            return Fresh::New;
        }
        snapshot.leave_order(&self.marks);
        if snapshot.repeat(mark, self.told(mark)) { Fresh::Known } else { Fresh::New }
    }

    /// How often a part was told. Counted only where a line has left the order.
    fn told(&mut self, mark: &Mark) -> usize {
        let marks = &self.marks;
        let counts = self.counts.get_or_insert_with(|| {
            let mut counts = HashMap::new();
            for (mark, _) in marks {
                *counts.entry(mark.hash()).or_default() += 1;
            }
            counts
        });
        counts.get(&mark.hash()).copied().unwrap_or(0)
    }

    fn relation(&self, parts: &[(Part<'_>, Mark)]) -> Relation {
        let mut longer = parts.len() > self.marks.len();
        let mut proven = false;
        for (at, ((part, mark), (seen, _))) in parts.iter().zip(&self.marks).enumerate() {
            if seen == mark {
                proven |= mark.is_call();
                continue;
            }
            if at + 1 < self.marks.len() || seen.rest_of(part, mark).is_none() {
                return Relation::None;
            }
            longer = true;
        }
        if longer { Relation::Longer } else { Relation::Repeated { proven } }
    }
}

/// A line of several blocks, while it is compared with what was told of its message. Normally it repeats
/// that in order. Where it does not, each told part can still be repeated once.
#[derive(Default)]
struct Snapshot {
    at: usize,
    /// How often each part was repeated; only once the order was left.
    used: Option<HashMap<u64, usize>>,
}

impl Snapshot {
    /// The order is left here; all told parts before were repeated.
    fn leave_order(&mut self, marks: &[(Mark, u64)]) {
        if self.used.is_none() {
            let mut used = HashMap::new();
            for (mark, _) in &marks[..self.at] {
                *used.entry(mark.hash()).or_default() += 1;
            }
            self.used = Some(used);
        }
    }

    /// Repeats a part that was told so often. Returns whether it was repeated less often before.
    fn repeat(&mut self, mark: &Mark, told: usize) -> bool {
        let used = self.used.get_or_insert_default().entry(mark.hash()).or_default();
        *used += 1;
        *used <= told
    }
}
