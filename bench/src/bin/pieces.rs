//! What it costs that a stream comes in pieces.

use std::hint::black_box;
use unspool::{Grain, Spool};
use unspool_bench::input::{self, Input};
use unspool_bench::measure::Times;
use unspool_bench::report::{Report, Table, Verdict};

const SIZE: usize = 16 << 20;
const PIECES: [usize; 5] = [1, 7, 64, 4 << 10, 64 << 10];

/// A line, and one that is four times as long. Both are short enough that memory is used again and caches hold them:
/// otherwise the longer one alone would pay for fresh memory, which costs more than reading it. Squared, it would be 16 times.
const LINES: [usize; 2] = [4 << 20, 16 << 20];

fn main() -> anyhow::Result<()> {
    let mut report = Report::default();
    let mut table = Table {
        title: "Megabytes per second, fed in pieces of so many bytes".to_owned(),
        head: ["input"].map(str::to_owned).into_iter().chain(PIECES.map(|it| it.to_string())).collect(),
        rows: Vec::new(),
    };
    table.head.push("one piece".to_owned());
    for input in [input::deltas(&input::folder(), SIZE)?, input::tools(SIZE)] {
        table.rows.push(cut(&input, &mut report));
    }
    report.table(table);
    long_line("1 byte", 1, &mut report);
    long_line("4 KiB", 4 << 10, &mut report);
    report.print()
}

/// Feeds an input in pieces of every size, and in one.
fn cut(input: &Input, report: &mut Report) -> Vec<String> {
    let whole = input.bytes().len();
    let sizes: Vec<usize> = PIECES.into_iter().chain([whole]).collect();
    let mut work: Vec<_> = sizes.iter().map(|&size| move || feed(input.bytes(), input.grain, size)).collect();
    let times = Times::of(&mut work.iter_mut().map(|it| it as &mut dyn FnMut()).collect::<Vec<_>>());
    let (last, one) = (PIECES.len() - 1, PIECES.len());
    let more = times.dearer(last, &[one]) - 1.0;
    report.row(
        &format!("{} in pieces of 64 KiB, beside one piece", input.name),
        format!("{:+.0} % CPU", more * 100.0),
        "at most +10 %",
        Some(Verdict::of(more <= 0.10)),
    );
    let speed = |at| format!("{:.0}", whole as f64 / 1e6 / times.seconds(at));
    [input.name.clone()].into_iter().chain((0..sizes.len()).map(speed)).collect()
}

/// Feeds a line that grows piece by piece, and one four times as long: time must grow as the length does.
fn long_line(name: &str, piece: usize, report: &mut Report) {
    let lines = LINES.map(input::line_of);
    let mut work = lines.each_ref().map(|line| move || feed(line, Grain::Blocks, piece));
    let times = Times::of(&mut work.each_mut().map(|it| it as &mut dyn FnMut()));
    let growth = times.dearer(1, &[0]);
    report.row(
        &format!("a line of {} MB in pieces of {name}, beside one of {} MB", LINES[1] >> 20, LINES[0] >> 20),
        format!("{growth:.1} times the CPU"),
        "4 times, at most 6: not quadratic",
        Some(Verdict::of(growth <= 6.0)),
    );
}

fn feed(stream: &[u8], grain: Grain, piece: usize) {
    let mut spool = Spool::new(grain);
    for piece in stream.chunks(piece) {
        spool.feed(piece, |event| drop(black_box(event)));
    }
    spool.finish(|event| drop(black_box(event)));
}
