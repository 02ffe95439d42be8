//! What one agent has already said, so that each part is told once.
//!
//! Telling something twice is a nuisance, losing it is a fault; in doubt we tell it twice.

use super::part::{Mark, Part};
use std::collections::VecDeque;

/// Messages that are remembered.
const MESSAGES: usize = 64;

/// Parts of one message that are compared. A longer message is trusted to repeat its beginning.
const PARTS: usize = 16_384;

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

    /// A turn has its result: messages without id are not compared across it.
    pub(super) fn result(&mut self) {
        self.said.retain(|said| said.id.is_some());
    }

    /// The message with this id.
    pub(super) fn message(&mut self, id: &str) -> &mut Said {
        let at = self.said.iter().rposition(|said| said.id.as_deref() == Some(id));
        let at = at.unwrap_or_else(|| self.begin(Some(id)));
        &mut self.said[at]
    }

    /// The message without id that these parts repeat or continue; else a new one.
    pub(super) fn unnamed(&mut self, parts: &[(Part<'_>, Mark)]) -> &mut Said {
        let users = self.users;
        let continues = |said: &Said| {
            let interrupted = said.users != users;
            said.id.is_none()
                && match said.relation(parts) {
                    Relation::Longer => true,
                    Relation::Repeated | Relation::Wordier => !interrupted,
                    Relation::None => false,
                }
        };
        let at = self.said.iter().rposition(continues).unwrap_or_else(|| self.begin(None));
        self.said[at].users = users;
        &mut self.said[at]
    }

    /// Whether a message with this id was heard.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.said.iter().any(|said| said.id.as_deref() == Some(id))
    }

    fn begin(&mut self, id: Option<&str>) -> usize {
        if self.said.len() == MESSAGES {
            self.said.pop_front();
        }
        self.said.push_back(Said { id: id.map(Into::into), users: self.users, ..Said::default() });
        self.said.len() - 1
    }
}

/// How a line stands to what was said of a message without id.
enum Relation {
    /// It has more blocks.
    Longer,
    /// It has more words in its last block.
    Wordier,
    /// It has nothing new.
    Repeated,
    /// It begins otherwise.
    None,
}

impl Said {
    /// A rank for a part that is about to be told.
    pub(super) fn rank(&mut self) -> u64 {
        self.ranks += 1;
        self.ranks - 1
    }

    /// So many ranks were given before the message was known.
    pub(super) fn reserve(&mut self, ranks: u64) {
        self.ranks = self.ranks.max(ranks);
    }

    /// Remembers a part that was told under this rank.
    pub(super) fn remember(&mut self, mark: Mark, part: u64) {
        self.shown += 1;
        if self.marks.len() < PARTS {
            self.marks.push((mark, part));
        }
    }

    /// What each part of a line adds. `new_line`: the line has a uuid that was not seen before.
    /// Parts that are new must then be told and [remembered](Said::remember), in order.
    pub(super) fn fresh(&mut self, parts: &[(Part<'_>, Mark)], blocks: usize, new_line: bool) -> Vec<Fresh> {
        if blocks == 1 && new_line {
            return vec![Fresh::New; parts.len()];
        }
        let mut at = 0;
        parts.iter().map(|(part, mark)| self.compare(&mut at, part, mark, blocks == 1, new_line)).collect()
    }

    fn compare(
        &mut self,
        at: &mut usize,
        part: &Part<'_>,
        mark: &Mark,
        alone: bool,
        has_uuid: bool,
    ) -> Fresh {
        if *at >= self.marks.len() {
            *at += 1;
            return if *at <= self.shown { Fresh::Known } else { Fresh::New };
        }
        let (seen, rank) = self.marks[*at];
        if seen == *mark {
            *at += 1;
            return Fresh::Known;
        }
        if !has_uuid
            && (!alone || self.marks.len() == 1)
            && let Some(rest) = seen.rest_of(part, mark)
        {
            let from = part.words().map_or(0, str::len) - rest.len();
            self.marks[*at].0 = *mark;
            *at += 1;
            return Fresh::Grown { from, part: rank };
        }
        // A snapshot that left the told order: what it repeats further on is still known.
        let later = if alone { None } else { self.marks[*at..].iter().position(|(seen, _)| seen == mark) };
        match later {
            Some(ahead) => {
                *at += ahead + 1;
                Fresh::Known
            }
            None => Fresh::New,
        }
    }

    fn relation(&self, parts: &[(Part<'_>, Mark)]) -> Relation {
        let mut wordier = false;
        for (at, ((part, mark), (seen, _))) in parts.iter().zip(&self.marks).enumerate() {
            if seen == mark {
                continue;
            }
            if at + 1 < self.marks.len() || seen.rest_of(part, mark).is_none() {
                return Relation::None;
            }
            wordier = true;
        }
        match (parts.len() > self.marks.len(), wordier) {
            (_, true) => Relation::Wordier,
            (true, false) => Relation::Longer,
            (false, false) => Relation::Repeated,
        }
    }
}
