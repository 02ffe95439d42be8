//! What it costs to read a real pipe into which each line is written as it comes.
//!
//! The writer waits until the reader has done with a line and sleeps in `read` again, as it does behind a
//! model, which is far slower than any reader: so every line costs one `read` and one waking up, whichever
//! reader it is. The CPU time of the reading thread is what counts, kernel and all.

use anyhow::ensure;
use std::hint::black_box;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use unspool::{Grain, Spool};
use unspool_bench::input::{self, lines};
use unspool_bench::measure::Times;
use unspool_bench::report::{Report, Verdict};

/// Of the size of some 2,000 lines: each has to be waited for.
const SIZE: usize = 600_000;

/// Waking up is easily disturbed by whatever else the machine does, so there are many short rounds.
const ROUNDS: usize = 41;

/// Long enough that a reader sleeps by then.
const PAUSE: Duration = Duration::from_micros(20);

fn main() -> anyhow::Result<()> {
    let input = input::deltas(&input::folder(), SIZE)?;
    let stream = input.bytes();
    let (mut split, mut told, mut memory) = (0, 0, 0);
    let times = Times::in_rounds(
        ROUNDS,
        &mut [
            &mut || split = through_a_pipe(stream, Splitter::default()),
            &mut || told = through_a_pipe(stream, Teller::new()),
            &mut || memory = from_memory(stream),
        ],
    );
    ensure!(split == lines(stream).count() && told == memory, "not all was read: {split}, {told}, {memory}");
    report(times.dearer(1, &[0, 2]), times.dearer(1, &[0]))
}

/// The translation itself is held to its own goal, so here it counts as paid: what is left is the price of
/// feeding a spool line by line. The plain ratio is told too.
fn report(beside_both: f64, beside_split: f64) -> anyhow::Result<()> {
    let mut report = Report::default();
    let percent = |ratio: f64| format!("{:+.0} % CPU", (ratio - 1.0) * 100.0);
    report.row(
        "a pipe, one write per line → events, beside read and line split, and these events from memory",
        percent(beside_both),
        "at most +15 %",
        Some(Verdict::of(beside_both <= 1.15)),
    );
    report.note("the same, beside read and line split alone", percent(beside_split));
    report.print()
}

/// Takes what `read` has returned; counts what it finds.
trait Taker {
    fn take(&mut self, piece: &[u8]);
    fn count(&self) -> usize;
}

/// Lines, and nothing else; what has no end yet is kept.
#[derive(Default)]
struct Splitter {
    kept: Vec<u8>,
    lines: usize,
}

impl Taker for Splitter {
    fn take(&mut self, piece: &[u8]) {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', piece) {
            self.kept.extend_from_slice(&piece[start..end]);
            black_box(&self.kept);
            self.kept.clear();
            (self.lines, start) = (self.lines + 1, end + 1);
        }
        self.kept.extend_from_slice(&piece[start..]);
    }

    fn count(&self) -> usize {
        self.lines
    }
}

/// Events.
struct Teller {
    spool: Spool,
    events: usize,
}

impl Teller {
    fn new() -> Self {
        Teller { spool: Spool::new(Grain::Deltas), events: 0 }
    }
}

impl Taker for Teller {
    fn take(&mut self, piece: &[u8]) {
        self.spool.feed(piece, |event| {
            self.events += 1;
            drop(black_box(event));
        });
    }

    fn count(&self) -> usize {
        self.events
    }
}

fn from_memory(stream: &[u8]) -> usize {
    let mut teller = Teller::new();
    teller.take(stream);
    teller.count()
}

/// Reads the stream in this thread while another writes it, line by line.
fn through_a_pipe(stream: &[u8], mut taker: impl Taker) -> usize {
    let (mut reader, writer) = io::pipe().expect("there is a pipe");
    let done = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| write(stream, writer, &done));
        read(&mut reader, &mut taker, &done);
    });
    taker.count()
}

fn read(reader: &mut PipeReader, taker: &mut impl Taker, done: &AtomicUsize) {
    let (mut piece, mut total) = (vec![0; 64 << 10], 0);
    loop {
        match reader.read(&mut piece).expect("the pipe can be read") {
            0 => return,
            length => {
                taker.take(&piece[..length]);
                total += length;
                done.store(total, Ordering::Release);
            }
        }
    }
}

fn write(stream: &[u8], mut writer: PipeWriter, done: &AtomicUsize) {
    let mut written = 0;
    for line in lines(stream) {
        writer.write_all(&stream[written..written + line.len() + 1]).expect("the pipe can be written");
        written += line.len() + 1;
        while done.load(Ordering::Acquire) < written {
            thread::yield_now();
        }
        let slept = Instant::now();
        while slept.elapsed() < PAUSE {
            std::hint::spin_loop();
        }
    }
}
