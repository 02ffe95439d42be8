//! Which of two lists belong together, in order.
//!
//! What says the same is found first; what is left between is brought together by looser keys. Time grows with the lists, not with
//! their product: equal ends are set aside, what is there only once holds the rest, and only short stretches are compared each with each.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

/// What things are compared by: all of it, then what they are about, then of which kind they are.
pub(super) type Keys = [u64; 3];

/// A place in both lists, or in one of them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Step {
    Both(usize, usize),
    First(usize),
    Second(usize),
}

/// Stretches of so many pairs are compared each with each.
const PAIRS: usize = 1 << 18;

/// So often what is there only once is looked for in what is left.
const ROUNDS: usize = 16;

/// Both lists, from their beginning to their end. With the lists exchanged it is the same, exchanged.
pub(super) fn align(first: &[Keys], second: &[Keys]) -> Vec<Step> {
    // Of several that fit equally well one is taken: in whichever order they are named, the same one.
    let pairs = if first <= second {
        pairs(first, second)
    } else {
        pairs(second, first).into_iter().map(|(second, first)| (first, second)).collect()
    };
    let mut steps = Vec::with_capacity(first.len().max(second.len()));
    let (mut one, mut other) = (0, 0);
    for (to_one, to_other) in pairs.into_iter().chain([(first.len(), second.len())]) {
        steps.extend((one..to_one).map(Step::First));
        steps.extend((other..to_other).map(Step::Second));
        if to_one < first.len() {
            steps.push(Step::Both(to_one, to_other));
        }
        (one, other) = (to_one + 1, to_other + 1);
    }
    steps
}

type Pair = (usize, usize);

fn pairs(first: &[Keys], second: &[Keys]) -> Vec<Pair> {
    let mut known = Vec::new();
    for tier in 0..first.first().map_or(0, |keys| keys.len()) {
        let mut more = Vec::new();
        for gap in gaps(&known, 0..first.len(), 0..second.len()) {
            let keys = |list: &[Keys], range: &Range<usize>| -> Vec<u64> {
                list[range.clone()].iter().map(|keys| keys[tier]).collect()
            };
            let found = common(&keys(first, &gap.0), &keys(second, &gap.1));
            more.extend(found.into_iter().map(|(one, other)| (gap.0.start + one, gap.1.start + other)));
        }
        known.extend(more);
        known.sort_unstable();
    }
    known
}

/// What is between pairs, where there is something on both sides.
fn gaps(
    pairs: &[Pair],
    first: Range<usize>,
    second: Range<usize>,
) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let ends = pairs.iter().copied().chain([(first.end, second.end)]);
    let mut from = (first.start, second.start);
    ends.filter_map(move |to| {
        let gap = (from.0..to.0, from.1..to.1);
        from = (to.0 + 1, to.1 + 1);
        (!gap.0.is_empty() && !gap.1.is_empty()).then_some(gap)
    })
}

/// Equal keys, in order: as many as possible where the lists are short.
fn common(first: &[u64], second: &[u64]) -> Vec<Pair> {
    let mut found = Vec::new();
    let mut open = vec![(0..first.len(), 0..second.len(), 0)];
    while let Some((mut one, mut other, round)) = open.pop() {
        while !one.is_empty() && !other.is_empty() && first[one.start] == second[other.start] {
            found.push((one.start, other.start));
            (one.start, other.start) = (one.start + 1, other.start + 1);
        }
        while !one.is_empty() && !other.is_empty() && first[one.end - 1] == second[other.end - 1] {
            (one.end, other.end) = (one.end - 1, other.end - 1);
            found.push((one.end, other.end));
        }
        let (left, right) = (&first[one.clone()], &second[other.clone()]);
        let moved = |(at, to): Pair| (one.start + at, other.start + to);
        if left.len().saturating_mul(right.len()) <= PAIRS {
            found.extend(longest(left, right).into_iter().map(moved));
            continue;
        }
        let anchors: Vec<Pair> = rising(&once(left, right)).into_iter().map(moved).collect();
        if anchors.is_empty() || round == ROUNDS {
            found.extend(rising(&by_rank(left, right)).into_iter().map(moved));
            continue;
        }
        open.extend(gaps(&anchors, one, other).map(|(one, other)| (one, other, round + 1)));
        found.extend(anchors);
    }
    found.sort_unstable();
    found
}

