//! The five hours for which a subscription has a limit.
//!
//! A block begins with the hour of the first message, and is over five hours later, or when nothing was said for five
//! hours. Claude Code does not report it: these are the blocks that `ccusage` makes of the same messages.

const HOUR: i64 = 60 * 60 * 1000;
const LENGTH: i64 = 5 * HOUR;

/// Five hours in which something was said.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Block {
    /// In milliseconds since 1970.
    pub begins: i64,
    /// When something was said first, and last.
    pub first: i64,
    pub last: i64,
}

/// All blocks, in their order.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    list: Vec<Block>,
}

impl Blocks {
    /// The blocks of messages at these times.
    pub(super) fn of(mut times: Vec<i64>) -> Self {
        times.sort_unstable();
        let mut list: Vec<Block> = Vec::new();
        for time in times {
            match list.last_mut() {
                Some(block) if time - block.begins <= LENGTH && time - block.last <= LENGTH => {
                    block.last = time
                }
                _ => list.push(Block { begins: time - time.rem_euclid(HOUR), first: time, last: time }),
            }
        }
        Blocks { list }
    }

    /// The block of a time.
    pub(super) fn at(&self, time: i64) -> Option<Block> {
        let next = self.list.partition_point(|block| block.first <= time);
        self.list.get(next.checked_sub(1)?).copied()
    }
}

impl Block {
    /// When it is over.
    pub fn ends(&self) -> i64 {
        self.begins.saturating_add(LENGTH)
    }

    /// Whether it goes on.
    pub fn is_active(&self, now: i64) -> bool {
        now - self.last < LENGTH && now < self.ends()
    }

    /// What something comes to in a minute, as long as it went on; none if that was no time.
    pub fn a_minute(&self, amount: f64) -> Option<f64> {
        let minutes = (self.last - self.first) as f64 / 60e3;
        (minutes > 0.0).then(|| amount / minutes)
    }

    /// What something will have come to when it is over, if it goes on so.
    pub fn projected(&self, amount: f64, now: i64) -> Option<f64> {
        let left = (self.ends() - now) as f64 / 60e3;
        self.a_minute(amount).filter(|_| self.is_active(now)).map(|rate| amount + rate * left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_ends_after_five_hours_or_a_pause_of_five() {
        let at = |minutes: i64| minutes * 60_000;
        let blocks = Blocks::of([90, 61, 360, 361, 1000, 650].map(at).to_vec());
        let begins: Vec<i64> = blocks.list.iter().map(|block| block.begins / at(1)).collect();
        assert_eq!(begins, [60, 360, 960]);
        assert_eq!(blocks.at(at(360)).map(|block| block.begins), Some(at(60)));
        assert_eq!(blocks.at(at(60)), None);
        assert_eq!(blocks.at(at(9999)).map(|block| block.first), Some(at(1000)));
    }

    #[test]
    fn the_one_that_goes_on_is_projected() {
        let block = Block { begins: 0, first: HOUR, last: 2 * HOUR };
        assert!(block.is_active(3 * HOUR) && !block.is_active(5 * HOUR));
        assert_eq!(block.projected(60.0, 3 * HOUR), Some(180.0));
        assert_eq!(block.projected(60.0, 5 * HOUR), None);
        assert_eq!(Block { last: HOUR, ..block }.projected(60.0, 2 * HOUR), None);
    }
}
