//! The program `unspool`: how fast it reads a gigabyte, how much memory it takes, how fast it starts.
//!
//! Called with the recordings, the program, and the file that it may write and delete.

use anyhow::{Context, ensure};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use unspool::Grain;
use unspool_bench::input::{self, Input, lines};
use unspool_bench::measure::{Speeds, median};
use unspool_bench::reader::{OWNED, WRITTEN};
use unspool_bench::report::{Report, Verdict};
use unspool_bench::watch::watch;

const FILE: usize = 1_000_000_000;
/// The beginning of the file, for the library.
const SAMPLE: usize = 64 << 20;

/// The library and the program take turns.
const ROUNDS: usize = 3;

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args_os().skip(2).map(PathBuf::from);
    let (program, file) = args.next().zip(args.next()).context("RECORDINGS PROGRAM FILE")?;
    let mut report = Report::default();
    starts(&program, &mut report)?;
    if cfg!(target_os = "linux") {
        let read = reads(&program, &file, &mut report);
        fs::remove_file(&file)?;
        read?;
    } else {
        report.note("`unspool events FILE`, 1 GB", "not measured: only Linux tells what it took".to_owned());
    }
    report.print()
}

fn starts(program: &Path, report: &mut Report) -> anyhow::Result<()> {
    let mut times = [0.0; 21];
    for time in &mut times {
        let begun = Instant::now();
        ensure!(
            Command::new(program).arg("--version").stdout(Stdio::null()).status()?.success(),
            "--version"
        );
        *time = begun.elapsed().as_secs_f64() * 1e3;
    }
    let time = median(&times);
    let size = fs::metadata(program)?.len() as f64 / 1e6;
    let (time_word, size_word) = (format!("{time:.1} ms"), format!("{size:.1} MB"));
    report.row("`unspool --version`", time_word, "under 10 ms", Some(Verdict::of(time < 10.0)));
    report.row("the program, stripped", size_word, "under 15 MB", Some(Verdict::of(size < 15.0)));
    Ok(())
}

fn reads(program: &Path, file: &Path, report: &mut Report) -> anyhow::Result<()> {
    let (sample, longest) = make(file)?;
    let (mut beside_owned, mut beside_written, mut speeds, mut peak) = (vec![], vec![], vec![], 0);
    for _ in 0..ROUNDS {
        let library = Speeds::of(&sample, &[OWNED, WRITTEN]);
        let run = watch(Command::new(program).arg("events").arg(file).stdout(Stdio::null()))?;
        let speed = FILE as f64 / 1e6 / run.cpu;
        beside_owned.push(speed / library.speed(&OWNED));
        beside_written.push(speed / library.speed(&WRITTEN));
        speeds.push(speed);
        peak = run.peak.max(peak);
    }
    let part = median(&beside_owned);
    report.row(
        "`unspool events FILE > /dev/null`, 1 GB, beside the library (owned text)",
        format!("{part:.2} times as fast: {:.0} MB/s of CPU", median(&speeds)),
        "at least 0.5",
        Some(Verdict::of(part >= 0.5)),
    );
    report.note("the same, beside the library that writes JSON", format!("{:.2}", median(&beside_written)));
    let limit = (30 << 20) + longest;
    report.row(
        "peak memory of it",
        format!("{:.1} MB", peak as f64 / 1e6),
        &format!("under 30 MB and the longest line: {:.1} MB", limit as f64 / 1e6),
        Some(Verdict::of(peak < limit)),
    );
    Ok(())
}

/// Writes the file; returns its beginning, and the length of its longest line.
fn make(file: &Path) -> anyhow::Result<(Input, usize)> {
    let mut out = BufWriter::new(File::create(file).with_context(|| file.display().to_string())?);
    let (mut written, mut longest, mut sample) = (0, 0, Vec::new());
    for stream in input::long(&input::folder())? {
        out.write_all(&stream)?;
        written += stream.len();
        longest = lines(&stream).map(<[u8]>::len).fold(longest, usize::max);
        if sample.len() < SAMPLE {
            sample.extend_from_slice(&stream);
        }
        if written >= FILE {
            break;
        }
    }
    out.flush()?;
    let mut input = Input::new("long", Grain::Blocks);
    input.push(&sample);
    Ok((input, longest))
}
