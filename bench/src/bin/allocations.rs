//! How often memory is allocated for a line, once a session runs.
//!
//! A program of its own: the allocator that counts would slow the readers that allocate most.

use allocation_counter::measure;
use std::hint::black_box;
use unspool::{Event, Spool};
use unspool_bench::input::{self, Input, lines};
use unspool_bench::reader::keep_words;
use unspool_bench::report::{Report, Verdict};

const SIZE: usize = 8 << 20;

/// Averages are told with two digits: a table that grows once in a thousand lines is no allocation per line.
const DIGITS: f64 = 0.005;

fn main() -> anyhow::Result<()> {
    let mut report = Report::default();
    for input in [input::deltas(&input::folder(), SIZE)?, input::blocks(SIZE)] {
        for (text, goal, sink) in [("borrowed", 0.0, borrowed as fn(Event<'_>)), ("owned", 1.0, keep_words)] {
            let (average, most) = steady(&input, sink);
            report.row(
                &format!("allocations per line, {}, {text} text", input.name),
                format!("{average:.2}, in one line up to {most}"),
                &if goal > 0.0 { format!("at most {goal}") } else { goal.to_string() },
                Some(Verdict::of(average < goal + DIGITS)),
            );
        }
    }
    report.print()
}

fn borrowed(event: Event<'_>) {
    black_box(&event);
}

/// The allocations of a line in the second half of a session, on average and at most.
fn steady(input: &Input, sink: fn(Event<'_>)) -> (f64, u64) {
    let (mut spool, mut counts) = (Spool::new(input.grain), Vec::new());
    // A line and its end, as one write of Claude Code brings them.
    let pieces: Vec<Vec<u8>> = lines(input.bytes()).map(|line| [line, b"\n"].concat()).collect();
    let (first, second) = pieces.split_at(pieces.len() / 2);
    first.iter().for_each(|piece| spool.feed(piece, sink));
    for piece in second {
        counts.push(measure(|| spool.feed(piece, sink)).count_total);
    }
    let most = counts.iter().max().copied().unwrap_or(0);
    (counts.iter().sum::<u64>() as f64 / counts.len() as f64, most)
}
