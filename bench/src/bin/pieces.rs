//! What it costs that a stream comes in pieces.

use std::hint::black_box;
use unspool::{Grain, Spool};
use unspool_bench::input::{self, Input};
use unspool_bench::measure::Times;
use unspool_bench::report::{Report, Table, Verdict};

const SIZE: usize = 16 << 20;
const PIECES: [usize; 5] = [1, 7, 64, 4 << 10, 64 << 10];

/// Rounds for long lines: each is short, and memory is a fickle thing.
const LONG_LINES: usize = 21;

/// A line, and one that is four times as long.
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

/// Feeds a line that grows piece by piece, and one four times as long: what the cuts cost must grow as the length does.
///
/// Beside each, the same line in one piece and a `Vec` that takes the pieces: it has to be held by any reader, and memory
/// that is fresh each time costs more than reading, and more for the longer line. With work that is done again for
/// every piece the ratio would be four times as high for the longer line.
fn long_line(name: &str, piece: usize, report: &mut Report) {
    let lines = LINES.map(input::line_of);
    let mut cut = lines.each_ref().map(|line| move || feed(line, Grain::Blocks, piece));
    let mut whole = lines.each_ref().map(|line| {
        move || {
            hold(line, piece);
            feed(line, Grain::Blocks, line.len());
        }
    });
    let [short, long] = cut.each_mut().map(|it| it as &mut dyn FnMut());
    let [short_whole, long_whole] = whole.each_mut().map(|it| it as &mut dyn FnMut());
    let times = Times::in_rounds(LONG_LINES, &mut [short, short_whole, long, long_whole]);
    let (short, long) = (times.dearer(0, &[1]), times.dearer(2, &[3]));
    let growth = long / short;
    report.row(
        &format!("a line of {} MB in pieces of {name}, beside one of {} MB", LINES[1] >> 20, LINES[0] >> 20),
        format!("{growth:.2} times the CPU for a byte: {long:.2} and {short:.2} times one piece and a growing `Vec`"),
        "1, at most 1.5: not quadratic, which would be 4",
        Some(Verdict::of(growth <= 1.5)),
    );
}

/// The least that anybody does who is given a line in pieces.
fn hold(line: &[u8], piece: usize) {
    let mut held = Vec::new();
    for piece in line.chunks(piece) {
        held.extend_from_slice(black_box(piece));
    }
    drop(black_box(held));
}

fn feed(stream: &[u8], grain: Grain, piece: usize) {
    let mut spool = Spool::new(grain);
    for piece in stream.chunks(piece) {
        spool.feed(piece, |event| drop(black_box(event)));
    }
    spool.finish(|event| drop(black_box(event)));
}
