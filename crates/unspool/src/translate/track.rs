//! What one agent has already said, so that each part is told once.
//!
//! Telling something twice is a nuisance, losing it is a fault; in doubt we tell it twice.

use super::part::{Mark, Part};
use std::collections::{HashMap, VecDeque};

/// Messages that are remembered.
const MESSAGES: usize = 64;

/// Parts of one message that are compared. A longer message is trusted to repeat its beginning.
const PARTS: usize = 4096;

/// What one agent has said.
#[derive(Debug, Default)]
pub(super) struct Track {
    said: VecDeque<Said>,
    /// How many user lines it was told.
    users: u64,
}

/// What is known of one message.
///
/// ```text
/// seen [a b]  line [a b c]   ->  c is new        a snapshot that grew
/// seen [a b]  line [a b]     ->  nothing         a snapshot repeated, or a shorter one
/// seen [a]    line [b]       ->  b is new        one block per line
/// seen [ab]   line [abc]     ->  c, of the same  a text that grew; only where lines have no uuid
/// ```
#[derive(Debug, Default)]
pub(super) struct Said {
    /// `None` for a message without id.
    pub(super) id: Option<Box<str>>,
    marks: Vec<(Mark, u64)>,
    /// How many parts were shown, remembered or not.
    shown: usize,
    /// The rank of the next part.
    ranks: u64,
    /// Its tokens were told.
    pub(super) usage_told: bool,
    /// The user lines there were when it was last heard.
    users: u64,
    /// The results there were when it began; only for one without id.
    results: u64,
}

/// What a part of a line adds to what was told.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Fresh {
    /// Nothing.
    Known,
    /// All of it.
    New,
    /// What stands behind this many bytes, to the part of this rank.
    Grown { from: usize, part: u64 },
}

impl Track {
    /// A user line was said to the agent.
    pub(super) fn user_line(&mut self) {
        self.users += 1;
    }

    /// The message with this id.
    pub(super) fn message(&mut self, id: &str) -> &mut Said {
        let at = self.said.iter().rposition(|said| said.is(id));
        let at = at.unwrap_or_else(|| self.begin(Some(id), 0));
        &mut self.said[at]
    }

    /// Whether a message with this id was heard.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.said.iter().any(|said| said.is(id))
    }

    /// The message without id that these parts repeat or continue; else a new one. Messages are not
    /// compared across a result: `results` is how many there were.
    pub(super) fn unnamed(&mut self, parts: &[(Part<'_>, Mark)], results: u64) -> &mut Said {
        let users = self.users;
        let continues = |said: &Said| {
            said.id.is_none()
                && said.results == results
                && match said.relation(parts) {
                    Relation::Longer => true,
                    Relation::Repeated { proven } => proven || said.users == users,
                    Relation::None => false,
                }
        };
        let at = self.said.iter().rposition(continues).unwrap_or_else(|| self.begin(None, results));
        self.said[at].users = users;
        &mut self.said[at]
    }

    fn begin(&mut self, id: Option<&str>, results: u64) -> usize {
        if self.said.len() == MESSAGES {
            self.said.pop_front();
        }
        self.said.push_back(Said { id: id.map(Into::into), users: self.users, results, ..Said::default() });
        self.said.len() - 1
    }
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
    /// Ids begin alike and end differently, so their ends are compared first.
    fn is(&self, id: &str) -> bool {
        let end = |id: &str| id.as_bytes().last_chunk::<8>().copied();
        self.id.as_deref().is_some_and(|ours| end(ours) == end(id) && ours == id)
    }

    /// A rank for a part that is about to be told.
    pub(super) fn rank(&mut self) -> u64 {
        self.ranks += 1;
        self.ranks - 1
    }

    /// So many ranks were given before the message was known by its id.
    pub(super) fn ranks_given(&mut self, ranks: u64) {
        self.ranks = self.ranks.max(ranks);
    }

    /// Remembers a part that was told under this rank.
    pub(super) fn remember(&mut self, mark: Mark, part: u64) {
        self.shown += 1;
        if self.marks.len() < PARTS {
            self.marks.push((mark, part));
        }
    }

    /// What each part of a line adds; for parts that are not listed, all of it. `new_line`: the line has a
    /// uuid that was not seen before. Parts that are new must then be told and
    /// [remembered](Said::remember), in order.
    pub(super) fn fresh(&mut self, parts: &[(Part<'_>, Mark)], blocks: usize, new_line: bool) -> Vec<Fresh> {
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
            return if at < self.shown && self.shown > PARTS || snapshot.left(mark) {
                Fresh::Known
            } else {
                Fresh::New
            };
        };
        if seen == *mark && snapshot.take(mark) {
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
            snapshot.at += 1;
            return Fresh::Grown { from, part: rank };
        }
        if alone {
            return Fresh::New;
        }
        snapshot.leave_order(&self.marks);
        if snapshot.left(mark) { Fresh::Known } else { Fresh::New }
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
    /// How often each told part may still be repeated; only once the order was left.
    left: Option<HashMap<u64, usize>>,
}

impl Snapshot {
    fn leave_order(&mut self, marks: &[(Mark, u64)]) {
        if self.left.is_none() {
            let mut left = HashMap::new();
            for (mark, _) in &marks[self.at..] {
                *left.entry(mark.hash()).or_default() += 1;
            }
            self.left = Some(left);
        }
    }

    /// Whether a part that comes in order was not repeated before.
    fn take(&mut self, mark: &Mark) -> bool {
        self.left.is_none() || self.left(mark)
    }

    /// Repeats a told part, if that is left.
    fn left(&mut self, mark: &Mark) -> bool {
        let left = self.left.as_mut().and_then(|left| left.get_mut(&mark.hash()));
        match left {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            Some(_) | None => false,
        }
    }
}
