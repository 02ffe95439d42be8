//! Stretches of time.

use crate::times::{Span, length};

/// All time that is in one of them, as spans that do not touch, in order.
pub(super) fn union(spans: impl IntoIterator<Item = Span>) -> Vec<Span> {
    let mut spans: Vec<Span> = spans.into_iter().filter(|span| span.0 < span.1).collect();
    spans.sort_unstable();
    let mut joined: Vec<Span> = Vec::new();
    for (from, to) in spans {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

/// How long they are together.
pub(super) fn total(spans: &[Span]) -> u64 {
    spans.iter().map(length).sum()
}

/// How much of them is inside `frame`.
pub(super) fn inside(spans: &[Span], frame: Span) -> u64 {
    let part = |span: &Span| length(&(span.0.max(frame.0), span.1.min(frame.1)));
    spans.iter().map(part).sum()
}

/// How long two lists of spans, each in order and without overlaps, are at once.
pub(super) fn both(one: &[Span], other: &[Span]) -> u64 {
    let (mut at, mut sum) = (0, 0);
    for span in one {
        while other.get(at).is_some_and(|other| other.1 <= span.0) {
            at += 1;
        }
        let touching = other[at..].iter().take_while(|other| other.0 < span.1);
        sum += touching.map(|other| length(&(other.0.max(span.0), other.1.min(span.1)))).sum::<u64>();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overlaps_counts_once() {
        let spans = [(5, 9), (0, 3), (3, 4), (6, 7), (8, 12), (20, 20)];
        assert_eq!(union(spans), [(0, 4), (5, 12)]);
        assert_eq!((total(&union(spans)), total(&spans)), (11, 13));
        assert_eq!(inside(&union(spans), (3, 6)), 2);
        assert_eq!(inside(&spans, (30, 40)), 0);
        assert_eq!(
            both(&[(0, 4), (5, 12)], &[(-3, 1), (2, 3), (3, 6), (8, 9), (11, 20)]),
            1 + 1 + 1 + 1 + 1 + 1
        );
        assert_eq!(both(&[(0, 4)], &[]), 0);
    }
}