/// The longest that both have in order, by comparing each with each.
fn longest(first: &[u64], second: &[u64]) -> Vec<Pair> {
    let width = second.len() + 1;
    // How long it is from there on.
    let mut lengths = vec![0_u32; (first.len() + 1) * width];
    for one in (0..first.len()).rev() {
        for other in (0..second.len()).rev() {
            let at = one * width + other;
            lengths[at] = if first[one] == second[other] {
                lengths[at + width + 1] + 1
            } else {
                lengths[at + width].max(lengths[at + 1])
            };
        }
    }
    let (mut one, mut other, mut found) = (0, 0, Vec::new());
    while one < first.len() && other < second.len() {
        let at = one * width + other;
        if first[one] == second[other] {
            found.push((one, other));
            (one, other) = (one + 1, other + 1);
        } else if lengths[at + width] >= lengths[at + 1] {
            one += 1;
        } else {
            other += 1;
        }
    }
    found
}

/// What is there once on each side.
fn once(first: &[u64], second: &[u64]) -> Vec<Pair> {
    let place = |list: &[u64]| {
        let mut places = HashMap::new();
        for (at, key) in list.iter().enumerate() {
            places.entry(*key).and_modify(|place| *place = None).or_insert(Some(at));
        }
        places
    };
    let (ones, others) = (place(first), place(second));
    let there = |(at, key): (usize, &u64)| {
        let alone = ones.get(key).copied().flatten().is_some();
        others.get(key).copied().flatten().filter(|_| alone).map(|to| (at, to))
    };
    first.iter().enumerate().filter_map(there).collect()
}

/// The first of a key with the first, the second with the second.
pub(super) fn by_rank<K: Eq + Hash>(first: &[K], second: &[K]) -> Vec<Pair> {
    let mut places: HashMap<&K, Vec<usize>> = HashMap::new();
    for (at, key) in second.iter().enumerate().rev() {
        places.entry(key).or_default().push(at);
    }
    let there = |(at, key): (usize, &K)| Some((at, places.get_mut(key)?.pop()?));
    first.iter().enumerate().filter_map(there).collect()
}

/// As many of these pairs as possible of which both rise; the first of each does already.
fn rising(pairs: &[Pair]) -> Vec<Pair> {
    // Of each length the end that is lowest, and before it what leads there.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, (_, to)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *to);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut found = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        found.push(pairs[at]);
        next = before[at];
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys(list: &[u64]) -> Vec<Keys> {
        list.iter().map(|key| [*key, *key / 4, *key / 16]).collect()
    }

    fn both(steps: &[Step]) -> Vec<Pair> {
        let pair = |step: &Step| match step {
            Step::Both(one, other) => Some((*one, *other)),
            _ => None,
        };
        steps.iter().filter_map(pair).collect()
    }

    fn check(first: &[u64], second: &[u64]) -> Vec<Step> {
        let steps = align(&keys(first), &keys(second));
        let (mut one, mut other) = (0, 0);
        for step in &steps {
            let (is_one, is_other) = match step {
                Step::Both(..) => (true, true),
                Step::First(_) => (true, false),
                Step::Second(_) => (false, true),
            };
            match *step {
                Step::Both(at, to) => assert_eq!((at, to), (one, other)),
                Step::First(at) => assert_eq!(at, one),
                Step::Second(to) => assert_eq!(to, other),
            }
            one += usize::from(is_one);
            other += usize::from(is_other);
        }
        assert_eq!((one, other), (first.len(), second.len()), "nothing is lost");
        let mirrored: Vec<Pair> = both(&align(&keys(second), &keys(first)));
        let mirrored: Vec<Pair> = mirrored.into_iter().map(|(one, other)| (other, one)).collect();
        assert_eq!(both(&steps), mirrored);
        steps
    }

    #[test]
    fn what_says_the_same_belongs_together_before_what_is_alike() {
        // 17 and 18 are alike, 17 and 99 are not.
        assert_eq!(both(&check(&[1, 17, 99], &[1, 18, 17, 99])), [(0, 0), (1, 2), (2, 3)]);
        assert_eq!(both(&check(&[1, 17, 99], &[1, 18, 99])), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(both(&check(&[17], &[99])), []);
        assert_eq!(check(&[17], &[99]), [Step::First(0), Step::Second(0)]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_exchanged_it_is_the_same(
            first in prop::collection::vec(0_u64..40, 0..60),
            second in prop::collection::vec(0_u64..40, 0..60),
        ) {
            check(&first, &second);
        }

        /// Also where lists are too long to compare each with each.
        #[test]
        fn long_lists_too(
            first in prop::collection::vec(0_u64..30, 600..700),
            cut in 0_usize..500,
            put in prop::collection::vec(0_u64..9000, 0..90),
        ) {
            let second = [&first[..cut], &put, &first[cut + 50..]].concat();
            let steps = check(&first, &second);
            prop_assert!(both(&steps).len() >= first.len() - 50, "what was left alone is found");
        }
    }
}
