//! Reads the same streams in several ways, in one process, and prints megabytes per second of CPU time.
//!
//! All readers take their turns in every round, so a machine that is busy for a while slows all of them
//! alike; the median over the rounds is what counts, and a ratio says more than a speed.

mod input;
mod reader;

use cpu_time::ThreadTime;
use reader::READERS;
use std::path::PathBuf;

/// Enough that caches do not help, little enough for a short run.
const BYTES: usize = 64 << 20;
const ROUNDS: usize = 7;
/// The reader that all are compared with.
const MEASURE: &str = "serde_json::Value";

fn main() -> anyhow::Result<()> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let input = input::read(&paths, BYTES)?;
    println!("{input}");
    let mut speeds = vec![Vec::new(); READERS.len()];
    for _ in 0..ROUNDS {
        for (reader, speeds) in READERS.iter().zip(&mut speeds) {
            let begun = ThreadTime::now();
            std::hint::black_box((reader.read)(&input.bytes));
            speeds.push(input.bytes.len() as f64 / 1e6 / begun.elapsed().as_secs_f64());
        }
    }
    table(speeds.into_iter().map(median).collect());
    Ok(())
}

fn median(mut speeds: Vec<f64>) -> f64 {
    speeds.sort_by(f64::total_cmp);
    speeds[speeds.len() / 2]
}

fn table(speeds: Vec<f64>) {
    let measure = READERS.iter().position(|it| it.name == MEASURE).map_or(1.0, |at| speeds[at]);
    println!("{:<28}{:>10}  x {MEASURE}", "reader", "MB/s");
    for (reader, speed) in READERS.iter().zip(speeds) {
        println!("{:<28}{speed:>10.0}{:>8.2}", reader.name, speed / measure);
    }
}
