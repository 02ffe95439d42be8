//! Work as bars: side by side where they overlap, together where they would not be told apart.

use crate::times::{Span, Work, Worked};

/// How wide a row is, in units of its own.
pub(super) const WIDTH: i64 = 1000;

/// The narrowest bar.
const NARROWEST: i64 = 2;

/// The most calls that are drawn side by side; more are drawn together.
const LANES: usize = 6;

/// Something to draw: one piece of work, or several that lie too close.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Bar<'i> {
    /// The first of them.
    pub(super) first: &'i Worked,
    /// When that was.
    pub(super) span: Span,
    /// How many they are.
    pub(super) number: usize,
    /// Where it begins and ends.
    pub(super) from: i64,
    pub(super) to: i64,
    /// The lane, from 0; models have the first.
    pub(super) lane: usize,
}

/// The work of one agent, in the order of its beginning, as bars.
pub(super) fn bars<'i>(work: &[(Span, &'i Worked)], (start, end): Span) -> Vec<Bar<'i>> {
    let span = i128::from((end.saturating_sub(start)).max(1));
    let unit = |at: i64| (i128::from(at.saturating_sub(start)) * i128::from(WIDTH) / span) as i64;
    let mut bars: Vec<Bar<'i>> = Vec::new();
    // The last bar of each lane, and when it ends by the clock.
    let mut lanes: Vec<Option<(usize, i64)>> = vec![None; 1 + LANES];
    for &(span, worked) in work {
        let lane = match worked.work {
            Work::Model => 0,
            Work::Tool => {
                let is_free = |lane: &usize| lanes[*lane].is_none_or(|(_, end)| end <= span.0);
                (1..=LANES).find(is_free).unwrap_or(LANES)
            }
        };
        let from = unit(span.0).min(WIDTH - NARROWEST);
        let to = unit(span.1).max(from + NARROWEST);
        let ends = lanes[lane].map_or(span.1, |(_, end)| end.max(span.1));
        match lanes[lane].map(|(bar, _)| bar).filter(|bar| bars[*bar].to > from) {
            Some(bar) => {
                bars[bar].number += 1;
                bars[bar].to = bars[bar].to.max(to);
                lanes[lane] = Some((bar, ends));
            }
            None => {
                lanes[lane] = Some((bars.len(), ends));
                bars.push(Bar { first: worked, span, number: 1, from, to, lane });
            }
        }
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worked(work: Work) -> Worked {
        Worked {
            agent: "main".into(),
            work,
            name: "x".into(),
            call: None,
            span: None,
            is_part: false,
            told_ms: None,
        }
    }

    #[track_caller]
    fn check(work: &[(Work, i64, i64)], expected: &[(usize, i64, i64, usize)]) {
        let [model, tool] = [Work::Model, Work::Tool].map(worked);
        let of = |work: Work| if work == Work::Model { &model } else { &tool };
        let work: Vec<_> = work.iter().map(|(work, from, to)| ((*from, *to), of(*work))).collect();
        let bars = bars(&work, (0, 10_000));
        let told: Vec<_> = bars.iter().map(|bar| (bar.lane, bar.from, bar.to, bar.number)).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn parallel_calls_have_lanes_of_their_own() {
        use Work::{Model, Tool};
        check(
            &[(Model, 0, 1000), (Tool, 1000, 4000), (Tool, 2000, 3000), (Tool, 3000, 5000)],
            &[(0, 0, 100, 1), (1, 100, 400, 1), (2, 200, 300, 1), (2, 300, 500, 1)],
        );
    }

    #[test]
    fn what_lies_too_close_is_drawn_together() {
        use Work::Tool;
        check(&[(Tool, 0, 1), (Tool, 2, 3), (Tool, 15, 16)], &[(1, 0, 3, 3)]);
        let tool = worked(Tool);
        let many: Vec<_> = (0..100_000).map(|at| ((at / 10, at / 10), &tool)).collect();
        let bars = bars(&many, (0, 10_000));
        assert!(bars.len() <= WIDTH as usize);
        assert_eq!(bars.iter().map(|bar| bar.number).sum::<usize>(), 100_000);
    }

    #[test]
    fn more_than_fit_side_by_side_share_the_last_lane() {
        let many = vec![(Work::Tool, 0, 10_000); 9];
        let mut expected: Vec<_> = (1..=6).map(|lane| (lane, 0, 1000, 1)).collect();
        expected[5].3 = 4;
        check(&many, &expected);
    }
}
