//! Stretches of time.

use crate::times::{Span, length};

/// All time that is in one of them, as spans that do not touch, in order.
pub(crate) fn union(spans: impl IntoIterator<Item = Span>) -> Vec<Span> {
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
pub(crate) fn total(spans: &[Span]) -> u64 {
    spans.iter().map(length).sum()
}

/// How much of them is inside `frame`.
pub(crate) fn inside(spans: &[Span], frame: Span) -> u64 {
    let part = |span: &Span| length(&(span.0.max(frame.0), span.1.min(frame.1)));
    spans.iter().map(part).sum()
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
    }
}
